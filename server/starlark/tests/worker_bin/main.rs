//! The worker process for the tests.

fn main() -> std::io::Result<()> {
    lofting_starlark::run_worker(std::io::BufReader::new(std::io::stdin()), std::io::stdout())
}

//! How long 100,000 lines take: `cargo bench -p lofting-format`.
#![allow(clippy::print_stdout)]

use lofting_format::{Options, format};
use std::hint::black_box;
use std::time::Instant;

/// A service of ten lines, with what templates have.
const SERVICE: &str = "#@schema/nullable\nname%:\n  # why\n  image: \"a/b:1\"  # pinned\n  ports:\n  - name: http\n    port: 80\n  \
                       #@ if x:\n  text: |\n    one\n    two\n  #@ end\n  args: [a, b]\n";

fn main() {
    let lines = SERVICE.lines().count();
    let tidy: String = (0..100_000 / lines).map(|at| SERVICE.replace('%', &at.to_string())).collect();
    let untidy = tidy.replace("\n  ", "\n    ").replace(": ", ":   ");
    for (name, text) in [("laid out already", tidy), ("all lines move", untidy)] {
        let tree = lofting_syntax::parse(&text);
        let mut best = f64::MAX;
        let mut edits = 0;
        for _ in 0..15 {
            let start = Instant::now();
            edits = black_box(format(&tree, &Options::default())).map_or(0, |edits| edits.len());
            best = best.min(start.elapsed().as_secs_f64() * 1000.0);
        }
        println!("{name}: {best:.1} ms for {} lines, {edits} edits", text.lines().count());
    }
}

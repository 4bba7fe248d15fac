//! `cargo xtask test --packages`: makes all packages, installs each that can be installed here, and lets it find the
//! mistake of an example. Nothing is installed outside a folder of the build.

mod browser;
mod ci;
mod debian;
mod lspconfig;
mod npm;
mod pre_commit;
mod python;
mod registry;
mod release;
mod reports;
mod sbom;
mod steps;
mod unpacked;
mod zed;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow, bail};

use crate::dist::{self, Order, Packed, Target};
use crate::report::Report;
use crate::shell;
use registry::Registry;

/// What the tests work with.
pub struct Bench {
    /// The program that is packed.
    pub program: PathBuf,
    pub target: &'static Target,
    /// The packages.
    pub packages: PathBuf,
    /// A fresh folder for everything that is installed.
    pub work: PathBuf,
    pub registry: Registry,
}

/// What became of a test that could be done.
pub enum Outcome {
    Done,
    /// Why it cannot be done on this machine.
    Skipped(String),
}

impl Outcome {
    /// Something that is needed cannot be fetched.
    fn without(what: &str, why: &anyhow::Error) -> Outcome {
        let why = format!("{why:#}");
        Outcome::Skipped(format!("{what} cannot be fetched: {}", why.lines().next().unwrap_or_default()))
    }
}

type Test = fn(&Bench) -> anyhow::Result<Outcome>;

/// What needs no network.
const QUICK: &[(&str, Test)] = &[
    ("archive", unpacked::archive),
    ("C library of the packages", unpacked::c_library),
    ("wheel, by pip from an index on this machine", python::test),
    ("npm packages, from a registry on this machine", npm::test),
    ("Debian package, by dpkg", debian::test),
    ("GitHub Action in an example", ci::github),
    ("GitLab template in an example", ci::gitlab),
    ("workflows, by their schemas", release::workflows),
    ("steps of the release", release::test),
];

/// Kinds of packages whose tests fetch third-party programs.
const LONG: &[(&str, Test)] = &[
    ("VSIX", unpacked::vsix),
    ("SBOM, by the schema of CycloneDX", sbom::test),
    ("reports, by programs of others", reports::test),
    ("pre-commit with PyPI and with npm", pre_commit::test),
    ("entry for nvim-lspconfig, in Neovim", lspconfig::test),
    ("Zed component, called by a host", zed::test),
    ("playground, in a browser", browser::test),
];

/// Kinds of packages whose tests need no third-party programs.
const QUICK_KINDS: &[&str] = &["archive", "sbom", "wheel", "npm", "debian"];

/// Packs and installs. Without `long` only what needs no network, so that every test run can do it. With `only`, the tests
/// whose titles contain that text.
pub fn test(report: &mut Report, binary: Option<&Path>, long: bool, only: Option<&str>) {
    report.heading("packages");
    match prepare(binary, long) {
        Ok((bench, packed)) => {
            for (kind, why) in packed.skipped {
                report.skip(&format!("package {kind}"), &why);
            }
            let more = if long { LONG } else { &[] };
            let is_asked = |title: &str| only.is_none_or(|only| title.contains(only));
            for (title, test) in QUICK.iter().chain(more).filter(|(title, _)| is_asked(title)) {
                match test(&bench) {
                    Ok(Outcome::Done) => drop(report.check(title, Ok(()))),
                    Ok(Outcome::Skipped(why)) => report.skip(title, &why),
                    Err(why) => report.fail(title, why),
                }
            }
        }
        Err(why) => report.fail("packages", why),
    }
}

/// Packs twice, and checks that both results are equal.
fn prepare(binary: Option<&Path>, long: bool) -> anyhow::Result<(Bench, Packed)> {
    let target = Target::of(&shell::host()?)?;
    let work = shell::target_dir().join("packages-test");
    let _ = fs::remove_dir_all(&work);
    let built = match binary {
        Some(binary) => binary.to_owned(),
        None => shell::build_lofting(shell::Profile::Dev)?,
    };
    let program = work.join("program").join(target.program());
    fs::create_dir_all(work.join("program")).with_context(|| work.display().to_string())?;
    // Without symbols, a build for tests is a third of its size.
    let is_stripped = shell::quiet(Command::new("strip").arg("-o").arg(&program).arg(&built)).is_ok();
    if !is_stripped {
        fs::copy(&built, &program).with_context(|| built.display().to_string())?;
    }
    let only = if long { Vec::new() } else { QUICK_KINDS.iter().map(|kind| (*kind).to_owned()).collect() };
    let order =
        |out: PathBuf| Order { target, binary: program.clone(), texts_from: program.clone(), only: only.clone(), out };
    let packages = work.join("packages");
    let packed = dist::pack(&order(packages.clone()))?;
    let again = work.join("again");
    dist::pack(&order(again.clone()))?;
    let (first, second) = (dist::sums(&packages)?, dist::sums(&again)?);
    if first != second {
        let differ = first.iter().zip(&second).filter(|(a, b)| a != b).map(|(a, _)| a.0.as_str());
        bail!("two builds of packages differ: {}", differ.collect::<Vec<_>>().join(", "));
    }
    let _ = fs::remove_dir_all(&again);
    let registry = Registry::serve(&packages)?;
    Ok((Bench { program, target, packages, work, registry }, packed))
}

impl Bench {
    /// A fresh folder.
    pub fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.work.join(name);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// A copy of the example for a CI, in a folder of its own.
    pub fn example(&self, of: &str, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.folder(name)?;
        shell::copy(&shell::root().join("examples/ci").join(of), &folder)?;
        Ok(folder)
    }

    /// The package whose name begins and ends so.
    pub fn package(&self, begin: &str, end: &str) -> anyhow::Result<PathBuf> {
        let entries = fs::read_dir(&self.packages).with_context(|| self.packages.display().to_string())?;
        let is_asked = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(begin) && name.ends_with(end)
        };
        let found = entries.flatten().map(|entry| entry.path()).find(is_asked);
        found.with_context(|| format!("there is no package {begin}…{end}"))
    }

    /// Runs an installed program in the example, and checks that it finds the mistake.
    pub fn finds_the_mistake(&self, program: &Path) -> anyhow::Result<()> {
        let example = shell::root().join("examples/ci/pre-commit");
        let output = Command::new(program)
            .args(["check", "--color", "never"])
            .current_dir(example)
            .stdin(Stdio::null())
            .output()
            .with_context(|| program.display().to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.code() == Some(1) && said.contains(MISTAKE) {
            return Ok(());
        }
        Err(anyhow!(
            "{} did not find it: {}\n{said}{}",
            program.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// Where the mistake of all examples is.
pub const MISTAKE: &str = "service.yaml:3:7";

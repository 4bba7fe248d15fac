//! What a program for Linux needs of the system that it starts on.

use anyhow::{Context, bail};

/// A version of the C library.
pub type Version = (u32, u32);

/// Reads `2.28`.
pub fn version(text: &str) -> anyhow::Result<Version> {
    let numbers = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    numbers.with_context(|| format!("`{text}` is no version of the C library, such as `2.28`"))
}

/// Checks that the program starts wherever packages of its platform promise it: on systems whose C library is at least
/// `oldest`, or on any where it is linked statically.
pub fn check(triple: &str, program: &[u8], oldest: Option<Version>) -> anyhow::Result<()> {
    if is_fixed(program) {
        bail!("the program for {triple} is always at the same address, which helps those who attack it");
    }
    if triple.ends_with("-linux-musl") && interpreter(program).context("the program is no ELF file")? {
        bail!("the program for {triple} is not linked statically");
    }
    let Some((major, minor)) = glibc(program).filter(|_| triple.ends_with("-linux-gnu")) else { return Ok(()) };
    println!("   starts with glibc {major}.{minor} and newer");
    match oldest.filter(|oldest| (major, minor) > *oldest) {
        Some(oldest) => bail!(
            "the program needs glibc {major}.{minor}, and {}.{} was asked for: `cargo-zigbuild` links it for older systems \
             (`pip install cargo-zigbuild ziglang`)",
            oldest.0,
            oldest.1
        ),
        None => Ok(()),
    }
}

/// The newest version of the C library that the program refers to. These names are in it as plain text.
pub fn glibc(program: &[u8]) -> Option<Version> {
    const NAME: &[u8] = b"GLIBC_";
    let mut newest = None;
    for at in memory_find(program, NAME) {
        let rest = &program[at + NAME.len()..];
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(rest.len());
        let text = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        let mut numbers = text.split('.').map(str::parse::<u32>);
        if let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) {
            newest = newest.max(Some((major, minor)));
        }
    }
    newest
}

/// Whether the program names a library that is loaded before it.
pub fn needs(program: &[u8], library: &str) -> bool {
    memory_find(program, format!("{library}\0").as_bytes()).next().is_some()
}

/// Where `part` begins. Few bytes are its first one, so nothing faster is needed.
fn memory_find<'a>(bytes: &'a [u8], part: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = part[0];
    bytes
        .iter()
        .enumerate()
        .filter(move |(_, byte)| **byte == first)
        .map(|(at, _)| at)
        .filter(move |at| bytes[*at..].starts_with(part))
}

/// Whether a program has to be loaded at one address (`ET_EXEC` in a little-endian ELF file).
fn is_fixed(program: &[u8]) -> bool {
    const FIXED: &[u8] = &[2, 0];
    program.starts_with(b"\x7fELF") && program.get(16..18) == Some(FIXED)
}

/// The oldest C library that installers know a name for. What is linked statically starts with any.
const OLDEST_KNOWN: Version = (2, 17);

/// The oldest C library that a program for Linux starts with, as far as installers know names for it.
///
/// # Errors
///
/// The program is not linked statically, and names no version.
pub fn oldest_named(program: &[u8]) -> anyhow::Result<Version> {
    if interpreter(program) == Some(false) {
        return Ok(OLDEST_KNOWN);
    }
    Ok(glibc(program).context("the program names no version of the C library")?.max(OLDEST_KNOWN))
}

/// Whether the system has to load libraries before the program (`PT_INTERP` in a 64-bit little-endian ELF file); None for
/// other files.
fn interpreter(program: &[u8]) -> Option<bool> {
    const INTERPRETER: usize = 3;
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = program.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    if !program.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (first, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut kinds = (0..count).map(|header| number(first.checked_add(header * size)?, 4));
    Some(kinds.any(|kind| kind == Some(INTERPRETER)))
}

#[cfg(test)]
mod tests {
    use super::{check, glibc, interpreter, oldest_named, version};

    #[test]
    fn the_newest_version_counts() {
        assert_eq!(glibc(b"\0GLIBC_2.2.5\0GLIBC_2.35\0GLIBC_2.9\0GLIBC_PRIVATE\0G"), Some((2, 35)));
        assert_eq!(glibc(b"static"), None);
    }

    #[test]
    fn a_program_for_newer_systems_is_refused() {
        let target = "x86_64-unknown-linux-gnu";
        let program = b"\0GLIBC_2.17\0GLIBC_2.29\0";
        let why = check(target, program, Some((2, 28))).expect_err("too new").to_string();
        assert!(why.contains("needs glibc 2.29, and 2.28 was asked for"), "{why}");
        check(target, program, version("2.29").ok()).expect("new enough");
        check(target, program, None).expect("nothing was asked for");
        version("2").expect_err("half a version");
    }

    /// A file with one program header of this kind.
    fn elf(kind: u8) -> Vec<u8> {
        let mut file = vec![0; 64 + 56];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (file[32], file[54], file[56], file[64]) = (64, 56, 1, kind);
        file
    }

    #[test]
    fn a_program_at_a_fixed_address_is_refused() {
        for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-musl"] {
            let mut program = elf(1);
            program[16] = 3;
            check(target, &program, None).expect("anywhere");
            program[16] = 2;
            let why = check(target, &program, None).expect_err("at one address").to_string();
            assert!(why.contains("always at the same address"), "{why}");
        }
    }

    #[test]
    fn the_oldest_named_is_that_of_the_program_or_the_oldest_known() {
        assert_eq!(oldest_named(&elf(1)).expect("static"), (2, 17));
        let linked = |names: &[u8]| oldest_named(&[&elf(3), names].concat());
        assert_eq!(linked(b"\0GLIBC_2.28\0").expect("a version"), (2, 28));
        assert_eq!(linked(b"\0GLIBC_2.5\0").expect("a version"), (2, 17));
        assert!(linked(b"").expect_err("none").to_string().contains("names no version"));
        oldest_named(b"MZ").expect_err("no ELF file");
    }

    #[test]
    fn a_program_for_musl_is_static() {
        let target = "x86_64-unknown-linux-musl";
        check(target, &elf(1), None).expect("static");
        let why = check(target, &elf(3), None).expect_err("it has an interpreter").to_string();
        assert!(why.contains("is not linked statically"), "{why}");
        check(target, b"MZ", None).expect_err("no ELF file");
        assert_eq!(interpreter(b"\x7fELF\x02\x01"), None);
    }
}

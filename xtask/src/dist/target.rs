//! The platforms, and what each kind of package calls them.

use anyhow::Context;

/// A platform. A name is None where that kind of package does not know the platform, or has it under another one.
#[derive(Debug)]
pub struct Target {
    /// As the compiler calls it.
    pub triple: &'static str,
    /// The name of npm's package, with its `os`, `cpu` and `libc`.
    pub npm: Option<Npm>,
    /// The tag of a Python wheel; `{glibc}` is the oldest C library that the program starts with, as `2_28`, and the oldest
    /// that installers know if it is linked statically.
    pub wheel: &'static str,
    /// The architecture of a Debian package.
    pub debian: Option<&'static str>,
    /// The platform of VS Code's marketplace.
    pub vscode: Option<&'static str>,
}

/// A platform as npm describes it.
#[derive(Clone, Copy, Debug)]
pub struct Npm {
    pub name: &'static str,
    pub os: &'static str,
    pub cpu: &'static str,
    pub libc: Option<&'static str>,
}

const fn npm(name: &'static str, os: &'static str, cpu: &'static str, libc: Option<&'static str>) -> Option<Npm> {
    Some(Npm { name, os, cpu, libc })
}

/// All platforms that packages are made for.
pub const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        npm: npm("linux-x64", "linux", "x64", Some("glibc")),
        wheel: "manylinux_{glibc}_x86_64",
        debian: Some("amd64"),
        vscode: Some("linux-x64"),
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        npm: npm("linux-arm64", "linux", "arm64", Some("glibc")),
        wheel: "manylinux_{glibc}_aarch64",
        debian: Some("arm64"),
        vscode: Some("linux-arm64"),
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: npm("linux-x64-musl", "linux", "x64", Some("musl")),
        wheel: "musllinux_1_1_x86_64",
        debian: None,
        vscode: Some("alpine-x64"),
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: npm("linux-arm64-musl", "linux", "arm64", Some("musl")),
        wheel: "musllinux_1_1_aarch64",
        debian: None,
        vscode: Some("alpine-arm64"),
    },
    Target {
        triple: "x86_64-apple-darwin",
        npm: npm("darwin-x64", "darwin", "x64", None),
        wheel: "macosx_10_12_x86_64",
        debian: None,
        vscode: Some("darwin-x64"),
    },
    Target {
        triple: "aarch64-apple-darwin",
        npm: npm("darwin-arm64", "darwin", "arm64", None),
        wheel: "macosx_11_0_arm64",
        debian: None,
        vscode: Some("darwin-arm64"),
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        npm: npm("win32-x64", "win32", "x64", None),
        wheel: "win_amd64",
        debian: None,
        vscode: Some("win32-x64"),
    },
    Target {
        triple: "aarch64-pc-windows-msvc",
        npm: npm("win32-arm64", "win32", "arm64", None),
        wheel: "win_arm64",
        debian: None,
        vscode: Some("win32-arm64"),
    },
];

impl Target {
    /// The platform of a triple.
    pub fn of(triple: &str) -> anyhow::Result<&'static Target> {
        TARGETS.iter().find(|target| target.triple == triple).with_context(|| {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            format!("there are no packages for `{triple}`; there are for {}", known.join(", "))
        })
    }

    /// What the compiler calls the platform when programs for it are linked statically, as for Linux with any C library.
    pub fn linked_statically(&self) -> String {
        self.triple.replace("-linux-gnu", "-linux-musl")
    }

    pub fn is_windows(&self) -> bool {
        self.triple.contains("-windows-")
    }

    /// The file name of the program.
    pub fn program(&self) -> &'static str {
        if self.is_windows() { "lofting.exe" } else { "lofting" }
    }

    /// The file name of the archive of a version.
    pub fn archive(&self) -> String {
        format!("lofting-{}.{}", self.triple, if self.is_windows() { "zip" } else { "tar.gz" })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::TARGETS;

    /// `cargo binstall` finds the archive of each platform.
    #[test]
    fn binstall_names_the_archives() {
        let path = crate::shell::root().join("server/lsp/Cargo.toml");
        let manifest = std::fs::read_to_string(path).expect("the program's manifest");
        let usual = manifest.split("[package.metadata.binstall]").nth(1).expect("a section for binstall");
        for target in TARGETS {
            let own = format!("[package.metadata.binstall.overrides.{}]", target.triple);
            let section = manifest.split(&own).nth(1).unwrap_or(usual);
            let url = section.lines().find(|line| line.starts_with("pkg-url")).expect("an address");
            let url = url.replace("{ target }", target.triple);
            assert!(url.ends_with(&format!("/v{{ version }}/{}\"", target.archive())), "{url}");
        }
    }

    #[test]
    fn names_are_unique() {
        let unique =
            |names: Vec<&str>| assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        unique(TARGETS.iter().map(|target| target.triple).collect());
        unique(TARGETS.iter().map(|target| target.wheel).collect());
        unique(TARGETS.iter().filter_map(|target| Some(target.npm?.name)).collect());
        unique(TARGETS.iter().filter_map(|target| target.debian).collect());
        unique(TARGETS.iter().filter_map(|target| target.vscode).collect());
    }
}

//! References to libraries, `@path~alias@nested`: which library some values are for (docs/ytt.md 15).

use std::fmt;

/// Which library values or a schema are for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LibraryRef {
    /// The libraries on the way, starting with the one the root library contains. Empty only after
    /// [`LibraryRef::within`] removed the last.
    parts: Vec<LibraryStep>,
}

/// One library on the way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct LibraryStep {
    /// Empty with an alias: any library with that alias. Empty without an alias: no library.
    path: String,
    alias: Option<String>,
}

/// Why a text is not a valid reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryRefError {
    /// It does not start with `@`.
    NoAt,
    /// It is empty.
    Empty,
    /// There is nothing after a `~`.
    EmptyAlias,
    /// A library has two aliases.
    Form,
}

impl fmt::Display for LibraryRefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LibraryRefError::NoAt => "Expected library ref to start with '@'",
            LibraryRefError::Empty => "Expected library ref to not be empty",
            LibraryRefError::EmptyAlias => "Expected library alias to not be empty",
            LibraryRefError::Form => "Expected library ref to have form: '@path', '@~alias', or '@path~alias'",
        })
    }
}

impl std::error::Error for LibraryRefError {}

impl LibraryRef {
    /// Reads a reference.
    pub fn read(text: &str) -> Result<LibraryRef, LibraryRefError> {
        if text.is_empty() {
            return Err(LibraryRefError::Empty);
        }
        let names = text.strip_prefix('@').ok_or(LibraryRefError::NoAt)?;
        let part = |name: &str| match name.split_once('~') {
            Some((_, "")) => Err(LibraryRefError::EmptyAlias),
            Some((_, alias)) if alias.contains('~') => Err(LibraryRefError::Form),
            Some((path, alias)) => Ok(LibraryStep { path: path.to_owned(), alias: Some(alias.to_owned()) }),
            None => Ok(LibraryStep { path: name.to_owned(), alias: None }),
        };
        Ok(LibraryRef { parts: names.split('@').map(part).collect::<Result<_, _>>()? })
    }

    /// The rest of the reference as seen from inside a library, if it leads there by path, alias or both. At the target
    /// itself the rest is empty ([`LibraryRef::is_here`]).
    pub fn within(&self, path: &str, alias: Option<&str>) -> Option<LibraryRef> {
        let (first, rest) = self.parts.split_first()?;
        let leads = match &first.alias {
            None => first.path == path,
            Some(wanted) => (first.path.is_empty() || first.path == path) && alias == Some(wanted),
        };
        leads.then(|| LibraryRef { parts: rest.to_vec() })
    }

    /// The directory of the library, relative to the directory with the first `_ytt_lib`; None if only an alias
    /// identifies the library.
    pub fn directory(&self) -> Option<String> {
        let part = |part: &LibraryStep| (!part.path.is_empty()).then(|| format!("_ytt_lib/{}", part.path));
        let parts: Vec<String> = self.parts.iter().map(part).collect::<Option<_>>()?;
        Some(parts.join("/"))
    }

    /// Whether the reference ends here.
    pub fn is_here(&self) -> bool {
        self.parts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_libraries() {
        let leads = |text: &str, path: &str, alias: Option<&str>| {
            LibraryRef::read(text).unwrap().within(path, alias).map(|rest| rest.is_here())
        };
        assert_eq!(leads("@lib", "lib", None), Some(true));
        assert_eq!(leads("@lib", "lib", Some("x")), Some(true));
        assert_eq!(leads("@lib", "other", None), None);
        assert_eq!(leads("@github.com/org/lib~x", "github.com/org/lib", Some("x")), Some(true));
        assert_eq!(leads("@lib~x", "lib", None), None);
        assert_eq!(leads("@~x", "any", Some("x")), Some(true));
        assert_eq!(leads("@~x", "any", None), None);
        assert_eq!(leads("@a@b", "a", None), Some(false));
        let nested = LibraryRef::read("@a@~b").unwrap().within("a", None).unwrap();
        assert!(nested.within("c", Some("b")).is_some_and(|rest| rest.is_here()));
    }

    #[test]
    fn paths_say_where_a_library_lies() {
        let directory = |text: &str| LibraryRef::read(text).unwrap().directory();
        assert_eq!(directory("@github.com/org/lib~x").as_deref(), Some("_ytt_lib/github.com/org/lib"));
        assert_eq!(directory("@a@b").as_deref(), Some("_ytt_lib/a/_ytt_lib/b"));
        assert_eq!(directory("@~x"), None);
        assert_eq!(directory("@a@~x"), None);
    }

    #[test]
    fn what_is_no_address_is_said() {
        let error = |text: &str| LibraryRef::read(text).unwrap_err();
        assert_eq!(error(""), LibraryRefError::Empty);
        assert_eq!(error("lib"), LibraryRefError::NoAt);
        assert_eq!(error("@a~"), LibraryRefError::EmptyAlias);
        assert_eq!(error("@a~b~c"), LibraryRefError::Form);
        // ytt accepts it as a reference, but it fits no library.
        assert!(LibraryRef::read("@").unwrap().within("a", None).is_none());
    }
}

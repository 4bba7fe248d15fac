//! `@path~alias@nested`: which library something is addressed to (docs/ytt.md 15).

use std::fmt;

/// An address of values or of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LibraryRef {
    /// From the library beside the root down; never empty unless [`LibraryRef::within`] used it up.
    parts: Vec<Part>,
}

/// One library on the way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Part {
    /// Empty with an alias: any library of that alias. Empty without: no library is called that.
    path: String,
    alias: Option<String>,
}

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryRefError {
    /// It does not start with `@`.
    NoAt,
    /// It is empty.
    Empty,
    /// There is nothing behind a `~`.
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

impl LibraryRef {
    /// Reads an address.
    pub fn read(text: &str) -> Result<LibraryRef, LibraryRefError> {
        if text.is_empty() {
            return Err(LibraryRefError::Empty);
        }
        let names = text.strip_prefix('@').ok_or(LibraryRefError::NoAt)?;
        let part = |name: &str| match name.split_once('~') {
            Some((_, "")) => Err(LibraryRefError::EmptyAlias),
            Some((_, alias)) if alias.contains('~') => Err(LibraryRefError::Form),
            Some((path, alias)) => Ok(Part { path: path.to_owned(), alias: Some(alias.to_owned()) }),
            None => Ok(Part { path: name.to_owned(), alias: None }),
        };
        Ok(LibraryRef { parts: names.split('@').map(part).collect::<Result<_, _>>()? })
    }

    /// The rest of the address inside of a library, if it leads there: it names the path, the alias, or
    /// both. For the library it is meant for, the rest [is empty](LibraryRef::is_here).
    pub fn within(&self, path: &str, alias: Option<&str>) -> Option<LibraryRef> {
        let (first, rest) = self.parts.split_first()?;
        let leads = match &first.alias {
            None => first.path == path,
            Some(wanted) => (first.path.is_empty() || first.path == path) && alias == Some(wanted),
        };
        leads.then(|| LibraryRef { parts: rest.to_vec() })
    }

    /// The library's directory, from the one beside whose files the first `_ytt_lib` lies; none if only
    /// an alias says which library it is.
    pub fn directory(&self) -> Option<String> {
        let part = |part: &Part| (!part.path.is_empty()).then(|| format!("_ytt_lib/{}", part.path));
        let parts: Vec<String> = self.parts.iter().map(part).collect::<Option<_>>()?;
        Some(parts.join("/"))
    }

    /// Whether the address ends here.
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
        // ytt takes it for an address, and no library has it.
        assert!(LibraryRef::read("@").unwrap().within("a", None).is_none());
    }
}

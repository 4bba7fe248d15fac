//! What is built into ytt's code: modules, built-in functions, methods and keywords, as tables (docs/ytt.md 17, 18).

mod builtins;
mod methods;
mod modules;

pub(crate) use builtins::{BEGINS_STATEMENT, BUILTINS, KEYWORDS, LIKELY_STATEMENTS};
pub(crate) use methods::{DICT, LIST, SET, STRING};
pub(crate) use modules::MODULES;

use std::ops::Range;

/// A function, value or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name.
    pub name: &'static str,
    /// The parameters in parentheses; `None` if it is not a function.
    pub parameters: Option<&'static str>,
    /// One sentence or two.
    pub doc: &'static str,
}

/// A module of `load("@ytt:NAME", "NAME")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Module {
    /// The name after `@ytt:`.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its members in ytt.
    pub members: &'static [Member],
    /// Members that exist only in schemas of the design proposals.
    pub proposed: &'static [Member],
}

impl Module {
    /// The members in a file, if it has the module: `in_proposal`, the file has a schema of a design proposal.
    pub fn members_in(&self, in_proposal: bool) -> Option<impl Iterator<Item = &'static Member> + use<>> {
        let proposed = if in_proposal { self.proposed } else { &[] };
        let all = self.members.iter().chain(proposed);
        (!self.members.is_empty() || in_proposal).then_some(all)
    }
}

/// A member with parameters.
const fn function(name: &'static str, parameters: &'static str, doc: &'static str) -> Member {
    Member { name, parameters: Some(parameters), doc }
}

/// A member without parameters.
const fn value(name: &'static str, doc: &'static str) -> Member {
    Member { name, parameters: None, doc }
}

impl Member {
    /// `name(parameters)`
    pub fn signature(&self) -> String {
        format!("{}{}", self.name, self.parameters.unwrap_or_default())
    }
}

/// The module with this name.
pub(crate) fn module(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.name == name)
}

/// The entry with this name in a table.
pub(crate) fn find<'t>(table: &'t [Member], name: &str) -> Option<&'t Member> {
    table.iter().find(|member| member.name == name)
}

/// The parameters of a signature, as bytes of it: `(a, b=[1, 2])` gives `a` and `b=[1, 2]`.
pub(crate) fn parameters(signature: &str) -> Vec<Range<usize>> {
    let Some(open) = signature.find('(') else { return Vec::new() };
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, open + 1);
    for (at, c) in signature.char_indices().skip_while(|(at, _)| *at <= open) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                let text = signature.get(start..at).unwrap_or("");
                let lead = text.len() - text.trim_start().len();
                if !text.trim().is_empty() {
                    found.push(start + lead..start + text.trim_end().len());
                }
                start = at + 1;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_are_those_of_ytt() {
        let own = MODULES.iter().filter(|module| !module.members.is_empty());
        let names: Vec<&str> = own.map(|module| module.name).collect();
        assert_eq!(names, lofting_eval::MODULES);
    }

    #[test]
    fn parameters_are_cut_at_commas_outside_of_brackets() {
        let signature = "f(a, b=[1, 2], *rest)";
        let found: Vec<&str> = parameters(signature).into_iter().map(|range| &signature[range]).collect();
        assert_eq!(found, ["a", "b=[1, 2]", "*rest"]);
        assert_eq!(parameters("f()"), Vec::<Range<usize>>::new());
        assert_eq!(parameters("f"), Vec::<Range<usize>>::new());
    }

    #[test]
    fn tables_are_documented_and_name_nothing_twice() {
        let tables = MODULES
            .iter()
            .flat_map(|module| [module.members, module.proposed])
            .chain([BUILTINS, STRING, LIST, DICT, SET]);
        for table in tables {
            for (index, member) in table.iter().enumerate() {
                assert!(member.doc.ends_with('.'), "{} has no sentence", member.name);
                assert!(table[..index].iter().all(|other| other.name != member.name), "{} is there twice", member.name);
                assert!(member.parameters.is_none_or(|p| p.starts_with('(') && p.ends_with(')')), "{}", member.name);
            }
        }
    }
}

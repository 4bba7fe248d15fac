//! Names of code that nothing uses.

use crate::{Diagnostic, rules};
use lofting_document::{FileId, Span};
use lofting_eval::code::{Binding, BindingKind, Code, Load, ScopeId, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the code of a file binds and never uses. Other files may load what a library defines itself, except names that
/// begin with `_` (docs/ytt.md 7.5).
pub fn check_unused(file: FileId, code: &Code, is_library: bool) -> Vec<Diagnostic> {
    // In half-typed code the use may be what is missing.
    if code.bindings.is_empty() || code.terms.iter().any(|term| matches!(term.kind, TermKind::Missing)) {
        return Vec::new();
    }
    let used = Used::of(code);
    let mut found = Vec::new();
    let mut unused_of_load: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for binding in code.bindings.iter().filter(|binding| !used.has(binding)) {
        let span = Span::new(file, binding.range.clone());
        let (name, is_private) = (&binding.name, binding.name.starts_with('_'));
        let of_file = binding.scope == ScopeId(0);
        let can_be_loaded = of_file && is_library && !is_private;
        match binding.kind {
            BindingKind::Loaded(load, number) => drop(unused_of_load.entry(load).or_default().insert(number)),
            BindingKind::Value(_) if !can_be_loaded && (of_file || !is_private) && name != "_" => {
                found.push(rules::ytt_unused_variable::finding(span, name));
            }
            BindingKind::Function(_) if !can_be_loaded => {
                found.push(rules::ytt_unused_function::finding(span, name));
            }
            _ => {}
        }
    }
    for (number, load) in code.loads.iter().enumerate() {
        let unused = unused_of_load.get(&number);
        found.extend(unused.into_iter().flat_map(|unused| of_load(file, load, unused)));
    }
    found
}

/// The findings about a `load`: one if nothing of it is used.
fn of_load(file: FileId, load: &Load, unused: &FxHashSet<usize>) -> Vec<Diagnostic> {
    let whole = Span::new(file, load.range.clone());
    match load.names.as_slice() {
        [only] => vec![rules::ytt_unused_load::finding(whole, &only.local)],
        names if names.len() == unused.len() => vec![rules::ytt_unused_load::of_all(whole)],
        names => {
            let names = names.iter().enumerate().filter(|(number, _)| unused.contains(number));
            let finding = |name: &lofting_eval::code::LoadedName| {
                let range = name.local_range.start.min(name.name_range.start)..name.name_range.end;
                rules::ytt_unused_load::finding(Span::new(file, range), &name.local)
            };
            names.map(|(_, name)| finding(name)).collect()
        }
    }
}

/// The names that code uses, by the scope that binds them.
struct Used<'c>(FxHashSet<(ScopeId, &'c str)>);

impl<'c> Used<'c> {
    fn of(code: &'c Code) -> Used<'c> {
        // The target of an assignment is an expression as well.
        let bound: FxHashSet<usize> = code.bindings.iter().map(|binding| binding.range.start).collect();
        let uses = code.terms.iter().filter_map(|term| match &term.kind {
            TermKind::Name(name) if !bound.contains(&term.range.start) => {
                Some((code.owner(term.scope, name)?, name.as_str()))
            }
            _ => None,
        });
        // `name += 1` reads it, too.
        let changed = code.bindings.iter().filter(|binding| binding.kind == BindingKind::Other);
        Used(uses.chain(changed.map(|binding| (binding.scope, binding.name.as_str()))).collect())
    }

    fn has(&self, binding: &'c Binding) -> bool {
        self.0.contains(&(binding.scope, binding.name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use crate::Source;
    use crate::fixture::Fixture;

    /// The rules and texts of the findings about what nothing uses in a library.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        check_in("a.lib.yml", text, expected);
    }

    #[track_caller]
    fn check_in(name: &str, text: &str, expected: &[&str]) {
        let fixture = Fixture::new(&format!("#- {name}\n{text}"));
        let found = fixture.findings();
        let found = found.iter().filter(|finding| finding.rule.name().starts_with("unused"));
        let shown: Vec<String> = found
            .map(|finding| {
                let named = fixture.text(finding.span).map(|text| text.into_owned()).unwrap_or_default();
                format!("{} {named}", finding.rule.name())
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    /// Only libraries can be loaded.
    #[test]
    fn templates() {
        let text = "#@ a = 1\n#@ _ = 2\n#@ def f():\n#@ end\n#@ def g():\n#@   return 1\n#@ end\nb: #@ g()\n";
        check_in("a.yml", text, &["unused-variable a", "unused-function f"]);
        check_in("a.lib.yml", text, &[]);
    }

    #[test]
    fn loads() {
        check("#@ load(\"@ytt:data\", \"data\")\na: 1\n", &["unused-load load(\"@ytt:data\", \"data\")"]);
        check("#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n", &[]);
        check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: #@ a()\n", &["unused-load b=\"c"]);
        check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: #@ b()\n", &["unused-load a"]);
        check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: 1\n", &["unused-load load(\"f.star\", \"a\", b=\"c\")"]);
    }

    /// Wherever code can stand.
    #[test]
    fn uses_in_all_kinds_of_code() {
        let uses = [
            "#@overlay/match by=x.all\n---\na: 1\n",
            "#@yaml/text-templated-strings\na: \"(@= x.y @)\"\n",
            "#@ if/end x:\na: 1\n",
            "#@ def f(a=x):\n#@   return a\n#@ end\n",
            "a: #@ [y for y in x]\n",
            "a: #@ [x for y in []]\n",
            "a: #@ lambda y: x\n",
            "a: #@ {\"a\": x}\n",
            "#@ x += 1\n",
            "#@ x[\"a\"] = 1\n",
            "#@ for y in x:\n- #@ y\n#@ end\n",
        ];
        for text in uses {
            check(&format!("#@ load(\"f.star\", \"x\")\n{text}"), &[]);
        }
    }

    #[test]
    fn variables_and_functions() {
        check("#@ def f(a):\n#@   b = a\n#@   c = 1\n#@   return c\n#@ end\n", &["unused-variable b"]);
        // Other files may load what does not begin with `_`.
        check("#@ a = 1\n#@ _b = 2\n#@ _ = 3\n#@ def f():\n#@ end\n", &["unused-variable _b"]);
        check("#@ def _f():\n#@   return 1\n#@ end\na: 1\n", &["unused-function _f"]);
        check("#@ def _f():\n#@   return 1\n#@ end\na: #@ _f()\n", &[]);
        check("#@ def f():\n#@   def g():\n#@     return 1\n#@   end\n#@ end\n", &["unused-function g"]);
        check("#@ def f():\n#@   for i in [1]:\n#@     _x = i\n#@   end\n#@ end\n", &[]);
        check("#@ def f():\n#@   a = 0\n#@   a += 1\n#@ end\n", &[]);
    }

    #[test]
    fn half_typed_code_may_be_about_to_use_it() {
        check("#@ load(\"@ytt:data\", \"data\")\na: #@ 1 +\n", &[]);
    }
}

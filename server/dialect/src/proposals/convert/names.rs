//! Names in converted code: every name that it adds is chosen so that it does not clash with a name of the file.

use lofting_eval::{TokenKind, is_reserved, lex};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;

/// Modules whose decoding functions fail on invalid input. The proposals have functions that test the input instead.
pub(super) const DECODING: [&str; 3] = ["base64", "json", "yaml"];

/// Helper functions that converted rules may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// Converts a YAML node to plain data.
    Plain,
    /// Turns a function of the proposals into a rule for ytt.
    Rule,
    /// Whether a function succeeds for a value.
    Decodable,
    /// Whether a string is a valid regular expression.
    PatternIsValid,
}

impl Helper {
    fn name(self) -> &'static str {
        match self {
            Helper::Plain => "plain",
            Helper::Rule => "rule",
            Helper::Decodable => "decodable",
            Helper::PatternIsValid => "pattern_is_valid",
        }
    }

    /// Its definition.
    fn code(self, names: &mut Names) -> String {
        let own = names.function(self);
        match self {
            // Rules in ytt get YAML nodes. An empty node alone would be written as nothing.
            Helper::Plain => {
                let yaml = names.module("yaml");
                format!(
                    "#@ def {own}(v):\n#@   return {yaml}.decode({yaml}.encode({{\"value\": v}}))[\"value\"]\n#@ end\n"
                )
            }
            // Functions of the proposals get maps as structs, except below `any`, and may return pairs or nothing.
            Helper::Rule => {
                let (plain, structs) = (names.function(Helper::Plain), names.module("struct"));
                format!(
                    "#@ def {own}(f, typed=True):
#@   def check(v):
#@     got = f({structs}.encode({plain}(v)) if typed else {plain}(v))
#@     if type(got) == \"tuple\":
#@       return True if got[0] else fail(got[1])
#@     end
#@     return got == None or got == True
#@   end
#@   return check
#@ end
"
                )
            }
            Helper::Decodable => {
                let assert = names.module("assert");
                format!("#@ def {own}(f, v):\n#@   return {assert}.try_to(lambda: f(v))[1] == None\n#@ end\n")
            }
            Helper::PatternIsValid => {
                let (decodable, regexp) = (names.function(Helper::Decodable), names.module("regexp"));
                format!(
                    "#@ def {own}(v):\n#@   return {decodable}(lambda pattern: {regexp}.match(pattern, \"\"), v)\n#@ end\n"
                )
            }
        }
    }
}

/// The names in a schema's code, and those that its conversion adds.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names that statements of the files bind, and those added. Parameters exist only in their functions.
    taken: FxHashSet<String>,
    /// Modules of ytt that the files load, with the names they have there.
    loaded: BTreeMap<String, String>,
    modules: BTreeMap<&'static str, String>,
    functions: BTreeMap<Helper, String>,
    locals: BTreeMap<String, String>,
}

/// A token with its text.
type Word<'t> = (TokenKind, &'t str, Range<usize>);

/// The tokens of a line of code after `#@`; ranges are bytes of the line.
fn words(line: &str) -> Vec<Word<'_>> {
    let Some(at) = line.find("#@").filter(|_| !line.trim_start().starts_with("#!")) else { return Vec::new() };
    let start = at + "#@".len();
    let tokens = lex(line.get(start..).unwrap_or_default(), start).into_iter();
    tokens.filter_map(|token| Some((token.kind, line.get(token.range.clone())?, token.range))).collect()
}

/// The names that a line binds for the lines below it.
fn bound(words: &[Word<'_>]) -> Vec<String> {
    let names = |words: &[Word<'_>]| -> Vec<String> {
        words.iter().filter(|(kind, ..)| *kind == TokenKind::Name).map(|(_, text, _)| (*text).to_owned()).collect()
    };
    match words {
        [(_, "def", _), name, ..] => names(std::slice::from_ref(name)),
        [(_, "for", _), rest @ ..] => {
            let targets = rest.iter().position(|(_, text, _)| *text == "in").unwrap_or(rest.len());
            names(rest.get(..targets).unwrap_or_default())
        }
        _ => {
            let sign = words.iter().position(|(_, text, _)| *text == "=");
            let targets = sign.and_then(|sign| words.get(..sign)).unwrap_or_default();
            let is_target =
                |(kind, text, _): &Word<'_>| *kind == TokenKind::Name || matches!(*text, "," | "(" | ")" | "[" | "]");
            if targets.iter().all(is_target) { names(targets) } else { Vec::new() }
        }
    }
}

/// What a `load` binds.
struct Load {
    /// The module without its `@ytt:`; None for a file.
    module: Option<String>,
    /// The names bound here, each with the name in the module.
    names: Vec<(String, String)>,
}

/// The `load` at the beginning of a line.
fn load(words: &[Word<'_>]) -> Option<Load> {
    let [(_, "load", _), (_, "(", _), from, arguments @ ..] = words else { return None };
    let text = |word: &str| word.trim_matches(['"', '\'']).to_owned();
    let mut names = Vec::new();
    let mut named: Option<&str> = None;
    for (kind, word, _) in arguments {
        match kind {
            TokenKind::Name => named = Some(word),
            TokenKind::String { .. } => {
                let there = text(word);
                names.push((named.take().map_or_else(|| there.clone(), str::to_owned), there));
            }
            _ => {}
        }
    }
    Some(Load { module: text(from.1).strip_prefix("@ytt:").map(str::to_owned), names })
}

impl Names {
    /// The names in the code of these texts.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Names {
        let mut names = Names::default();
        for line in texts.flat_map(str::lines) {
            let words = words(line);
            names.taken.extend(bound(&words));
            let Some(Load { module, names: loaded }) = load(&words) else { continue };
            names.taken.extend(loaded.iter().map(|(here, _)| here.clone()));
            names.loaded.extend(loaded.into_iter().filter(|(_, there)| module.as_ref() == Some(there)));
        }
        names
    }

    /// Whether a name is that of a module of ytt.
    pub fn is_module(&self, name: &str, module: &str) -> bool {
        self.loaded.get(name).is_some_and(|loaded| loaded == module)
    }

    /// A text without the lines that load a module of which no name is used any more.
    pub fn without_unused(&self, module: &str, text: &str) -> String {
        let is_load = |line: &str| load(&words(line)).is_some_and(|load| load.module.as_deref() == Some(module));
        let uses = |line: &str| words(line).iter().any(|(_, word, _)| self.is_module(word, module));
        if text.lines().any(|line| !is_load(line) && uses(line)) {
            return text.to_owned();
        }
        text.split_inclusive('\n').filter(|line| !is_load(line)).collect()
    }

    /// A line of code in which functions that only the proposals have are replaced.
    pub fn without_new_functions(&mut self, line: &str) -> String {
        let words = words(line);
        let mut out = line.to_owned();
        // From the end, so that the places before stay valid.
        for at in (0..words.len()).rev() {
            let Some([(_, here, start), (_, ".", _), (_, name, end)]) = words.get(at..at + 3) else { continue };
            if at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|(_, text, _)| *text == ".") {
                continue;
            }
            let module = self.loaded.get(*here).map_or(*here, String::as_str);
            let decoding = DECODING.into_iter().find(|known| *known == module && *name == "decodable");
            let instead = match decoding {
                Some(module) => {
                    let (decodable, module) = (self.function(Helper::Decodable), self.module(module));
                    format!("(lambda v: {decodable}({module}.decode, v))")
                }
                None if module == "regexp" && *name == "is_valid" => self.function(Helper::PatternIsValid),
                None => continue,
            };
            out.replace_range(start.start..end.end, &instead);
        }
        out
    }

    /// A name that is not used: the wanted one, or one like it.
    fn free(&mut self, wanted: &str) -> String {
        let is_free = |name: &String| !self.taken.contains(name) && !is_reserved(name);
        let numbered = (1..).map(|number| format!("{wanted}_{number}"));
        let name =
            std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| wanted.to_owned());
        self.taken.insert(name.clone());
        name
    }

    /// The name for a parameter of a function around code of the files.
    pub fn local(&mut self, wanted: &str) -> String {
        if let Some(name) = self.locals.get(wanted) {
            return name.clone();
        }
        let name = self.free(wanted);
        self.locals.insert(wanted.to_owned(), name.clone());
        name
    }

    /// The name of a helper function.
    pub fn function(&mut self, helper: Helper) -> String {
        if let Some(name) = self.functions.get(&helper) {
            return name.clone();
        }
        let name = self.free(helper.name());
        self.functions.insert(helper, name.clone());
        name
    }

    /// The name of a module.
    pub fn module(&mut self, module: &'static str) -> String {
        if let Some((here, _)) = self.loaded.iter().find(|(_, there)| *there == module) {
            return here.clone();
        }
        if let Some(name) = self.modules.get(module) {
            return name.clone();
        }
        let name = self.free(module);
        self.modules.insert(module, name.clone());
        name
    }

    /// The code that loads and defines everything that is needed.
    pub fn preamble(&mut self) -> String {
        let mut definitions: BTreeMap<Helper, String> = BTreeMap::new();
        // Definitions may need further ones.
        while let Some(helper) = self.functions.keys().find(|helper| !definitions.contains_key(helper)).copied() {
            let code = helper.code(self);
            definitions.insert(helper, code);
        }
        let load = |(module, name): (&&str, &String)| {
            if *module == name {
                format!("#@ load(\"@ytt:{module}\", \"{module}\")\n")
            } else {
                format!("#@ load(\"@ytt:{module}\", {name}=\"{module}\")\n")
            }
        };
        self.modules.iter().map(load).chain(definitions.into_values()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Helper, Names};

    #[test]
    fn names_are_those_that_nothing_in_the_file_has() {
        for (code, function, module) in [
            ("#@ load(\"@ytt:yaml\", \"yaml\")", "rule", "yaml"),
            ("#@ load(\"@ytt:yaml\", y=\"yaml\")", "rule", "y"),
            ("#@ load(\"@ytt:json\", \"json\")\n#@ load(\"@ytt:yaml\", \"yaml\", \"other\")", "rule", "yaml"),
            ("#@ load(\"lib.star\", \"rule\", \"yaml\")", "rule_1", "yaml_1"),
            ("#@ def rule(yaml):\n#@   return yaml\n#@ end", "rule_1", "yaml"),
            ("#@ rule, yaml = 1, 2", "rule_1", "yaml_1"),
            ("#@ for rule in [1]:\n#@ end", "rule_1", "yaml"),
            ("#@ rule = 1\n#@ rule_1 = 2", "rule_2", "yaml"),
            ("#@ a = f(rule=1)\n#@schema/validate lambda yaml: rule", "rule", "yaml"),
            ("rule: yaml #! rule = 1", "rule", "yaml"),
        ] {
            let mut names = Names::of([code].into_iter());
            assert_eq!(
                (names.function(Helper::Rule).as_str(), names.module("yaml").as_str()),
                (function, module),
                "{code}"
            );
        }
    }

    #[test]
    fn functions_of_the_proposals_are_written_in_words_of_ytt() {
        let code = "#@ load(\"@ytt:json\", j=\"json\")";
        for (line, want) in [
            ("a: #@ j.decodable(x)", "a: #@ (lambda v: decodable(j.decode, v))(x)"),
            (
                "#@schema/validate yaml.decodable, j.decodable",
                "#@schema/validate (lambda v: decodable(yaml.decode, v)), (lambda v: decodable(j.decode, v))",
            ),
            ("#@ regexp.is_valid(x)", "#@ pattern_is_valid(x)"),
            ("#@ a.yaml.decodable(x)", "#@ a.yaml.decodable(x)"),
            ("#@ \"yaml.decodable\"", "#@ \"yaml.decodable\""),
            ("#! yaml.decodable #@ yaml.decodable", "#! yaml.decodable #@ yaml.decodable"),
        ] {
            assert_eq!(Names::of([code].into_iter()).without_new_functions(line), want);
        }
    }

    #[test]
    fn what_is_needed_is_defined_once_with_all_that_it_needs() {
        let mut names = Names::of(["#@ plain = 1"].into_iter());
        names.function(Helper::Rule);
        let code = names.preamble();
        let heads: Vec<&str> =
            code.lines().filter(|line| line.starts_with("#@ def") || line.contains("load")).collect();
        let want = [
            "#@ load(\"@ytt:struct\", \"struct\")",
            "#@ load(\"@ytt:yaml\", \"yaml\")",
            "#@ def plain_1(v):",
            "#@ def rule(f, typed=True):",
        ];
        assert_eq!(heads, want);
        assert!(code.contains("struct.encode(plain_1(v))"), "{code}");
    }
}

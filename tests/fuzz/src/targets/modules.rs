//! Modules that read and write other languages take any text: what they read they can write and read again.
//!
//! The first byte chooses a function; the rest is its text.

use lofting_eval::{Evaluation, NoFiles, TemplateProgram};
use lofting_starlark::{Bounds, evaluate};

use crate::measured::Target;

/// Code around `text`. What was written from what was read must be readable.
const USES: [&str; 9] = [
    "load('@ytt:json', 'json')\nread = json.decode(text)\nagain = json.decode(json.encode(read, indent=2))\n",
    "load('@ytt:yaml', 'yaml')\nread = yaml.decode(text)\nagain = yaml.decode(yaml.encode(read))\n",
    "load('@ytt:toml', 'toml')\nread = toml.decode(text)\nagain = toml.decode(toml.encode(read))\n",
    "load('@ytt:regexp', 'regexp')\nread = regexp.match(text, text)\nagain = regexp.replace(text, text, text)\n",
    "load('@ytt:base64', 'base64')\nread = base64.encode(text)\nagain = base64.decode(read) == text or fail('other')\n",
    "load('@ytt:url', 'url')\nread = url.path_segment_encode(text)\nagain = url.path_segment_decode(read) == text or fail('other')\n",
    "load('@ytt:url', 'url')\nread = url.parse(text)\nagain = read.string()\n",
    "load('@ytt:ip', 'ip')\nread = ip.parse_cidr(text)\nagain = ip.parse_addr(text)\n",
    "load('@ytt:sha256', 'sha256')\nload('@ytt:md5', 'md5')\nread = sha256.sum(text)\nagain = text.format(*[text]) + text % (text,)\n",
];

pub const TARGET: Target = Target::Text(run);

fn run(input: &str) {
    let Some(first) = input.chars().next() else { return };
    let (code, text) = (USES[first as usize % USES.len()], &input[first.len_utf8()..]);
    let program = TemplateProgram { path: "a.star".to_owned(), ..TemplateProgram::default() };
    let code = format!("text = {}\n{code}", literal(text));
    let evaluation = Evaluation { program, text: Some(code), starlark: true, ..Evaluation::default() };
    let bounds = Bounds { ticks: 200_000, heap: 32 << 20, ..Bounds::default() };
    let (evaluated, _) = evaluate(&evaluation, &NoFiles, bounds);
    if let Err(error) = evaluated.result {
        assert!(!error.message.is_empty());
        assert!(!error.message.contains("other"), "{}", error.message);
    }
}

/// A string of Starlark.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            character => literal.push(character),
        }
    }
    literal + "\""
}

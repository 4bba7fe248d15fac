//! Templates and code.

use super::{Case, Row, each, plain, schema_text};

pub(super) const SHAPES: &[Row] = &[
    ("data values that are used", 25_000, used),
    ("data values that are unknown", 10_000, unknown),
    ("data values that are unknown in text", 5_000, unknown_in_text),
    ("names that are unknown", 10_000, unknown_names),
    ("if blocks", 10_000, ifs),
    ("nested if blocks", 200, nested_ifs),
    ("for blocks", 10_000, fors),
    ("rounds of a loop", 50_000, rounds),
    ("functions", 5_000, functions),
    ("functions with YAML", 5_000, fragments),
    ("variables", 10_000, variables),
    ("operands of an expression", 10_000, operands),
    ("lines of code in one comment block", 10_000, code_lines),
    ("inline expressions", 25_000, inline),
    ("names that are loaded", 5_000, loads),
    ("modules that are loaded", 2_000, modules),
    ("modules that load each other", 100, chained_modules),
    ("lines of a text template", 25_000, text_template),
    ("documents of a template", 25_000, documents),
    ("libraries", 500, libraries),
    ("files of a library", 2_000, library_files),
    ("values after if blocks", 10_000, conditional_values),
    ("dots of a data value", 200, dots),
    ("plain comments in a template", 50_000, comments),
    ("unclosed blocks", 5_000, unclosed),
    ("errors in code", 10_000, errors),
    ("comments that suppress rules that are unknown", 10_000, suppressions),
];

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";

fn suppressions(n: usize) -> Case {
    Case::config(each(n, |i| format!("#! lofting: ignore ytt/unknown-nam\nkey{i}: #@ {i}\n")))
}

fn with_schema(n: usize, body: String) -> Case {
    Case::config(format!("{LOAD}---\n{body}"))
        .and("schema.yml", schema_text(format!("flag: true\n{}", plain(n, |i| format!("key{i}: 0\n")))))
}

fn used(n: usize) -> Case {
    with_schema(n, each(n, |i| format!("out{i}: #@ data.values.key{i}\n")))
}

fn unknown(n: usize) -> Case {
    with_schema(n, each(n, |i| format!("out{i}: #@ data.values.kez{i}\n")))
}

fn unknown_in_text(n: usize) -> Case {
    let mut case = with_schema(n, "a: 0\n".to_owned());
    let body = each(n, |i| format!("a (@= data.values.kez{i} @)\n"));
    case.config.push(("notes.txt".to_owned(), format!("(@ load(\"@ytt:data\", \"data\") @)\n{body}")));
    case
}

fn unknown_names(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("out{i}: #@ name{i}\n")))
}

fn ifs(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("#@ if data.values.flag:\nout{i}: 1\n#@ end\n")))
}

fn nested_ifs(n: usize) -> Case {
    with_schema(1, plain(n, |_| "#@ if data.values.flag:\n".to_owned()) + "out: 1█\n" + &"#@ end\n".repeat(n))
}

fn fors(n: usize) -> Case {
    with_schema(1, format!("list:\n{}", each(n, |i| format!("#@ for x in [1, 2]:\n- a{i}: #@ x\n#@ end\n"))))
}

fn rounds(n: usize) -> Case {
    with_schema(1, format!("list:\n#@ for x in range({n}):\n- a: #@ x█\n#@ end\n"))
}

fn functions(n: usize) -> Case {
    let functions = plain(n, |i| format!("#@ def f{i}(a):\n#@   return a + {i}\n#@ end\n"));
    Case::config(format!("{functions}---\n{}", each(n, |i| format!("out{i}: #@ f{i}(1)\n"))))
}

fn fragments(n: usize) -> Case {
    let functions = plain(n, |i| format!("#@ def f{i}(a):\nname: #@ a\n#@ end\n"));
    Case::config(format!("{functions}---\n{}", each(n, |i| format!("out{i}: #@ f{i}(1)\n"))))
}

fn variables(n: usize) -> Case {
    let variables = plain(n, |i| format!("#@ v{i} = {i}\n"));
    Case::config(format!("{variables}---\n{}", each(n, |i| format!("out{i}: #@ v{i}\n"))))
}

fn operands(n: usize) -> Case {
    with_schema(1, format!("out: #@ 1{}█\n", " + 1".repeat(n)))
}

fn code_lines(n: usize) -> Case {
    Case::config(format!(
        "#@ def f(a):\n{}#@   return a\n#@ end\n---\nout: #@ f(1)\n",
        each(n, |i| format!("#@   a += {i}\n"))
    ))
}

fn inline(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("out{i}: (@= str({i}) @)-b\n")))
}

fn loads(n: usize) -> Case {
    let library = plain(n, |i| format!("f{i} = {i}\n"));
    let loads = plain(n, |i| format!("#@ load(\"lib.star\", \"f{i}\")\n"));
    Case::config(format!("{loads}---\n{}", each(n, |i| format!("out{i}: #@ f{i}\n")))).and("lib.star", library)
}

fn modules(n: usize) -> Case {
    let loads = plain(n, |i| format!("#@ load(\"lib{i}.star\", \"f{i}\")\n"));
    let mut case = Case::config(format!("{loads}---\n{}", each(n, |i| format!("out{i}: #@ f{i}\n"))));
    case.config.extend((0..n).map(|i| (format!("lib{i}.star"), format!("f{i} = {i}\n"))));
    case
}

fn chained_modules(n: usize) -> Case {
    let module = |i: usize| {
        let text = format!("#@ load(\"lib{}.lib.yml\", \"f{}\")\n#@ def f{i}(): return f{}()\n", i + 1, i + 1, i + 1);
        (format!("lib{i}.lib.yml"), text)
    };
    let mut case = Case::config("#@ load(\"lib0.lib.yml\", \"f0\")\n---\nout: #@ f0\nport: 1█\n".to_owned());
    case.config.extend((0..n).map(module));
    case.and(format!("lib{n}.lib.yml"), format!("#@ def f{n}(): return 1\n"))
}

fn text_template(n: usize) -> Case {
    let mut case = with_schema(1, "a: 0\n".to_owned());
    let body = each(n, |i| format!("line {i} (@= str(data.values.key0) @)\n"));
    case.config.push(("notes.txt".to_owned(), format!("(@ load(\"@ytt:data\", \"data\") @)\n{body}")));
    case
}

fn documents(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("name: n{i}\nport: #@ data.values.key0\n---\n")))
}

fn libraries(n: usize) -> Case {
    let body = plain(n, |i| format!("#@ l{i} = library.get(\"lib{i}\")\n"));
    let uses = each(n, |i| format!("--- #@ template.replace(l{i}.eval())\n"));
    let text =
        format!("#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n{body}{uses}");
    let mut case = Case::config(text);
    for i in 0..n {
        case.config.push((format!("_ytt_lib/lib{i}/schema.yml"), schema_text(format!("key{i}: 0\n"))));
        case.config.push((format!("_ytt_lib/lib{i}/out.yml"), format!("{LOAD}---\nport: #@ data.values.key{i}\n")));
    }
    case
}

fn library_files(n: usize) -> Case {
    let text = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"lib\").eval())█\n";
    let mut case = Case::config(text.to_owned());
    case.config.push(("_ytt_lib/lib/schema.yml".to_owned(), schema_text("port: 0\n")));
    case.config.extend(
        (0..n).map(|i| (format!("_ytt_lib/lib/out{i}.yml"), format!("{LOAD}---\nport: #@ data.values.port\n"))),
    );
    case
}

fn conditional_values(n: usize) -> Case {
    let values = each(n, |i| format!("#@ if True:\nkey{i}: 1\n#@ end\n"));
    Case::config(schema_text(plain(n, |i| format!("key{i}: 0\n"))))
        .and("values1.yml", format!("#@data/values\n---\n{values}"))
}

fn dots(n: usize) -> Case {
    let schema = plain(n, |i| format!("{:1$}k:\n", "", i)) + &format!("{:1$}port: 0\n", "", n);
    Case::config(format!("{LOAD}---\nout: #@ data.values{}.port█\n", ".k".repeat(n)))
        .and("schema.yml", schema_text(schema))
}

fn comments(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("# comment {i}\nout{i}: #@ 1\n")))
}

fn unclosed(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("#@ if data.values.flag:\nout{i}: 1\n")))
}

fn errors(n: usize) -> Case {
    with_schema(1, each(n, |i| format!("out{i}: #@ (1 +\n")))
}

use super::hover;
use crate::Markup;
use crate::fixture::{Fixture, open, open_app};
use expect_test::{Expect, expect};

#[track_caller]
fn check_in(fixture: &Fixture, markup: Markup, expected: Expect) {
    let shown = match hover(&fixture.snapshot, fixture.file, fixture.offset, markup) {
        Some(hover) => format!("[{}]\n{}\n", &fixture.text[hover.range], hover.text),
        None => "nothing".to_owned(),
    };
    expected.assert_eq(&shown);
}

#[track_caller]
fn check(values: &str, expected: Expect) {
    check_in(&open_app(values), Markup::Plain, expected);
}

const SCHEMA: &str = r#"#- schema.yml
#@data/values-schema
---
#@schema/title "Replicas"
#@schema/desc "How many <pods>."
#@schema/examples ("small", 1), ("large", 20)
#@schema/validation min=1, max=50
replicas: 1
#@schema/doc "Written with the name of the proposals."
#@schema/deprecated "use replicas"
#@schema/nullable
count: 2
#@schema/validation min_len=1
names:
#@schema/validation max_len=5
- ""
#@schema/type any=True
free: {a: 1}
#@schema/validation one_not_null=["a", "b"]
either:
  #@schema/nullable
  a: 1
  #@schema/nullable
  b: 1
"#;

#[test]
fn keys_and_values() {
    check(
        "lo$0gLevel: info\n",
        expect![[r#"
            [logLevel]
            logLevel: string

            Verbosity.

            Default: info
            Allowed: debug, info, warn, error

            Declared in schema.yml:12
        "#]],
    );
    check(
        "logLevel: in$0fo\n",
        expect![[r#"
            [info]
            logLevel: string

            Verbosity.

            Default: info
            Allowed: debug, info, warn, error

            Declared in schema.yml:12
        "#]],
    );
    check(
        "image$0:\n  tag: x\n",
        expect![[r#"
        [image]
        image: map

        Container image.

        Declared in schema.yml:14
    "#]],
    );
    check(
        "env:\n- na$0me: A\n",
        expect![[r#"
            [name]
            name: string

            Default: ""

            Declared in schema.yml:57
        "#]],
    );
    check(
        "ingress: {tls: {secretName: $0x}}\n",
        expect![[r#"
            [x]
            secretName: string

            Secret with the certificate.

            Default: ""

            Declared in schema.yml:43
        "#]],
    );
    check(
        "features:\n- al$0pha\n",
        expect![[r#"
            [alpha]
            features[]: string

            Default: alpha
            Allowed: alpha, beta, gamma

            Declared in schema.yml:69
        "#]],
    );
    check(
        "features:\n$0- alpha\n",
        expect![[r#"
            [-]
            features[]: string

            Default: alpha
            Allowed: alpha, beta, gamma

            Declared in schema.yml:69
        "#]],
    );
}

#[test]
fn everything_a_schema_says() {
    let check =
        |values: &str, markup, expected| check_in(&open(&format!("{SCHEMA}#- values.yml\n{values}")), markup, expected);
    check(
        "rep$0licas: 3\n",
        Markup::Plain,
        expect![[r#"
            [replicas]
            Replicas (replicas): integer

            How many <pods>.

            Default: 1
            Range: 1 to 50
            Example: 1 (small)
            Example: 20 (large)

            Declared in schema.yml:7
        "#]],
    );
    check(
        "rep$0licas: 3\n",
        Markup::Markdown,
        expect![[r#"
            [replicas]
            **Replicas** (`replicas`): integer

            How many \<pods>.

            Default: `1`  
            Range: `1` to `50`  
            Example: `1` (small)  
            Example: `20` (large)

            Declared in [schema.yml:7](<file:///lofting-ide-fixture/schema.yml#L7>)
        "#]],
    );
    check(
        "cou$0nt: 3\n",
        Markup::Markdown,
        expect![[r#"
            [count]
            **count**: integer or null

            Written with the name of the proposals.

            Deprecated: use replicas  
            Default: `null`  
            Note: written as `@schema/doc`, which ytt ignores: it reads `@schema/desc`

            Declared in [schema.yml:11](<file:///lofting-ide-fixture/schema.yml#L11>)
        "#]],
    );
    check(
        "na$0mes: []\n",
        Markup::Plain,
        expect![[r#"
            [names]
            names: array of string

            Default: []
            Length: at least 1 item

            Declared in schema.yml:13
        "#]],
    );
    check(
        "names: [a$0]\n",
        Markup::Plain,
        expect![[r#"
            [a]
            names[]: string

            Default: ""
            Length: at most 5 bytes

            Declared in schema.yml:15
        "#]],
    );
    check(
        "fr$0ee: 1\n",
        Markup::Plain,
        expect![[r#"
            [free]
            free: any

            Default: {a: 1}

            Declared in schema.yml:17
        "#]],
    );
    check(
        "eit$0her: {}\n",
        Markup::Plain,
        expect![[r#"
            [either]
            either: map

            Rule: exactly one of a, b is not null

            Declared in schema.yml:19
        "#]],
    );
}

#[test]
fn in_the_schema_itself() {
    let check = |schema: &str, expected| check_in(&open(schema), Markup::Plain, expected);
    check(
        &SCHEMA.replace("replicas: 1", "repl$0icas: 1"),
        expect![[r#"
        [replicas]
        Replicas (replicas): integer

        How many <pods>.

        Default: 1
        Range: 1 to 50
        Example: 1 (small)
        Example: 20 (large)
    "#]],
    );
    check(
        &SCHEMA.replace("replicas: 1", "replicas: $01"),
        expect![[r#"
        [1]
        Replicas (replicas): integer

        How many <pods>.

        Default: 1
        Range: 1 to 50
        Example: 1 (small)
        Example: 20 (large)
    "#]],
    );
}

#[test]
fn half_typed() {
    check(
        "image:\n  tag$0\nname: x\n",
        expect![[r#"
            [tag]
            tag: string

            Image tag.

            Default: latest

            Declared in schema.yml:18
        "#]],
    );
    check(
        "image:\n  tag$0:",
        expect![[r#"
            [tag]
            tag: string

            Image tag.

            Default: latest

            Declared in schema.yml:18
        "#]],
    );
    check(
        "nam$0e\nreplicas: 1\n",
        expect![[r#"
            [name]
            name: string

            Name of the application.

            Default: ""

            Declared in schema.yml:4

            Final value: ""
        "#]],
    );
    check(
        "logLevel: \"in$0fo\nname: x\n",
        expect![[r#"
            ["info]
            logLevel: string

            Verbosity.

            Default: info
            Allowed: debug, info, warn, error

            Declared in schema.yml:12
        "#]],
    );
    check(
        "image: {tag$0",
        expect![[r#"
            [tag]
            tag: string

            Image tag.

            Default: latest

            Declared in schema.yml:18
        "#]],
    );
}

#[test]
fn between_things_and_unknown_keys() {
    check("image:\n$0\n  tag: x\n", expect!["nothing"]);
    check(
        "unk$0nown: 1\n",
        expect![[r#"
            [unknown]
            unknown is not declared in the schema

            Keys there: name, replicas, debug, logLevel, image, service, ingress, env, args, features, containers, labels, others

            Declared in schema.yml:2
        "#]],
    );
    check(
        "extra:\n  an$0ything: 1\n",
        expect![[r#"
            [anything]
            anything may be anything: nothing is known about what is in extra

            Declared in schema.yml:94
        "#]],
    );
    check("$0", expect!["nothing"]);
    check("# na$0me\n", expect!["nothing"]);
}

#[test]
fn without_a_schema() {
    check_in(&open("na$0me: x\n"), Markup::Plain, expect!["nothing"]);
    check_in(&open("#- values.yml\na: {b$0"), Markup::Plain, expect!["nothing"]);
}

#[test]
fn annotations() {
    let check = |line: &str, markup, expected| {
        check_in(&open(&format!("#@data/values-schema\n---\n{line}\na: 1\n")), markup, expected);
    };
    check(
        "#@schema/nul$0lable",
        Markup::Markdown,
        expect![[r#"
            [#@schema/nullable]
            **@schema/nullable**

            Null is allowed as well, and is the default.

            The type still comes from the value. `schema/default` on the same node sets a different default.

            [ytt's manual](<https://carvel.dev/ytt/docs/latest/lang-ref-ytt-schema/>)
        "#]],
    );
    check(
        "#@schema/validation mi$0n=1",
        Markup::Plain,
        expect![[r#"
            [min]
            min= (any)

            The least value.

            What a allows

            Range: at least 1
        "#]],
    );
    check(
        "#@schema/ty$0pe any=True",
        Markup::Plain,
        expect![[r#"
            [#@schema/type]
            @schema/type any=

            any=True: values of any type are allowed here and below.

            No types are checked and no defaults are filled in below this node; its value in the schema is the default and may be null. any=False infers the type as usual.
            any= (bool): True: allow any value here and below.

            ytt's manual: https://carvel.dev/ytt/docs/latest/lang-ref-ytt-schema/
        "#]],
    );
    check(
        "#@schema/do$0c \"x\"",
        Markup::Markdown,
        expect![[r#"
            [#@schema/doc]
            **@schema/doc** `text`

            ytt ignores it, as it was proposed and never built. Use `@schema/desc`.

            Describes this value in documentation.
            - `text` (string): The description, in one line or several.
        "#]],
    );
    check("#@schema/unk$0nown", Markup::Plain, expect!["nothing"]);
    check("#! no$0te", Markup::Plain, expect!["nothing"]);
}

/// Annotations that ytt ignores have a meaning in schemas of its design proposals.
#[test]
fn annotations_of_the_proposals() {
    let check = |line: &str, expected| {
        let text = format!("#- schema.yml\n#@schema/definition data_values=True\n---\n{line}\na: 1\n");
        check_in(&open(&text), Markup::Plain, expected);
    };
    check(
        "#@schema/key-may$0-be-present",
        expect![[r#"
            [#@schema/key-may-be-present]
            @schema/key-may-be-present

            This key may be given; if it is not given, it is absent.
        "#]],
    );
    check(
        "#@schema/type one$0_of=[\"int\", \"string\"]",
        expect![[r#"
        [one_of]
        one_of= (string, list or tuple)

        The names of types.
    "#]],
    );
    check(
        "#@schema/type$0 \"int\"",
        expect![[r#"
            [#@schema/type]
            @schema/type type…, one_of=, or_inferred=, any=

            Lists the types of this value.

            The value below has one of them, as it is the default. "any" stands alone.
            type (string or None): The name of a type; None is "null".
            one_of= (string, list or tuple): The names of types.
            or_inferred= (bool): True: also the type of the value below.
            any= (bool): True: any value, here and below.
        "#]],
    );
    let head = open("#- schema.yml\n#@schema/mat$0ch data_values=True\n---\na: 1\n");
    check_in(
        &head,
        Markup::Plain,
        expect![[r#"
        [#@schema/match]
        @schema/match data_values=

        Makes this document a schema for data values, in the first form of the design.

        Arrays say their default, scalars are their own.
        data_values= (bool): True: the schema is for data values. There are no others.
    "#]],
    );
}

#[test]
fn what_a_schema_does_not_declare() {
    let values = |text: &str| format!("{SCHEMA}#- values.yml\n#@data/values\n---\n{text}");
    check_in(
        &open(&values("nam$0e: 1\n")),
        Markup::Plain,
        expect![[r#"
            [name]
            name is not declared in the schema

            Keys there: replicas, count, names, free, either

            Declared in schema.yml:2
        "#]],
    );
    check_in(
        &open(&values("free:\n  b:\n    c$0: 1\n")),
        Markup::Plain,
        expect![[r#"
            [c]
            c may be anything: nothing is known about what is in free

            Declared in schema.yml:17
        "#]],
    );
    check_in(
        &open(&values("either:\n  c$0: 1\n")),
        Markup::Plain,
        expect![[r#"
        [c]
        c is not declared in either

        Keys there: a, b

        Declared in schema.yml:19
    "#]],
    );
    check_in(
        &open(&values("replicas:\n  x$0: 1\n")),
        Markup::Plain,
        expect![[r#"
            [x]
            x has no place here: replicas takes no keys

            Declared in schema.yml:7
        "#]],
    );
    // Half-typed, and without a schema.
    check_in(
        &open(&values("rep$0\n")),
        Markup::Plain,
        expect![[r#"
        [rep]
        document: map

        Declared in schema.yml:2

        Final value: rep
    "#]],
    );
    check_in(&open("#- a.yml\nx$0: 1\n"), Markup::Plain, expect!["nothing"]);
    let code = "#- x.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.either.nam$0e\n";
    check_in(
        &open(&format!("{SCHEMA}{code}")),
        Markup::Plain,
        expect![[r#"
        [name]
        data.values.either.name

        name is not declared in either

        Keys there: a, b

        Declared in schema.yml:19
    "#]],
    );
}

#[test]
fn aliases_and_merge_keys() {
    let text =
        "#- t.yml\n#@data/values\n---\na: &a\n  x: 1\n  y: {z: 2}\nb: *a\nc:\n  <<: *a\n  x: 3\nd: *none\ne: *\n";
    let at = |written: &str, offset: usize| {
        let place = text.find(written).expect("the text") + offset;
        open(&format!("{}$0{}", &text[..place], &text[place..]))
    };
    check_in(
        &at("*a", 1),
        Markup::Plain,
        expect![[r#"
        [*a]
        *a stands for

        x: 1
        y: {z: 2}

        Anchored in t.yml:3
    "#]],
    );
    check_in(
        &at("<<", 1),
        Markup::Plain,
        expect![[r#"
        [<<]
        << is a merge key: it brings y
    "#]],
    );
    check_in(
        &at("*none", 2),
        Markup::Plain,
        expect![[r#"
        [*none]
        *none stands for nothing: there is no such anchor above it
    "#]],
    );
    check_in(
        &at("*a", 1),
        Markup::Markdown,
        expect![[r#"
            [*a]
            **\*a** stands for

            ```yaml
            x: 1
            y: {z: 2}
            ```

            Anchored in [t.yml:3](<file:///lofting-ide-fixture/t.yml#L3>)
        "#]],
    );
}

#[test]
fn what_allowed_values_mean() {
    let files = "#- schema.json\n{\"properties\": {\"a\": {\"enum\": [\"x\", \"y\"], \"enumDescriptions\": [\"\", \"The *second*.\"]}}}\n\
        #- a.yaml\n# yaml-language-server: $schema=schema.json\na: $0y\n";
    check_in(
        &open(files),
        Markup::Markdown,
        expect![[r#"
        [y]
        **a**: any

        Allowed: `x`, `"y"`  
        `"y"`: The *second*.

        Declared in [schema.json:1](<file:///lofting-ide-fixture/schema.json#L1>)
    "#]],
    );
}

#[test]
fn who_writes_a_value() {
    let files = "#- schema.json\n{\"properties\": {\"a\": {\"readOnly\": true}, \"b\": {\"writeOnly\": true}}}\n\
        #- a.yaml\n# yaml-language-server: $schema=schema.json\n";
    check_in(
        &open(&format!("{files}a$0: y\n")),
        Markup::Plain,
        expect![[r#"
        [a]
        a: any

        Access: read-only

        Declared in schema.json:1
    "#]],
    );
    check_in(
        &open(&format!("{files}b$0: y\n")),
        Markup::Plain,
        expect![[r#"
        [b]
        b: any

        Access: write-only

        Declared in schema.json:1
    "#]],
    );
}

#[test]
fn what_is_said_beside_a_reference() {
    let files = "#- schema.json\n{\"definitions\": {\"v\": {\"type\": \"string\"}}, \"properties\": {\"a\": {\"$ref\": \"#/definitions/v\", \
        \"description\": \"plain\", \"markdownDescription\": \"**bold**\", \"examples\": [\"x\"]}}}\n\
        #- a.yaml\n# yaml-language-server: $schema=schema.json\na$0: y\n";
    check_in(
        &open(files),
        Markup::Markdown,
        expect![[r#"
        [a]
        **a**: any

        **bold**

        Example: `x`

        Declared in [schema.json:1](<file:///lofting-ide-fixture/schema.json#L1>)

        ---

        **a**: string

        Declared in [schema.json:1](<file:///lofting-ide-fixture/schema.json#L1>)
    "#]],
    );
}

#[test]
fn items_by_their_index() {
    let files = "#- schema.json\n{\"prefixItems\": [{\"description\": \"one\"}, {\"description\": \"two\"}], \"items\": {\"description\": \"more\"}}\n\
        #- a.yaml\n# yaml-language-server: $schema=schema.json\n- a\n- b\n- c\n";
    let at = |item: &str| files.replace(&format!("- {item}"), &format!("- $0{item}"));
    check_in(
        &open(&at("b")),
        Markup::Plain,
        expect![[r#"
        [b]
        []: any

        two

        Declared in schema.json:1
    "#]],
    );
    check_in(
        &open(&at("c")),
        Markup::Plain,
        expect![[r#"
        [c]
        []: any

        more

        Declared in schema.json:1
    "#]],
    );
}

/// Words of which only some are allowed, and names of other parts, are described by the schema as any value is.
#[test]
fn words_of_languages_are_values() {
    let schema = "#- schema.yml
type: object
properties:
  spec:
    properties:
      containers:
        items:
          properties:
            imagePullPolicy: {type: string, description: When it is fetched.}
            volumeMounts: {items: {properties: {name: {type: string, description: Which volume.}}}}
#- pod.yml
# yaml-language-server: $schema=schema.yml
";
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  volumes: [{name: cargo}]\n  containers:\n  - name: a\n    \
               imagePullPolicy: Always\n    volumeMounts: [{name: cargo}]\n";
    for (at, word, wanted) in
        [("Always", "Alw$0ays", "When it is fetched."), ("cargo}]\n", "car$0go}]\n", "Which volume.")]
    {
        let (before, after) = pod.rsplit_once(at).expect("a word");
        let fixture = open(&format!("{schema}{before}{word}{after}"));
        let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
        assert!(found.text.to_string().contains(wanted), "{}", found.text);
    }
}

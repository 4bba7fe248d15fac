//! Writes a schema and a values file of a wanted length. The same arguments always give the same text.

use std::fmt::Write as _;

/// The schema: types, bounds, descriptions, enumerations and nullable keys, as real ones have.
const SCHEMA: &str = r#"#@data/values-schema
---
#@schema/desc "Name of the cluster"
#@schema/validation min_len=1
cluster: ""
#@schema/desc "All services, in the order they are started"
services:
- name: ""
  #@schema/desc "Whether the service is started at all"
  enabled: true
  #@schema/desc "How many of them run"
  #@schema/validation min=0, max=100
  replicas: 1
  image:
    #@schema/desc "Repository of the image"
    repository: ""
    #@schema/desc "Tag of the image"
    tag: ""
    #@schema/validation one_of=["Always", "IfNotPresent", "Never"]
    pullPolicy: IfNotPresent
  #@schema/desc "Ports the service listens on"
  ports:
  - name: http
    #@schema/validation min=1, max=65535
    port: 80
  resources:
    cpu: 0.5
    memory: 128Mi
  #@schema/nullable
  #@schema/desc "Where the service is reached from outside"
  ingress:
    host: ""
    #@schema/nullable
    path: ""
  #@schema/type any=True
  labels: {}
"#;

/// The schema of services in JSON Schema.
const SERVICES: &str = "type: object
x-kubernetes-preserve-unknown-fields: true
properties:
  services:
    type: array
    items:
      type: object
      x-kubernetes-preserve-unknown-fields: true
      properties:
        name: {type: string, minLength: 1}
        enabled: {type: boolean, description: Whether the service is started at all}
        replicas: {type: integer, minimum: 0, maximum: 100}
        image: {type: object, properties: {repository: {type: string}, tag: {type: string}, pullPolicy: {type: string}}}
        ports: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}
";

/// The definition of a kind of resources, up to its schema.
const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: services.example.com}
spec:
  group: example.com
  names: {kind: Services, plural: services}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
";

/// A schema with a key for each line of values.
fn flat_schema(lines: usize) -> String {
    let mut text = "#@data/values-schema\n---\nflags:\n".to_owned();
    for number in 0..lines {
        let _ = writeln!(text, "  flag_{number:06}: false");
    }
    text
}

/// The schema of values of a form.
pub fn schema(lines: usize, form: Form, rules: bool) -> String {
    match (form, rules) {
        (Form::Flat, _) => flat_schema(lines),
        (Form::Governed, _) => format!("$schema: http://json-schema.org/draft-07/schema#\n{SERVICES}"),
        (Form::Resources | Form::Kinds, _) => {
            let schema: String = SERVICES.lines().map(|line| format!("        {line}\n")).collect();
            format!("{DEFINITION}{schema}")
        }
        (_, true) => schema_with_rules(),
        (_, false) => SCHEMA.to_owned(),
    }
}

/// The schema with a rule that is code on every key and item, about one for each line of values.
fn schema_with_rules() -> String {
    let mut text = String::new();
    for line in SCHEMA.lines().filter(|line| !line.contains("@schema/validation")) {
        if line.ends_with(':') || line.contains(": ") && !line.contains('#') {
            let indent = line.len() - line.trim_start().len();
            let _ = writeln!(text, "{:indent$}#@schema/validation (\"not seven\", lambda value: value != 7)", "");
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Lines of one service.
const SERVICE: usize = 20;

/// A values file with at least one service.
pub struct Values {
    /// The text; its first service has a mistake, so that diagnostics prove that the schema was found.
    pub text: String,
    /// Line (from 0) of a service's `enabled: true` at the start, in the middle and at the end.
    pub enabled_lines: [u32; 3],
    /// Where `true` ends on those lines, in bytes.
    pub enabled_column: u32,
    /// Line of a service's `image:` in the middle; its key `pullPolicy` is missing. None if there are no services.
    pub image_line: Option<u32>,
}

impl Values {
    /// The text with its mistake fixed.
    pub fn without_mistake(&self) -> String {
        self.text.replacen("replicas: two", "replicas: 2", 1).replacen(": yep", ": true", 1)
    }
}

/// How the values are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As a plain file beside the schema.
    Plain,
    /// As a document `#@data/values`.
    Annotated,
    /// As such a document in which an annotation above all services says how these are laid over others.
    Overlaid,
    /// As such a document with an annotation above each service.
    Appended,
    /// As such a document beside a key whose number of matches is stated, which only merging tells about.
    Counted,
    /// As a stream of plain documents, one for each service.
    Stream,
    /// As a stream of documents `#@data/values`, one for each service.
    Documents,
    /// As such a document with a single map, whose keys are flags.
    Flat,
    /// As a stream of documents with a JSON Schema, one for each service.
    Governed,
    /// As a stream of resources of Kubernetes, one for each service.
    Resources,
    /// As such a stream in which the kinds of most resources are not known.
    Kinds,
}

/// The forms: what tables call them, the argument that chooses them.
pub const FORMS: [(&str, &str, Form); 11] = [
    ("plain values", "plain", Form::Plain),
    ("below `#@data/values`", "annotated", Form::Annotated),
    ("the same with `#@overlay/replace` above all items", "overlaid", Form::Overlaid),
    ("with `#@overlay/append` above each item", "appended", Form::Appended),
    ("beside `#@overlay/match expects=1`", "counted", Form::Counted),
    ("a stream of plain documents", "stream", Form::Stream),
    ("a stream of documents `#@data/values`", "documents", Form::Documents),
    ("one flat map", "flat", Form::Flat),
    ("a stream that a JSON Schema governs", "governed", Form::Governed),
    ("a stream of resources of Kubernetes", "resources", Form::Resources),
    ("the same, of kinds that are not known", "kinds", Form::Kinds),
];

impl Form {
    /// The form of a name.
    pub fn named(name: &str) -> Option<Form> {
        FORMS.iter().find(|(_, known, _)| *known == name).map(|(_, _, form)| *form)
    }

    /// The text above the values.
    fn head(self) -> &'static str {
        match self {
            Form::Plain => "cluster: production\nservices:\n",
            Form::Annotated | Form::Appended => "#@data/values\n---\ncluster: production\nservices:\n",
            Form::Overlaid => "#@data/values\n---\ncluster: production\n#@overlay/replace\nservices:\n",
            Form::Counted => "#@data/values\n---\n#@overlay/match expects=1\ncluster: production\nservices:\n",
            Form::Stream => "cluster: production\n",
            Form::Documents => "#@data/values\n---\ncluster: production\n",
            Form::Flat => "#@data/values\n---\nflags:\n",
            Form::Governed => "# yaml-language-server: $schema=schema.yml\n",
            Form::Resources | Form::Kinds => "",
        }
    }

    /// The lines above each service.
    fn above(self) -> &'static str {
        match self {
            Form::Appended => "#@overlay/append\n",
            Form::Stream | Form::Governed => "---\nservices:\n",
            Form::Resources | Form::Kinds => {
                "---\napiVersion: example.com/v1\nkind: @KIND\nmetadata: {name: service-@N}\nservices:\n"
            }
            Form::Documents => "#@data/values\n---\nservices:\n",
            _ => "",
        }
    }

    /// How a comment begins.
    fn comment(self) -> &'static str {
        match self {
            Form::Plain | Form::Stream | Form::Governed | Form::Resources | Form::Kinds => "#",
            _ => "#!",
        }
    }
}

/// A values file of about this number of lines.
pub fn values(lines: usize, form: Form) -> Values {
    if form == Form::Flat {
        return flags(lines);
    }
    let above = form.above().lines().count();
    let services = (lines.saturating_sub(3) / (SERVICE + above)).max(3);
    let mut text = String::from(form.head());
    let mut starts = Vec::with_capacity(services);
    let mut line = u32::try_from(text.lines().count()).unwrap_or(0);
    for number in 0..services {
        let is_edited = [0, 1, 2].iter().any(|part| number == (services - 1) * part / 2);
        let is_known = form != Form::Kinds || is_edited;
        let kind = if is_known { "Services".to_owned() } else { format!("Other{}", number % 7) };
        text.push_str(&form.above().replace("@KIND", &kind).replace("@N", &number.to_string()));
        line += u32::try_from(above).unwrap_or(0);
        starts.push(line);
        let replicas = if number == 0 { "two".to_owned() } else { (number % 7).to_string() };
        let _ = write!(
            text,
            "- name: service-{number:05}\n  enabled: true\n  replicas: {replicas}\n  image:\n    \
             repository: registry.example.com/team-{team}/service-{number:05}\n    tag: \"1.{minor}.0\"\n  ports:\n  - name: http\n    port: {port}\n  - name: metrics\n    port: 9090\n  \
             resources:\n    cpu: {cpu}\n    memory: 256Mi\n  ingress:\n    host: service-{number:05}.example.com\n    \
             path: /api {comment} outside\n  labels:\n    team: team-{team}\n    tier: backend\n",
            comment = form.comment(),
            team = number % 13,
            minor = number % 50,
            port = 8000 + number % 1000,
            cpu = if number % 2 == 0 { "0.5" } else { "2" },
        );
        line += u32::try_from(SERVICE).unwrap_or(0);
    }
    let at = |part: usize| starts.get((services - 1) * part / 2).copied().unwrap_or(2);
    Values {
        text,
        enabled_lines: [at(0) + 1, at(1) + 1, at(2) + 1],
        enabled_column: u32::try_from("  enabled: true".len()).unwrap_or(0),
        image_line: Some(at(1) + 3),
    }
}

/// A map of this many flags, one for each line.
fn flags(lines: usize) -> Values {
    let mut text = String::from(Form::Flat.head());
    let above = text.lines().count();
    for number in 0..lines {
        // The first one is wrong.
        let _ = writeln!(text, "  flag_{number:06}: {}", if number == 0 { "yep" } else { "true" });
    }
    let at = |part: usize| u32::try_from(above + 1 + lines.saturating_sub(2) * part / 2).unwrap_or(0);
    Values {
        text,
        enabled_lines: [at(0), at(1), at(2)],
        enabled_column: u32::try_from("  flag_000000: true".len()).unwrap_or(0),
        image_line: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMS, Form, SERVICE, values};

    #[test]
    fn lines_are_where_they_are_said_to_be() {
        for (_, name, form) in FORMS {
            assert_eq!(Form::named(name), Some(form));
            let values = values(1000, form);
            let lines: Vec<&str> = values.text.lines().collect();
            let service = SERVICE + form.above().lines().count();
            assert!(lines.len() <= 1003 && lines.len() > 1000 - service - 3, "{name}: {}", lines.len());
            for line in values.enabled_lines {
                let line = lines[line as usize];
                assert!(line.ends_with(": true") && line.len() == values.enabled_column as usize, "{name}: {line}");
            }
            assert!(values.image_line.is_none_or(|line| lines[line as usize] == "  image:"), "{name}");
        }
    }
}

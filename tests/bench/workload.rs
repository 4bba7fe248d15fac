//! Writes a schema and a values file of a wanted length. The same arguments always give the same text.

use std::fmt::Write as _;

/// The schema: types, bounds, descriptions, enumerations and nullable keys, as real ones have.
pub const SCHEMA: &str = r#"#@data/values-schema
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

/// The schema with a rule that is code on every key and item, about one for each line of values.
pub fn schema_with_rules() -> String {
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
    /// Line of a service's `image:` in the middle; its key `pullPolicy` is missing.
    pub image_line: u32,
}

/// How the values are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As a plain file beside the schema.
    Plain,
    /// As a document `#@data/values`.
    Annotated,
    /// As such a document in which annotations say how parts are laid over others.
    Overlaid,
}

impl Form {
    /// The form of a name.
    pub fn named(name: &str) -> Option<Form> {
        match name {
            "plain" => Some(Form::Plain),
            "annotated" => Some(Form::Annotated),
            "overlaid" => Some(Form::Overlaid),
            _ => None,
        }
    }

    /// The text above the values.
    fn head(self) -> &'static str {
        match self {
            Form::Plain => "cluster: production\nservices:\n",
            Form::Annotated => "#@data/values\n---\ncluster: production\nservices:\n",
            Form::Overlaid => "#@data/values\n---\ncluster: production\n#@overlay/replace\nservices:\n",
        }
    }

    /// How a comment begins.
    fn comment(self) -> &'static str {
        match self {
            Form::Plain => "#",
            Form::Annotated | Form::Overlaid => "#!",
        }
    }
}

/// A values file of about this number of lines.
pub fn values(lines: usize, form: Form) -> Values {
    let services = (lines.saturating_sub(3) / SERVICE).max(3);
    let mut text = String::from(form.head());
    let mut starts = Vec::with_capacity(services);
    let mut line = u32::try_from(text.lines().count()).unwrap_or(0);
    for number in 0..services {
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
        image_line: at(1) + 3,
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, SERVICE, values};

    #[test]
    fn lines_are_where_they_are_said_to_be() {
        for form in ["plain", "annotated", "overlaid"].map(|name| Form::named(name).expect("a form")) {
            let values = values(1000, form);
            let lines: Vec<&str> = values.text.lines().collect();
            assert!(lines.len() <= 1003 && lines.len() > 1000 - SERVICE - 3);
            for line in values.enabled_lines {
                assert_eq!(lines[line as usize], "  enabled: true");
            }
            assert_eq!(lines[values.image_line as usize], "  image:");
        }
    }
}

//! Where schemas refuse what the program that reads the files accepts: `corrections.txt`.

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

/// The corrections.
const CORRECTIONS: &str = include_str!("../corrections.txt");

/// A value that takes the place of another one in a schema.
struct Correction {
    /// The file of the schema.
    schema: &'static str,
    /// Where, as a pointer.
    at: &'static str,
    /// Also where else the same is: a map anywhere, anything else below the same key.
    is_everywhere: bool,
    /// None if what is there is left out.
    value: Option<Value>,
    is_applied: bool,
}

impl Correction {
    fn new(schema: &'static str, at: &'static str, value: Option<Value>) -> Correction {
        let (at, is_everywhere) = at.strip_prefix('=').map_or((at, false), |at| (at, true));
        Correction { schema, at, is_everywhere, value, is_applied: false }
    }
}

/// All corrections.
pub struct Corrections(Vec<Correction>);

/// Reads the corrections.
pub fn read() -> anyhow::Result<Corrections> {
    let lines = CORRECTIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let wrong = || format!("corrections.txt: `{line}`");
        let mut fields = line.splitn(3, ' ');
        let [Some(schema), Some(at), Some(value)] = [fields.next(), fields.next(), fields.next()] else {
            bail!(wrong());
        };
        let value = match value {
            "-" => None,
            value => Some(serde_json::from_str(value).with_context(wrong)?),
        };
        Ok(Correction::new(schema, at, value))
    };
    lines.map(read).collect::<Result<_, _>>().map(Corrections)
}

impl Corrections {
    /// Corrects a schema. What is corrected has to be there: a newer schema may not need it any more.
    pub fn apply(&mut self, file: &str, schema: &mut Value) -> anyhow::Result<()> {
        for correction in self.0.iter_mut().filter(|correction| correction.schema == file) {
            let stale = || anyhow!("corrections.txt: {file} has no {}", correction.at);
            let (above, key) = correction.at.rsplit_once('/').ok_or_else(stale)?;
            let members = schema.pointer_mut(above).and_then(Value::as_object_mut).ok_or_else(stale)?;
            let key = key.replace("~1", "/").replace("~0", "~");
            match &correction.value {
                Some(value) if correction.is_everywhere => {
                    let wrong = members.get(&key).filter(|wrong| *wrong != value).ok_or_else(stale)?.clone();
                    replace(schema, &key, &wrong, value);
                }
                None => drop(members.remove(&key).ok_or_else(stale)?),
                Some(value) if members.get(&key) == Some(value) => return Err(stale()),
                Some(value) => drop(members.insert(key, value.clone())),
            }
            correction.is_applied = true;
        }
        Ok(())
    }

    /// Whether all were needed.
    pub fn finish(&self) -> anyhow::Result<()> {
        match self.0.iter().find(|correction| !correction.is_applied) {
            Some(unused) => bail!("corrections.txt: there is no schema {}", unused.schema),
            None => Ok(()),
        }
    }
}

/// Replaces a value wherever it is: a map anywhere, anything else below a key.
fn replace(schema: &mut Value, key: &str, wrong: &Value, right: &Value) {
    let mut todo = vec![schema];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if member == wrong && (wrong.is_object() || name == key) {
                        *member = right.clone();
                    } else {
                        todo.push(member);
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    if item == wrong && wrong.is_object() {
                        *item = right.clone();
                    } else {
                        todo.push(item);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_wrong_everywhere() {
        let schema =
            json!({"a": {"type": "x"}, "b": [{"type": "x"}, "x"], "c": {"type": "x", "enum": ["x"], "d": "x"}});
        for (at, value, want) in [
            ("=/a", json!({"$ref": "#"}), json!({"a": {"$ref": "#"}, "b": [{"$ref": "#"}, "x"], "c": schema["c"]})),
            (
                "=/a/type",
                json!(["x", "y"]),
                json!({
                    "a": {"type": ["x", "y"]},
                    "b": [{"type": ["x", "y"]}, "x"],
                    "c": {"type": ["x", "y"], "enum": ["x"], "d": "x"},
                }),
            ),
            ("/a/type", json!("y"), json!({"a": {"type": "y"}, "b": schema["b"], "c": schema["c"]})),
        ] {
            let mut corrected = schema.clone();
            let mut corrections = Corrections(vec![Correction::new("s", at, Some(value))]);
            assert!(corrections.finish().is_err());
            corrections.apply("s", &mut corrected).expect("it is needed");
            assert_eq!(corrected, want, "{at}");
            corrections.finish().expect("it was needed");
            assert!(corrections.apply("s", &mut corrected).is_err(), "{at}: it is not needed any more");
        }
        let mut missing = Corrections(vec![Correction::new("s", "=/z", Some(json!(1)))]);
        assert!(missing.apply("s", &mut schema.clone()).is_err());
    }
}

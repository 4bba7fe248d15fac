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
    /// None if what is there is left out.
    value: Option<Value>,
    is_applied: bool,
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
        Ok(Correction { schema, at, value, is_applied: false })
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

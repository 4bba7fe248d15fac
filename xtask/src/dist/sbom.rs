//! What is in the program, as CycloneDX 1.5: its libraries, and the packages that the built-in schemas are from.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::entries::{sha256, write};
use super::product::{Product, text};
use super::time::Moment;

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let path = product.out.join(format!("lofting-{}.cdx.json", product.target.triple));
    let schemas = text("server/catalogue/packages.txt")?;
    write(&path, format!("{:#}\n", document(product, &schemas)).as_bytes())?;
    Ok(vec![path])
}

fn document(product: &Product, schemas: &str) -> Value {
    let ours = |name: &str| name.starts_with("lofting");
    let libraries = product.dependencies.iter().filter(|dependency| !ours(&dependency.name)).map(|dependency| {
        let purl = format!("pkg:cargo/{}@{}", dependency.name, dependency.version);
        let hashes: Vec<Value> =
            dependency.checksum.iter().map(|sum| json!({"alg": "SHA-256", "content": sum})).collect();
        json!({
            "type": "library", "bom-ref": purl, "name": dependency.name, "version": dependency.version, "hashes": hashes,
            "licenses": [{"expression": dependency.licence}], "purl": purl,
        })
    });
    let data = schemas.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        let [registry, name, version, _, sum, _, licence] = fields[..] else { return None };
        let purl = format!("pkg:{registry}/{name}@{version}");
        Some(json!({
            "type": "data", "bom-ref": purl, "name": name, "version": version,
            "hashes": [{"alg": "SHA-256", "content": sum}], "licenses": [{"expression": licence}], "purl": purl,
            "description": "schemas that are built in",
        }))
    });
    let components: Vec<Value> = libraries.chain(data).collect();
    let sum = sha256(&product.program);
    let purl = format!("pkg:github/lofting-yaml/lofting@{}", product.version);
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": format!("urn:uuid:{}", uuid(&sum)),
        "version": 1,
        "metadata": {
            "timestamp": Moment::of(product.style.time).iso(),
            "component": {
                "type": "application", "bom-ref": purl, "name": "lofting", "version": product.version,
                "hashes": [{"alg": "SHA-256", "content": sum}], "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "purl": purl,
                "properties": [{"name": "target", "value": product.target.triple}],
            },
        },
        "components": components,
    })
}

/// A UUID of version 8 (whose bits are the maker's own), so that one program has one document.
fn uuid(sum: &str) -> String {
    format!("{}-{}-8{}-8{}-{}", &sum[..8], &sum[8..12], &sum[13..16], &sum[17..20], &sum[20..32])
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn uuids_have_their_version() {
        let uuid = uuid("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
        assert_eq!(uuid, "01234567-89ab-8def-8123-456789abcdef");
    }
}

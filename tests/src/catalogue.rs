//! Data files of a made-up catalogue, so that tests do not depend on what the program was built with.

/// A schema for files.
pub struct Schema<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its URL.
    pub url: &'a str,
    /// The files that it is for.
    pub patterns: &'a [&'a str],
    /// Its text; empty if that is not in the catalogue.
    pub text: &'a str,
    /// It refuses what its program accepts.
    pub is_strict: bool,
}

/// A kind of Kubernetes.
pub struct Kind<'a> {
    /// Its group and version.
    pub version: &'a str,
    /// Its name.
    pub kind: &'a str,
    /// Its schema.
    pub text: &'a str,
}

/// A data file with these schemas, and with these kinds in Kubernetes 1.37 and 1.30, where `older` have other schemas or
/// are added.
pub fn data_file(schemas: &[Schema<'_>], kinds: &[Kind<'_>], older: &[Kind<'_>]) -> Vec<u8> {
    let mut lines = vec![
        "origin\tSchemaStore\tmade-up 1.0\t2026-01-02\tMIT".to_owned(),
        "origin\tKubernetes\tmade-up 2.0\t2026-03-04\tMIT".to_owned(),
        "origin\tStrict\tmade-up 3.0\t2026-01-02\tMIT\tstrict".to_owned(),
    ];
    let mut blocks: Vec<String> = vec![String::new(); 5];
    for schema in schemas {
        lines.push(format!("schema\t{}\t{}\tMade up.\t{}", schema.name, schema.url, schema.patterns.join("\t")));
        if !schema.text.is_empty() {
            let origin = if schema.is_strict { 2 } else { 0 };
            lines.push(format!("text\t{}\t{origin}\t0\t{}\t{}", schema.url, blocks[0].len(), schema.text.len()));
            blocks[0] += schema.text;
        }
    }
    for (kinds, layer, texts) in [(kinds, 1, 2), (older, 3, 4)] {
        for kind in kinds {
            let name = format!("{}.{}", kind.version.replace('/', "."), kind.kind);
            let start = blocks[texts].len();
            blocks[layer] += &format!("definition\t{name}\t{texts}\t{start}\t{}\n", kind.text.len());
            blocks[layer] += &format!("kind\t{}\t{}\t{name}\n", kind.version, kind.kind);
            blocks[texts] += kind.text;
        }
    }
    lines.extend(["version\t1\t37\t1\t1".to_owned(), "version\t1\t30\t1\t3".to_owned()]);
    let blocks: Vec<Vec<u8>> = blocks.iter().map(|block| compressed(block)).collect();
    let lengths: Vec<String> = blocks.iter().map(|block| block.len().to_string()).collect();
    let index = format!("{}\n{}\n", lengths.join("\t"), lines.join("\n"));
    let mut bytes = b"LOFTCAT\x01".to_vec();
    bytes.extend(u32::try_from(index.len()).unwrap_or_default().to_le_bytes());
    bytes.extend(index.as_bytes());
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes
}

fn compressed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = brotli::BrotliCompress(&mut text.as_bytes(), &mut bytes, &brotli::enc::BrotliEncoderParams::default());
    bytes
}

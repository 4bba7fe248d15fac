//! `@ytt:base64`, `@ytt:md5`, `@ytt:sha256`

use base64::Engine;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use lofting_interpreter::{Value, bytes};
use md5::Md5;
use sha2::{Digest, Sha256};

use super::Args;
use crate::failure::{Result, fail};

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    let text = args.text(0)?;
    let result = match args.name {
        "md5.sum" => hex(&Md5::digest(bytes::of(text))),
        "sha256.sum" => hex(&Sha256::digest(bytes::of(text))),
        name => {
            let (url, raw, strict) = (args.flag("url", false)?, args.flag("raw", false)?, args.flag("strict", false)?);
            let alphabet: &Alphabet = if url { &URL_SAFE } else { &STANDARD };
            let padding = if raw { DecodePaddingMode::RequireNone } else { DecodePaddingMode::RequireCanonical };
            let config = GeneralPurposeConfig::new()
                .with_encode_padding(!raw)
                .with_decode_padding_mode(padding)
                .with_decode_allow_trailing_bits(!strict);
            let engine = GeneralPurpose::new(alphabet, config);
            if name == "base64.encode" {
                engine.encode(bytes::of(text))
            } else {
                // Line breaks are skipped, as in Go.
                let clean: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
                match engine.decode(&clean) {
                    Ok(decoded) => bytes::text(&decoded),
                    Err(error) => {
                        return fail(format!(
                            "base64.decode: illegal base64 data at input byte {}",
                            fault(&error, &clean)
                        ));
                    }
                }
            }
        }
    };
    Ok(Value::text(result))
}

fn fault(error: &base64::DecodeError, text: &str) -> usize {
    match error {
        base64::DecodeError::InvalidByte(at, _) | base64::DecodeError::InvalidLastSymbol(at, _) => *at,
        _ => text.len(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

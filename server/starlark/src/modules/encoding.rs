//! `@ytt:base64`, `@ytt:md5`, `@ytt:sha256`

use base64::Engine;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use lofting_interpreter::{Value, bytes};
use md5::Md5;
use sha2::{Digest, Sha256};

use super::Args;
use crate::failure::fail;

pub(super) fn invoke(args: Args) -> crate::failure::Result<Value> {
    args.exactly(1)?;
    let text = args.text(0)?;
    let result = match args.name {
        "md5.sum" => hex(&Md5::digest(bytes::of(text))),
        "sha256.sum" => hex(&Sha256::digest(bytes::of(text))),
        name => {
            let (url, raw, strict) = (args.flag("url", false)?, args.flag("raw", false)?, args.flag("strict", false)?);
            let alphabet: &Alphabet = if url { &URL_SAFE } else { &STANDARD };
            if name == "base64.encode" {
                let config = GeneralPurposeConfig::new().with_encode_padding(!raw);
                GeneralPurpose::new(alphabet, config).encode(bytes::of(text))
            } else {
                match Decoder::new(alphabet, raw, strict).decode(&bytes::of(text)) {
                    Ok(decoded) => bytes::text(&decoded),
                    Err(at) => return fail(format!("base64.decode: illegal base64 data at input byte {at}")),
                }
            }
        }
    };
    Ok(Value::text(result))
}

/// Decodes as Go does, which says at which byte the text is wrong.
struct Decoder {
    /// The digit that each byte is.
    digits: [Option<u8>; 256],
    /// Without padding.
    raw: bool,
    /// Bits that are left over have to be 0.
    strict: bool,
}

impl Decoder {
    fn new(alphabet: &Alphabet, raw: bool, strict: bool) -> Self {
        let mut digits = [None; 256];
        for (digit, byte) in (0..).zip(alphabet.as_str().bytes()) {
            if let Some(slot) = digits.get_mut(usize::from(byte)) {
                *slot = Some(digit);
            }
        }
        Decoder { digits, raw, strict }
    }

    fn decode(&self, text: &[u8]) -> Result<Vec<u8>, usize> {
        let mut decoded = Vec::with_capacity(text.len() / 4 * 3);
        let mut at = 0;
        loop {
            let (digits, count) = self.digits(text, &mut at)?;
            let bits = digits.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit));
            let [_, first, second, third] = bits.to_be_bytes();
            match count {
                4 => decoded.extend([first, second, third]),
                3 if self.strict && third != 0 => return Err(at - 1),
                3 => decoded.extend([first, second]),
                2 if self.strict && second != 0 => return Err(at - 2),
                2 => decoded.push(first),
                _ => return Ok(decoded),
            }
            if count < 4 {
                return Ok(decoded);
            }
        }
    }

    /// The next four digits, or those that are left, and how many these are. Line breaks are skipped.
    fn digits(&self, text: &[u8], at: &mut usize) -> Result<([u8; 4], usize), usize> {
        let mut digits = [0; 4];
        let mut count = 0;
        while let Some(slot) = digits.get_mut(count) {
            let Some(byte) = text.get(*at) else {
                return if count == 0 || self.raw && count > 1 { Ok((digits, count)) } else { Err(*at - count) };
            };
            *at += 1;
            match self.digits.get(usize::from(*byte)).copied().flatten() {
                Some(digit) => {
                    *slot = digit;
                    count += 1;
                }
                None if matches!(byte, b'\n' | b'\r') => {}
                None if *byte != b'=' || self.raw || count < 2 => return Err(*at - 1),
                None => {
                    self.padding(text, at, count)?;
                    return Ok((digits, count));
                }
            }
        }
        Ok((digits, count))
    }

    /// What follows the first `=`: a second one after two digits, and then nothing.
    fn padding(&self, text: &[u8], at: &mut usize, count: usize) -> Result<(), usize> {
        let skip = |at: &mut usize| {
            while matches!(text.get(*at), Some(b'\n' | b'\r')) {
                *at += 1;
            }
        };
        if count == 2 {
            skip(at);
            match text.get(*at) {
                Some(b'=') => *at += 1,
                Some(_) => return Err(*at - 1),
                None => return Err(text.len()),
            }
        }
        skip(at);
        if *at < text.len() { Err(*at) } else { Ok(()) }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

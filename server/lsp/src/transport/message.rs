//! Turns the content of a frame into a message, or says what is wrong with it and which request it was about.

use serde_json::{Map, Value};

use crate::jsonrpc::ErrorCode;

/// What a client sent.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// A request, or a notification if it has no ID.
    Call {
        /// Its id: a number, a string or null.
        id: Option<Value>,
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<Value>,
    },
    /// The answer to one of our requests.
    Answer {
        /// The id of the request.
        id: Value,
        /// The result, or the error as JSON.
        result: Result<Value, Value>,
    },
    /// None of these; must be answered with an error.
    Undecodable {
        /// The ID; null if it is not known.
        id: Value,
        /// Whether the text is not JSON, or the JSON not a message.
        code: ErrorCode,
        /// What is wrong.
        why: String,
    },
}

/// Reads the content of a frame.
///
/// Half a surrogate pair is not a character, but `JSON.stringify` still writes it if a text was cut in two. It becomes
/// U+FFFD: so the text arrives, and positions stay right, because both are one UTF-16 unit.
pub fn decode(body: &[u8]) -> Message {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => return undecodable(body, format!("the message is not UTF-8 (byte {})", error.valid_up_to())),
    };
    match serde_json::from_str(text) {
        Ok(value) => of_value(value),
        Err(error) => match with_whole_characters(text).map(|text| serde_json::from_str(&text)) {
            Some(Ok(value)) => of_value(value),
            _ => undecodable(body, format!("the message is not JSON: {error}")),
        },
    }
}

fn undecodable(body: &[u8], why: String) -> Message {
    Message::Undecodable { id: id_of(body), code: ErrorCode::PARSE_ERROR, why }
}

fn of_value(value: Value) -> Message {
    let invalid =
        |id: Value, why: &str| Message::Undecodable { id, code: ErrorCode::INVALID_REQUEST, why: why.to_owned() };
    let mut object = match value {
        Value::Object(object) => object,
        Value::Array(_) => return invalid(Value::Null, "batches of messages are not part of the protocol"),
        _ => return invalid(Value::Null, "a message is an object"),
    };
    let id = object.remove("id");
    let known = id.clone().filter(is_id).unwrap_or_default();
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(known, "a message says \"jsonrpc\": \"2.0\"");
    }
    match object.remove("method") {
        Some(Value::String(_)) if id.as_ref().is_some_and(|id| !is_id(id)) => {
            invalid(Value::Null, "an id is an integer or a string")
        }
        Some(Value::String(method)) => Message::Call { id, method, params: object.remove("params") },
        Some(_) => invalid(known, "a method is a string"),
        None => answer(id, object).unwrap_or_else(|| invalid(known, "a message has a method, a result or an error")),
    }
}

fn answer(id: Option<Value>, mut object: Map<String, Value>) -> Option<Message> {
    let result = match (object.remove("error"), object.remove("result")) {
        (Some(error), None | Some(Value::Null)) => Err(error),
        (None, Some(result)) => Ok(result),
        _ => return None,
    };
    Some(Message::Answer { id: id.filter(is_id)?, result })
}

/// Whether a value can be the ID of a request.
fn is_id(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Null) || value.as_i64().is_some()
}

/// The text with U+FFFD for each half of a surrogate pair; `None` if there is none. Lengths stay the same.
fn with_whole_characters(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let mut fixed = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match unit(at) {
            // Two halves that belong together.
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                fixed.push_str(&text[copied..at]);
                fixed.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            Some(_) => 6,
            // The escaped character may be a backslash, or not ASCII.
            None => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    (copied > 0).then(|| fixed + &text[copied..])
}

/// The ID of a message that cannot be read as a whole: the first integer or string after the key `id` of the outermost
/// object. Null if there is none.
fn id_of(body: &[u8]) -> Value {
    let (mut at, mut depth) = (0, 0_usize);
    // The name of a key of the outermost object, after its colon was read.
    let (mut last, mut key) = (None, None);
    while let Some(byte) = body.get(at) {
        let end = match byte {
            b'"' => end_of_string(body, at),
            b'-' | b'0'..=b'9' => at + 1 + body[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ => at + 1,
        };
        let token = &body[at..end];
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => key = last.take(),
            b',' => key = None,
            b'"' | b'-' | b'0'..=b'9' if depth == 1 => {
                if key == Some(&b"\"id\""[..]) {
                    // A number with a fraction or an exponent is not an ID.
                    let whole = !matches!(body.get(end), Some(b'.' | b'e' | b'E'));
                    return serde_json::from_slice(token).ok().filter(|_| whole).filter(is_id).unwrap_or_default();
                }
                last = Some(token);
            }
            _ => {}
        }
        at = end;
    }
    Value::Null
}

/// After the string that begins at `start`, or after everything if it is not closed.
fn end_of_string(body: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = body.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    body.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(body: &[u8]) -> (Value, ErrorCode) {
        match decode(body) {
            Message::Undecodable { id, code, why } => {
                assert!(!why.is_empty());
                (id, code)
            }
            other => panic!("{:?} is {other:?}", String::from_utf8_lossy(body)),
        }
    }

    #[test]
    fn what_can_not_be_decoded_is_answered_with_the_id_where_it_can_be_known() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        let deep_before = format!(r#"{{"params":{}{},"id":"a\"b"}}"#, "[".repeat(200), "]".repeat(200));
        for (body, id, code) in [
            (&b"\xff\xfe"[..], Value::Null, ErrorCode::PARSE_ERROR),
            (b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}", json!(3), ErrorCode::PARSE_ERROR),
            (b"{\"id\":\"x\", broken", json!("x"), ErrorCode::PARSE_ERROR),
            (b"{\"params\":{\"id\":1},\"x\":[{\"id\":2}], \"id\" : -4, !", json!(-4), ErrorCode::PARSE_ERROR),
            (b"{\"x\":\"id\",\"id\":5,", json!(5), ErrorCode::PARSE_ERROR),
            (b"{\"id\":1.5,", Value::Null, ErrorCode::PARSE_ERROR),
            (b"{\"id\":\"never closed", Value::Null, ErrorCode::PARSE_ERROR),
            (b"{\"id\":\"\\ud83d\",", Value::Null, ErrorCode::PARSE_ERROR),
            (b"", Value::Null, ErrorCode::PARSE_ERROR),
            (b"{", Value::Null, ErrorCode::PARSE_ERROR),
            (deep.as_bytes(), json!(7), ErrorCode::PARSE_ERROR),
            (deep_before.as_bytes(), json!("a\"b"), ErrorCode::PARSE_ERROR),
            (b"null", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"5", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"\"text\"", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"[]", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}]", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"{}", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"2.0\",\"id\":8}", json!(8), ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"1.0\",\"id\":8,\"method\":\"x\"}", json!(8), ErrorCode::INVALID_REQUEST),
            (b"{\"id\":8,\"method\":\"x\"}", json!(8), ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":null}", json!(8), ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"2.0\",\"id\":[8],\"method\":\"x\"}", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"2.0\",\"id\":8.5,\"method\":\"x\"}", Value::Null, ErrorCode::INVALID_REQUEST),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}", json!(1), ErrorCode::INVALID_REQUEST),
        ] {
            assert_eq!(refused(body), (id, code), "{:?}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_one_character_of_its_own() {
        let params =
            |text: &str| match decode(format!(r#"{{"jsonrpc":"2.0","method":"x","params":["{text}"]}}"#).as_bytes()) {
                Message::Call { params: Some(params), .. } => params[0].as_str().expect("a string").to_owned(),
                other => panic!("{text:?} is {other:?}"),
            };
        for (written, read) in [
            (r"a\ud83d", "a\u{fffd}"),
            (r"\ude00b", "\u{fffd}b"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d\ud83d\ude00\ude00", "\u{fffd}😀\u{fffd}"),
            (r"\ud83dx\uDE00", "\u{fffd}x\u{fffd}"),
            (r"\ud83d\n", "\u{fffd}\n"),
            (r"\\ud83d \ud83d", "\\ud83d \u{fffd}"),
            (r"\\\ud83d", "\\\u{fffd}"),
            (r"ü\ud83d\u0041", "ü\u{fffd}A"),
        ] {
            assert_eq!(params(written), read);
            let units = |text: &str| text.encode_utf16().count();
            assert_eq!(units(&params(written)), units(read));
        }
    }

    #[test]
    fn messages() {
        let call = decode(br#"{"jsonrpc":"2.0","method":"m","id":null,"params":{"a":1}}"#);
        assert_eq!(
            call,
            Message::Call { id: Some(Value::Null), method: "m".to_owned(), params: Some(json!({"a": 1})) }
        );
        let answer = decode(br#"{"jsonrpc":"2.0","id":"a","result":null}"#);
        assert_eq!(answer, Message::Answer { id: json!("a"), result: Ok(Value::Null) });
        let error = decode(br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"},"result":null}"#);
        assert_eq!(error, Message::Answer { id: json!(1), result: Err(json!({"code": 1, "message": "x"})) });
    }
}

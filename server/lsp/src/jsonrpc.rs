//! What JSON-RPC calls numbers of requests, results and errors.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The result of a request, or why it has none.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Error {
    /// The kind.
    pub(crate) code: ErrorCode,
    /// In words.
    pub(crate) message: Cow<'static, str>,
    /// More, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Value>,
}

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ErrorCode(i64);

impl ErrorCode {
    /// Text that is not JSON.
    pub(crate) const PARSE_ERROR: ErrorCode = ErrorCode(-32700);
    /// JSON that is not a message, or a message that must not come now.
    pub(crate) const INVALID_REQUEST: ErrorCode = ErrorCode(-32600);
    /// No such method.
    pub(crate) const METHOD_NOT_FOUND: ErrorCode = ErrorCode(-32601);
    /// Parameters that the method does not have.
    pub(crate) const INVALID_PARAMS: ErrorCode = ErrorCode(-32602);
    /// A defect of the server.
    pub(crate) const INTERNAL_ERROR: ErrorCode = ErrorCode(-32603);
    /// A request before `initialize` was answered.
    pub(crate) const SERVER_NOT_INITIALIZED: ErrorCode = ErrorCode(-32002);
    /// The request is valid and the server works, but the answer is no.
    pub(crate) const REQUEST_FAILED: ErrorCode = ErrorCode(-32803);
    /// The server gave up the request.
    pub(crate) const SERVER_CANCELLED: ErrorCode = ErrorCode(-32802);
    /// The document has changed since.
    pub(crate) const CONTENT_MODIFIED: ErrorCode = ErrorCode(-32801);
    /// The client gave up the request.
    pub(crate) const REQUEST_CANCELLED: ErrorCode = ErrorCode(-32800);
}

impl Error {
    /// An error with the words for it.
    pub(crate) fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Error {
        Error { code, message: message.into(), data: None }
    }

    /// A defect of the server.
    pub(crate) fn internal_error() -> Error {
        Error::new(ErrorCode::INTERNAL_ERROR, "internal error")
    }

    /// The client gave up the request.
    pub(crate) fn request_cancelled() -> Error {
        Error::new(ErrorCode::REQUEST_CANCELLED, "cancelled")
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.code.0)
    }
}

impl std::error::Error for Error {}

/// What a request is called in its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Id {
    /// A number that is not known.
    Null,
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl From<Value> for Id {
    fn from(value: Value) -> Id {
        match value {
            Value::String(text) => Id::Text(text),
            value => value.as_i64().map_or(Id::Null, Id::Number),
        }
    }
}

impl From<&Id> for Value {
    fn from(id: &Id) -> Value {
        match id {
            Id::Null => Value::Null,
            Id::Number(number) => (*number).into(),
            Id::Text(text) => text.as_str().into(),
        }
    }
}

/// The message that answers a request. A result is JSON already: it is encoded where it is computed.
pub(crate) fn answer(id: &Id, result: Result<String>) -> String {
    let id = Value::from(id);
    match result {
        Ok(text) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{text}}}"#),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Error, Id, answer};

    #[test]
    fn answers_hold_the_encoded_result_or_the_error() {
        let decoded = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
        let text = answer(&Id::Text("x\"".to_owned()), Ok(r#"{"a":[1,"\"b\""]}"#.to_owned()));
        assert_eq!(decoded(text), json!({"jsonrpc": "2.0", "id": "x\"", "result": {"a": [1, "\"b\""]}}));
        let refused = decoded(answer(&Id::Number(2), Err(Error::request_cancelled())));
        assert_eq!(refused["error"], json!({"code": -32800, "message": "cancelled"}));
        assert_eq!(decoded(answer(&Id::Null, Ok("null".to_owned())))["id"], Value::Null);
    }
}

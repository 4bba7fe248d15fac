//! Answers on their way from the thread that computed them to the transport.
//!
//! An outline of ten thousand symbols takes milliseconds to become JSON, and the transport has one task for reading and
//! writing: while it encodes an answer, it reads no keystroke. So answers are encoded where they are computed. The
//! service passes on values only, so it gets the number of an answer, and the transport writes the text that is kept
//! under it.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tower_lsp_server::jsonrpc::{Id, Response};

/// Encoded answers by their numbers.
#[derive(Clone, Default)]
pub(crate) struct Answers(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    last: u64,
    texts: HashMap<u64, String>,
}

impl Answers {
    /// Keeps an answer as JSON until it is written. Nothing else that the service returns is a number.
    pub(crate) fn keep(&self, text: String) -> u64 {
        let mut kept = self.0.lock();
        kept.last += 1;
        let number = kept.last;
        kept.texts.insert(number, text);
        number
    }

    /// The message for a response of the service.
    pub(crate) fn message(&self, response: Response) -> serde_json::Result<String> {
        let Some(text) = response.result().and_then(Value::as_u64).and_then(|number| self.take(number)) else {
            return serde_json::to_string(&response);
        };
        let id: &Id = response.id();
        Ok(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{text}}}"#, serde_json::to_string(id)?))
    }

    fn take(&self, number: u64) -> Option<String> {
        self.0.lock().texts.remove(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::Answers;
    use serde_json::{Value, json};
    use tower_lsp_server::jsonrpc::{Error, Id, Response};

    #[test]
    fn a_message_holds_the_answer_that_was_kept() {
        let answers = Answers::default();
        let number = answers.keep(r#"{"a":[1,"\"b\""]}"#.to_owned());
        let message = |response| answers.message(response).expect("JSON");
        let text = message(Response::from_ok(Id::String("x\"".to_owned()), json!(number)));
        let decoded: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(decoded, json!({"jsonrpc": "2.0", "id": "x\"", "result": {"a": [1, "\"b\""]}}));
        assert!(answers.0.lock().texts.is_empty());
        let refused = message(Response::from_error(Id::Number(2), Error::request_cancelled()));
        assert!(refused.contains("\"error\""), "{refused}");
        let lifecycle = message(Response::from_ok(Id::Number(3), Value::Null));
        assert!(lifecycle.contains("\"result\":null"), "{lifecycle}");
    }
}

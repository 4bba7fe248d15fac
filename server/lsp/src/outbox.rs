//! Messages to the client other than answers: notifications in order, and requests whose answers come back as events.
//!
//! The loop never waits for the client. What only tells something is put into the queue of the output, and made into text
//! when its turn comes; what asks something goes to a task of the runtime, which waits for the answers.

mod newest;
mod question;
mod said;

use tokio::sync::mpsc;

use crate::client::Client;
use crate::out_queue::Output;
use newest::{Newest, Queued};

pub(crate) use question::Question;
pub(crate) use said::Said;

/// The loop's end.
#[derive(Clone)]
pub(crate) struct Outbox {
    out: Output,
    client: Client,
    said: Newest<Said>,
    asked: Newest<Question>,
    questions: mpsc::UnboundedSender<Queued<Question>>,
}

/// The runtime's end.
pub(crate) struct Questions {
    queue: mpsc::UnboundedReceiver<Queued<Question>>,
    asked: Newest<Question>,
}

/// Makes both ends, for a client with this output.
pub(crate) fn channel(out: Output, client: Client) -> (Outbox, Questions) {
    let (questions, queue) = mpsc::unbounded_channel();
    let asked = Newest::default();
    let outbox = Outbox { out, client, said: Newest::default(), asked: asked.clone(), questions };
    (outbox, Questions { queue, asked })
}

impl Outbox {
    /// Says something after all that was said before. Does nothing when the connection is gone.
    pub(crate) fn say(&self, said: Said) {
        let (queued, newest, client) = (self.said.queued(said), self.said.clone(), self.client.clone());
        self.out.letter(move || newest.due(queued).map_or_else(Vec::new, |said| said.texts(&client)));
    }

    /// Asks something after all that was asked before. Does nothing when the connection is gone.
    pub(crate) fn ask(&self, question: Question) {
        let _ = self.questions.send(self.asked.queued(question));
    }
}

impl Questions {
    /// Asks everything, in order, until the loop is gone.
    pub(crate) async fn ask(mut self, client: Client) {
        while let Some(queued) = self.queue.recv().await {
            if let Some(question) = self.asked.due(queued) {
                question.ask(&client).await;
            }
        }
    }
}

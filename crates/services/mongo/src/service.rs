//! The service that answers the commands of a server.

use crate::{Command, Document, Error, greeting};
use polywire_call::Status;
use polywire_protocols::mongo::PROTOCOL;
use polywire_server::{Call, Context, Handler, Method, Service, Started};
use polywire_wire::{Content, Outcome};
use std::{future::Future, sync::Arc};

/// Answers commands. Commands of one connection arrive one at a time, in order.
///
/// `hello`, `isMaster`, `ping`, `buildInfo` and `endSessions` are answered before they reach the service.
pub trait MongoService: Send + Sync + 'static {
    /// Answers a command with a document, to which `ok: 1` is added unless it has an `ok`.
    ///
    /// A write that its driver does not wait for (`w: 0`) arrives like any other, and its reply is not sent.
    ///
    /// # Errors
    /// The command failed: the driver raises an exception with this code and text. [`Error::unknown`] is for
    /// commands that the service does not have.
    fn command(&self, cx: &Context, command: Command)
    -> impl Future<Output = Result<Document, Error>> + Send;
}

/// Makes a service that gets all commands of a server: `Server::new().service(mongo::service(..))`.
pub fn service(service: impl MongoService) -> Service {
    let service = Arc::new(service);
    let instance = move || -> Box<dyn Handler> { Box::new(Commanded { service: service.clone() }) };
    Service::bound(PROTOCOL.name).with(Method::new("command", instance))
}

struct Commanded<S> {
    service: Arc<S>,
}

impl<S: MongoService> Handler for Commanded<S> {
    fn start(&self, call: Call) -> Started {
        let service = self.service.clone();
        let Call { cx, body, max_message, .. } = call;
        // In the future, since a long message takes time to check: a method whose calls take long moves to
        // the work pool.
        Started::Future(Box::pin(async move {
            let command = match Command::read(&body.into_bytes()) {
                Ok(command) => command,
                Err(error) => return failed(error),
            };
            if let Some(answer) = greeting::answer(command.name(), max_message) {
                return replied(answer);
            }
            match service.command(&cx, command).await {
                Ok(document) if document.get("ok").is_some() => replied(document),
                Ok(document) => replied(Document::builder().put_all(&document).put("ok", 1.0).build()),
                Err(error) => failed(error),
            }
        }))
    }
}

fn replied(document: Document) -> Outcome {
    Outcome { body: document.into(), content: Content::BSON, reply: true, ..Outcome::default() }
}

/// The failure for counters and logs, with its document for the driver.
fn failed(error: Error) -> Outcome {
    let document = error.document();
    let status: Status = error.into_status();
    Outcome { status, ..replied(document) }
}

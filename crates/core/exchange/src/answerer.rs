//! The handle of a handler: the right to answer its call.

use crate::{
    line::{ANSWERED, LATE, Line, REFUSED, Said, Stage},
    pipe::Pipe,
    sink::Sink,
    source::Source,
    sync::{Arc, atomic::Ordering::*},
    turn::Turn,
};
use polywire_base::Inbox;
use polywire_wire::Outcome;
use std::task::Waker;

impl Line {
    /// Server: the line of a handler that did not finish at once. Its outcome is passed through the
    /// [`Answerer`].
    pub fn serve(inbox: &Arc<Inbox<Line>>) -> (Arc<Line>, Answerer) {
        let line = Line::new(Some(inbox), 0, Said::Nothing, None);
        (line.clone(), Answerer { line })
    }

    /// Server: the line of a streaming call, or of a stream that was offered inside a call.
    pub fn serve_stream(
        inbox: &Arc<Inbox<Line>>,
        mut pipe: Box<Pipe>,
    ) -> (Arc<Line>, Answerer, (Source, Sink)) {
        pipe.turn = Turn::of_handler();
        let (line, both) = Line::offer(inbox, pipe);
        (line.clone(), Answerer { line }, both) // what a handler has more is an outcome
    }

    /// Client: a stream to be offered inside a call ([`Request::offers`](crate::Request::offers)). It begins
    /// when the peer accepts it.
    pub fn offer(inbox: &Arc<Inbox<Line>>, pipe: Box<Pipe>) -> (Arc<Line>, (Source, Sink)) {
        let line = Line::new(Some(inbox), 0, Said::Nothing, Some(pipe));
        let source = Source::new(line.clone());
        let sink = Sink::new(line.clone());
        (line, (source, sink)) // it has no outcome: it ends with its sink
    }
}

/// The right of a handler to set the outcome of its call.
pub struct Answerer {
    line: Arc<Line>,
}

impl Answerer {
    /// Sets the outcome of the call.
    pub fn answer(self, outcome: Outcome) {
        // SAFETY: not yet ANSWERED, since that needs this handle: home does not read `said`, and on a line
        // that is not a client's call no other handle does.
        self.line.said.with_mut(|said| unsafe { *said = Said::Answer(outcome) });
        // Release pairs with the acquire in `take_answer`.
        self.line.flags.fetch_or(ANSWERED, Release);
        Line::post(&self.line); // if home has ended the outcome has no receiver
    }

    /// Sets the outcome of a call whose handler has not run.
    pub fn refuse(self, outcome: Outcome) {
        self.line.flags.fetch_or(REFUSED, Relaxed); // `answer` publishes it
        self.answer(outcome);
    }

    /// Wakes `waker` when the call ends before its handler does. True: it has ended already.
    pub fn watch(&mut self, waker: &Waker) -> bool {
        self.line.wait(waker)
    }

    /// Marks that the handler is polled from now on, for lists of calls in flight.
    #[inline]
    pub fn running(&self) {
        self.line.stage.store(Stage::Running as u8, Relaxed);
    }

    /// The handler has been polled and waits for something.
    #[inline]
    pub fn waiting(&self) {
        self.line.stage.store(Stage::Waiting as u8, Relaxed);
    }

    /// Whether a call that is over has ended because its deadline has passed.
    pub fn is_late(&self) -> bool {
        self.line.flag(LATE)
    }
}

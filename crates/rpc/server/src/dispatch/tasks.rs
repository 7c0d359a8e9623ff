//! What a connection answers to those who ask for its calls in flight, and how it ends one for them.

use super::{
    Dispatch,
    ending::Ender,
    live::{Live, NO_METHOD},
};
use crate::{
    router::Router,
    tasks::{Found, Place, Question, Task, TaskId, Wanted, What},
};
use polywire_base::Key;
use polywire_call::brpc;
use polywire_engine::Wires;
use polywire_exchange::Stage;
use polywire_wire::Outcome;

/// Calls that are looked at before other connections have their turn: well below a millisecond.
const SLICE: u32 = 4096;

impl Dispatch {
    /// Answers as much of a question as one turn allows. Returns it if something is left.
    #[cold]
    pub(super) fn answer_about_tasks(
        &mut self,
        mut question: Box<Question>,
        wires: &mut Wires<'_, Router>,
    ) -> Option<Box<Question>> {
        if question.answers.is_over() {
            return None;
        }
        match &question.what {
            What::List(wanted) => {
                let until = question.from.saturating_add(SLICE);
                let found = self.list(question.connection, wanted, question.from..until, wires);
                question.answers.add(found, wanted.most);
                question.from = until;
                return ((until as usize) < self.live.entries()).then_some(question);
            }
            What::Show(key) => self.answer_one(&question, *key, wires),
            What::Cancel(key) => {
                self.answer_one(&question, *key, wires);
                if self.shown(*key).is_some() {
                    self.cancel(*key, wires);
                }
            }
        }
        None
    }

    fn list(
        &self,
        connection: u64,
        wanted: &Wanted,
        range: std::ops::Range<u32>,
        wires: &Wires<'_, Router>,
    ) -> Found {
        let (mut found, peer) = (Found::default(), wanted.is_in(&self.connection.peer.to_string()));
        let all = peer || wanted.text.is_empty();
        let places = Place::ALL.map(|place| wanted.is_in(place.words()));
        for index in range.start..range.end.min(self.live.entries() as u32) {
            let Some(key) = self.live.key_at(index) else { continue };
            let Some(live) = self.shown(key) else { continue };
            found.total += 1;
            let method = live.method_index();
            let place = live.place();
            let is_wanted = all
                || places[place as usize]
                || method.is_some_and(|method| wanted.methods[method as usize])
                || live.called().is_some_and(|called| wanted.is_in(&called))
                || wanted.is_in(wires.protocol(live.machine).unwrap_or(""))
                || wanted.trace.is_some_and(|trace| live.trace() == Some(trace));
            if is_wanted {
                let id = TaskId { connection, key };
                found.add(wanted.most, method, place, live.began, || self.task(id, live, wires));
            }
        }
        found
    }

    fn answer_one(&self, question: &Question, key: Key, wires: &Wires<'_, Router>) {
        let Some(live) = self.shown(key) else { return };
        let (mut found, id) = (Found::default(), TaskId { connection: question.connection, key });
        found.total = 1;
        found.add(1, live.method_index(), live.place(), live.began, || self.task(id, live, wires));
        question.answers.add(found, 1);
    }

    /// A call of the application.
    fn shown(&self, key: Key) -> Option<&Live> {
        let live = self.live.get(key)?;
        let exempt = |method: u32| self.table.shared.methods[method as usize].exempt;
        (!live.method_index().is_some_and(exempt)).then_some(live)
    }

    fn task(&self, id: TaskId, live: &Live, wires: &Wires<'_, Router>) -> Task {
        let span = live.traced().and_then(|traced| traced.watcher());
        let streams = |method: u32| self.table.shared.methods[method as usize].streaming;
        Task {
            id,
            method: live.method_index(),
            called: live.called(),
            protocol: wires.protocol(live.machine).unwrap_or(""),
            peer: self.connection.peer.clone(),
            began: live.began,
            deadline: live.deadline,
            place: live.place(),
            calls: span.and_then(|span| span.calling()),
            streams: live.method_index().is_none_or(streams),
            held: live.entered.bytes,
            trace: live.trace(),
        }
    }

    /// Ends a call as its deadline would: its handler is dropped, its streams end, its caller is told.
    fn cancel(&mut self, key: Key, wires: &mut Wires<'_, Router>) {
        let Some(live) = self.live.get(key) else { return };
        let (exchange, machine) = (live.exchange, live.machine);
        let status = brpc::status(brpc::ECANCELED, "cancelled by an operator of the server");
        self.abort(key.index, status.clone(), Ender::Operator);
        if let Some((machine, mut cx)) = wires.machine(machine) {
            machine.finish(&mut cx, exchange, Outcome { status, ..Outcome::default() });
        }
    }
}

impl Live {
    fn method_index(&self) -> Option<u32> {
        Some(self.method).filter(|method| *method != NO_METHOD)
    }

    fn place(&self) -> Place {
        let has_parts = self.line.has_pipe() && !self.line.is_drained();
        match () {
            () if has_parts && !self.credit.is_open() => Place::Credit,
            () if self.last.is_some() => Place::Sending,
            () if self.method == NO_METHOD => Place::Stream,
            () => match self.line.stage() {
                Stage::Queued => Place::Queued,
                Stage::Running => Place::Running,
                Stage::Waiting => Place::Waiting,
            },
        }
    }

    /// `Service/Method` as the caller has sent it, of a call that a catch-all answers.
    fn called(&self) -> Option<String> {
        let called = self.beside.as_ref()?.called.as_ref()?;
        Some(format!("{}/{}", called.service, called.method))
    }

    fn trace(&self) -> Option<polywire_trace::TraceId> {
        self.traced()?.trace()
    }
}

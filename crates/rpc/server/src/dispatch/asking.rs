//! Asking the authenticator for the identity of a peer.
//!
//! ```text
//!  Authenticate --> guards --> authenticator --ready at once--> verdict --> commands: Machine::authenticated
//!                                      `--not yet: Line, clock --answer, or the clock--> verdict --'
//! ```
//!
//! The machine that asks reports `Blocked` until it has the verdict, so a connection has one question at a
//! time, and meanwhile reads only a bounded number of bytes ahead.

use super::Dispatch;
use crate::{
    access_log::Unhandled,
    auth::{AnyAuthenticator, Caller, Identities, Identity},
    router::Router,
};
use polywire_call::Status;
use polywire_engine::{
    Fault, MethodName, Next, Turn, Wires,
    inline::{self, HandlerFuture, Place},
};
use polywire_exchange::Line;
use polywire_wire::{Claim, CredentialPer, Outcome, Protocol, Validity, is_undecided};
use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock, atomic::Ordering::Relaxed},
    task::Poll,
    time::Instant,
};

/// The name that the watchdog prints.
static NAME: MethodName = &"the authenticator";

/// The authentication of a connection; exists from the first question on.
#[derive(Default)]
pub(super) struct Authentication {
    question: Option<Question>,
    /// The verdict for the machine with this index, which waits for it.
    verdict: Option<(u8, Result<Accepted, Refused>)>,
    /// The claim that was accepted last.
    last: Option<Shown>,
    /// Set from the second caller on.
    pub identities: Option<Arc<Identities>>,
}

/// A question that is not answered yet.
struct Question {
    line: Arc<Line>,
    machine: u8,
    until: Option<Instant>,
    shown: Shown,
    /// What the access logs have of the request if it is refused.
    refused: Option<Unhandled>,
    found: Arc<OnceLock<Identity>>,
}

/// The credential that a peer has shown.
struct Shown {
    scheme: &'static str,
    /// The credential, kept if the authenticator remembers callers.
    credential: Option<Box<[u8]>>,
    validity: Validity,
}

/// The peer is let in.
struct Accepted {
    /// `None`: with the identity of its last caller, or without a known identity.
    identity: Option<Identity>,
    validity: Validity,
}

impl Accepted {
    const AS_BEFORE: Accepted = Accepted { identity: None, validity: Validity::Credential };
    /// A request that the guards let in and that needs no credential: this says nothing about the next
    /// request.
    const WITHOUT_CREDENTIAL: Accepted = Accepted { identity: None, validity: Validity::Request };
}

/// The peer is refused.
struct Refused {
    status: Status,
    cause: Fault,
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        let undecided = is_undecided(&status);
        let cause = if undecided { Fault::AuthenticationFailed } else { Fault::Unauthenticated };
        Refused { status, cause }
    }
}

impl Authentication {
    pub fn is_asking(&self) -> bool {
        self.question.is_some()
    }

    fn decide(&mut self, machine: u8, verdict: Result<Accepted, Refused>) -> Next {
        self.verdict = Some((machine, verdict));
        Next::Commands
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.question.as_ref()?.until
    }
}

impl Dispatch {
    /// Asks whether the peer of a machine may be let in.
    #[cold]
    pub(super) fn ask(&mut self, claim: Claim<'_>, turn: &mut Turn) -> Next {
        let shared = self.table.shared.clone();
        let guarded = self.ask_guards(turn.protocol, &claim);
        let per_request = turn.protocol.credential == CredentialPer::Request;
        let open_to_all = per_request && self.is_open_to_all(turn.protocol, &claim);
        let authentication = self.authentication.get_or_insert_default();
        let authenticator = match (guarded, &shared.authenticator) {
            (Err(status), _) => {
                let decided = authentication.decide(turn.machine, Err(status.clone().into()));
                let refused = self.refused(turn.protocol, &claim);
                refused.into_iter().for_each(|refused| refused.log(&shared.access_logs, &status));
                return decided;
            }
            (Ok(()), None) => return authentication.decide(turn.machine, Ok(Accepted::AS_BEFORE)),
            (Ok(()), Some(_)) if open_to_all => {
                return authentication.decide(turn.machine, Ok(Accepted::WITHOUT_CREDENTIAL));
            }
            (Ok(()), Some(authenticator)) => authenticator.clone(),
        };
        let remembers = per_request && authenticator.remembers();
        let mut remembered = None;
        if let (Some(last), None, true) = (&authentication.last, claim.credential, remembers)
            && last.scheme == claim.scheme
        {
            if last.validity == Validity::Credential {
                return authentication.decide(turn.machine, Ok(Accepted::AS_BEFORE));
            }
            remembered = last.credential.clone(); // the authenticator decides for each request
        }
        let claim = Claim { credential: claim.credential.or(remembered.as_deref()), ..claim };
        let shown = Shown {
            scheme: claim.scheme,
            credential: claim.credential.filter(|_| remembers).map(Box::from),
            validity: Validity::Credential,
        };
        let caller = self.caller(turn.protocol, &claim);
        self.connection.request_seen.store(false, Relaxed);
        let found = Arc::new(OnceLock::new());
        let mut future = question(authenticator, caller, found.clone());
        let gauge = &shared.authentication.gauge;
        if gauge.place() == Place::Shard {
            let mut polled = Poll::Pending;
            inline::poll_here(&mut polled, &mut future, gauge, &self.shard, NAME, &mut turn.now);
            if let Poll::Ready(outcome) = polled {
                inline::discard(future);
                let is_let_in = found.get().is_some();
                let refused = if is_let_in { None } else { self.refused(turn.protocol, &claim) };
                return self.decided(turn.machine, outcome, &found, (shown, refused));
            }
        }
        let (line, answerer) = Line::serve(self.desk.inbox());
        let until = shared.authentication.limit.and_then(|limit| turn.now.checked_add(limit));
        let refused = self.refused(turn.protocol, &claim);
        let question = Question { line, machine: turn.machine, until, shown, refused, found };
        self.authentication.get_or_insert_default().question = Some(question);
        inline::park(future, gauge, gauge.place(), answerer, &self.shard, NAME);
        Next::Continue
    }

    /// Guards do not see the request: their consent holds for all requests with the same credential.
    fn ask_guards(&self, protocol: &Protocol, claim: &Claim<'_>) -> Result<(), Status> {
        let (peer, claim) = (&self.connection.peer, Claim { head: None, ..*claim });
        self.table.shared.guards_of(protocol).try_for_each(|guard| {
            let verdict = catch_unwind(AssertUnwindSafe(|| guard(&claim, peer)));
            verdict.unwrap_or_else(|_| Err(panicked()))
        })
    }

    /// What the access logs have of a request whose caller is not let in.
    fn refused(&self, protocol: &'static Protocol, claim: &Claim<'_>) -> Option<Unhandled> {
        self.router(protocol).not_let_in(&claim.head?)
    }

    /// Whether the authenticator can be skipped for this request. It then reached this point only because of
    /// the guards.
    fn is_open_to_all(&self, protocol: &'static Protocol, claim: &Claim<'_>) -> bool {
        let is_guarded = self.table.shared.guards_of(protocol).next().is_some();
        is_guarded && claim.head.is_some_and(|head| self.router(protocol).is_open(&head))
    }

    fn router(&self, protocol: &'static Protocol) -> Router {
        let mut router = Router::new(self.table.clone(), &self.connection);
        router.speak(protocol);
        router
    }

    /// The [`Caller`] that is passed to the authenticator.
    fn caller(&self, protocol: &'static Protocol, claim: &Claim<'_>) -> Caller {
        let method = claim.head.and_then(|head| self.router(protocol).locate(&head).ok());
        let method = method.map(|k| self.table.shared.methods[k as usize].name);
        Caller::new(&self.connection, protocol, method, claim)
    }

    /// Takes the authenticator's answer from this line; ignored if it belongs to no open question.
    #[cold]
    pub(super) fn answered(&mut self, line: &Arc<Line>, wires: &mut Wires<'_, Router>) {
        let Some(authentication) = &mut self.authentication else { return };
        let Some(question) = authentication.question.take_if(|question| Arc::ptr_eq(&question.line, line))
        else {
            return;
        };
        let Some(outcome) = self.desk.take_answer(line) else {
            authentication.question = Some(question);
            return;
        };
        self.desk.cancel(line);
        self.decided(question.machine, outcome, &question.found, (question.shown, question.refused));
        self.tell_verdict(wires);
    }

    fn decided(
        &mut self,
        machine: u8,
        outcome: Outcome,
        found: &OnceLock<Identity>,
        (mut shown, refused): (Shown, Option<Unhandled>),
    ) -> Next {
        let authentication = self.authentication.get_or_insert_default();
        let verdict = match found.get() {
            Some(identity) => {
                if self.connection.request_seen.load(Relaxed) {
                    shown.validity = Validity::Request;
                }
                let validity = shown.validity;
                authentication.last = Some(shown);
                Ok(Accepted { identity: Some(identity.clone()), validity })
            }
            None => {
                let mut status = outcome.status;
                if status.is_ok() {
                    status = Status::unauthenticated("");
                }
                let logs = &self.table.shared.access_logs;
                refused.into_iter().for_each(|refused| refused.log(logs, &status));
                Err(status.into())
            }
        };
        authentication.decide(machine, verdict)
    }

    /// Passes a verdict to its machine, if there is one. Returns the number of verdicts.
    #[inline]
    pub(super) fn tell_verdict(&mut self, wires: &mut Wires<'_, Router>) -> usize {
        let verdict = self.authentication.as_mut().and_then(|authentication| authentication.verdict.take());
        let Some((machine, verdict)) = verdict else { return 0 };
        self.tell(machine, verdict, wires);
        1
    }

    #[cold]
    fn tell(&mut self, machine: u8, verdict: Result<Accepted, Refused>, wires: &mut Wires<'_, Router>) {
        let verdict = match verdict {
            Ok(Accepted { identity, validity }) => {
                let another = identity.and_then(|identity| self.connection.set_identity(identity).err());
                if let Some(identity) = another {
                    let authentication = self.authentication.get_or_insert_default();
                    let known = || self.connection.identities().clone();
                    let identities = authentication.identities.get_or_insert_with(known);
                    wires.host.set_caller(identities, identity);
                }
                Ok(validity)
            }
            Err(Refused { status, cause }) => {
                self.table.shared.faults.add(cause);
                Err(status)
            }
        };
        if let Some((machine, mut cx)) = wires.machine(machine) {
            machine.authenticated(&mut cx, verdict);
        }
    }

    /// Refuses a peer for which the authenticator takes too long.
    #[cold]
    pub(super) fn expire_question(&mut self, wires: &mut Wires<'_, Router>) {
        let Some(authentication) = &mut self.authentication else { return };
        let is_late = |question: &mut Question| question.until.is_some_and(|until| until <= wires.now);
        let Some(question) = authentication.question.take_if(is_late) else { return };
        self.desk.cancel(&question.line);
        let status = Status::unavailable("the authenticator took too long");
        let logs = &self.table.shared.access_logs;
        question.refused.into_iter().for_each(|refused| refused.log(logs, &status));
        let refused = Refused { status, cause: Fault::AuthenticationLate };
        authentication.verdict = Some((question.machine, Err(refused)));
        self.tell_verdict(wires);
    }

    /// Drops the open question: the connection is over.
    pub(super) fn drop_question(&mut self) {
        if let Some(authentication) = self.authentication.take()
            && let Some(question) = authentication.question
        {
            self.desk.cancel(&question.line);
        }
    }

    /// The identity behind a caller's number, on a connection with several callers.
    #[cold]
    pub(super) fn take_caller(&self, number: u32) -> Option<Identity> {
        self.authentication.as_ref()?.identities.as_ref()?.release(number)
    }
}

/// Asks the authenticator. An identity goes to `found`, a refusal into the outcome.
fn question(
    authenticator: Arc<dyn AnyAuthenticator>,
    caller: Caller,
    found: Arc<OnceLock<Identity>>,
) -> HandlerFuture {
    Box::pin(async move {
        let mut asked = authenticator.ask(caller);
        let verdict = poll_fn(|cx| {
            let polled = catch_unwind(AssertUnwindSafe(|| asked.as_mut().poll(cx)));
            polled.unwrap_or_else(|_| Poll::Ready(Err(panicked())))
        });
        match verdict.await {
            Ok(identity) => {
                let _ = found.set(identity); // still empty at this point
                Outcome::default()
            }
            Err(status) => Outcome { status, ..Outcome::default() },
        }
    })
}

/// The status that a caller receives after a panic. The panic's text goes to the panic hook only: it may
/// quote the credential.
#[cold]
fn panicked() -> Status {
    Status::internal("the authenticator panicked")
}

//! Probes of the balancer `prequal`: some servers are asked for their load, without delaying any call.
//!
//! A probe is a call of `polywire.load.v1.Load/Probe` on the connections of the server. Its result does not
//! count for or against the server, it is not retried, and it is cancelled after [`LIMIT`], since a load that
//! arrives late is out of date.
//!
//! Limits: [`MOST`] probes of a channel at a time, [`MOST_OF_ONE`] of a server. A server that does not know
//!         the call or refuses it is not asked again for [`PAUSE`].

use crate::{
    connection::home::{Home, HomeId},
    servers::{attempt::search::Search, fleet::Fleet, pick::query, server::Server},
};
use polywire_balance::{Endpoint, Report};
use polywire_base::IoBuf;
use polywire_call::Code;
use polywire_engine::clock;
use polywire_exchange::Request;
use polywire_wire::{Compression, Content, Outcome, Protocol};
use std::{
    sync::{
        Arc, Weak,
        atomic::{
            AtomicU32,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

const LIMIT: Duration = Duration::from_millis(25);
const PAUSE: Duration = Duration::from_secs(60);
const MOST: u32 = 256;
const MOST_OF_ONE: u32 = 8;
/// Bytes of an answer; the message has two numbers.
const LONGEST: usize = 1024;

/// Whether servers can be asked over this protocol.
pub(crate) fn are_carried_by(protocol: &Protocol) -> bool {
    protocol.any_service
}

/// Sends probes to the servers that the balancer names. `home`: where the answers are awaited.
#[cold]
pub(in crate::servers) fn send(fleet: &Arc<Fleet>, search: &Search, home: HomeId) {
    let now = fleet.current.now();
    let newest = fleet.current.newest.load();
    for endpoint in query::ask(now, search, |query| newest.picker.probes(query)) {
        let probed = &Server::of(&endpoint).probed;
        if now.0 < probed.not_before.load(Relaxed) {
            continue;
        }
        let Some(place) = Place::take(fleet, &endpoint) else { continue };
        probed.sent.fetch_add(1, Relaxed);
        Home::of(home).spawn(ask(place, query::thread_number()));
    }
}

/// A place among the probes in flight.
struct Place {
    fleet: Weak<Fleet>,
    endpoint: Arc<Endpoint>,
    all: Arc<AtomicU32>,
}

impl Place {
    fn take(fleet: &Arc<Fleet>, endpoint: &Arc<Endpoint>) -> Option<Place> {
        let (all, one) = (&fleet.probing, &Server::of(endpoint).probed.in_flight);
        let up_to = |most| move |n| (n < most).then_some(n + 1);
        all.fetch_update(AcqRel, Relaxed, up_to(MOST)).ok()?;
        if one.fetch_update(AcqRel, Relaxed, up_to(MOST_OF_ONE)).is_err() {
            all.fetch_sub(1, AcqRel);
            return None;
        }
        Some(Place { fleet: Arc::downgrade(fleet), endpoint: endpoint.clone(), all: all.clone() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        Server::of(&self.endpoint).probed.in_flight.fetch_sub(1, AcqRel);
        self.all.fetch_sub(1, AcqRel);
    }
}

/// Sends one probe. `thread`: the number of the thread whose calls will choose by the answer.
async fn ask(place: Place, thread: usize) {
    let mut request =
        Request::new("polywire.load.v1.Load".into(), "Probe".into(), IoBuf::new(), Content::PROTOBUF);
    request.index = Some(0);
    request.deadline = clock::now().checked_add(LIMIT);
    let server = Server::of(&place.endpoint);
    let Ok(Ok(outcome)) = tokio::time::timeout(LIMIT, server.pool.ask(request)).await else { return };
    let Some(fleet) = place.fleet.upgrade() else { return };
    let now = fleet.current.now();
    if does_not_answer(outcome.status.code()) {
        server.probed.not_before.store((now + PAUSE).0, Relaxed);
    }
    if let Some(report) = report(&outcome) {
        server.probed.answered.fetch_add(1, Relaxed);
        let newest = fleet.current.newest.load();
        query::ask_for(now, thread, |query| newest.picker.probed(&place.endpoint, report, query));
    }
}

/// Whether a server that answers so will answer the next probe alike.
fn does_not_answer(code: Code) -> bool {
    matches!(code, Code::Unimplemented | Code::NotFound | Code::Unauthenticated | Code::PermissionDenied)
}

fn report(outcome: &Outcome) -> Option<Report> {
    let is_plain = outcome.status.is_ok()
        && outcome.attachment == 0
        && outcome.compression == Compression::default()
        && outcome.body.len() <= LONGEST;
    if is_plain { Report::decode(&outcome.body.to_vec()) } else { None }
}

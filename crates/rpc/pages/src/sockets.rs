//! `/sockets/ID`: all that is known of one connection. POST closes it.

use crate::{
    asked::Asked,
    connections::{owes, tcp_infos},
    facts::ServerFacts,
    page::Making,
};
use polywire_call::{Code, Status};
use polywire_console::{Action, Fact, Section, Value, View};
use polywire_engine::{ConnectionStats, Signal, clock, os::TcpInfo};
use std::sync::{Arc, atomic::Ordering::Relaxed};

fn find(facts: &ServerFacts, id: &str) -> Result<Arc<ConnectionStats>, Status> {
    let server = facts.server()?;
    if id.is_empty() {
        return Err(Status::not_found("which connection? /sockets/ID, with an id of /connections"));
    }
    // `+1` and `01` are no ids.
    let found = server.connections().into_iter().find(|connection| connection.id.to_string() == id);
    found.ok_or_else(|| {
        Status::not_found("no open connection has this id; /connections?state=closed has the last that ended")
    })
}

/// As brpc's page, an id that is none is answered, not refused: links to connections outlive these.
pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Making {
    let found = find(facts, &asked.rest);
    Box::pin(async move {
        match found {
            Ok(one) => {
                let infos = tcp_infos(vec![one.clone()]).await;
                Ok(detail(&one, infos.into_values().next()))
            }
            Err(status) if status.code() == Code::NotFound => {
                Ok(View::new("Connection").note(status.message().to_owned()))
            }
            Err(status) => Err(status),
        }
    })
}

/// POST: closes a connection.
pub(crate) fn change(facts: &ServerFacts, asked: &Asked) -> Making {
    let found = find(facts, &asked.rest);
    Box::pin(async move {
        let one = found?;
        one.tell(Signal::Close);
        Ok(View::new("Connection").note(format!(
            "told to close: {}, with {} calls in flight",
            one.peer,
            one.calls()
        )))
    })
}

fn detail(one: &ConnectionStats, info: Option<TcpInfo>) -> View {
    let now = clock::now();
    let owed = one.owed.load(Relaxed);
    let facts = vec![
        Fact::new("id", Value::Digits(one.id.to_string().into())),
        Fact::new("peer", one.peer.to_string()),
        Fact::new("local", one.local.to_string()),
        Fact::new("protocol", Value::or_unknown(one.protocol(), Value::from)),
        Fact::new("open_for", Value::since(one.since, now)),
        Fact::new("idle", Value::since(one.last_active(), now)).note("since the last byte either way"),
        Fact::new("in_flight", one.calls())
            .note("calls")
            .link("calls", format!("tasks?q={}", polywire_console::escape::percent(&one.peer.to_string()))),
        Fact::new("messages", one.messages.load(Relaxed)).note("since it was opened"),
        Fact::new("in", Value::Bytes(one.bytes_in.load(Relaxed))),
        Fact::new("out", Value::Bytes(one.bytes_out.load(Relaxed))),
        Fact::new("owed", Value::Bytes(owed)).note("wait for the peer to read").mark(owes(owed)),
        Fact::new("partial", one.is_partial())
            .note("whether a message has begun to arrive and is not complete"),
    ];
    let view = View::new(format!("Connection {}", one.id)).section(Section::Facts("connection", facts));
    let view = match info {
        None => view.note("It is none of TCP, or its shard has not answered in time: see /shards."),
        Some(info) => view.section(Section::Facts(
            "tcp",
            vec![
                Fact::new("rtt", info.rtt).note("smoothed"),
                Fact::new("rtt_variance", info.rtt_variance),
                Fact::new("retransmits", info.retransmits).note("segments that were sent again"),
                Fact::new("window", info.window).note("segments that may be under way"),
                Fact::new("unacknowledged", info.unacknowledged).note("segments that are"),
                Fact::new("segment", Value::Bytes(info.segment.into())),
                Fact::new("established", info.established).note("no: one side has closed it"),
            ],
        )),
    };
    view.action(Action::new(format!("sockets/{}", one.id), "Close"))
        .note("Closing ends its calls at once; the peer is told so where its protocol can.")
}

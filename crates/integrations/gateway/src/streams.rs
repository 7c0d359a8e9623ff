//! Calls that may stream, of all four kinds: two directions that have nothing to do with each other but
//! their end.

use crate::{
    cluster::Cluster,
    decompression::{From, decompressed},
    failure::{self, Reason},
    fields, hops,
    passing::Passing,
    pump::{EMPTY, Pump, Sent, forth},
    queued::Queued,
    translation::{Form, Translation},
};
use polywire_call::{Native, Status};
use polywire_client::Target;
use polywire_exchange::{Sink, Source};
use polywire_server::{Call, came_whole, has_frames, lines_of};
use polywire_wire::{Compression, Content, Outcome, Part};
use std::future::poll_fn;

/// Relays a call until the server has ended it.
pub async fn relay(
    call: &Call,
    (mut source, sink): (Source, Sink),
    cluster: &Cluster,
    form: &Form,
    hops: &str,
    passing: &mut Passing,
) -> Result<Outcome, Status> {
    let lines = lines_of(&call.cx);
    if lines.is_some() && form.translation().is_some_and(Translation::takes_many) {
        let text = "the method takes a stream of messages, which plain HTTP cannot carry";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if form.translation().is_some_and(Translation::answers_bytes) {
        let text = "a stream of replies that are google.api.HttpBody is not relayed";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if lines.is_some() && call.content == Content::PROTOBUF {
        let text = "the method streams its replies, which plain HTTP carries as lines of JSON: send JSON";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if lines.is_none() && !has_frames(&call.cx) {
        // Connect's call of one message: its caller reads no other answer, so nothing is to happen before it.
        let text = "a streaming method is called with content type application/connect+proto or +json";
        let status = Status::unimplemented(text).with_native(Native::Http(415));
        return Err(failure::own(Reason::Translate, status));
    }
    let (service, method) = call.cx.called();
    let takes_many = || cluster.known().is_some_and(|known| known.streams(service, method).requests);
    // A server of streaming_rpc that takes one request finds it in the call that opens the stream.
    let is_opened_by_request = cluster.channel.offers_streams() && !takes_many();
    let request = if came_whole(&call.cx) {
        Some(Part { compression: call.compression, ..Part::message(call.body.clone()) })
    } else if is_opened_by_request {
        Some(first_message(&mut source, lines.is_some()).await?)
    } else {
        None
    };
    let mut onward = call.cx.forwarded();
    let first = match request.clone() {
        None => None,
        Some(mut part) => {
            let was = std::mem::replace(&mut part.compression, Compression::NONE);
            let (plain, charge) = decompressed(call, From::Caller, was, part.bytes).await?;
            Some(forth(form, &mut onward, Part { bytes: plain, ..part }, charge)?)
        }
    };
    // Its messages are what the channel sends, which is the form here.
    let mut below = cluster.channel.stream(Target::named(service, method)).within(&call.cx).repeatable();
    if let Some(first) = &first {
        below = below.message(first.bytes.clone());
    }
    for (name, value) in fields::of_request(&call.cx, passing.changes.as_deref()) {
        below = below.metadata(name, value);
    }
    if let Some(tally) = passing.sends() {
        below = below.tally(tally);
    }
    if let Some(tries) = &passing.tries {
        below = tries.of_stream(below);
    }
    let below = below.metadata(hops::FIELD, hops).await.map_err(|status| cluster.failed(status))?;
    let mut pump = Pump {
        call,
        cluster,
        form,
        lines,
        source: Some(source),
        inflating: None,
        request: None,
        onward,
        has_request: false,
        body_ended: request.is_some(),
        is_unheard: false,
        sent: Sent::Nothing,
        below,
        reply_inflating: None,
        reply: None,
        backward: call.cx.forwarded(),
        queued: Queued::default(),
        answered: false,
        sink,
        hops,
        only: None,
        is_recorded: call.cx.is_recorded(),
        copying: &mut passing.copying,
        changes: passing.changes.as_deref(),
    };
    if let Some((request, first)) = request.zip(first) {
        pump.begin(request, first);
    }
    let outcome = loop {
        match poll_fn(|cx| pump.poll(cx)).await {
            Ok(()) if pump.go_again().await => {}
            Ok(()) => break Ok(pump.outcome()),
            Err(why) => break Err(why),
        }
    };
    let Pump { answered, mut sink, mut queued, .. } = pump;
    passing.answered();
    if let (Some(lines), true) = (lines, answered) {
        let status = outcome.as_ref().map_or_else(|status| status, |outcome| &outcome.status);
        if !status.is_ok() {
            // The head has said that all is well. It fails if the call is over.
            queued.add(None);
            let _ = sink.send(Part::message(lines.failure(status))).await;
        }
    }
    queued.outlive(sink);
    outcome
}

/// Whether its caller says that it streams, as those by Connect do.
pub fn is_of_connect(call: &Call) -> bool {
    const TYPE: &[u8] = b"application/connect+";
    let mut has = false;
    call.cx.visit_fields(|name, value| {
        let begin = value.get(..TYPE.len());
        has |= name.eq_ignore_ascii_case("content-type")
            && begin.is_some_and(|begin| begin.eq_ignore_ascii_case(TYPE));
    });
    has
}

/// The request of a method that takes one. `may_lack`: no body is one without fields.
///
/// # Errors
/// UNIMPLEMENTED: the caller sends none.
async fn first_message(source: &mut Source, may_lack: bool) -> Result<Part, Status> {
    let first = source.next().await.transpose()?;
    let first = first.or_else(|| may_lack.then(|| Part::message(EMPTY.into())));
    first.ok_or_else(failure::no_message)
}

//! Calls of one message each way.

use crate::{
    cluster::Cluster,
    decompression::{From, decompressed, readable},
    failure::{self, Reason},
    fields, hops, offered,
    passage::Passage,
    passing::Passing,
    shadow::{Message, beside},
    translation::{Form, Translation},
    writing::LONG,
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Reply, Status};
use polywire_client::{Channel, Raw};
use polywire_exchange::{Sink, Source};
use polywire_formats::foreign::{is_mcpack, is_thrift};
use polywire_server::{Call, lines_of};
use polywire_wire::{Answer, Compression, Content, ONEWAY, Outcome, Part};
use std::time::Duration;

/// Relays a call that came as one message.
pub async fn relay(
    mut call: Call,
    cluster: &Cluster,
    form: Form,
    hops: &str,
    passing: &mut Passing,
) -> Result<Outcome, Status> {
    if form.translation().is_some_and(Translation::streams) {
        let text = "the method streams, and the call is one of one message";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    let mut attachment = std::mem::take(&mut call.body);
    let message = attachment.cut(attachment.len() - call.attachment as usize);
    let (message, compression) = match form.translation() {
        None if Passage::is_read(call.compression, &cluster.channel) => (message, call.compression),
        None => (call.decompressed(message).await.map_err(failure::unreadable)?, Compression::NONE),
        Some(translation) => {
            let plain = call.decompressed(message).await.map_err(failure::unreadable)?;
            (translation.whole_request(call.cx.forwarded(), plain).await?, Compression::NONE)
        }
    };
    let message = match form.recoding() {
        Some(recoding) => recoding.request(call.cx.forwarded(), message).await?,
        None if form.translation().is_none() => held(&call, message),
        None => message,
    };
    let Sent { reply, headers, accept } =
        send(&call, cluster, &form, (message, compression), attachment, hops, passing).await?;
    let (Raw { body, content, compression }, attachment, sent, _) = reply.into_parts();
    let mut trailers = fields::of_reply(&sent);
    if is_mcpack(call.content) {
        let named = fields::of_idl_reply(&sent, form.sent(), cluster.idl(call.cx.called()));
        named.for_each(|(name, value)| trailers.get_or_insert_default().append(name, value));
    }
    let (mut body, compression, content) = match form.translation() {
        None => {
            let (mut body, compression, _charge) = readable(&call, compression, body).await?;
            let content = named(&call, &form, content)?;
            if let Some(recoding) = form.recoding() {
                body = recoding.reply(call.cx.forwarded(), body).await?;
            }
            (body, compression, content)
        }
        Some(translation) => {
            let (body, content_type) = back(&call, translation, content, compression, body).await?;
            let content = if content_type.is_some() { Content::RAW } else { call.content };
            if let Some(content_type) = content_type.filter(|text| !text.is_empty()) {
                trailers.get_or_insert_default().append("content-type", content_type);
            }
            (body, Compression::NONE, content)
        }
    };
    let attached = attachment.len() as u32;
    body.append(attachment);
    Ok(Outcome {
        body,
        attachment: attached,
        content,
        compression,
        reply: true,
        accept,
        headers,
        trailers,
        ..Outcome::default()
    })
}

/// A message that goes on as it came. The server counts it until the call ends; the connection to the server
/// may have it for longer, when the caller has given up.
fn held(call: &Call, mut message: IoBuf) -> IoBuf {
    if message.len() >= LONG
        && let Some(charge) = call.cx.forwarded().charge_received(message.len())
    {
        charge.attach(&mut message);
    }
    message
}

/// What a reply that goes back as it came is to the caller.
///
/// # Errors
/// INTERNAL: it is in another form than the server was asked for, and the caller's protocol has no name for
/// it.
fn named(call: &Call, form: &Form, content: Content) -> Result<Content, Status> {
    match content == form.sent() {
        true => Ok(call.content),
        false if lines_of(&call.cx).is_some() => Ok(content),
        false => {
            let text = format!("the reply is in {}, not in {}", content.name(), form.sent().name());
            Err(failure::own(Reason::Translate, Status::internal(text)))
        }
    }
}

/// The only message of a stream as it goes on.
async fn forth(
    call: &Call,
    cluster: &Cluster,
    form: &Form,
    message: IoBuf,
    compression: Compression,
) -> Result<(IoBuf, Compression), Status> {
    let (mut message, compression, charge) = match form.translation() {
        None if Passage::is_read(compression, &cluster.channel) => (message, compression, None),
        None => {
            let (plain, charge) = decompressed(call, From::Caller, compression, message).await?;
            (plain, Compression::NONE, charge)
        }
        Some(translation) => {
            let (plain, _charge) = decompressed(call, From::Caller, compression, message).await?;
            return Ok((translation.whole_request(call.cx.forwarded(), plain).await?, Compression::NONE));
        }
    };
    if let Some(charge) = charge.or_else(|| call.cx.forwarded().charge_received(message.len())) {
        charge.attach(&mut message);
    }
    Ok((message, compression))
}

/// A message of the server as it goes back, and its content type: see [`Translation::reply`].
async fn back(
    call: &Call,
    translation: &Translation,
    content: Content,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Option<String>), Status> {
    let (plain, _charge) = decompressed(call, From::Server, compression, message).await?;
    translation.whole_reply(call.cx.forwarded(), content, plain).await
}

/// Relays the only message of a call that may stream to a method that does not.
pub async fn relay_only_message(
    call: Call,
    (mut source, mut sink): (Source, Sink),
    cluster: &Cluster,
    form: Form,
    hops: &str,
    passing: &mut Passing,
) -> Result<Outcome, Status> {
    if form.translation().is_some_and(Translation::streams) {
        let text = format!("streams are not relayed over {}", cluster.channel.protocol());
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    let Part { bytes, compression, .. } = only_message(&mut source, &cluster.channel).await?;
    call.cx.record(&bytes, compression);
    let (bytes, compression) = forth(&call, cluster, &form, bytes, compression).await?;
    let Sent { reply, headers: mut metadata, .. } =
        send(&call, cluster, &form, (bytes, compression), IoBuf::new(), hops, passing).await?;
    let (Raw { body, compression, content }, _, trailers, _) = reply.into_parts();
    let (body, compression, _charge) = match form.translation() {
        None => {
            named(&call, &form, content)?;
            readable(&call, compression, body).await?
        }
        Some(translation) => {
            (back(&call, translation, content, compression, body).await?.0, Compression::NONE, None)
        }
    };
    passing.changes.iter().for_each(|changes| changes.change_reply(&mut metadata));
    sink.answer(Answer { compression, metadata, ..Answer::default() });
    sink.send(Part { compression, ..Part::message(body) }).await?;
    Ok(Outcome { trailers: fields::of_reply(&trailers), ..Outcome::default() })
}

/// # Errors
/// UNIMPLEMENTED: the caller sends none, or several.
async fn only_message<P>(source: &mut Source, channel: &Channel<P>) -> Result<Part, Status> {
    let mut only = None;
    while let Some(part) = source.next().await.transpose()? {
        if only.replace(part).is_some() {
            let text = format!(
                "streams are not relayed over {}: the call has more than one message",
                channel.protocol()
            );
            return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
        }
    }
    only.ok_or_else(failure::no_message)
}

/// The reply of a call below.
struct Sent {
    reply: Reply<Raw>,
    /// The fields of its head that go on.
    headers: Option<Box<Metadata>>,
    /// Whether the streams go on that the caller has offered.
    accept: bool,
}

/// Makes the call below.
async fn send(
    call: &Call,
    cluster: &Cluster,
    form: &Form,
    (message, compression): (IoBuf, Compression),
    attachment: IoBuf,
    hops: &str,
    passing: &mut Passing,
) -> Result<Sent, Status> {
    let channel = &cluster.channel;
    let attaches = Passage::attaches(call.cx.has_attachments(), channel);
    if !attachment.is_empty() && !attaches {
        return Err(no_attachment(call, channel, passing));
    }
    let (called, content) = (form.called(&call.cx), form.sent());
    let offered = if channel.offers_streams() { call.cx.accept_streams() } else { Vec::new() };
    if !offered.is_empty() {
        passing.copying = None; // a copy would have no stream
    }
    if let Some(copying) = &mut passing.copying {
        let message =
            Message { called, bytes: &message, content, compression, attachment: &attachment, hops };
        copying.message(&call.cx, &message);
    }
    let below = channel.call(cluster.target(called), message).content(content);
    let mut below = below.compressed(compression).within(&call.cx);
    if !attachment.is_empty() {
        below = below.attachment(attachment);
    }
    for (name, value) in fields::of_request(&call.cx, passing.changes.as_deref()) {
        below = below.metadata(name, value);
    }
    if is_mcpack(content) {
        for (name, value) in fields::of_idl_request(&call.cx, cluster.idl(called)) {
            below = below.metadata(name, value);
        }
    }
    if is_thrift(content) && call.cx.metadata().get(ONEWAY).is_some() {
        below = below.metadata(ONEWAY, "1");
    }
    if let Some(tally) = passing.sends() {
        below = below.tally(tally);
    }
    let (name, hops) = hops::field(channel, hops);
    let mut below = below.metadata(name, &*hops);
    if call.cx.deadline().is_some() {
        below = below.timeout(Duration::MAX); // the channel's is for callers without one
    }
    let may_run_twice = passing.may_run_twice(called, cluster);
    if may_run_twice {
        below = below.idempotent(true);
    } else if channel.hedges() {
        below = below.hedge(false);
    }
    if let Some(tries) = &passing.tries {
        below = tries.of_call(below, may_run_twice);
    }
    let mut accept = false;
    let reply = match passing.copying.as_deref_mut() {
        None if !offered.is_empty() => below.with_streams(offered.len()).await.map(|(reply, streams)| {
            accept = !streams.is_empty();
            offered::join(offered, streams, std::mem::take(&mut passing.under_way));
            reply
        }),
        None => below.await,
        Some(copying) => beside(below, || copying.post()).await,
    };
    passing.answered();
    if let Some(copying) = passing.copying.as_deref_mut().filter(|copying| copying.compares()) {
        copying.answered(reply.clone());
    }
    let reply = reply.map_err(|status| cluster.failed(status))?;
    if !reply.attachment().is_empty() && !attaches {
        return Err(no_attachment(call, channel, passing));
    }
    let headers = fields::of_reply(reply.headers());
    Ok(Sent { reply, headers, accept })
}

#[cold]
fn no_attachment<P>(call: &Call, channel: &Channel<P>, passing: &Passing) -> Status {
    passing.lost_attachment();
    let text = format!(
        "attachments are relayed only where both sides have a place for them, not between {} and {}",
        call.cx.protocol(),
        channel.protocol()
    );
    failure::own(Reason::Translate, Status::unimplemented(text))
}

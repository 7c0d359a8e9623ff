//! Calls of one message each way.

use crate::{
    below::Below,
    failure::{self, Reason},
    fields, hops,
    passage::Passage,
    relay::readable,
};
use polywire_base::IoBuf;
use polywire_call::{Reply, Status};
use polywire_client::{Channel, Raw, Target};
use polywire_exchange::{Sink, Source};
use polywire_server::Call;
use polywire_wire::{Answer, Compression, Outcome, Part};

/// Relays a call that came as one message.
pub async fn relay(mut call: Call, channel: &Below, hops: &str) -> Result<Outcome, Status> {
    let mut attachment = std::mem::take(&mut call.body);
    let message = attachment.cut(attachment.len() - call.attachment as usize);
    let (reply, headers) = send(&call, channel, message, call.compression, attachment, hops).await?;
    let (Raw { body, content, compression }, attachment, trailers, _) = reply.into_parts();
    let (mut body, compression) = readable(&call, compression, body)?;
    let attached = attachment.len() as u32;
    body.append(attachment);
    Ok(Outcome {
        body,
        attachment: attached,
        content,
        compression,
        reply: true,
        headers,
        trailers: fields::of_reply(&trailers),
        ..Outcome::default()
    })
}

/// Relays the only message of a call that may stream to a method that does not.
pub async fn relay_only_message(
    call: Call,
    (mut source, mut sink): (Source, Sink),
    channel: &Below,
    hops: &str,
) -> Result<Outcome, Status> {
    let Part { bytes, compression, .. } = only_message(&mut source, channel).await?;
    let (reply, metadata) = send(&call, channel, bytes, compression, IoBuf::new(), hops).await?;
    let (Raw { body, compression, .. }, _, trailers, _) = reply.into_parts();
    let (body, compression) = readable(&call, compression, body)?;
    sink.answer(Answer { compression, metadata, ..Answer::default() });
    sink.send(Part { compression, ..Part::message(body) }).await?;
    Ok(Outcome { trailers: fields::of_reply(&trailers), ..Outcome::default() })
}

/// # Errors
/// UNIMPLEMENTED: the caller sends none, or several.
async fn only_message(source: &mut Source, channel: &Channel) -> Result<Part, Status> {
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
    only.ok_or_else(|| failure::own(Reason::Translate, Status::unimplemented("the call has no message")))
}

/// Makes the call below.
async fn send(
    call: &Call,
    channel: &Below,
    message: IoBuf,
    compression: Compression,
    attachment: IoBuf,
    hops: &str,
) -> Result<(Reply<Raw>, Option<Box<polywire_call::Metadata>>), Status> {
    let attaches = Passage::attaches(call.cx.protocol(), channel);
    if !attachment.is_empty() && !attaches {
        return Err(no_attachment(channel));
    }
    let (service, method) = call.cx.called();
    let below = channel.call(Target::named(service, method), message).content(call.content);
    let mut below = below.compressed(compression).within(&call.cx);
    if !attachment.is_empty() {
        below = below.attachment(attachment);
    }
    for (name, value) in fields::of_request(&call.cx) {
        below = below.metadata(name, value);
    }
    let reply = below.metadata(hops::FIELD, hops).await.map_err(|status| channel.failed(status))?;
    if !reply.attachment().is_empty() && !attaches {
        return Err(no_attachment(channel));
    }
    let headers = fields::of_reply(reply.headers());
    Ok((reply, headers))
}

#[cold]
fn no_attachment(channel: &Channel) -> Status {
    let text = format!(
        "attachments are relayed only where both sides speak the same protocol, not to or from {}",
        channel.protocol()
    );
    failure::own(Reason::Translate, Status::unimplemented(text))
}

//! The replies of the channels of a parallel call, and how they are merged.

use crate::combination::part::guarded;
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Status, brpc};
use polywire_formats::{Payload, compression, decode_reply, encode_request};
use polywire_wire::{Longest, Outcome};

/// The reply of one channel.
#[derive(Clone, Debug, Default)]
pub struct BranchReply {
    /// The number of the channel, in the order in which they were added.
    pub index: usize,
    /// The message, not compressed.
    pub body: IoBuf,
    /// The form of the message.
    pub content: Content,
    /// The attachment: raw bytes beside the message.
    pub attachment: IoBuf,
    pub headers: Metadata,
    pub trailers: Metadata,
    longest: Longest,
}

/// The replies of a call to several channels, which a merger turns into one.
pub struct Merging {
    /// The successful replies, in the order of their channels.
    pub replies: Vec<BranchReply>,
    pub(super) failed: Vec<(usize, Status)>,
}

/// Makes one reply of several. Closures are mergers.
pub trait Merger: Send + Sync + 'static {
    /// Makes one reply. A reply that cannot be used may be counted as a failure of its channel by
    /// [`Merging::fail`].
    ///
    /// # Errors
    /// The call fails with the text of this status and ERESPONSE.
    fn merge(&self, merging: &mut Merging) -> Result<BranchReply, Status>;
}

impl<F> Merger for F
where
    F: Fn(&mut Merging) -> Result<BranchReply, Status> + Send + Sync + 'static,
{
    fn merge(&self, merging: &mut Merging) -> Result<BranchReply, Status> {
        self(merging)
    }
}

impl BranchReply {
    /// # Errors
    /// The reply cannot be decompressed.
    pub(super) fn new(index: usize, outcome: Outcome, longest: Longest) -> Result<Self, Status> {
        let Outcome { mut body, attachment, content, compression, headers, trailers, .. } = outcome;
        let attachment_len = (attachment as usize).min(body.len());
        let message = body.cut(body.len() - attachment_len);
        let attachment = std::mem::replace(&mut body, message);
        let body = compression::decompress(compression, body, longest).map_err(|error| error.reply())?;
        let fields = |fields: Option<Box<Metadata>>| fields.map(|fields| *fields).unwrap_or_default();
        let (headers, trailers) = (fields(headers), fields(trailers));
        Ok(BranchReply { index, body, content, attachment, headers, trailers, longest })
    }

    /// The message.
    ///
    /// # Errors
    /// The message is not of this type.
    pub fn message<M: Payload>(&self) -> Result<M, Status> {
        decode_reply(self.content, Compression::NONE, self.body.clone(), self.longest)
    }

    /// The same reply with another message.
    ///
    /// # Errors
    /// The message cannot be encoded.
    pub fn with_message<M: Payload>(mut self, message: M) -> Result<Self, Status> {
        self.body = encode_request(message, self.content, Compression::NONE)?;
        Ok(self)
    }

    pub(super) fn into_outcome(self) -> Outcome {
        let BranchReply { mut body, content, attachment, headers, trailers, .. } = self;
        let attachment_len = attachment.len() as u32;
        body.append(attachment);
        let fields = |fields: Metadata| (!fields.is_empty()).then(|| Box::new(fields));
        Outcome {
            body,
            content,
            attachment: attachment_len,
            reply: true,
            headers: fields(headers),
            trailers: fields(trailers),
            ..Outcome::default()
        }
    }
}

impl Merging {
    /// The reply of this channel cannot be used: it counts as a failure of the channel.
    pub fn fail(&mut self, index: usize, why: Status) {
        self.replies.retain(|reply| reply.index != index);
        if !self.failed.iter().any(|(failed, _)| *failed == index) {
            self.failed.push((index, why));
        }
    }

    /// Decodes all messages; a message that is not of this type counts as a failure of its channel.
    pub fn messages<M: Payload>(&mut self) -> Vec<M> {
        let mut messages = Vec::with_capacity(self.replies.len());
        let mut wrong = Vec::new();
        for reply in &self.replies {
            match reply.message() {
                Ok(message) => messages.push(message),
                Err(why) => wrong.push((reply.index, why)),
            }
        }
        wrong.into_iter().for_each(|(index, why)| self.fail(index, why));
        messages
    }

    /// The first reply with another message; a merger returns it.
    ///
    /// # Errors
    /// There is no reply left, or the message cannot be encoded.
    pub fn answer<M: Payload>(&mut self, message: M) -> Result<BranchReply, Status> {
        let first = self.replies.first().cloned().ok_or_else(|| Status::internal("no reply is left"))?;
        first.with_message(message)
    }
}

/// Merges without a merger: concatenated protobuf encodings are protobuf's own merge: repeated fields are
/// appended, and of single fields the last one counts. Raw bytes are concatenated as well. A single reply is
/// left unchanged, in any format.
fn merge_protobuf(merging: &mut Merging) -> Result<BranchReply, Status> {
    let mut replies = std::mem::take(&mut merging.replies).into_iter();
    let Some(mut merged) = replies.next() else { return Err(Status::internal("no reply is left")) };
    for reply in replies {
        let is_joined = matches!(merged.content, Content::PROTOBUF | Content::RAW);
        if !is_joined || reply.content != merged.content {
            let text = format!("replies in the form {:?} need a merger: say merger(..)", reply.content);
            return Err(Status::unimplemented(text));
        }
        merged.body.append(reply.body);
        merged.attachment.append(reply.attachment);
    }
    Ok(merged)
}

/// # Errors
/// ERESPONSE: the merger has failed, or panicked.
pub(super) fn merge(merger: Option<&dyn Merger>, merging: &mut Merging) -> Result<BranchReply, Status> {
    let merged = match merger {
        None => merge_protobuf(merging),
        Some(merger) => guarded("the merger", || merger.merge(merging)).and_then(|merged| merged),
    };
    merged.map_err(|why| brpc::status(brpc::ERESPONSE, why.message()))
}

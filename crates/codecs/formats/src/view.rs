//! Protobuf messages that are read in place.
//!
//! ```text
//!   protobuf             body of one segment ------------------> View: buffer + structs that point into it
//!                        several segments, or short --one copy->
//!   JSON, mcpack, ...    --by schema--> protobuf --------------->
//! ```
//!
//! The structs are made by buffa's generator, for messages that `polywire_build::Config::views` names. All of
//! a message is read and checked before anyone sees it, as for the owned message: UTF-8, required fields, the
//! limits of depth and of elements. What is saved are the allocations of strings and bytes, and their copies.

use crate::{
    FormatError, Message, Payload, compression,
    generated::buffa_refused,
    json::Json,
    message::{SHARED_FROM, to_protobuf, translate},
    protobuf::required,
    schema::MessageSchema,
};
use buffa::{MessageView, OwnedView, ViewReborrow};
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_wire::{Compression, Content, Longest};
use std::fmt;

/// A message that has a view, because the build script asks for it with `Config::views`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no view",
    note = "`polywire_build::Config::views` names methods and messages that get views, and those of their fields"
)]
pub trait Viewed: Message {
    /// The view: a struct with the fields of the message, which borrows from the message's bytes.
    type View<'a>: fmt::Debug + Send + Sync;

    #[doc(hidden)]
    type Held: ViewReborrow + MessageView<'static, Owned = Self> + Clone + fmt::Debug + Send + Sync;

    #[doc(hidden)]
    fn reborrow(held: &OwnedView<Self::Held>) -> &Self::View<'_>;

    /// The owned message of a view, such as that of a field.
    fn from_view(view: &Self::View<'_>) -> Self;
}

/// A received message that is read in place: its bytes, and a view that borrows from them.
///
/// ```text
/// async fn list(&self, _: &Context, request: View<ListRequest>) -> Result<Reply<ListReply>, Status> {
///     let request = request.get();
///     let found = self.stock.get(request.warehouse);      // a &str, not a String
///     ..
/// }
/// ```
///
/// [`View::get`] borrows the view, which is why `View` does not dereference to it. A view keeps the buffer
/// alive that its message was read into, with all that arrived together. What is stored for long is better
/// owned: [`View::to_owned_message`], or [`Viewed::from_view`] for a part of it. Messages below 4 KiB are
/// copied out of that buffer.
pub struct View<M: Viewed>(OwnedView<M::Held>);

impl<M: Viewed> View<M> {
    /// Reads a message. If it has at least 4 KiB in one segment, the view borrows from these bytes; otherwise
    /// from a copy.
    ///
    /// # Errors
    /// The errors of [`Message::decode`].
    pub fn from_bytes(wire: impl Into<IoBuf>) -> Result<Self, FormatError> {
        Self::read(wire.into())
    }

    #[inline]
    fn read(mut wire: IoBuf) -> Result<Self, FormatError> {
        let schema = M::schema();
        if schema.has_required() {
            required::check(schema, wire.contiguous())?;
        }
        let bytes = match wire.len() < SHARED_FROM {
            true => Bytes::copy_from_slice(wire.contiguous()),
            false => {
                wire.contiguous();
                wire.clone().into_bytes()
            }
        };
        let read = OwnedView::decode(bytes);
        read.map(View).map_err(|error| buffa_refused::<M>(wire.contiguous(), &error))
    }

    /// The view of an owned message, by encoding it: for tests of handlers.
    ///
    /// # Errors
    /// The errors of [`Message::encode`].
    pub fn of(message: &M) -> Result<Self, FormatError> {
        Self::read(Message::encode(message)?.into())
    }

    /// The view: the fields of the message, where they lie.
    #[inline]
    pub fn get(&self) -> &M::View<'_> {
        M::reborrow(&self.0)
    }

    /// Copies everything into an owned message. Fields of [`Bytes`] share the bytes of the view.
    pub fn to_owned_message(&self) -> M {
        self.0.to_owned_message()
    }

    /// The message as it is sent, in protobuf.
    pub fn bytes(&self) -> &Bytes {
        self.0.bytes()
    }

    /// Converts into the encoded message.
    pub fn into_bytes(self) -> Bytes {
        self.0.into_bytes()
    }
}

impl<M: Viewed> Payload for View<M> {
    #[inline]
    fn decode(
        content: Content,
        compression: Compression,
        body: IoBuf,
        longest: Longest,
        json: Json,
    ) -> Result<Self, FormatError> {
        if content == Content::PROTOBUF && compression == Compression::NONE {
            return Self::read(body);
        }
        let mut body = compression::decompress(compression, body, longest)?;
        if content == Content::PROTOBUF {
            return Self::read(body);
        }
        Self::read(to_protobuf(M::schema(), content, body.contiguous(), longest, json)?.into())
    }

    fn described() -> Option<MessageSchema<'static>> {
        Some(M::schema())
    }

    fn encode(&self, content: Content, compression: Compression, json: Json) -> Result<IoBuf, FormatError> {
        encoded::<M>(self.bytes().clone(), content, compression, json)
    }

    fn into_encoded(
        self,
        content: Content,
        compression: Compression,
        json: Json,
    ) -> Result<IoBuf, FormatError> {
        encoded::<M>(self.into_bytes(), content, compression, json)
    }
}

fn encoded<M: Message>(
    wire: Bytes,
    content: Content,
    compression: Compression,
    json: Json,
) -> Result<IoBuf, FormatError> {
    let bytes = match content {
        Content::PROTOBUF => wire.into(),
        content => translate(M::schema(), wire.into(), content, json)?.into(),
    };
    compression::compress(compression, bytes)
}

impl<M: Viewed> Clone for View<M> {
    fn clone(&self) -> Self {
        View(self.0.clone())
    }
}

impl<M: Viewed> fmt::Debug for View<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

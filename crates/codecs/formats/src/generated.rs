//! The items that generated code refers to. Not for use by hand.

pub use crate::__buffa_message as message;
#[cfg(feature = "views")]
pub use crate::__viewed as viewed;
use crate::protobuf::utf8;
#[cfg(not(feature = "mcpack"))]
pub use crate::{__left_out as packed, __left_out as packed_enum};
#[cfg(feature = "mcpack")]
pub use crate::{__packed as packed, __packed_enum as packed_enum};
pub use crate::{
    FieldEnum, FieldMessage, FormatError, Message,
    field::enumeration::map as enum_map,
    protobuf::owned::{Buffer, Buffers, Visit, into_wire as buffa_into_wire},
    schema::{MessageSchema, Pool},
};
pub use buffa;
pub use buffa_descriptor;
pub use bytes::Bytes;
pub use polywire_base::IoBuf;

#[cfg(feature = "prost")]
pub use crate::__prost_message as prost_message;
#[cfg(feature = "prost")]
pub use {prost, prost_types};

/// One file of a descriptor set, for reflection: its decoder is compiled here, where schemas need it, and not
/// once more.
pub fn file_descriptor(bytes: &[u8]) -> Option<buffa_descriptor::generated::descriptor::FileDescriptorProto> {
    buffa::Message::decode_from_slice(bytes).ok()
}

/// The files of a descriptor set, for descriptions of services; none, if the bytes are no such set. Decoded
/// here for the same reason.
pub fn file_descriptors(bytes: &[u8]) -> Vec<buffa_descriptor::generated::descriptor::FileDescriptorProto> {
    let set = buffa::Message::decode_from_slice(bytes);
    set.map(|set: buffa_descriptor::generated::descriptor::FileDescriptorSet| set.file).unwrap_or_default()
}

/// Builds the pool of a package from its embedded descriptor set.
///
/// # Panics
/// If the bytes are not a descriptor set; they come from the build script.
pub fn pool(descriptor_set: &'static [u8]) -> Pool {
    Pool::from_descriptor_set(descriptor_set).expect("embedded by the build script")
}

/// Like [`pool`]; the listed fields of type `string` are bytes in generated code. They are listed by full
/// name, those of a map by its entry: `package.Message.NamesEntry.key`.
///
/// # Panics
/// As there.
pub fn pool_with_bytes(descriptor_set: &'static [u8], strings_as_bytes: &[&str]) -> Pool {
    let mut pool = pool(descriptor_set);
    pool.keep_as_bytes(strings_as_bytes);
    pool
}

/// Implements [`Message`] for a message of buffa's generator, with the parts that only some messages have.
#[macro_export]
#[doc(hidden)]
macro_rules! __buffa_message {
    ($type:ty, $name:literal, $pool:path $(, $part:ident $({ $($fields:tt)* })?)*) => {
        $crate::__message!($type, $name, $pool, buffa_from_wire, buffa_to_wire, {
            $($crate::__message_part!($part $({ $($fields)* })?);)*
        });
    };
}

/// Parts of a message: `packed` has generated code for mcpack; `shared` has fields that can share the bytes
/// they are read from; `buffers` names the fields that own strings or bytes, `one` a field, `each` the items
/// of a repeated one.
#[macro_export]
#[doc(hidden)]
macro_rules! __message_part {
    (packed) => {
        $crate::__message_packed!();
    };
    (shared) => {
        const SHARES: bool = true;
        #[inline]
        fn from_shared(
            wire: $crate::generated::buffa::bytes::Bytes,
        ) -> ::std::result::Result<Self, $crate::FormatError> {
            $crate::generated::buffa_from_shared(wire)
        }
    };
    (buffers { $($how:ident $field:ident;)* }) => {
        #[inline]
        fn into_wire(
            self,
        ) -> ::std::result::Result<$crate::generated::IoBuf, $crate::FormatError> {
            $crate::generated::buffa_into_wire(self)
        }
        fn buffers(&mut self, visit: $crate::generated::Visit<'_>) {
            $($crate::__buffers!($how self.$field, visit);)*
        }
    };
}

/// The part `packed`, where mcpack is built in.
#[cfg(feature = "mcpack")]
#[macro_export]
#[doc(hidden)]
macro_rules! __message_packed {
    () => {
        fn from_mcpack(body: &[u8], max_bytes: usize) -> ::std::option::Option<Self> {
            $crate::mcpack::packed::unpack(body, max_bytes)
        }
        fn to_mcpack(&self, variant: $crate::mcpack::Variant) -> ::std::option::Option<::std::vec::Vec<u8>> {
            $crate::mcpack::packed::pack(self, variant)
        }
    };
}

#[cfg(not(feature = "mcpack"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __message_packed {
    () => {};
}

/// Expands to nothing, in place of generated code for a form that is left out.
#[cfg(not(feature = "mcpack"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __left_out {
    ($($code:tt)*) => {};
}

#[macro_export]
#[doc(hidden)]
macro_rules! __buffers {
    (one $field:expr, $visit:ident) => {
        $crate::generated::Buffers::visit(&mut $field, $visit);
    };
    (each $field:expr, $visit:ident) => {
        $field.iter_mut().for_each(|item| $crate::generated::Buffers::visit(item, $visit));
    };
}

/// Implements [`Message`] for a message that prost's generator made.
#[cfg(feature = "prost")]
#[macro_export]
#[doc(hidden)]
macro_rules! __prost_message {
    ($type:ty, $name:literal, $pool:path) => {
        $crate::__message!($type, $name, $pool, prost_from_wire, prost_to_wire);
    };
}

/// Implements [`Viewed`](crate::Viewed) for a message of buffa's generator.
#[cfg(feature = "views")]
#[macro_export]
#[doc(hidden)]
macro_rules! __viewed {
    ($type:ty, $($view:tt)*) => {
        impl $crate::Viewed for $type {
            type View<'a> = $($view)*<'a>;
            type Held = $($view)*<'static>;
            #[inline]
            fn reborrow(held: &$crate::generated::buffa::OwnedView<Self::Held>) -> &Self::View<'_> {
                held.reborrow()
            }
            fn from_view(view: &Self::View<'_>) -> Self {
                $crate::generated::buffa::MessageView::to_owned_message(view).expect("views were read from bytes")
            }
        }
    };
}

/// Paths are absolute: the package may have messages called `Result` or `Vec`.
#[macro_export]
#[doc(hidden)]
macro_rules! __message {
    ($type:ty, $name:literal, $pool:path, $from_wire:ident, $to_wire:ident $(, { $($more:item)* })?) => {
        impl $crate::Message for $type {
            fn schema() -> $crate::schema::MessageSchema<'static> {
                static SCHEMA: ::std::sync::LazyLock<$crate::schema::MessageSchema<'static>> =
                    ::std::sync::LazyLock::new(|| {
                        $pool.message($name).expect("embedded by the build script")
                    });
                *SCHEMA
            }
            #[inline]
            fn from_wire(bytes: &[u8]) -> ::std::result::Result<Self, $crate::FormatError> {
                $crate::generated::$from_wire::<Self>(bytes)
            }
            #[inline]
            fn to_wire(&self) -> ::std::result::Result<::std::vec::Vec<u8>, $crate::FormatError> {
                $crate::generated::$to_wire(self)
            }
            $($($more)*)?
        }
    };
}

#[doc(hidden)]
#[inline]
pub fn buffa_from_wire<M: buffa::Message + Message>(bytes: &[u8]) -> Result<M, FormatError> {
    M::decode_from_slice(bytes).map_err(|error| buffa_refused::<M>(bytes, &error))
}

#[cold]
pub(crate) fn buffa_refused<M: Message>(bytes: &[u8], error: &buffa::DecodeError) -> FormatError {
    refused(M::schema(), bytes, matches!(error, buffa::DecodeError::InvalidUtf8), error)
}

/// The error for refused bytes; `utf8`: they belong to a string.
#[cold]
fn refused(
    schema: MessageSchema<'_>,
    bytes: &[u8],
    utf8: bool,
    error: &dyn std::error::Error,
) -> FormatError {
    match utf8.then(|| utf8::first_misfit(schema, bytes)).flatten() {
        Some(field) => FormatError::NotUtf8(field.into()),
        None => FormatError::protobuf(error.to_string()),
    }
}

#[doc(hidden)]
#[inline]
pub fn buffa_from_shared<M: buffa::Message + Message>(wire: Bytes) -> Result<M, FormatError> {
    // Reading advances what it reads from; an error is explained with all of it.
    <M as buffa::Message>::decode(&mut wire.clone()).map_err(|error| buffa_refused::<M>(&wire, &error))
}

#[doc(hidden)]
#[inline]
pub fn buffa_to_wire<M: buffa::Message>(message: &M) -> Result<Vec<u8>, FormatError> {
    message
        .try_encode_to_vec()
        .map_err(|_| FormatError::TooLarge { limit: buffa::MAX_MESSAGE_BYTES as usize })
}

#[doc(hidden)]
#[cfg(feature = "prost")]
#[inline]
pub fn prost_from_wire<M: prost::Message + Message>(bytes: &[u8]) -> Result<M, FormatError> {
    <M as prost::Message>::decode(bytes).map_err(|error| {
        // prost tells its errors apart by their text alone.
        let utf8 = error.to_string().contains("UTF-8");
        refused(M::schema(), bytes, utf8, &error)
    })
}

#[doc(hidden)]
#[cfg(feature = "prost")]
#[inline]
pub fn prost_to_wire<M: prost::Message>(message: &M) -> Result<Vec<u8>, FormatError> {
    let wire = message.encode_to_vec();
    match wire.len() <= buffa::MAX_MESSAGE_BYTES as usize {
        true => Ok(wire),
        false => Err(FormatError::TooLarge { limit: buffa::MAX_MESSAGE_BYTES as usize }),
    }
}

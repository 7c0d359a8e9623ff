//! `Any`: a message of any type, with the name of its type.

use super::Any;
use crate::{FormatError, Message};

/// Prefix of a message's full name in [`Any::type_url`].
const PREFIX: &str = "type.googleapis.com/";

impl Any {
    /// Packs this message.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] beyond 2 GiB.
    pub fn pack<M: Message>(message: &M) -> Result<Any, FormatError> {
        let type_url = format!("{PREFIX}{}", M::schema().full_name());
        Ok(Any { type_url, value: message.to_wire()?.into() })
    }

    /// The full name of the packed message; empty if there is none.
    pub fn message_name(&self) -> &str {
        self.type_url.rsplit_once('/').map_or(&*self.type_url, |(_, name)| name)
    }

    /// Whether the packed message has this type.
    pub fn is<M: Message>(&self) -> bool {
        self.message_name() == M::schema().full_name()
    }

    /// The packed message, if it has this type.
    ///
    /// # Errors
    /// [`FormatError::Protobuf`] if it has this type by name, but its bytes are invalid.
    pub fn unpack<M: Message>(&self) -> Result<Option<M>, FormatError> {
        self.is::<M>().then(|| M::from_wire(&self.value)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use crate::wkt::{Any, Duration, Timestamp};

    #[test]
    fn a_message_goes_in_and_comes_out_as_what_it_is() {
        let time = Timestamp { seconds: 5, nanos: 6 };
        let any = Any::pack(&time).unwrap();
        assert_eq!(any.type_url, "type.googleapis.com/google.protobuf.Timestamp");
        assert_eq!(any.unpack(), Ok(Some(time)));
        assert_eq!(any.unpack::<Duration>(), Ok(None));
        let elsewhere = Any { type_url: "example.com/types/google.protobuf.Timestamp".into(), ..any.clone() };
        assert!(elsewhere.is::<Timestamp>() && !Any::default().is::<Timestamp>());
        assert!(Any { value: b"\x08".as_slice().into(), ..any }.unpack::<Timestamp>().is_err());
    }
}

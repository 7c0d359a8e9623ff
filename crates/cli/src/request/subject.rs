//! The method, path, function or command that is called.

use super::FormArguments;
use crate::{failure::Failure, peer::PeerArguments};
use polywire::{Channel, Content, Raw, Target};
use polywire_formats::schema::MethodSchema;

/// A method, a path, a function or a command. It converts the user's input to bodies, and replies to text.
pub trait Subject: Send + Sync {
    /// The target for the channel. Made once: the names are kept until the program ends.
    fn target(&self) -> Target;

    /// The name as the user would type it.
    fn name(&self) -> String;

    /// Bodies of requests in a channel's encoding. `input`: values one after another, or the name of a file
    /// with them; without it a sample.
    ///
    /// # Errors
    /// Input that does not fit, with the place.
    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure>;

    /// For each of these bodies the key by which a hashing balancer chooses its server. Empty: the user gives
    /// the key.
    fn keys(&self) -> Vec<u64> {
        Vec::new()
    }

    /// A reply as text, without a line end, unless the body has one.
    ///
    /// # Errors
    /// The reply is not of the method's type.
    fn reply(&self, reply: Raw) -> Result<String, String>;

    /// The HTTP verb, where it is not POST.
    fn verb(&self) -> Option<&str> {
        None
    }

    /// The method, if its calls may have more than one message in some direction.
    fn streaming(&self) -> Option<MethodSchema<'static>> {
        None
    }

    /// Whether replies are RESP, where a reply that begins with `-` or `!` is an error.
    fn is_redis(&self) -> bool {
        false
    }
}

/// The call that the user requested.
pub struct Asked<'a> {
    /// The name that the user typed.
    pub name: Option<&'a str>,
    pub channel: &'a Channel,
    pub form: &'a FormArguments,
    /// The server that may be asked for schemas.
    pub peer: Option<&'a PeerArguments>,
    /// The method that is called where the user names none, and a request for it.
    pub method: &'static str,
    pub request: &'static str,
}

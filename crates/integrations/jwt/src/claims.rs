//! What a verified token says, for handlers.

use polywire_server::{Context, Identity};
use serde_json::{Map, Value};

/// The claims of the token by which a caller is known.
///
/// ```
/// use polywire_jwt::Claims;
/// use polywire_server::Context;
///
/// fn mail(cx: &Context) -> Option<&str> {
///     Claims::of(cx)?.text("email")
/// }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Claims {
    pub(crate) payload: Map<String, Value>,
    /// Seconds since 1970 after which the token is refused.
    pub(crate) until: u64,
}

impl Claims {
    /// Those of the call's caller; `None` if it is not known by a JWT.
    pub fn of(cx: &Context) -> Option<&Claims> {
        Self::of_identity(cx.identity()?)
    }

    /// Those behind an identity.
    pub fn of_identity(identity: &Identity) -> Option<&Claims> {
        identity.extra.as_ref()?.downcast_ref()
    }

    /// A claim that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.payload.get(name)?.as_str()
    }

    /// The texts of a claim: of an array, or of a text with spaces between them, as `scope` has them (RFC
    /// 8693 section 4.2).
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match self.payload.get(name) {
            Some(Value::String(text)) => text.split(' ').filter(|text| !text.is_empty()).collect(),
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// A claim that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.payload.get(name)?.as_f64()
    }

    /// A claim that is true or false.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.payload.get(name)?.as_bool()
    }

    /// Any claim, as JSON.
    pub fn json(&self, name: &str) -> Option<String> {
        self.payload.get(name).map(Value::to_string)
    }
}

//! What a route changes of the fields of its calls.

use crate::{
    calls::check_field,
    fields::{is_same_name, passes},
};
use polywire_call::{ConfigError, Metadata};
use polywire_wire::Outcome;

/// Names of one kind, of one route.
const MOST: usize = 16;
/// Bytes of a value.
const LONGEST: usize = 1024;

/// What a route changes of the fields that go on with its calls, at most 16 of each kind.
///
/// ```
/// # mod polywire { pub use polywire_client::*; pub mod gateway { pub use polywire_gateway::*; } }
/// use polywire::gateway::{FieldChanges, Routes};
///
/// # fn f(stock: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
/// let changes = FieldChanges::new().set("x-zone", "eu")?.remove("x-debug")?.remove_of_replies("x-shard")?;
/// let routes = Routes::new().to("shop.*".parse()?, &stock)?.fields(changes);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[must_use]
pub struct FieldChanges {
    set: Vec<(Box<str>, Box<str>)>,
    removed: Vec<Box<str>>,
    removed_of_replies: Vec<Box<str>>,
}

impl FieldChanges {
    /// None.
    pub fn new() -> FieldChanges {
        FieldChanges::default()
    }

    /// Requests have this field, in place of those of this name that their caller sent, also with `_` for
    /// `-`.
    ///
    /// # Errors
    /// The name is none of a field that goes on, or is set already; the value cannot be sent; there are too
    /// many.
    pub fn set(mut self, name: &str, value: &str) -> Result<FieldChanges, ConfigError> {
        check_field(name)?;
        let wrong = |text: String| Err(ConfigError::new("field", text).with_value(name));
        if !passes(name) {
            return wrong(format!("{name} is written by the relay or by the protocol alone"));
        }
        if contains(self.set.iter().map(|(name, _)| name), name) {
            return wrong(format!("{name} is set twice"));
        }
        let is_sent = |byte: u8| matches!(byte, b' '..=b'~');
        if value.len() > LONGEST || !value.bytes().all(is_sent) || value.trim() != value {
            return wrong(format!(
                "the value of {name} is not printable ASCII of at most {LONGEST} bytes, without spaces around it"
            ));
        }
        if self.set.len() == MOST {
            return wrong(format!("a route sets at most {MOST} fields"));
        }
        self.set.push((name.into(), value.into()));
        Ok(self)
    }

    /// Fields of this name, also with `_` for `-`, are left out of requests.
    ///
    /// # Errors
    /// The name is none of a field that goes on; there are too many.
    pub fn remove(mut self, name: &str) -> Result<FieldChanges, ConfigError> {
        add(&mut self.removed, name)?;
        Ok(self)
    }

    /// Fields of this name are left out of replies and failures.
    ///
    /// # Errors
    /// As for [`FieldChanges::remove`].
    pub fn remove_of_replies(mut self, name: &str) -> Result<FieldChanges, ConfigError> {
        add(&mut self.removed_of_replies, name)?;
        Ok(self)
    }

    /// What they are, for readers: names alone.
    pub fn words(&self) -> String {
        let list = |names: Vec<&str>| names.join(", ");
        let all = [
            ("sets", list(self.set.iter().map(|(name, _)| &**name).collect())),
            ("leaves out", list(self.removed.iter().map(|name| &**name).collect())),
            ("leaves out of replies", list(self.removed_of_replies.iter().map(|name| &**name).collect())),
        ];
        let said = all.iter().filter(|(_, names)| !names.is_empty());
        said.map(|(what, names)| format!("{what} {names}")).collect::<Vec<_>>().join("; ")
    }

    /// Whether a field of the caller goes on.
    pub(crate) fn keep(&self, name: &str) -> bool {
        !contains(&self.removed, name) && !contains(self.set.iter().map(|(name, _)| name), name)
    }

    /// What requests have in addition.
    pub(crate) fn added(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.set.iter().map(|(name, value)| (&**name, value.as_bytes()))
    }

    /// Takes fields out of the answer to a caller, or of its head.
    pub(crate) fn change_reply(&self, fields: &mut Option<Box<Metadata>>) {
        let is_left_out = |(name, _): (&str, &[u8])| contains(&self.removed_of_replies, name);
        if fields.as_ref().is_some_and(|fields| fields.iter().any(is_left_out)) {
            let kept = fields
                .take()
                .map(|fields| fields.iter().filter(|field| !is_left_out(*field)).collect::<Metadata>());
            *fields = kept.filter(|kept| !kept.is_empty()).map(Box::new);
        }
    }

    /// The same for all of an answer.
    pub(crate) fn change_outcome(&self, outcome: &mut Outcome) {
        self.change_reply(&mut outcome.headers);
        self.change_reply(&mut outcome.trailers);
    }
}

fn add(names: &mut Vec<Box<str>>, name: &str) -> Result<(), ConfigError> {
    check_field(name)?;
    if !passes(name) {
        let text = format!("{name} is never passed on");
        return Err(ConfigError::new("field", text).with_value(name));
    }
    if names.len() == MOST {
        let text = format!("a route removes at most {MOST} fields");
        return Err(ConfigError::new("field", text).with_value(name));
    }
    names.push(name.into());
    Ok(())
}

fn contains<'n>(names: impl IntoIterator<Item = &'n Box<str>>, name: &str) -> bool {
    names.into_iter().any(|own| is_same_name(own.as_bytes(), name.as_bytes()))
}

//! A value of a type with a text of its own, which lies elsewhere.

use crate::set::Registered;
use std::{fmt::Display, str::FromStr};

/// A flag whose value has a text of its own, such as a limit that is `200` or `auto`: anything that is read by [`FromStr`] and shown by
/// [`Display`]. As with [`Linked`](crate::Linked), the value belongs to something else, and what is shown is what is in use.
///
/// ```
/// use polywire_flags::{Flags, Origin, Parsed};
/// use std::{net::IpAddr, sync::{Arc, Mutex}};
///
/// let peer = Arc::new(Mutex::new(IpAddr::from([127, 0, 0, 1])));
/// let (read, write) = (peer.clone(), peer.clone());
/// let flags = Flags::new();
/// flags.add(Parsed::new("peer", "Who is called", "an address", move || *read.lock().unwrap(), move |address: IpAddr| {
///     *write.lock().unwrap() = address;
///     Ok(())
/// }))?;
/// flags.set("peer", "::1", &Origin::new("alice", "test"))?;
/// assert_eq!(*peer.lock().unwrap(), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]));
/// assert!(flags.set("peer", "nobody", &Origin::new("alice", "test")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Parsed<T> {
    name: String,
    help: String,
    allowed: String,
    default: String,
    read: Box<dyn Fn() -> T + Send + Sync>,
    write: Box<dyn Fn(T) -> Result<(), String> + Send + Sync>,
}

impl<T: FromStr + Display> Parsed<T> {
    /// The default is what `read` says now. `write` refuses a value with words for the operator, and then changes nothing;
    /// `allowed` says in words what can be read.
    pub fn new(
        name: impl Into<String>,
        help: impl Into<String>,
        allowed: impl Into<String>,
        read: impl Fn() -> T + Send + Sync + 'static,
        write: impl Fn(T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Parsed<T> {
        Parsed {
            name: name.into(),
            help: help.into(),
            allowed: allowed.into(),
            default: read().to_string(),
            read: Box::new(read),
            write: Box::new(write),
        }
    }
}

impl<T: FromStr<Err: Display> + Display + 'static> Registered for Parsed<T> {
    fn name(&self) -> &str {
        &self.name
    }
    fn help(&self) -> &str {
        &self.help
    }
    fn allowed(&self) -> String {
        self.allowed.clone()
    }
    fn default(&self) -> String {
        self.default.clone()
    }
    fn value(&self) -> String {
        (self.read)().to_string()
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, text: &str) -> Result<(), String> {
        text.parse::<T>().map(drop).map_err(|error| error.to_string())
    }
    fn store(&self, text: &str) -> Result<(), String> {
        (self.write)(text.parse::<T>().map_err(|error| error.to_string())?)
    }
    fn tell(&self) {}
}

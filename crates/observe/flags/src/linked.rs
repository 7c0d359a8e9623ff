//! A flag whose value belongs to another object.

use crate::{set::Registered, value::Value};
use std::{fmt::Display, str::FromStr};

/// A flag whose value belongs to an object with its own way to read and change it, such as the limit of a
/// running server. The flag shows the value in use, however it was changed.
pub struct Linked<T> {
    name: String,
    help: String,
    allowed: String,
    default: String,
    parse: fn(&str) -> Result<T, String>,
    show: fn(T) -> String,
    read: Box<dyn Fn() -> T + Send + Sync>,
    write: Box<dyn Fn(T) -> Result<(), String> + Send + Sync>,
}

impl<T: Value> Linked<T> {
    /// The default is the present result of `read`. `write` may refuse a value with a text for the operator,
    /// and then changes nothing; `allowed` describes the accepted values.
    pub fn new(
        name: impl Into<String>,
        help: impl Into<String>,
        allowed: impl Into<String>,
        read: impl Fn() -> T + Send + Sync + 'static,
        write: impl Fn(T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Linked<T> {
        let allowed = match allowed.into() {
            allowed if allowed.is_empty() => T::FORM.to_owned(),
            allowed => format!("{}, {allowed}", T::FORM),
        };
        Linked {
            name: name.into(),
            help: help.into(),
            allowed,
            default: read().text(),
            parse: |text| T::parse(text).ok_or_else(|| format!("it has to be {}", T::FORM)),
            show: |value| value.text(),
            read: Box::new(read),
            write: Box::new(write),
        }
    }
}

impl<T: FromStr<Err: Display> + Display> Linked<T> {
    /// Like [`Linked::new`], for a type with its own text form, such as a limit that is `200` or `auto`: any
    /// type that is parsed by [`FromStr`] and shown by [`Display`]. `allowed` describes the accepted texts.
    ///
    /// ```
    /// use polywire_flags::{Flags, Linked, Origin};
    /// use std::{net::IpAddr, sync::{Arc, Mutex}};
    ///
    /// let peer = Arc::new(Mutex::new(IpAddr::from([127, 0, 0, 1])));
    /// let (read, write) = (peer.clone(), peer.clone());
    /// let flags = Flags::new();
    /// flags.add(Linked::parsed("peer", "Who is called", "an address", move || *read.lock().unwrap(), move |address: IpAddr| {
    ///     *write.lock().unwrap() = address;
    ///     Ok(())
    /// }))?;
    /// flags.set("peer", "::1", &Origin::new("alice", "test"))?;
    /// assert_eq!(*peer.lock().unwrap(), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]));
    /// assert!(flags.set("peer", "nobody", &Origin::new("alice", "test")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parsed(
        name: impl Into<String>,
        help: impl Into<String>,
        allowed: impl Into<String>,
        read: impl Fn() -> T + Send + Sync + 'static,
        write: impl Fn(T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Linked<T> {
        Linked {
            name: name.into(),
            help: help.into(),
            allowed: allowed.into(),
            default: read().to_string(),
            parse: |text| text.parse::<T>().map_err(|error| error.to_string()),
            show: |value| value.to_string(),
            read: Box::new(read),
            write: Box::new(write),
        }
    }
}

impl<T: 'static> Registered for Linked<T> {
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
        (self.show)((self.read)())
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, text: &str) -> Result<(), String> {
        (self.parse)(text).map(drop)
    }
    fn store(&self, text: &str) -> Result<(), String> {
        (self.write)((self.parse)(text)?)
    }
    fn tell(&self) {}
}

//! A value that lies elsewhere.

use crate::{set::Registered, value::Value};

/// A flag whose value belongs to something that has its own way to read and to change it, such as the limit of a running
/// server. What is shown is what is in use, whoever changed it.
pub struct Linked<T: Value> {
    name: String,
    help: String,
    allowed: String,
    default: T,
    read: Box<dyn Fn() -> T + Send + Sync>,
    write: Box<dyn Fn(T) -> Result<(), String> + Send + Sync>,
}

impl<T: Value> Linked<T> {
    /// The default is what `read` says now. `write` refuses a value with words for the operator, and then changes nothing;
    /// `allowed` says in words what it accepts.
    pub fn new(
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
            default: read(),
            read: Box::new(read),
            write: Box::new(write),
        }
    }
}

impl<T: Value> Registered for Linked<T> {
    fn name(&self) -> &str {
        &self.name
    }
    fn help(&self) -> &str {
        &self.help
    }
    fn allowed(&self) -> String {
        match &*self.allowed {
            "" => T::FORM.to_owned(),
            allowed => format!("{}, {allowed}", T::FORM),
        }
    }
    fn default(&self) -> String {
        self.default.text()
    }
    fn value(&self) -> String {
        (self.read)().text()
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, text: &str) -> Result<(), String> {
        T::parse(text).map(drop).ok_or_else(|| format!("it has to be {}", T::FORM))
    }
    fn store(&self, text: &str) -> Result<(), String> {
        let value = T::parse(text).ok_or_else(|| format!("it has to be {}", T::FORM))?;
        (self.write)(value)
    }
    fn tell(&self) {}
}

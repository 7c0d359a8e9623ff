//! JSON as it is written: objects whose members keep their order.

use polywire_console::quoted;

/// An object to which members are added.
#[derive(Clone, Debug)]
pub(super) struct Object {
    text: String,
}

impl Object {
    pub fn new() -> Object {
        Object { text: "{".to_owned() }
    }

    /// Adds a member whose value is JSON already.
    pub fn json(self, name: &str, value: &str) -> Object {
        let name = quoted(name);
        self.member(&name, value)
    }

    /// Adds a member whose name is in quotes, and whose value is JSON.
    pub fn member(mut self, name: &str, value: &str) -> Object {
        self.text.push_str(if self.is_empty() { "" } else { "," });
        self.text.push_str(name);
        self.text.push(':');
        self.text.push_str(value);
        self
    }

    pub fn text(self, name: &str, value: &str) -> Object {
        self.json(name, &quoted(value))
    }

    pub fn object(self, name: &str, value: Object) -> Object {
        self.json(name, &value.done())
    }

    pub fn truth(self, name: &str) -> Object {
        self.json(name, "true")
    }

    /// Adds a text, unless it is empty.
    pub fn said(self, name: &str, value: &str) -> Object {
        if value.is_empty() { self } else { self.text(name, value) }
    }

    pub fn is_empty(&self) -> bool {
        self.text.len() == 1
    }

    pub fn done(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// An array of values that are JSON.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// An array of texts.
pub(super) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> String {
    list(items.into_iter().map(quoted))
}

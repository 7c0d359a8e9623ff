//! JSON with the path to each part of it, for messages.

use serde_json::{Map, Value};

/// A value, and where it stands.
#[derive(Clone)]
pub(super) struct Json<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Json<'a> {
    pub fn new(value: &'a Value) -> Self {
        Json { value, path: String::new() }
    }

    /// The path in the file, such as `xds_servers[0].channel_creds`.
    pub fn path(&self) -> &str {
        if self.path.is_empty() { "the bootstrap" } else { &self.path }
    }

    /// A field that is present and not null.
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Some(Json { value, path })
    }

    pub fn required(&self, name: &str) -> Result<Json<'a>, String> {
        self.get(name).ok_or_else(|| format!("{} has no {name}", self.path()))
    }

    pub fn as_text(&self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        let Some(field) = self.get(name) else { return Ok(None) };
        field.as_text().map(Some).ok_or_else(|| format!("{} is not text", field.path()))
    }

    pub fn required_text(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?.ok_or_else(|| format!("{} has no {name}", self.path()))
    }

    pub fn as_object(&self) -> Result<&'a Map<String, Value>, String> {
        self.value.as_object().ok_or_else(|| format!("{} is not an object", self.path()))
    }

    /// The fields of an object that may be absent.
    pub fn object(&self, name: &str) -> Result<Vec<(String, Json<'a>)>, String> {
        let Some(object) = self.get(name) else { return Ok(Vec::new()) };
        let entries = object.as_object()?.iter();
        let entry = |(name, value): (&String, &'a Value)| {
            (name.clone(), Json { value, path: format!("{}[{name:?}]", object.path) })
        };
        Ok(entries.map(entry).collect())
    }

    pub fn items(&self) -> Result<impl Iterator<Item = Json<'a>> + use<'a>, String> {
        let items = self.value.as_array().ok_or_else(|| format!("{} is not a list", self.path()))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(n, value)| Json { value, path: format!("{path}[{n}]") }))
    }
}

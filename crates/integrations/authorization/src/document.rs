//! A policy as its file has it, before it is checked.
//!
//! Every object refuses fields that it does not know, as A43 asks for: a newer field may narrow a rule, and
//! a rule that is read without it would allow too much. For the same reason each object is an [`Object`], and
//! a field that may be left out is no `Option` but [`Given`].

use crate::{
    error::PolicyError,
    strict::{Given, Object},
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Bytes of a file.
pub(crate) const MOST_BYTES: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document<'t> {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub deny_rules: Vec<Object<RuleDocument>>,
    #[serde(default)]
    pub allow_rules: Vec<Object<RuleDocument>>,
    #[serde(default, borrow)]
    pub audit_logging_options: Object<AuditDocument<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleDocument {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub source: Object<SourceDocument>,
    #[serde(default)]
    pub request: Object<RequestDocument>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceDocument {
    #[serde(default)]
    pub principals: Vec<String>,
    /// Ours: names that an authenticator has found.
    #[serde(default)]
    pub identities: Given<Vec<String>>,
    /// Ours: roles that an authenticator has found.
    #[serde(default)]
    pub roles: Given<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequestDocument {
    #[serde(default)]
    pub paths: Vec<String>,
    #[serde(default)]
    pub headers: Vec<Object<HeaderDocument>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderDocument {
    #[serde(default)]
    pub key: String,
    #[serde(default)]
    pub values: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuditDocument<'t> {
    #[serde(default)]
    pub audit_condition: Given<String>,
    // A59's table of fields has the singular, its example and the implementations have the plural.
    #[serde(default, borrow, alias = "audit_logger")]
    pub audit_loggers: Vec<Object<LoggerDocument<'t>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoggerDocument<'t> {
    #[serde(default)]
    pub name: String,
    /// An object, which is the logger's own business.
    #[serde(default, borrow)]
    pub config: Given<&'t RawValue>,
    #[serde(default)]
    pub is_optional: bool,
}

impl<'t> Document<'t> {
    /// Reads a file. Depth: only `config` may nest at will, and it is skipped without recursion.
    pub fn parse(text: &'t str) -> Result<Self, PolicyError> {
        if text.len() > MOST_BYTES {
            return Err(PolicyError::new(format!("the policy is longer than {MOST_BYTES} bytes")));
        }
        serde_json::from_str(text)
            .map(|Object(document)| document)
            .map_err(|error| PolicyError::new(format!("the policy cannot be read: {error}")))
    }
}

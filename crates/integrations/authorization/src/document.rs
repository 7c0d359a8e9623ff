//! A policy as its file has it, before it is checked.
//!
//! Every object refuses fields that it does not know, as A43 asks for: a newer field may narrow a rule, and
//! a rule that is read without it would allow too much.

use crate::error::PolicyError;
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
    pub deny_rules: Vec<RuleDocument>,
    #[serde(default)]
    pub allow_rules: Vec<RuleDocument>,
    #[serde(default, borrow)]
    pub audit_logging_options: AuditDocument<'t>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleDocument {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub source: SourceDocument,
    #[serde(default)]
    pub request: RequestDocument,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceDocument {
    #[serde(default)]
    pub principals: Vec<String>,
    /// Ours: names that an authenticator has found. `None`: not given.
    pub identities: Option<Vec<String>>,
    /// Ours: roles that an authenticator has found.
    pub roles: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequestDocument {
    #[serde(default)]
    pub paths: Vec<String>,
    #[serde(default)]
    pub headers: Vec<HeaderDocument>,
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
    pub audit_condition: Option<String>,
    // A59's table of fields has the singular, its example and the implementations have the plural.
    #[serde(default, borrow, alias = "audit_logger")]
    pub audit_loggers: Vec<LoggerDocument<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoggerDocument<'t> {
    #[serde(default)]
    pub name: String,
    /// An object, which is the logger's own business.
    #[serde(default, borrow)]
    pub config: Option<&'t RawValue>,
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
            .map_err(|error| PolicyError::new(format!("the policy cannot be read: {error}")))
    }
}

//! Policies as a whole: what is read, what is decided, and a server with one.
//!
//! Cases named after grpc-go have their expectations from its tests (2026-08-21), in `authz/`:
//! `rbac_translator_test.go`, `grpc_authz_end2end_test.go`, `audit/audit_logging_test.go`,
//! `grpc_authz_server_interceptors_test.go`.

mod attacks;
mod decisions;
mod parsing;
mod records;
mod reload;
mod server;

use crate::{
    audit::Loggers,
    certificate::{Principals, Unreadable},
    error::PolicyError,
    rules::{Decision, Facts, Rules},
};
use polywire_server::Identity;
use std::sync::Arc;

fn parse(text: &str) -> Result<Rules, PolicyError> {
    Rules::parse(text, &Loggers::standard())
}

fn rules(text: &str) -> Rules {
    parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Why a text is no policy.
fn wrong(text: &str) -> String {
    parse(text).err().unwrap_or_else(|| panic!("it is a policy: {text}")).to_string()
}

/// A policy with one rule that allows.
fn allowing(rule: &str) -> String {
    format!(r#"{{"name": "p", "allow_rules": [{{"name": "r", {rule}}}]}}"#)
}

/// A policy that allows everything but what one rule denies.
fn denying(rule: &str) -> String {
    format!(r#"{{"name": "p", "deny_rules": [{{"name": "r", {rule}}}], "allow_rules": [{{"name": "all"}}]}}"#)
}

/// What a call has, in tests.
#[derive(Clone)]
struct Call {
    service: &'static str,
    method: &'static str,
    goes_on: bool,
    fields: Vec<(String, Vec<u8>)>,
    tls: Option<Result<Arc<Principals>, Unreadable>>,
    identity: Option<Identity>,
}

const SERVICE: &str = "grpc.testing.TestService";

fn call(method: &'static str) -> Call {
    Call { service: SERVICE, method, goes_on: false, fields: Vec::new(), tls: None, identity: None }
}

impl Call {
    fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.fields.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    fn tls(mut self, principals: &[&str]) -> Self {
        self.tls = Some(Ok(Arc::new(Principals::named(principals))));
        self
    }

    fn identity(mut self, name: &str, roles: &[&str]) -> Self {
        let roles = roles.iter().map(|role| Box::from(*role)).collect();
        self.identity = Some(Identity { roles, ..Identity::named(name) });
        self
    }

    fn is_allowed(&self, policy: &str) -> bool {
        matches!(rules(policy).decide(self), Ok(Decision::Allowed(_)))
    }
}

impl Facts for Call {
    fn service(&self) -> &str {
        self.service
    }
    fn method(&self) -> &str {
        self.method
    }
    fn goes_on(&self) -> bool {
        self.goes_on
    }
    fn visit_fields(&self, visit: &mut dyn FnMut(&str, &[u8])) {
        self.fields.iter().for_each(|(name, value)| visit(name, value));
    }
    fn principals(&self) -> Option<Result<Arc<Principals>, Unreadable>> {
        self.tls.clone()
    }
    fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }
}

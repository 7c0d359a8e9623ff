//! The policy of a server, as its middleware.

use crate::{
    audit::{AuditLogger, AuditRecord, Loggers},
    certificate::{Principals, Unreadable},
    error::PolicyError,
    reload::{self, Source},
    rules::{Decision, Facts, KnownCallers, Rules},
};
use arc_swap::ArcSwap;
use polywire_call::{Metadata, Status};
use polywire_server::{Context, Ended, Identity, Middleware, Next};
use std::{
    fmt,
    future::{Future, ready},
    path::Path,
    pin::Pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// gRPC's authorization policy, for [`Server::middleware`](polywire_server::Server::middleware).
///
/// ```
/// # fn f() -> Result<(), polywire_authorization::PolicyError> {
/// use polywire_authorization::Policy;
/// use polywire_server::Server;
///
/// let policy = Policy::from_json(
///     r#"{
///         "name": "shop",
///         "deny_rules": [{"name": "tests", "request": {"headers": [{"key": "x-test", "values": ["*"]}]}}],
///         "allow_rules": [
///             {"name": "readers", "request": {"paths": ["/shop.Orders/Get*"]}},
///             {"name": "billing", "source": {"principals": ["spiffe://prod/billing"]}}
///         ]
///     }"#,
/// )?;
/// # fn served<P: polywire_server::Preset>(policy: Policy) -> Server<P> {
/// Server::new().middleware(policy)
/// # }
/// # Ok(())
/// # }
/// ```
///
/// A call that it refuses ends with PERMISSION_DENIED and the text `unauthorized RPC request rejected`; which
/// rule refused it is told to logs and audit records alone. Clones are the same policy.
#[derive(Clone)]
pub struct Policy(pub(crate) Arc<Shared>);

/// What clones of a policy, and the thread that reads its file, have in common.
pub(crate) struct Shared {
    /// Read by every call; written by reloads.
    pub rules: ArcSwap<Rules>,
    pub loggers: Loggers,
    /// `None`: it was given as a text.
    pub source: Option<Source>,
}

impl Policy {
    /// Takes a policy from its text.
    ///
    /// # Errors
    /// The text is not a policy, or not one that can be used; the error says where.
    pub fn from_json(text: &str) -> Result<Self, PolicyError> {
        Self::builder().from_json(text)
    }

    /// Reads a policy from a file, now and again every `interval`, by a thread of its own that ends with the
    /// policy. What a changed file says is for calls that begin afterwards. While it cannot be read, or is no
    /// policy, the last good one stays in use, and the reason is logged once.
    ///
    /// # Errors
    /// The file cannot be used now, or `interval` is zero.
    pub fn watch(path: impl AsRef<Path>, interval: Duration) -> Result<Self, PolicyError> {
        Self::builder().watch(path, interval)
    }

    /// The policy of a file, which is read once.
    ///
    /// # Errors
    /// The file cannot be read, or is no policy.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        let path = path.as_ref();
        Self::from_json(&reload::read(path)?).map_err(|error| error.within(path.display()))
    }

    /// For audit loggers of one's own, and to be told of reloads.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder { loggers: Loggers::standard(), told: None }
    }

    /// Reads the file now. True: it has changed, and is in use.
    ///
    /// # Errors
    /// Why the file is not in use. The last good policy stays.
    pub fn reload(&self) -> Result<bool, PolicyError> {
        self.0.source.as_ref().map_or(Ok(false), |source| source.reload(&self.0))
    }

    /// The name of the policy in use.
    pub fn name(&self) -> String {
        self.0.rules.load().name.to_string()
    }

    /// The rules that match no caller of a server that knows this of its callers: the name of each, and the
    /// key under `source` whose texts no caller there has.
    pub fn idle_rules(&self, callers: KnownCallers) -> Vec<(String, &'static str)> {
        let rules = self.0.rules.load();
        rules.idle(callers).map(|(rule, key)| (rule.to_owned(), key)).collect()
    }

    /// Returns when all records so far are written that went to loggers of the policy in use; may block. A
    /// program calls it at its end, after the server has stopped.
    pub fn flush(&self) {
        self.0.rules.load().audit.flush();
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Policy").field(&self.name()).finish()
    }
}

/// What is told of a changed file.
pub(crate) type Told = Box<dyn Fn(Result<(), &PolicyError>) + Send + Sync>;

/// Makes a [`Policy`] from a text or a file, with loggers of its decisions and a function to call at reloads.
#[must_use]
pub struct PolicyBuilder {
    loggers: Loggers,
    told: Option<Told>,
}

impl PolicyBuilder {
    /// Adds an audit logger that the policy may name under `audit_loggers`, in addition to `stdout_logger`.
    /// `make` gets the JSON text of its `config`, `{}` if it has none, and says why that cannot be used. It
    /// runs for every policy that is read. Where it panics, a file that is read again is not in use.
    ///
    /// ```
    /// # fn f() -> Result<(), polywire_authorization::PolicyError> {
    /// use polywire_authorization::{AuditRecord, Policy};
    ///
    /// let policy = Policy::builder()
    ///     .logger("refusals", |_config| Ok(|record: &AuditRecord<'_>| println!("{} {}", record.principal, record.method)))
    ///     .from_json(r#"{"name": "p", "allow_rules": [{"name": "all"}]}"#)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn logger<L: AuditLogger>(
        mut self,
        name: &str,
        make: impl Fn(&str) -> Result<L, String> + Send + Sync + 'static,
    ) -> Self {
        self.loggers.add(name, move |config| Ok(Arc::new(make(config)?) as Arc<dyn AuditLogger>));
        self
    }

    /// Has `told` called when a changed file is in use, and with the reason when one is not, once for each
    /// reason. It runs on the thread that has read the file.
    pub fn on_reload(mut self, told: impl Fn(Result<(), &PolicyError>) + Send + Sync + 'static) -> Self {
        self.told = Some(Box::new(told));
        self
    }

    /// See [`Policy::from_json`].
    ///
    /// # Errors
    /// As there.
    pub fn from_json(self, text: &str) -> Result<Policy, PolicyError> {
        let rules = ArcSwap::from_pointee(Rules::parse(text, &self.loggers)?);
        Ok(Policy(Arc::new(Shared { rules, loggers: self.loggers, source: None })))
    }

    /// See [`Policy::watch`].
    ///
    /// # Errors
    /// As there.
    pub fn watch(self, path: impl AsRef<Path>, interval: Duration) -> Result<Policy, PolicyError> {
        reload::watch(path.as_ref(), interval, self.loggers, self.told)
    }
}

const REFUSED: &str = "unauthorized RPC request rejected";

impl Policy {
    /// Decides about a call without one, and records nothing: whether it is allowed, and the rule that says
    /// so; `None`: no rule matches. `called`: service and method of a call that goes on to other servers. The
    /// caller shows no certificate.
    pub fn explain(
        &self,
        called: (&str, &str),
        fields: &Metadata,
        identity: Option<&Identity>,
    ) -> (bool, Option<String>) {
        match self.0.rules.load().decide(&Supposed { called, fields, identity }) {
            Ok(Decision::Allowed(rule)) => (true, Some(rule.to_owned())),
            Ok(Decision::Denied(rule)) => (false, rule.map(str::to_owned)),
            Err(Unreadable) => (false, None),
        }
    }

    /// Decides about a call, as the middleware does.
    ///
    /// # Errors
    /// The status with which it is refused.
    pub fn check(&self, cx: &Context) -> Result<(), Status> {
        let (service, method) = cx.called();
        let call = Called { cx, service, method };
        let rules = self.0.rules.load();
        let decision = rules.decide(&call);
        let authorized = matches!(decision, Ok(Decision::Allowed(_)));
        let rule = match decision {
            Ok(Decision::Allowed(rule) | Decision::Denied(Some(rule))) => rule,
            Ok(Decision::Denied(None)) | Err(Unreadable) => "",
        };
        if rules.audit.records(authorized) {
            let principals = call.principals().and_then(Result::ok);
            rules.audit.log(&AuditRecord {
                at: SystemTime::now(),
                method: &format!("/{service}/{method}"),
                principal: principals.as_ref().map_or("", |principals| principals.first()),
                identity: call.identity().map_or("", |identity| &identity.name),
                policy: &rules.name,
                rule,
                authorized,
            });
        }
        match decision {
            Ok(Decision::Allowed(_)) => Ok(()),
            Ok(Decision::Denied(_)) => {
                tracing::debug!(peer = %cx.peer(), service, method, policy = &*rules.name, rule, "{REFUSED}");
                Err(Status::permission_denied(REFUSED))
            }
            Err(Unreadable) => {
                tracing::warn!(peer = %cx.peer(), "a verified certificate has names that cannot be read: its calls are refused");
                Err(Status::internal("the names in the caller's certificate cannot be read"))
            }
        }
    }
}

impl Middleware for Policy {
    fn call(&self, cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>> {
        match self.check(&cx) {
            Ok(()) => Box::pin(next.run(cx)),
            Err(status) => Box::pin(ready(status.into())),
        }
    }
}

/// A call by its context.
struct Called<'c> {
    cx: &'c Context,
    service: &'c str,
    method: &'c str,
}

impl Facts for Called<'_> {
    fn service(&self) -> &str {
        self.service
    }

    fn method(&self) -> &str {
        self.method
    }

    fn goes_on(&self) -> bool {
        (self.service, self.method) != (self.cx.service(), self.cx.method())
    }

    fn visit_fields(&self, visit: &mut dyn FnMut(&str, &[u8])) {
        self.cx.visit_fields(visit);
    }

    /// They are read once for a connection, which has one certificate.
    fn principals(&self) -> Option<Result<Arc<Principals>, Unreadable>> {
        struct Read(Result<Arc<Principals>, Unreadable>);
        let security = self.cx.security()?;
        let read = || Read(Principals::of(security).map(Arc::new));
        Some(match self.cx.first_session::<Read>() {
            Some(read) => read.0.clone(),
            None => self.cx.session(read).0.clone(),
        })
    }

    fn identity(&self) -> Option<&Identity> {
        self.cx.identity()
    }
}

/// A call that nobody makes.
struct Supposed<'c> {
    called: (&'c str, &'c str),
    fields: &'c Metadata,
    identity: Option<&'c Identity>,
}

impl Facts for Supposed<'_> {
    fn service(&self) -> &str {
        self.called.0
    }

    fn method(&self) -> &str {
        self.called.1
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn visit_fields(&self, visit: &mut dyn FnMut(&str, &[u8])) {
        self.fields.iter().for_each(|(name, value)| visit(name, value));
    }

    fn principals(&self) -> Option<Result<Arc<Principals>, Unreadable>> {
        None
    }

    fn identity(&self) -> Option<&Identity> {
        self.identity
    }
}

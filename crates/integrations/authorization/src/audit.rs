//! Records of decisions, and who takes them: A59.

use crate::{document::AuditDocument, error::PolicyError, stdout::StdoutLogger, strict::Object};
use std::{collections::BTreeMap, fmt, sync::Arc, time::SystemTime};

/// One decision. There is at most one for a call; how the call ends later does not matter.
#[derive(Debug)]
#[non_exhaustive]
pub struct AuditRecord<'r> {
    pub at: SystemTime,
    /// The method that was called, as `/package.Service/Method`.
    pub method: &'r str,
    /// The first principal of the caller's certificate; empty without one.
    pub principal: &'r str,
    /// The name of the caller's identity; empty without one.
    pub identity: &'r str,
    /// The name that the policy has in its file.
    pub policy: &'r str,
    /// The name of the rule that matched; empty if none did.
    pub rule: &'r str,
    pub authorized: bool,
}

/// Takes records of decisions. Implemented by closures that take an [`AuditRecord`].
///
/// It runs on the shard of the call, before the handler, so it must not block. A call whose record makes it
/// panic is refused.
pub trait AuditLogger: Send + Sync + 'static {
    fn log(&self, record: &AuditRecord<'_>);

    /// Returns when everything taken so far is written; may block.
    fn flush(&self) {}
}

impl<F: Fn(&AuditRecord<'_>) + Send + Sync + 'static> AuditLogger for F {
    fn log(&self, record: &AuditRecord<'_>) {
        self(record);
    }
}

/// Makes a logger from the JSON text of its `config`.
type Make = Box<dyn Fn(&str) -> Result<Arc<dyn AuditLogger>, String> + Send + Sync>;

/// The loggers that policies may name.
pub(crate) struct Loggers(BTreeMap<Box<str>, Make>);

impl Loggers {
    /// With `stdout_logger`, whose thread is started for the first policy that names it.
    pub fn standard() -> Self {
        let stdout = std::sync::OnceLock::new();
        let mut loggers = Loggers(BTreeMap::new());
        loggers.add("stdout_logger", move |config: &str| {
            if !config.chars().filter(|c| !c.is_ascii_whitespace()).eq(NO_CONFIG.chars()) {
                tracing::warn!("the audit logger stdout_logger has no configuration: its config is not read");
            }
            if let Some(logger) = stdout.get() {
                return Ok(Arc::clone(logger));
            }
            let made = StdoutLogger::start(Box::new(std::io::stdout())).map_err(|error| error.to_string())?;
            Ok(stdout.get_or_init(|| Arc::new(made) as Arc<dyn AuditLogger>).clone())
        });
        loggers
    }

    pub fn add<F>(&mut self, name: &str, make: F)
    where
        F: Fn(&str) -> Result<Arc<dyn AuditLogger>, String> + Send + Sync + 'static,
    {
        self.0.insert(name.into(), Box::new(make));
    }
}

/// What a logger without `config` is made from.
const NO_CONFIG: &str = "{}";
/// Loggers of one policy.
const MOST_LOGGERS: usize = 16;

/// Which decisions of a policy are recorded, and where.
#[derive(Default)]
pub(crate) struct Audit {
    on_deny: bool,
    on_allow: bool,
    loggers: Vec<Arc<dyn AuditLogger>>,
}

impl Audit {
    pub fn of(document: AuditDocument<'_>, known: &Loggers) -> Result<Self, PolicyError> {
        let (on_deny, on_allow) = match document.audit_condition.0.as_deref() {
            None | Some("NONE") => (false, false),
            Some("ON_DENY") => (true, false),
            Some("ON_ALLOW") => (false, true),
            Some("ON_DENY_AND_ALLOW") => (true, true),
            Some(other) => {
                let text =
                    format!("audit_condition {other:?}: is not NONE, ON_DENY, ON_ALLOW or ON_DENY_AND_ALLOW");
                return Err(PolicyError::new(text));
            }
        };
        if document.audit_loggers.len() > MOST_LOGGERS {
            return Err(PolicyError::new(format!("audit_loggers: more than {MOST_LOGGERS}")));
        }
        let mut loggers = Vec::new();
        for (k, Object(logger)) in document.audit_loggers.iter().enumerate() {
            let wrong = |text: &dyn fmt::Display| {
                PolicyError::new(format!("audit_loggers[{k}] {:?}: {text}", logger.name))
            };
            let config = logger.config.0.map_or(NO_CONFIG, |config| config.get());
            if logger.name.is_empty() {
                return Err(wrong(&"has no name"));
            }
            if !config.starts_with('{') {
                return Err(wrong(&"config is not an object"));
            }
            match known.0.get(&*logger.name) {
                Some(make) => loggers.push(make(config).map_err(|text| wrong(&text))?),
                None if logger.is_optional => {}
                None => return Err(wrong(&"there is no such logger")),
            }
        }
        Ok(Audit { on_deny, on_allow, loggers })
    }

    /// Whether such a decision is recorded.
    pub fn records(&self, authorized: bool) -> bool {
        !self.loggers.is_empty() && if authorized { self.on_allow } else { self.on_deny }
    }

    pub fn log(&self, record: &AuditRecord<'_>) {
        self.loggers.iter().for_each(|logger| logger.log(record));
    }

    pub fn flush(&self) {
        self.loggers.iter().for_each(|logger| logger.flush());
    }
}

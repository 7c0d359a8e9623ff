//! Who may call which method at a listener: a policy in a file of its own.

use super::document::Table;
#[cfg(feature = "full")]
use polywire::{Context, Ended, Identity, Next};
use polywire::{Metadata, Server, gateway::Relay};
use std::path::PathBuf;
#[cfg(feature = "full")]
use std::sync::Arc;

/// Rules that match nobody, of which each has a line.
#[cfg(feature = "full")]
const MOST_IDLE: usize = 20;

/// What the file of settings says of it.
#[derive(Clone, PartialEq)]
pub struct Settings {
    pub file: PathBuf,
    /// Refuses nobody.
    pub dry_run: bool,
}

impl Settings {
    /// Reads the key `policy`: a path, or a table with one.
    pub fn read(listener: &Table<'_>) -> Option<Settings> {
        let (file, dry_run) = match listener.is_table("policy") {
            true => {
                let table = listener.table("policy")?;
                let (file, dry_run) = (table.text("file"), table.flag("dry_run"));
                table.finish();
                if !table.has("file") {
                    table.missing("file", "the path of a policy");
                }
                (file?, dry_run)
            }
            false => (listener.text("policy")?, false),
        };
        let settings = Settings { file: PathBuf::from(file.value), dry_run };
        if let Err(wrong) = Policy::watch(&settings) {
            listener.wrong(file.at, "policy", wrong);
        }
        Some(settings)
    }

    /// Warns of rules that match nobody, as no caller of the listener has what they ask for.
    #[cfg(feature = "full")]
    pub fn warn_of_idle(&self, listener: &Table<'_>, callers: polywire::authorization::KnownCallers) {
        let Ok(rules) = polywire::authorization::Policy::read(&self.file) else { return };
        let idle = rules.idle_rules(callers);
        for (rule, key) in idle.iter().take(MOST_IDLE) {
            let lack = match *key {
                "principals" if callers.tls => {
                    "callers here show no certificate: `tls.client_ca` asks for it"
                }
                "principals" => "callers here have no certificate: write `tls` with `client_ca`",
                "identities" => "callers here have no name: `tls.client_ca`, `jwt` or `tokens` tell it",
                _ => "callers here have no roles: `tokens`, or `roles` of `jwt`, tell them",
            };
            let text = format!("the rule {rule:?} matches nobody by its {key}: {lack}");
            listener.warn(listener.at_key("policy"), "policy", text);
        }
        if idle.len() > MOST_IDLE {
            let text = format!("{} further rules match nobody", idle.len() - MOST_IDLE);
            listener.warn(listener.at_key("policy"), "policy", text);
        }
    }

    /// What becomes of a call that it refuses, for the operator, if that is not refused.
    pub fn words(&self) -> &'static str {
        if self.dry_run { "; a dry run: counted, nobody is refused" } else { "" }
    }
}

/// A policy in use, which is read again when its file changes.
#[derive(Clone)]
#[cfg(feature = "full")]
pub struct Policy {
    rules: polywire::authorization::Policy,
    dry_run: bool,
}

#[cfg(feature = "full")]
impl Policy {
    /// # Errors
    /// The file cannot be read, or is no policy.
    pub fn watch(settings: &Settings) -> Result<Policy, String> {
        use super::{news, run};
        use polywire::authorization::{self, PolicyError};

        let name = settings.file.display().to_string();
        // Why another one is not in use is logged.
        let tell = move |outcome: Result<(), &PolicyError>| {
            if outcome.is_ok() {
                news::say(format_args!("{name} read again"));
            }
        };
        let rules = authorization::Policy::builder().on_reload(tell).watch(&settings.file, run::LOOK);
        Policy::of(rules, settings)
    }

    /// As it is now, for readers: nothing looks at the file again.
    ///
    /// # Errors
    /// As of [`Policy::watch`].
    pub fn read(settings: &Settings) -> Result<Policy, String> {
        Policy::of(polywire::authorization::Policy::read(&settings.file), settings)
    }

    fn of<E: ToString>(
        rules: Result<polywire::authorization::Policy, E>,
        settings: &Settings,
    ) -> Result<Policy, String> {
        let dry_run = settings.dry_run;
        rules.map(|rules| Policy { rules, dry_run }).map_err(|wrong| wrong.to_string())
    }

    /// A server whose calls it decides about. The relay, which gets the others, counts those that it
    /// refuses, or would.
    pub fn guard(&self, server: Server, relay: &Relay) -> Server {
        let guard = Arc::new((self.clone(), relay.clone()));
        server.middleware(move |cx: Context, next: Next| {
            let guard = guard.clone();
            async move {
                let (policy, relay) = &*guard;
                if let Err(refused) = policy.rules.check(&cx) {
                    if !policy.dry_run {
                        relay.refused_by_policy(&cx, &refused);
                        return Ended::from(refused);
                    }
                    relay.passed_by_dry_run(&cx);
                }
                next.run(cx).await
            }
        })
    }

    /// What it says of a call, for readers. The caller has this name, or is nobody that is known.
    pub fn verdict(&self, called: (&str, &str), fields: &Metadata, identity: Option<&str>) -> String {
        let known = identity.map(Identity::named);
        let whom = identity.map_or("a caller that is not known".to_owned(), |name| format!("{name:?}"));
        match self.rules.explain(called, fields, known.as_ref()) {
            (true, Some(rule)) => format!("lets {whom} call it, by the rule {rule:?}"),
            (true, None) => format!("lets {whom} call it"),
            (false, Some(rule)) => format!("refuses it to {whom}, by the rule {rule:?}"),
            (false, None) => format!("refuses it to {whom}: no rule allows it"),
        }
    }

    /// Reads the file now. What becomes of it is said as at any other time.
    pub fn reload(&self) {
        let _ = self.rules.reload();
    }

    /// Returns when all records of its decisions are written.
    pub fn flush(&self) {
        self.rules.flush();
    }
}

#[derive(Clone)]
#[cfg(not(feature = "full"))]
pub struct Policy;

#[cfg(not(feature = "full"))]
impl Policy {
    /// # Errors
    /// Always.
    pub fn watch(_: &Settings) -> Result<Policy, String> {
        Err("policies are left out of this program: build it with `--features full`".into())
    }

    pub fn read(settings: &Settings) -> Result<Policy, String> {
        Policy::watch(settings)
    }

    pub fn guard(&self, server: Server, _: &Relay) -> Server {
        server
    }

    pub fn verdict(&self, _: (&str, &str), _: &Metadata, _: Option<&str>) -> String {
        String::new()
    }

    pub fn reload(&self) {}

    pub fn flush(&self) {}
}

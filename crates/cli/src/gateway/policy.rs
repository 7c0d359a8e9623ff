//! Who may call which method at a listener: a policy in a file of its own.

#[cfg(feature = "full")]
use polywire::{Context, Ended, Identity, Next};
use polywire::{Metadata, Server, gateway::Relay};
use std::path::Path;
#[cfg(feature = "full")]
use std::sync::Arc;

/// A policy in use, which is read again when its file changes.
#[derive(Clone)]
pub struct Policy(#[cfg(feature = "full")] polywire::authorization::Policy);

#[cfg(feature = "full")]
impl Policy {
    /// # Errors
    /// The file cannot be read, or is no policy.
    pub fn watch(path: &Path) -> Result<Policy, String> {
        use super::{news, run};
        use polywire::authorization::{self, PolicyError};

        let name = path.display().to_string();
        // Why another one is not in use is logged.
        let tell = move |outcome: Result<(), &PolicyError>| {
            if outcome.is_ok() {
                news::say(format_args!("{name} read again"));
            }
        };
        let policy = authorization::Policy::builder().on_reload(tell).watch(path, run::LOOK);
        policy.map(Policy).map_err(|wrong| wrong.to_string())
    }

    /// As it is now, for readers: nothing looks at the file again.
    ///
    /// # Errors
    /// As of [`Policy::watch`].
    pub fn read(path: &Path) -> Result<Policy, String> {
        let policy = polywire::authorization::Policy::read(path);
        policy.map(Policy).map_err(|wrong| wrong.to_string())
    }

    /// A server whose calls it decides about. The relay, which gets the others, counts those that it
    /// refuses.
    pub fn guard(&self, server: Server, relay: &Relay) -> Server {
        let guard = Arc::new((self.0.clone(), relay.clone()));
        server.middleware(move |cx: Context, next: Next| {
            let guard = guard.clone();
            async move {
                let (policy, relay) = &*guard;
                if let Err(refused) = policy.check(&cx) {
                    relay.refused_by_policy(&cx, &refused);
                    return Ended::from(refused);
                }
                next.run(cx).await
            }
        })
    }

    /// What it says of a call, for readers. The caller has this name, or is nobody that is known.
    pub fn verdict(&self, called: (&str, &str), fields: &Metadata, identity: Option<&str>) -> String {
        let known = identity.map(Identity::named);
        let whom = identity.map_or("a caller that is not known".to_owned(), |name| format!("{name:?}"));
        match self.0.explain(called, fields, known.as_ref()) {
            (true, Some(rule)) => format!("lets {whom} call it, by the rule {rule:?}"),
            (true, None) => format!("lets {whom} call it"),
            (false, Some(rule)) => format!("refuses it to {whom}, by the rule {rule:?}"),
            (false, None) => format!("refuses it to {whom}: no rule allows it"),
        }
    }

    /// Reads the file now. What becomes of it is said as at any other time.
    pub fn reload(&self) {
        let _ = self.0.reload();
    }

    /// Returns when all records of its decisions are written.
    pub fn flush(&self) {
        self.0.flush();
    }
}

#[cfg(not(feature = "full"))]
impl Policy {
    /// # Errors
    /// Always.
    pub fn watch(_: &Path) -> Result<Policy, String> {
        Err("policies are left out of this program: build it with `--features full`".into())
    }

    pub fn read(path: &Path) -> Result<Policy, String> {
        Policy::watch(path)
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

//! How long calls of a route may take, and how often they are tried, as a file says it.

use super::{
    cluster::MOST_RETRIES,
    document::Table,
    shadow::{check_method, is_named},
};
use polywire::{ConfigError, gateway::Routes};
use std::time::Duration;

#[derive(Default)]
pub struct Tries {
    timeout: Option<Duration>,
    retries: Option<u32>,
    /// Methods that may be executed twice.
    idempotent: Vec<String>,
}

impl Tries {
    /// Reads these keys of a route with these names.
    pub fn read(route: &Table<'_>, names: Option<&str>) -> Tries {
        let (timeout, retries) = (route.duration("timeout"), route.number("retries", MOST_RETRIES));
        let idempotent = route.texts("idempotent").unwrap_or_default();
        if timeout.is_some_and(|timeout| timeout.is_zero()) {
            let text = "no call has the time for an answer: leave it out for no limit by the route";
            route.wrong(route.at_key("timeout"), "timeout", text);
        }
        for method in &idempotent {
            check_method(route, ("idempotent", Routes::check_idempotent), method, names);
        }
        let idempotent = idempotent.into_iter().map(|method| method.value).collect();
        Tries { timeout, retries, idempotent }
    }

    /// Says it of the route that was added last.
    ///
    /// # Errors
    /// There are too many methods.
    pub fn add_to(&self, routes: Routes) -> Result<Routes, ConfigError> {
        let routes = self.timeout.into_iter().fold(routes, Routes::timeout);
        let routes = self.retries.into_iter().fold(routes, Routes::retries);
        self.idempotent.iter().try_fold(routes, |routes, method| routes.idempotent(method))
    }

    /// For a call of this method, for the operator; `None`: the route says nothing.
    pub fn words(&self, called: (&str, &str)) -> Option<String> {
        let timeout = self.timeout.map(|timeout| format!("at most {timeout:?}"));
        let retries = self.retries.map(|retries| match retries {
            0 => "tried once".to_owned(),
            1 => "1 further try".to_owned(),
            more => format!("{more} further tries"),
        });
        let may_run_twice = is_named(&self.idempotent, called);
        let twice =
            may_run_twice.then(|| "may run twice: tried again after its connection broke, too".to_owned());
        let all: Vec<_> = [timeout, retries, twice].into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

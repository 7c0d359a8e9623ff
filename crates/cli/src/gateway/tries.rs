//! How long calls of a route may take, and how often they are tried, as a file says it.

use super::{
    cluster::MOST_RETRIES,
    document::{Placed, Table},
    shadow::{check_method, is_named},
};
use polywire::{Code, ConfigError, gateway::Routes};
use polywire_base::nearest;
use std::time::Duration;

#[derive(Default)]
pub struct Tries {
    timeout: Option<Duration>,
    retries: Option<u32>,
    /// Methods that may be executed twice.
    idempotent: Vec<String>,
    /// Codes of answers after which those are tried again.
    retry_on: Vec<Code>,
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
        let retry_on = codes(route);
        let idempotent = idempotent.into_iter().map(|method| method.value).collect();
        Tries { timeout, retries, idempotent, retry_on }
    }

    /// Says it of the route that was added last.
    ///
    /// # Errors
    /// There are too many methods.
    pub fn add_to(&self, routes: Routes) -> Result<Routes, ConfigError> {
        let routes = self.timeout.into_iter().fold(routes, Routes::timeout);
        let routes = self.retries.into_iter().fold(routes, Routes::retries);
        let routes = self.idempotent.iter().try_fold(routes, |routes, method| routes.idempotent(method))?;
        self.retry_on.iter().try_fold(routes, |routes, code| routes.retry_on(*code))
    }

    /// Whether a call of this method may be executed twice.
    pub fn may_run_twice(&self, called: (&str, &str)) -> bool {
        is_named(&self.idempotent, called)
    }

    /// Whether it asks for tries after an answer, which only such calls have.
    pub fn lacks_idempotent(&self) -> bool {
        !self.retry_on.is_empty() && self.idempotent.is_empty()
    }

    /// Whether calls of any method may.
    pub fn may_any_run_twice(&self) -> bool {
        !self.idempotent.is_empty()
    }

    /// For a call of this method, for the operator; `None`: the route says nothing. `by_schema`: what is
    /// known of its method says that it may run twice.
    pub fn words(&self, called: (&str, &str), by_schema: bool) -> Option<String> {
        let timeout = self.timeout.map(|timeout| format!("at most {timeout:?}"));
        let retries = self.retries.map(|retries| match retries {
            0 => "tried once".to_owned(),
            1 => "1 further try".to_owned(),
            more => format!("{more} further tries"),
        });
        let may_run_twice = self.may_run_twice(called) || by_schema;
        let by = if self.may_run_twice(called) { "" } else { " by its schema" };
        let twice =
            may_run_twice.then(|| format!("may run twice{by}: tried again after its connection broke, too"));
        let again = (may_run_twice && !self.retry_on.is_empty()).then(|| {
            let names: Vec<_> = self.retry_on.iter().map(|code| code.name()).collect();
            format!("tried again after {}", names.join(", "))
        });
        let all: Vec<_> = [timeout, retries, twice, again].into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// The key `retry_on`: names of codes.
fn codes(route: &Table<'_>) -> Vec<Code> {
    let mut codes = Vec::new();
    for text in route.texts("retry_on").unwrap_or_default() {
        match code(route, "retry_on", &text) {
            Some(code) if codes.contains(&code) => {
                route.wrong(text.at, "retry_on", format_args!("{:?} is there twice", text.value));
            }
            code => codes.extend(code),
        }
    }
    codes
}

/// The code of a failure that the value of a key names, in either case. `None`: it is none, which is a
/// mistake.
pub fn code(table: &Table<'_>, key: &str, Placed { value, at }: &Placed<String>) -> Option<Code> {
    let name = value.to_ascii_uppercase();
    let found = Code::by_name(&name).filter(|code| *code != Code::Ok);
    if found.is_none() {
        let names = Code::ALL.into_iter().filter(|code| *code != Code::Ok).map(Code::name);
        let advice = match nearest(&name, names) {
            Some(near) => format!("did you mean {near:?}?"),
            None => "write a code of gRPC, such as \"UNAVAILABLE\"".to_owned(),
        };
        table.wrong(*at, key, format_args!("no failure {value:?}: {advice}"));
    }
    found
}

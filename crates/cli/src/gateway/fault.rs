//! Faults that a route injects into some of its calls, as a file says it, and what has come of them.

use super::{document::Table, plan::Plan, shadow::part, tries::code, when::When};
use polywire::{
    console::{self, Column, Mark},
    gateway::{Calls, RouteFigures, Routes},
    routing,
};
use std::time::Duration;

/// A call that waits longer is one that nobody waits for.
const LONGEST: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub struct Fault {
    calls: Calls,
    fault: routing::Fault,
    words: String,
}

impl Fault {
    /// Reads the key `fault` of a route. `None`: there is none, or a mistake was found.
    pub fn read(route: &Table<'_>) -> Option<Fault> {
        let table = route.table("fault")?;
        let (delay, abort) = (table.duration("delay"), table.text("abort"));
        let (share, when) = (table.text("share"), When::read(&table));
        let most = table.number("max_active", u32::MAX);
        table.finish();
        if let Some(delay) = delay.filter(|delay| delay.is_zero() || *delay > LONGEST) {
            let text = format!("{delay:?} is not more than 0s and at most 60s");
            table.wrong(table.at_key("delay"), "delay", text);
        }
        let abort = abort.and_then(|abort| code(&table, "abort", &abort));
        if delay.is_none() && abort.is_none() && table.is_well() {
            table.wrong(table.at(), "delay", "nothing happens: write `delay`, `abort` or both");
        }
        if most == Some(0) {
            table.wrong(table.at_key("max_active"), "max_active", "no call would have a fault");
        }
        let (share, part) = match share {
            None => ("100%".to_owned(), 1.0),
            Some(share) => match part(&share.value) {
                Some(part) => (share.value, part),
                None => {
                    let text = format!("{:?}: write a part of the calls such as \"1%\"", share.value);
                    table.wrong(share.at, "share", text);
                    return None;
                }
            },
        };
        let all = "*".parse::<Calls>().expect("all calls");
        let when = when?;
        let calls = when.add_to(all, &table)?;
        if !table.is_well() {
            return None;
        }
        let millionths = ((part * 1e6) as u32).max(1);
        let fraction = routing::Fraction::per_million(millionths);
        let mut fault = routing::Fault::new().max_active(most);
        let mut kinds = Vec::new();
        if let Some(delay) = delay {
            fault = fault.delay(delay, fraction);
            kinds.push(format!("{share} of the calls{} wait {delay:?}", when.words()));
        }
        if let Some(abort) = abort {
            fault = fault.abort(abort, fraction);
            kinds.push(format!("{share} of the calls{} fail with {}", when.words(), abort.name()));
        }
        Some(Fault { calls, fault, words: format!("fault: {}", kinds.join("; ")) })
    }

    /// Says it of the route that was added last.
    pub fn add_to(&self, routes: Routes) -> Routes {
        routes.fault(self.calls.clone(), self.fault.clone())
    }

    /// For the operator.
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// The routes that inject faults, and how often they have; `None`: there are none.
pub fn table(plan: &Plan, figures: &[RouteFigures]) -> Option<console::Table> {
    let columns = [
        Column::new("route"),
        Column::new("delayed").hint("calls since the start; polywire_gateway_fault_total"),
        Column::new("aborted"),
        Column::new("fault").wide(),
    ];
    let mut table = console::Table::new("faults", columns);
    let mut is_empty = true;
    for (name, route) in plan.labelled() {
        let Some(fault) = &route.fault else { continue };
        let injected = figures.iter().find(|one| *one.name == *name).map_or([0; 2], |one| one.injected);
        let [delayed, aborted] = injected.map(console::Value::from);
        let cells = [name.clone().into(), delayed, aborted, fault.words().to_owned().into()];
        table.push(name, Mark::Warn, cells);
        is_empty = false;
    }
    (!is_empty).then_some(table)
}

//! How often each caller may call, at a listener or by a route.

use super::document::Table;
use polywire::{
    Context, Next, Server,
    gateway::{Calls, Relay},
    overload::{RateBy, Rates},
};
use std::sync::Arc;

/// Reads the key `rate`.
pub fn read(table: &Table<'_>) -> Option<Rates> {
    let table = table.table("rate")?;
    let (limit, by, dry_run) = (table.text("limit"), table.text("by"), table.flag("dry_run"));
    table.finish();
    if !table.has("limit") {
        table.missing("limit", "as in \"100/s\" or \"100/min burst 20\"");
    }
    let by = by.map(|by| match &*by.value {
        "caller" => RateBy::Caller,
        "address" => RateBy::Address,
        "all" => RateBy::All,
        other => match other.strip_prefix("field ").map(str::trim) {
            // As names of fields are checked where routes ask for them.
            Some(name) if "*".parse().is_ok_and(|calls: Calls| calls.field(name, "").is_ok()) => {
                RateBy::Field(name.into())
            }
            _ => {
                let text = format!("{other:?}: write \"caller\", \"address\", \"field NAME\" or \"all\"");
                table.wrong(by.at, "by", text);
                RateBy::Caller
            }
        },
    });
    let limit = limit?;
    let rates: Rates = limit.value.parse().map_err(|wrong| table.wrong(limit.at, "limit", wrong)).ok()?;
    Some(rates.by(by.unwrap_or_default()).dry_run(dry_run))
}

/// A server with these rates. A dry run is asked where the route of a call is known, by which the relay
/// counts.
pub fn limit(server: Server, rates: &Rates, relay: &Relay) -> Server {
    if !rates.is_dry_run() {
        return server.admission(rates.clone());
    }
    let dry_run = Arc::new((rates.clone(), relay.clone()));
    server.middleware(move |cx: Context, next: Next| {
        let dry_run = dry_run.clone();
        async move {
            let (rates, relay) = &*dry_run;
            if rates.exceeded(&cx).is_some() {
                relay.passed_by_dry_rate(&cx);
            }
            next.run(cx).await
        }
    })
}

/// In some words, for the operator.
pub fn words(rates: &Rates) -> String {
    let text = match rates.is_dry_run() {
        true => "counted, nobody is refused",
        false => "further calls are refused",
    };
    format!("{rates}: {text}")
}

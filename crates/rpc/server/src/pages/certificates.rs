//! `/certificates`: the certificates that new connections are served with, and whether changed files are in
//! use.

use super::{Asked, Methods, ServerFacts};
use crate::findings::certificate_mark;
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View};
use polywire_engine::{Fault, clock};
use std::time::UNIX_EPOCH;

/// The certificates that a server serves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Served {
    pub certificates: Vec<ServedCertificate>,
    /// Why changed files are not in use.
    pub broken: Option<String>,
    /// When those in use were loaded: seconds since 1970.
    pub loaded: f64,
}

/// One certificate.
#[derive(Clone, Debug)]
pub(crate) struct ServedCertificate {
    pub file: String,
    pub names: Vec<String>,
    pub issuer: String,
    /// Seconds since 1970.
    pub from: i64,
    pub until: i64,
}

/// Seconds since 1970 by the server's clock.
pub(crate) fn seconds_now() -> f64 {
    clock::system_time().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

pub(super) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let server = facts.server()?;
    let Some(served) = server.certificates() else {
        return Ok(View::new("Certificates").note("This server has no TLS: Server::tls(..)."));
    };
    let now = seconds_now();
    let broken = served.broken.clone();
    let state = vec![
        Fact::new("loaded_ago", Value::Seconds((now - served.loaded).max(0.0))),
        match broken {
            Some(why) => Fact::new("changed_files", why).mark(Mark::Bad).note("those before stay in use"),
            None => Fact::new("changed_files", "none that could not be used"),
        },
    ];
    let columns = [
        Column::new("names").hint("DNS names, or the common name"),
        Column::new("ends_in").hint("negative: it has ended"),
        Column::new("life_left").hint("the part of its life that is left"),
        Column::new("issuer"),
        Column::new("file").wide(),
    ];
    let mut table = Table::new("certificates", columns);
    let mut all = served.certificates;
    all.order_by_key(|one| one.until);
    for (number, one) in all.into_iter().enumerate() {
        let (left, life) = (one.until as f64 - now, (one.until - one.from) as f64);
        let mark = certificate_mark(left, life);
        let share = Value::Ratio((left / life.max(1.0)).clamp(0.0, 1.0));
        let cells =
            [one.names.join(" ").into(), Value::Seconds(left), share, one.issuer.into(), one.file.into()];
        table.push(number.to_string(), mark, cells);
    }
    let mut failures = Table::new("failures", [Column::new("cause"), Column::new("connections")])
        .empty("No handshake has failed since the start.");
    for (fault, number) in handshakes(&*server).into_iter().filter(|(_, number)| *number > 0) {
        let cause = fault.cause();
        failures.push(cause, Mark::Fine, [cause.into(), number.into()]);
    }
    Ok(View::new("Certificates").section(Section::Facts("reload", state)).table(table).table(failures))
}

fn handshakes(server: &dyn Methods) -> [(Fault, u64); 7] {
    [
        Fault::TlsHandshake,
        Fault::TlsHandshakeLate,
        Fault::TlsCertificate,
        Fault::TlsRecord,
        Fault::TlsTruncated,
        Fault::NotTls,
        Fault::TlsReload,
    ]
    .map(|fault| (fault, server.faults().count(fault)))
}

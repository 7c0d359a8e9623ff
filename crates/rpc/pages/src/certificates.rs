//! `/certificates`: the certificates that new connections are served with, and whether changed files are in
//! use.

use crate::{asked::Asked, facts::ServerFacts, findings::certificate_mark};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View};
use polywire_engine::Fault;
use polywire_server::facts::LiveServer;
use polywire_server::facts::seconds_now;

pub(crate) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
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

fn handshakes(server: &dyn LiveServer) -> [(Fault, u64); 7] {
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

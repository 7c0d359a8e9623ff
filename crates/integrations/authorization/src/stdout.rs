//! `stdout_logger`: a line of JSON for each record, written by a thread of its own.
//!
//! Limits: 16 384 lines wait for the thread, constant. A shard does not wait for whoever reads the output:
//!         further records are dropped and counted in a warning.

use crate::audit::{AuditLogger, AuditRecord};
use polywire_base::{LineGate, calendar::Date};
use serde::Serialize;
use std::{
    io,
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

const MOST_WAITING: usize = 16 << 10;
/// Bytes that are gathered before a write.
const BATCH: usize = 64 << 10;

pub(crate) type Output = Box<dyn io::Write + Send>;

pub(crate) struct StdoutLogger {
    waiting: SyncSender<Item>,
    dropped: AtomicU64,
    gate: LineGate,
}

enum Item {
    Line(String),
    /// To be answered when all before it are written.
    Mark(Sender<()>),
}

impl StdoutLogger {
    pub fn start(output: Output) -> io::Result<Self> {
        Self::start_with(output, MOST_WAITING)
    }

    pub fn start_with(output: Output, most: usize) -> io::Result<Self> {
        let (waiting, lines) = sync_channel(most);
        // It ends with the logger.
        thread::Builder::new().name("polywire-audit".into()).spawn(move || write(output, &lines))?;
        Ok(StdoutLogger { waiting, dropped: AtomicU64::new(0), gate: LineGate::one_in(60) })
    }
}

impl AuditLogger for StdoutLogger {
    fn log(&self, record: &AuditRecord<'_>) {
        if self.waiting.try_send(Item::Line(line(record))).is_err() {
            let dropped = self.dropped.fetch_add(1, Relaxed) + 1;
            if self.gate.pass().is_some() {
                tracing::warn!(
                    dropped,
                    "audit records are dropped: nobody reads the output as fast as they come"
                );
            }
        }
    }

    fn flush(&self) {
        let (told, written) = channel();
        if self.waiting.send(Item::Mark(told)).is_ok() {
            let _ = written.recv(); // an error: the thread is gone, and nothing can be written
        }
    }
}

fn write(mut output: Output, lines: &Receiver<Item>) {
    let gate = LineGate::one_in(60);
    let mut gathered = String::new();
    while let Ok(item) = lines.recv() {
        let (mut next, mut marks) = (Some(item), Vec::new());
        while let Some(item) = next {
            match item {
                Item::Line(line) => gathered.push_str(&line),
                Item::Mark(told) => marks.push(told),
            }
            next = if gathered.len() < BATCH { lines.try_recv().ok() } else { None };
        }
        if let Err(error) = output.write_all(gathered.as_bytes()).and_then(|()| output.flush())
            && gate.pass().is_some()
        {
            tracing::warn!(%error, "audit records cannot be written and are lost");
        }
        gathered.clear();
        for told in marks {
            let _ = told.send(()); // it may not wait any more
        }
    }
}

/// A line of the audit log, with the keys that gRFC A59 gives it.
#[derive(Serialize)]
struct Line<'r> {
    grpc_audit_log: Fields<'r>,
}

#[derive(Serialize)]
struct Fields<'r> {
    timestamp: String,
    rpc_method: &'r str,
    principal: &'r str,
    policy_name: &'r str,
    matched_rule: &'r str,
    authorized: bool,
    /// Ours; left out where it says nothing more than the principal.
    #[serde(skip_serializing_if = "str::is_empty")]
    identity: &'r str,
}

fn line(record: &AuditRecord<'_>) -> String {
    let identity = if record.identity == record.principal { "" } else { record.identity };
    let fields = Fields {
        timestamp: timestamp(record.at),
        rpc_method: record.method,
        principal: record.principal,
        policy_name: record.policy,
        matched_rule: record.rule,
        authorized: record.authorized,
        identity,
    };
    let mut line = serde_json::to_string(&Line { grpc_audit_log: fields }).expect("texts and a flag");
    line.push('\n');
    line
}

/// RFC 3339 with nanoseconds, in UTC.
fn timestamp(at: SystemTime) -> String {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let Date { year, month, day } = Date::of_day(days as i64);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let nanos = since.subsec_nanos();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    fn record<'r>(identity: &'r str, rule: &'r str, authorized: bool) -> AuditRecord<'r> {
        AuditRecord {
            at: UNIX_EPOCH + Duration::new(1_767_323_045, 999_999_999),
            method: "/pkg.Service/Foo",
            principal: "spiffe://foo/user1",
            identity,
            policy: "example_policy",
            rule,
            authorized,
        }
    }

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);
    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            polywire_base::lock(&self.0).write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The example of A59.
    #[test]
    fn a_record_is_a_line() {
        let written = Written::default();
        let logger = StdoutLogger::start(Box::new(written.clone())).unwrap();
        logger.log(&record("spiffe://foo/user1", "admin_access", true));
        logger.log(&record("a\"\n", "", false));
        logger.flush();
        let text = String::from_utf8(polywire_base::lock(&written.0).clone()).unwrap();
        let begin = r#"{"grpc_audit_log":{"timestamp":"2026-01-02T03:04:05.999999999Z","rpc_method":"/pkg.Service/Foo","#;
        let who = r#""principal":"spiffe://foo/user1","policy_name":"example_policy","#;
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                format!(r#"{begin}{who}"matched_rule":"admin_access","authorized":true}}}}"#),
                format!(r#"{begin}{who}"matched_rule":"","authorized":false,"identity":"a\"\n"}}}}"#),
            ]
        );
    }

    /// Says that it has something to write, and writes nothing before it may.
    struct Stuck {
        begun: Sender<()>,
        goes: Receiver<()>,
    }
    impl io::Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.begun.send(());
            let _ = self.goes.recv(); // an error: it may always
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_an_output_that_is_not_read() {
        let (begun, has_begun) = channel();
        let (go, goes) = channel();
        let logger = StdoutLogger::start_with(Box::new(Stuck { begun, goes }), 2).unwrap();
        logger.log(&record("", "", false));
        has_begun.recv().unwrap();
        for _ in 0..100 {
            logger.log(&record("", "", false));
        }
        assert_eq!(logger.dropped.load(Relaxed), 98);
        drop(go);
        logger.flush();
    }
}

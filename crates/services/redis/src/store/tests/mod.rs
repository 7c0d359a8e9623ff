//! Replies that are marked "captured" are those of redis-server 7.0.15. In addition, random sequences of all
//! commands were compared with it.

mod keys;
mod memory;
mod replies;
mod scans;
mod shards;
mod transactions;
mod values;

use super::{
    Now, Options, Session, Store,
    lane::{Long, Place},
};
use crate::{Command, ReplyBuf, Value, Version};
use std::sync::Arc;

/// A connection to a store, with a clock set by hand.
struct Peer {
    store: Arc<Store>,
    session: Session,
    version: Version,
    unix_ms: u64,
}

impl Peer {
    fn new(options: Options) -> Self {
        let unix_ms = 1_700_000_000_000;
        let store = Arc::new(Store::new_at(options, Now::at(unix_ms)));
        Peer { store, session: Session::default(), version: Version::Resp2, unix_ms }
    }

    /// Another connection to the same store.
    fn beside(&self) -> Peer {
        Peer { store: self.store.clone(), session: Session::default(), ..*self }
    }

    fn wait_ms(&mut self, time: u64) {
        self.unix_ms += time;
    }

    fn send(&mut self, command: &Command) -> String {
        let mut out = ReplyBuf::default();
        self.store.execute(
            &Now::at(self.unix_ms),
            &mut self.session,
            &command.wire(),
            self.version,
            &mut out,
        );
        let out = out.take().into_bytes();
        Value::parse(out.clone()).expect("one whole reply");
        String::from_utf8_lossy(&out).replace("\r\n", " ").trim_end().to_owned()
    }

    /// The reply, if the command can run on a shard.
    fn send_on_a_shard(&mut self, command: &Command) -> Result<String, Long> {
        let (mut out, now) = (ReplyBuf::default(), Now::at(self.unix_ms));
        let (wire, version) = (command.wire(), self.version);
        self.store.execute_at(Place::Shard, &now, &mut self.session, &wire, version, &mut out)?;
        Ok(String::from_utf8_lossy(&out.take().into_bytes()).replace("\r\n", " ").trim_end().to_owned())
    }

    /// Whether a shard leaves this command to the work pool.
    #[track_caller]
    fn leaves(&mut self, line: &str) -> bool {
        self.send_on_a_shard(&Command::parse(line).expect("a command")).is_err()
    }

    #[track_caller]
    fn says(&mut self, line: &str, reply: &str) -> &mut Self {
        assert_eq!(self.send(&Command::parse(line).expect("a command")), reply, "{line}");
        self
    }
}

fn peer() -> Peer {
    Peer::new(Options::default())
}

const WRONG_TYPE: &str = "-WRONGTYPE Operation against a key holding the wrong kind of value";
const NOT_AN_INTEGER: &str = "-ERR value is not an integer or out of range";

/// Fills a list, a hash and a set with this many items.
fn fill(p: &mut Peer, items: usize) {
    for n in (0..items).step_by(1000) {
        let names: Vec<_> = (n..items.min(n + 1000)).collect();
        p.send(&Command::new("RPUSH").arg("l").arg_list(&names));
        p.send(&Command::new("SADD").arg("s").arg_list(&names));
        p.send(&Command::new("HSET").arg("h").arg_list(names.iter().flat_map(|name| [name, name])));
    }
    p.send(&Command::new("SETRANGE").arg("t").arg(512 * items).arg("x"));
}

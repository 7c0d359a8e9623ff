//! The store as a service.

use super::{
    Now, Session, Store,
    lane::{Long, Place},
};
use crate::{Execution, RedisService, ReplyBuf, Version};
use polywire_server::Context;
use std::sync::Mutex;

/// The session of a connection. Commands of a connection come one at a time, so this lock is never contended.
#[derive(Default)]
struct Connection(Mutex<Session>);

impl RedisService for Store {
    #[inline]
    fn execute(&self, cx: &Context, command: &[u8], out: &mut ReplyBuf, version: Version) -> Execution {
        let shared;
        let connection = match cx.first_session::<Connection>() {
            Some(connection) => connection,
            None => {
                shared = cx.session(Connection::default);
                &*shared
            }
        };
        let mut session = polywire_base::lock(&connection.0);
        match self.execute_at(Place::Shard, &Now::system(), &mut session, command, version, out) {
            Ok(()) => Execution::Done,
            Err(Long) => Execution::Long,
        }
    }

    async fn execute_long(&self, cx: &Context, command: &[u8], out: &mut ReplyBuf, version: Version) {
        let _alone = self.keyspace.lane.write().await;
        let connection = cx.session(Connection::default);
        let mut session = polywire_base::lock(&connection.0);
        Store::execute(self, &Now::system(), &mut session, command, version, out);
    }
}

//! An engine of 64 shards, on however few processors there are.

use crate::{
    support::{Closures, from_fn, number},
    talk::{Line, Talk, TalkClient},
};
use polywire::{Bounds, Channel, Engine, Server};
use polywire_engine::home;
use std::{collections::BTreeMap, net::TcpListener, time::Duration};

const SHARDS: usize = 64;
/// Connections for each shard.
const EACH: usize = 3;
const CALLS: u32 = 5;
/// A busy machine takes its time.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn connections_are_spread_evenly_and_each_call_gets_its_own_answer() {
    // One line: what it was sent, and the shard that has its connection, wherever the handler runs.
    let places = Closures::default().count(|_, request| {
        let shard = home().expect("it is called by a shard").index();
        let mut line = Some(Ok(Line { text: shard.to_string(), ..request }));
        Ok(from_fn(move || line.take()))
    });
    let engine = Engine::builder().shards(SHARDS).workers(2).build().unwrap();
    // On a busy machine calls wait for a processor for longer than the server would let them.
    let bounds = Bounds::default().shedding(None);
    let server = Server::new().service(places.into_service()).engine(&engine).bounds(bounds);
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let address = running.addresses()[0].to_string();

    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let calls_by_shard = runtime.block_on(async {
        let callers: Vec<_> = (0..SHARDS * EACH)
            .map(|caller| {
                let builder = Channel::builder(address.clone()).protocol("grpc");
                let talk = TalkClient::new(builder.timeout(LONG).connect_timeout(LONG).build().unwrap());
                tokio::spawn(async move {
                    let mut shards = Vec::new();
                    for n in 0..CALLS {
                        let sent = caller as u32 * CALLS + n;
                        let mut lines = talk.count(number(sent)).await.unwrap();
                        let line = lines.next().await.unwrap().unwrap();
                        assert_eq!(line.number, sent);
                        assert!(lines.next().await.is_none());
                        shards.push(line.text);
                    }
                    // A connection stays on its shard.
                    assert!(shards.iter().all(|shard| *shard == shards[0]), "{shards:?}");
                    (talk, shards)
                })
            })
            .collect();
        let mut calls = BTreeMap::<String, u32>::new();
        let mut open = Vec::new(); // a connection that ends would make room on its shard
        for caller in callers {
            let (talk, shards) = caller.await.unwrap();
            open.push(talk);
            shards.into_iter().for_each(|shard| *calls.entry(shard).or_default() += 1);
        }
        let connections: Vec<_> = engine.shards().iter().map(|shard| shard.connections()).collect();
        assert_eq!(connections, [EACH; SHARDS]);
        calls
    });
    assert_eq!(calls_by_shard.len(), SHARDS);
    assert!(calls_by_shard.values().all(|calls| *calls == EACH as u32 * CALLS), "{calls_by_shard:?}");
}

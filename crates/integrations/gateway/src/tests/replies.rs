//! What replies take that callers do not read.

use super::*;
use polywire_call::Code;
use polywire_client::Target;
use polywire_engine::memory::Memory;
use polywire_server::Bounds;

const BIG: Target = Target::fixed(SERVICE, "Big");
/// Bytes of a reply.
const LONG: usize = 1 << 20;
const LIMIT: usize = 16 << 20;
const CALLS: usize = 64;

/// What is charged for a connection without calls is below this.
const LITTLE: usize = 300 << 10;

async fn until(memory: &Memory, is_so: impl Fn(usize) -> bool) {
    for _ in 0..10_000 {
        if is_so(memory.report().used) {
            return;
        }
        tokio::time::sleep(ms(1)).await;
    }
    panic!("{:?}", memory.report());
}

#[tokio::test(start_paused = true)]
async fn tiny_calls_with_long_replies_that_nobody_reads_stay_within_the_budget() {
    let all = [("grpc", "grpc"), ("grpc", "baidu_std"), ("baidu_std", "grpc"), ("baidu_std", "baidu_std")];
    for (front, back) in all.into_iter().chain([("grpc", "http:proto"), ("grpc", "h2:proto")]) {
        let net = Net::<Lab>::seeded(1);
        let big = method("Big", |_| async {
            tokio::time::sleep(ms(20)).await;
            Ok(ok(vec![7; LONG]))
        });
        net.serve("behind:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(big)));
        let bounds = Bounds::default().memory(LIMIT).shared_memory();
        let memory = bounds.budget().expect("a limit");
        let below = net.host("relay").builder("behind:1").protocol(back).timeout(None);
        let below = below.memory(memory.clone()).build().expect("a channel");
        net.serve("relay:1", Server::<Lab>::new().bounds(bounds).catch_all(Relay::to(below)));
        let caller = |name: &str| {
            let builder = net.host(name).builder("relay:1").protocol(front).timeout(ms(3000));
            builder.build().expect("a channel")
        };
        let (other, deaf) = (caller("other"), caller("deaf"));
        for channel in [&other, &deaf] {
            assert_eq!(channel.call(BIG, "").await.expect("a reply").body.len(), LONG);
        }
        until(&memory, |used| used < 2 * LITTLE).await;

        // One caller reads nothing from now on.
        net.link_between("deaf", "relay:1").to_client().bandwidth(1);
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                let deaf = deaf.clone();
                tokio::spawn(async move { deaf.call(BIG, "").retries(0).await.is_ok() })
            })
            .collect();
        until(&memory, |used| used > LIMIT / 10 * 8).await;
        tokio::time::sleep(ms(100)).await;
        // Refused, or not read while memory is scarce.
        let status = other.call(BIG, "").retries(0).await.expect_err("no room");
        let is_held_up = [Code::ResourceExhausted, Code::DeadlineExceeded].contains(&status.code());
        assert!(is_held_up, "{front} {back}: {status}");

        for call in calls {
            assert!(!call.await.expect("it ends"));
        }
        drop(deaf);
        until(&memory, |used| used < 2 * LITTLE).await;
        let highest = memory.report().highest;
        assert!(highest < LIMIT + 2 * LONG, "{front} {back}: {highest}");
        let reply = other.call(BIG, "").await.expect("there is room again");
        assert_eq!(reply.body.to_vec(), vec![7; LONG]);
        drop(reply);
        until(&memory, |used| used < 2 * LITTLE).await;
    }
}

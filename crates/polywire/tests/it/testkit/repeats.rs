//! Two runs with one seed are alike.

use super::{echo, line, ms, talk::TalkClient};
use polywire::{Server, testkit::Net};

/// What happens in a run with all kinds of faults, and what its callers see.
fn run(seed: u64) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let net = Net::seeded(seed);
        net.serve("a:1", Server::new().service(echo()));
        let b = net.serve("b:1", Server::new().service(echo()));
        net.link("a:1").delay(ms(3)).jitter(ms(40)).bandwidth(50_000);
        net.link("b:1").jitter(ms(9));
        let mut calls = Vec::new();
        for n in 0..8 {
            let (to, protocol) = (["a:1", "b:1"][n % 2], ["baidu_std", "grpc", "http"][n % 3]);
            let channel = net.host(&format!("client{n}")).builder(to).protocol(protocol).build().unwrap();
            let client = TalkClient::new(channel);
            calls.push(tokio::spawn(async move {
                let mut said = Vec::new();
                for k in 0..12 {
                    let reply = client.say(line(&"x".repeat(k * 300))).timeout(ms(200)).await;
                    said.push(format!(
                        "{n}: {:?}",
                        reply.map(|reply| reply.text.len()).map_err(|why| why.code())
                    ));
                }
                said
            }));
        }
        tokio::time::sleep(ms(60)).await;
        net.link("a:1").drop_after(2000);
        b.crash();
        tokio::time::sleep(ms(60)).await;
        net.serve("b:1", Server::new().service(echo()));
        net.partition("client3", "b:1");
        tokio::time::sleep(ms(60)).await;
        net.heal("client3", "b:1");
        let mut all = Vec::new();
        for call in calls {
            all.extend(call.await.unwrap());
        }
        all.extend(net.log().iter().map(ToString::to_string));
        all
    })
}

#[test]
fn a_seed_is_the_whole_run() {
    let first = run(11);
    assert!(first.len() > 200, "much happens: {} lines", first.len());
    for _ in 0..3 {
        let again = run(11);
        let differs = first.iter().zip(&again).position(|(one, other)| one != other);
        assert_eq!(differs.map(|n| (&first[n], &again[n])), None);
        assert_eq!(first.len(), again.len());
    }
    assert_ne!(first, run(12), "another seed, another run");
}

//! Faults that a route injects.

use super::{
    tries::{PAIRS, routed},
    *,
};
use crate::{Figures, Routes};
use polywire_call::Code;
use polywire_client::Target;
use polywire_metrics::Registry;
use polywire_routing::{Fault, Fraction};
use polywire_wire::Part;
use std::{
    future::IntoFuture,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

const PLACE: Target = Target::fixed(SERVICE, "Place");
const ALL: Fraction = Fraction::percent(100);

/// Counts its calls.
fn counts(calls: &Arc<AtomicU32>) -> Method {
    let calls = calls.clone();
    method("Place", move |call: Call| {
        calls.fetch_add(1, Relaxed);
        async move { Ok(ok(call.body)) }
    })
}

fn only_chaos(routes: Routes, fault: Fault) -> Routes {
    let calls: crate::Calls = "*".parse().expect("all calls");
    routes.fault(calls.field("x-chaos", "1").expect("a field"), fault)
}

#[tokio::test(start_paused = true)]
async fn an_injected_failure_is_marked_and_nothing_of_the_call_is_sent() {
    for pair in PAIRS {
        let (calls, figures) = (Arc::default(), Figures::new());
        let way = figures.way("*", "stock", pair.1);
        let fault = Fault::new().abort(Code::Unavailable, ALL);
        let chain = routed(
            pair,
            counts(&calls),
            |cluster| cluster.counted(&way),
            |routes| only_chaos(routes, fault).retries(3),
        );
        let refused = chain.channel.call(PLACE, "").metadata("x-chaos", "1").await.expect_err("a fault");
        assert_eq!(refused.code(), Code::Unavailable, "{pair:?}");
        assert_eq!(refused.metadata().get_str("polywire-gateway"), Some("fault"), "{pair:?} {refused}");
        assert!(!refused.is_retryable() && refused.message().contains("on purpose"), "{pair:?} {refused}");
        for other in ["0", ""] {
            let reply = chain.channel.call(PLACE, "a lamp").metadata("x-chaos", other).await;
            assert_eq!(reply.expect("a reply").body.to_vec(), b"a lamp", "{pair:?}");
        }
        assert_eq!(calls.load(Relaxed), 2, "{pair:?}");
        let registry = Registry::new();
        figures.expose(&registry);
        let text = registry.prometheus();
        for line in [
            r#"polywire_gateway_fault_total{route="*",kind="abort"} 1"#,
            r#"polywire_gateway_refused_total{route="*",reason="fault"} 1"#,
            r#"polywire_gateway_errors_total{route="*",side="gateway"} 1"#,
            r#"polywire_gateway_errors_total{route="*",side="upstream"} 0"#,
        ] {
            assert!(text.lines().any(|shown| shown == line), "{pair:?} {line}\n{text}");
        }
        assert_eq!(figures.routes()[0].injected, [0, 1]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_delay_comes_before_the_call_and_is_no_part_of_its_routes_time() {
    for pair in PAIRS {
        let calls = Arc::default();
        let fault = Fault::new().delay(ms(400), ALL);
        let chain = routed(
            pair,
            counts(&calls),
            |one| one,
            |routes| only_chaos(routes.timeout(ms(300)), fault.clone()),
        );
        let begin = tokio::time::Instant::now();
        chain.channel.call(PLACE, "").metadata("x-chaos", "1").await.expect("a reply");
        assert!(begin.elapsed() >= ms(400) && begin.elapsed() < ms(700), "{pair:?} {:?}", begin.elapsed());
        let late = chain.channel.call(PLACE, "").metadata("x-chaos", "1").timeout(ms(100)).await;
        assert_eq!(late.expect_err("no time is left").code(), Code::DeadlineExceeded, "{pair:?}");
        tokio::time::sleep(ms(1000)).await;
        assert_eq!(calls.load(Relaxed), 1, "{pair:?}: a call whose time is over is not sent");
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_than_the_limit_wait_at_a_time_and_their_places_are_given_back() {
    let calls = Arc::default();
    for (most, wait) in [(Some(3), 3), (None, 100)] {
        let fault = Fault::new().delay(ms(1000), ALL).abort(Code::Aborted, ALL).max_active(most);
        let chain = routed(
            ("grpc", "baidu_std"),
            counts(&calls),
            |one| one,
            |routes| routes.fault("*".parse().expect("all calls"), fault),
        );
        for _ in 0..2 {
            let call = |_| chain.channel.call(PLACE, "").into_future();
            let mut ended = tokio::task::JoinSet::new();
            (0..wait + 7).map(call).for_each(|call| {
                ended.spawn(call);
            });
            let ended = ended.join_all().await;
            let failed = ended.iter().filter(|ended| ended.is_err()).count();
            assert_eq!((failed, ended.len()), (wait, wait + 7), "others are as without");
        }
        // Callers that give up leave their places, too.
        for _ in 0..wait + 1 {
            let given_up = tokio::time::timeout(ms(10), chain.channel.call(PLACE, "").into_future()).await;
            assert!(given_up.is_err(), "it waits");
            tokio::time::sleep(ms(10)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn streams_have_faults_before_their_first_message_goes_on() {
    let echo = streaming("Place", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        while let Some(part) = source.next().await {
            sink.send(Part::message(part?.bytes)).await?;
        }
        Ok(Outcome::default())
    });
    let fault = Fault::new().delay(ms(200), ALL);
    let chain = routed(("grpc", "grpc"), echo, |one| one, |routes| only_chaos(routes, fault));
    let begin = tokio::time::Instant::now();
    let mut stream =
        chain.channel.stream(PLACE).metadata("x-chaos", "1").message("a lamp").await.expect("one");
    let reply = stream.next().await.expect("a reply").expect("a reply");
    assert_eq!(reply.bytes.to_vec(), b"a lamp");
    assert!(begin.elapsed() >= ms(200), "{:?}", begin.elapsed());
}

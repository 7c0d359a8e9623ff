//! Copies of calls that stream.

use super::*;

const LONG: usize = 64 << 10;

/// Answers each message.
fn echoes() -> Method {
    streaming("Place", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        while let Some(part) = source.next().await.transpose()? {
            sink.send(Part::message(part.bytes)).await?;
        }
        Ok(Outcome::default())
    })
}

/// What the shadow says next, if it does.
async fn said<T>(told: &mut mpsc::UnboundedReceiver<T>) -> Option<T> {
    tokio::time::timeout(ms(60_000), told.recv()).await.ok().flatten()
}

/// By turns, so that each message goes on before the next.
async fn talk(caller: &Channel<Lab>, messages: usize, long: usize) {
    let mut stream = caller.stream(PLACE).metadata("x-tenant", "acme").await.expect("a stream");
    for k in 0..messages {
        stream.send(vec![k as u8; long]).await.expect("it is sent");
        let answer = stream.next().await.expect("an answer").expect("no failure");
        assert_eq!(answer.bytes.to_vec(), vec![k as u8; long]);
    }
    stream.finish();
    assert!(stream.next().await.transpose().expect("no failure").is_none());
}

impl Lane {
    /// Waits until no copy holds anything.
    async fn emptied(&self) {
        for _ in 0..10_000 {
            if self.figures.shadow("*", "new").budget.held() == (0, 0) {
                return;
            }
            tokio::time::sleep(ms(1)).await;
        }
        panic!("{:?}", self.figures.shadow("*", "new").budget.held());
    }
}

#[tokio::test(start_paused = true)]
async fn a_copy_of_a_stream_has_its_messages_in_order_and_its_answers_are_thrown_away() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let new = streaming("Place", move |mut call: Call| {
        let tell = tell.clone();
        async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            let fields = ["x-tenant", "polywire-shadow"];
            let fields = fields.map(|name| call.cx.metadata().get_str(name).map(str::to_owned));
            let mut messages = Vec::new();
            while let Some(part) = source.next().await.transpose()? {
                messages.push(part.bytes.to_vec());
                for _ in 0..100 {
                    sink.send(Part::message(vec![0; LONG].into())).await?;
                }
            }
            let _ = tell.send((messages, fields));
            Ok(Outcome::default())
        }
    });
    let lane = Lane::of(echoes, new).copying(|shadow, _| shadow.compare().streams(true));
    talk(&lane.caller("grpc"), 3, 1).await;
    let (messages, fields) = said(&mut told).await.expect("a call");
    assert_eq!(messages, [[0], [1], [2]]);
    assert_eq!(fields.each_ref().map(Option::as_deref), [Some("acme"), Some("1")]);
    lane.emptied().await;
    let figures = lane.figures();
    assert_eq!((figures.sent, figures.dropped, figures.failed, figures.skipped), (1, 0, 0, 0));
    // A call of one message is copied and compared as without.
    lane.caller("grpc").call(PLACE, "a lamp").await.expect("a reply");
    let figures = lane.until(|one| one.sent == 2).await;
    assert_eq!((figures.skipped, figures.dropped), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_shadow_that_reads_no_stream_holds_no_caller_up_and_its_copy_ends() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let reads_nothing = streaming("Place", move |call: Call| {
        let held = (call, AtEnd(tell.clone()));
        async move {
            let _held = held;
            std::future::pending().await
        }
    });
    let took = async |lane: &Lane| {
        let caller = lane.caller("grpc");
        let begin = tokio::time::Instant::now();
        talk(&caller, 100, LONG).await;
        begin.elapsed()
    };
    let plain = Lane::of(echoes, echoes());
    plain.relay.replace(Routes::new().to("*".parse().expect("names"), &plain.old).expect("a route"));
    let usual = took(&plain).await;
    let lane = Lane::of(echoes, reads_nothing).copying(|shadow, _| shadow.streams(true));
    assert_eq!(took(&lane).await, usual);
    assert_eq!(said(&mut told).await, Some("over"), "it is cancelled");
    lane.emptied().await;
    let figures = lane.figures();
    assert_eq!((figures.sent, figures.dropped, figures.failed), (1, 1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_copy_ends_with_its_call_and_does_not_seem_to_end_in_order() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let new = streaming("Place", move |mut call: Call| {
        let (tell, over) = (tell.clone(), AtEnd(tell.clone()));
        async move {
            let _over = over;
            let (mut source, _sink) = call.stream.take().expect("a stream");
            while let Some(Ok(_)) = source.next().await {
                let _ = tell.send("message");
            }
            if source.end().is_none_or(|status| status.is_ok()) {
                let _ = tell.send("end");
            }
            std::future::pending().await
        }
    });
    let lane = Lane::of(echoes, new).copying(|shadow, _| shadow.streams(true));
    let caller = lane.caller("grpc");
    let mut stream = caller.stream(PLACE).await.expect("a stream");
    for _ in 0..2 {
        stream.send("a lamp").await.expect("it is sent");
        stream.next().await.expect("an answer").expect("no failure");
    }
    assert_eq!([said(&mut told).await, said(&mut told).await], [Some("message"); 2]);
    drop(stream);
    assert_eq!(said(&mut told).await, Some("over"), "its caller has given up");
    lane.emptied().await;
    // It has the time of the shadow after the last message.
    let begin = tokio::time::Instant::now();
    talk(&caller, 2, 1).await;
    for next in ["message", "message", "end", "over"] {
        assert_eq!(said(&mut told).await, Some(next));
    }
    assert!(begin.elapsed() >= ms(1000) && begin.elapsed() < ms(1500), "{:?}", begin.elapsed());
    lane.emptied().await;
    assert_eq!((lane.figures().sent, lane.figures().failed), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_shadow_that_is_not_there_or_refuses_a_stream_changes_nothing() {
    let refuses = || streaming("Place", |_call: Call| async { Err(Status::permission_denied("not you")) });
    for (is_there, failed) in [(true, 0), (false, 1)] {
        let new = if is_there { refuses() } else { echoes() };
        let lane = Lane::of(echoes, new).copying(|shadow, _| shadow.streams(true));
        if !is_there {
            lane.served.crash();
        }
        talk(&lane.caller("grpc"), 50, LONG).await;
        lane.emptied().await;
        assert_eq!((lane.figures().sent, lane.figures().failed), (1, failed), "{is_there}");
        assert_eq!(lane.figures().dropped, 0);
    }
}

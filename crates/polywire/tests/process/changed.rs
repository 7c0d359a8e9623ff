//! Pages of what a process has once, whichever server is asked: its channels, and what has changed in it.

use crate::{
    alone,
    pages::*,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Caller, Channel, Context, Identity, Pages, Reply, Resilience, Server, Status, Stream, Streaming, Target,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// Answers after a while, or asks others.
struct Handler {
    takes: Duration,
    others: Option<TalkClient>,
}

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        tokio::time::sleep(self.takes).await;
        match &self.others {
            Some(others) => Ok(others.say(request).within(cx).await?.into_message().into()),
            None => Ok(request.into()),
        }
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented(""))
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented(""))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// Nothing is asked of the calls: one in 64 is followed, the first of each thread among them.
#[test]
fn the_page_of_a_method_says_in_calls_to_whom_its_time_goes() {
    let _alone = alone();
    let slow = || Handler { takes: Duration::from_millis(20), others: None };
    let stocks = [
        start(Server::new().service(slow().into_service())).0,
        start(Server::new().service(slow().into_service())).0,
    ];
    let addresses = stocks.each_ref().map(|stock| stock.addresses()[0].to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let _inside = runtime.enter();
    let channel = Channel::builder(format!("list://{}", addresses.join(",")))
        .resilience(Resilience::default().balancer("rr"))
        .build();
    let others = Some(TalkClient::new(channel.expect("a channel")));
    let front = Handler { takes: Duration::ZERO, others }.into_service();
    let (running, _) =
        start_with(Server::new().service(front), Pages::default().page(polywire::console::why()));
    let before = get(&running, "/status/talk.Talk/Say?json");
    assert!(!before.contains("calls_to_others"), "{before}");
    runtime.block_on(async {
        let talk =
            TalkClient::new(Channel::builder(running.addresses()[0].to_string()).build().expect("a channel"));
        let calls: Vec<_> = (0..100).map(|_| talk.say(Line::default()).start()).collect();
        for call in calls {
            call.await.expect("it answers");
        }
    });
    let page = get(&running, "/status/talk.Talk/Say?json");
    assert!(page.contains("in_calls_to_others") && page.contains("calls_to_others"), "{page}");
    assert!(
        addresses.iter().any(|address| page.contains(&format!("most_in_calls_to\":\"{address}"))),
        "{page}"
    );
    assert!(get(&running, "/status?json").contains("in_calls"), "its share is among the methods");
    let tries = get(&running, "/why?json");
    assert!(
        tries.contains("\"talk.Talk/Say\",\"talk.Talk/Say\""),
        "for which method a call was made: {tries}"
    );
}

/// Behind a gateway there is one address, and on its connection one caller after the other.
#[test]
fn callers_are_told_apart_by_name() {
    let _alone = alone();
    let by_name = |caller: Caller| async move {
        caller.bearer().map(Identity::named).ok_or_else(|| Status::unauthenticated("who?"))
    };
    let handler = Handler { takes: Duration::ZERO, others: None }.into_service();
    let (running, _) = start(Server::new().service(handler).authenticate(by_name));
    let nobody = get(&running, "/index?json");
    assert!(!nobody.contains("\"callers\""), "{nobody}");
    let mut gateway = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    for name in ["ada", "clerk", "ada", "clerk", "clerk", "clerk", "bob", "clerk"] {
        let head = "POST /talk.Talk/Say HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        write!(gateway, "{head}\r\nAuthorization: Bearer {name}\r\nContent-Length: 2\r\n\r\n{{}}")
            .expect("it reads");
        let mut answer = [0; 4096];
        let read = gateway.read(&mut answer).expect("it answers");
        assert!(answer[..read].starts_with(b"HTTP/1.1 200"), "{}", answer[..read].escape_ascii());
    }
    let counted = |page: &str| {
        let text = get(&running, page);
        ["ada", "bob", "clerk"].map(|name| {
            let line = text.lines().find(|line| line.split_whitespace().next() == Some(name));
            line.and_then(|line| line.split_whitespace().last()?.parse::<u64>().ok()).unwrap_or(0)
        })
    };
    let [ada, bob, clerk] = counted("/connections?by=caller");
    let all = (ada + bob + clerk) as f64;
    let shares = [ada, bob, clerk].map(|messages| (messages as f64 / all * 8.0).round());
    assert_eq!(shares, [2.0, 1.0, 5.0], "of eight requests: {ada} {bob} {clerk}");
    drop(gateway);
    assert_eq!(counted("/connections?by=caller"), [ada, bob, clerk], "also when it has gone");
    assert!(get(&running, "/index?json").contains("\"callers\""));
}

/// The facts of every channel of the process, whoever made it: here one of which no server answers, and one
/// that answers.
#[test]
fn why_tells_of_all_channels_of_the_process_and_of_one() {
    let _alone = alone();
    let (running, _) = start_with(Server::new(), Pages::default().page(polywire::console::why()));
    let closed = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let (one, other) = (closed(), closed());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let own = running.addresses()[0].to_string();
    let gone = format!("list://{one},{other}");
    let (dead, alive) = runtime.block_on(async {
        let dead = Channel::builder(&gone)
            .protocol("baidu_std")
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .expect("a channel");
        let alive = Channel::builder(&own).protocol("baidu_std").build().expect("a channel");
        let failed = dead.call(Target::fixed("shop.Orders", "Pla\u{202e}ce").at(0), Vec::new()).await;
        assert!(failed.is_err());
        let _ = alive.call(Target::fixed("shop.Orders", "Place").at(0), Vec::new()).await; // no such service
        (dead, alive)
    });

    let text = get(&running, "/why");
    let finding = format!("# ■ Channel {gone} can choose none of its 2 servers: 127.0.0.1:");
    assert!(text.contains(&finding), "{text}");
    assert!(!text.contains(&format!("Channel {own} ")), "what is well is no finding: {text}");
    let line = |text: &str, parts: &[&str]| {
        text.lines().any(|line| parts.iter().all(|part| line.split_whitespace().any(|word| word == *part)))
    };
    assert!(line(&text, &["■", &gone, "baidu_std", "rr"]), "{text}");
    assert!(line(&text, &[&own, "baidu_std"]), "{text}");
    assert!(line(&text, &["▲", &one.to_string()]) && line(&text, &["▲", &other.to_string()]), "{text}");
    assert!(line(&text, &["shop.Orders/Pla\\u{202e}ce"]), "its tries: {text}");

    // the number that leads to one channel
    let json = get(&running, "/why?json");
    let id_of = |name: &str| {
        let row = json.split("[\"").find(|row| row.contains(&format!("\"{name}\","))).expect(&json);
        row.split('"').next().expect("a key").to_owned()
    };
    let id = id_of(&gone);
    let page = get(&running, &format!("/why/{id}?console=0"));
    assert!(page.contains("<table data-t=\"servers\"") && page.contains("href=\"../why/"), "{page}");
    assert!(page.contains(&one.to_string()), "{page}");
    let leads = |to: &str| page.matches(&format!("href=\"../why/{to}")).count();
    assert!(leads("") == leads(&format!("{id}\"")), "to no other channel: {page}");
    assert!(
        page.contains("no server") && page.contains("Pla\\u{202e}ce") && !page.contains('\u{202e}'),
        "{page}"
    );
    // that nothing needs anybody is not for this page to say
    let well = get(&running, &format!("/why/{}?console=0", id_of(&own)));
    assert!(well.contains(">p99") && !well.contains("Nothing needs you"), "{well}");
    for none in ["/why/999999", "/why/x", "/why/-1", &format!("/why/{id}/x")] {
        assert_eq!(exchange(&running, &format!("GET {none}"), "", "").0, 404, "{none}");
    }
    assert_eq!(exchange(&running, "GET /why", "Host: localhost|Via: 1.1 proxy", "").0, 403);

    // a channel that is gone is not told of
    drop((dead, alive, runtime));
    let text = get(&running, "/why");
    assert!(!text.contains(&gone), "{text}");
}

#[test]
fn events_tell_what_has_changed_newest_first() {
    let _alone = alone();
    let (running, ..) = with_flags();
    let address = running.addresses()[0].to_string();
    assert_eq!(change(&running, "/flags", "name=batch&value=128").0, 200);
    assert_eq!(change(&running, "/flags", "name=motto&value=%3Cscript%3E%1b[2J").0, 200);
    assert_eq!(change(&running, "/flags", "name=batch&value=9999").0, 400);
    let text = get(&running, "/events");
    let line = |what: &str| text.lines().position(|line| line.contains(what));
    let (started, batch) = (line(&format!("listening at {address}")), line("batch: 64 → 128"));
    let motto = line("motto:  → <script>\\u{1b}[2J");
    assert!(motto < batch && batch < started && started.is_some() && motto.is_some(), "{text}");
    assert!(!text.contains("9999") && text.contains("console from 127.0.0.1:"), "{text}");
    // the newest are on the first page, and harmless there
    let html = exchange(&running, "GET /", BROWSER, "").1;
    assert!(html.contains("batch: 64 → 128") && !html.contains("<script>\\u"), "{html}");
    assert!(html.contains("motto:  → &lt;script&gt;"), "{html}");
    assert!(html.len() < 30_000, "{} bytes", html.len());
    drop(running);
    // of all servers of the process
    let (other, _) = start(Server::new());
    assert!(get(&other, &format!("/events?q={address}")).contains("listening at"), "{address}");
}

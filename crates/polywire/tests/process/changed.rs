//! Pages of what a process has once, whichever server is asked: its channels, and what has changed in it.

use crate::{alone, pages::*};
use polywire::{Channel, Server, Target};

/// The facts of every channel of the process, whoever made it: here one of which no server answers, and one that answers.
#[test]
fn why_tells_of_all_channels_of_the_process_and_of_one() {
    let _alone = alone();
    let (running, _) = start(Server::new().page(polywire::console::why()));
    let closed = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let (one, other) = (closed(), closed());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let own = running.addresses()[0].to_string();
    let gone = format!("list://{one},{other}");
    let (dead, alive) = runtime.block_on(async {
        let dead = Channel::builder(&gone).protocol("baidu_std").balancer("rr").build().expect("a channel");
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

//! A server's variables, and those of its application, as Prometheus and people read them.

use polywire::{
    Content, Engine, Handler, Method, Server, Service, Started,
    handler::{Call, Outcome},
    metrics::{Counter, Gauge, Labelled, Maximum, Metric, Name, Window},
};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
};

struct Answers;
impl Handler for Answers {
    fn start(&self, call: Call) -> Started {
        drop(call);
        Started::Ready(Outcome { content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

fn server() -> Server {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let say = Method::new("Say", || Box::new(Answers)).no_side_effects(true); // so that GET calls it
    let echo = Service::new("test.Echo", &[]).with(say);
    Server::new().engine(&engine).service(echo)
}

/// The head and the body of the answer.
fn get(address: &str, path: &str, accept: &str) -> (String, String) {
    let mut connection = TcpStream::connect(address).unwrap();
    write!(
        connection,
        "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_ascii_lowercase(), body.to_owned())
}

#[test]
fn prometheus_reads_names_of_its_conventions_and_vars_has_brpcs() {
    let (orders, queue) = (Labelled::new(["shop"], Counter::new), Maximum::new());
    let name = Name::new("orders").metric(Metric::new("shop_orders", "Orders that were taken."));
    let server = server().expose(name, orders.clone()).expose("queue_max", Window::of(&queue));
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let address = running.addresses()[0].to_string();
    let port = address.rsplit(':').next().unwrap();
    orders.with(["north"]).add(2);
    for _ in 0..3 {
        assert!(get(&address, "/test.Echo/Say", "*/*").0.starts_with("http/1.1 200"));
    }
    assert!(get(&address, "/test.Echo/Nothing", "*/*").0.starts_with("http/1.1 404"));

    assert!(get(&address, "/status", "*/*").0.starts_with("http/1.1 200"));
    let (head, text) = get(&address, "/metrics", "text/plain");
    assert!(!text.contains("default_method"), "pages are no calls: {text}");
    assert!(head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{head}");
    let of = "rpc_system_name=\"http\",rpc_method=\"test.Echo/Say\",rpc_status_code=\"OK\"";
    for line in [
        "# TYPE rpc_server_call_duration_seconds histogram",
        &format!("rpc_server_call_duration_seconds_count{{{of}}} 3"),
        "polywire_server_calls_in_progress{rpc_method=\"test.Echo/Say\"} 0",
        "polywire_server_refused_requests_total 1",
        "polywire_server_faults_total{cause=\"malformed\"} 0",
        "# HELP shop_orders_total Orders that were taken.",
        "shop_orders_total{shop=\"north\"} 2",
        "queue_max 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    assert!(
        !text.contains(&format!("rpc_server_{port}")) && !text.contains("_say"),
        "brpc's names are in /vars only"
    );

    // What Prometheus 2.42 sends.
    let accept = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    let (head, text) = get(&address, "/metrics", accept);
    assert!(
        head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"),
        "{head}"
    );
    assert!(
        text.contains("# TYPE shop_orders counter\nshop_orders_total{shop=\"north\"} 2\n")
            && text.ends_with("# EOF\n")
    );

    // What dashboards of brpc ask for.
    let (head, text) = get(&address, "/brpc_metrics", "text/plain");
    assert!(head.contains("content-type: text/plain"), "{head}");
    let say = format!("rpc_server_{port}_test_echo_say");
    for line in [
        &format!("# TYPE {say} summary"),
        &format!("{say}_count 3"),
        &format!("# TYPE {say}_error gauge"),
        &format!("{say}_error 0"),
        "orders{shop=\"north\"} 2",
        "queue_max 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    for quantile in ["0.8", "0.9", "0.99", "0.999", "0.9999", "1", "avg"] {
        assert!(text.contains(&format!("\n{say}{{quantile=\"{quantile}\"}} ")), "{quantile}\n{text}");
    }

    let (_, text) = get(&address, "/vars", "*/*");
    for line in [
        "orders{shop=\"north\"} : 2",
        &format!("rpc_server_{port}_test_echo_say_count : 3"),
        &format!("rpc_server_{port}_test_echo_say_error : 0"),
        &format!("rpc_server_{port}_test_echo_say_eps : 0"),
        &format!("rpc_server_{port}_error : 1"),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    // At least that of this request; those before may be closing.
    let open =
        text.lines().find_map(|line| line.strip_prefix(&*format!("rpc_server_{port}_connection_count : ")));
    assert!(open.is_some_and(|open| open.parse().is_ok_and(|open: u32| open > 0)), "{open:?}");
}

#[test]
fn names_that_cannot_be_keep_a_server_from_starting() {
    let start = |server: Server| {
        server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).err().map(|error| error.to_string())
    };
    let twice = server().expose("depth", Gauge::new()).expose("depth", Counter::new());
    let told = start(twice).expect("refused");
    assert!(told.contains("expose") && told.contains("depth"), "{told}");
    let label = server().expose(Name::new("depth").label("le", "1"), Gauge::new());
    assert!(start(label).expect("refused").contains("le"));
    assert_eq!(start(server().expose("depth", Gauge::new())), None);
}

#[test]
fn a_variable_has_its_past_as_json_and_as_plots_and_digits_stay() {
    let (level, shelves) = (Gauge::new(), Labelled::new(["shelf"], Counter::new));
    level.set(1_234_567);
    shelves.with(["a;b/c"]).add(12_345);
    let server = server().expose("stock_level", level.clone()).expose("stock", shelves.clone());
    let server = server.expose("stock_none", Gauge::new());
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let address = running.addresses()[0].to_string();
    let html = "text/html";
    // a sample is taken once a second
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let mut answer = get(&address, "/vars/stock_level?series", html);
    while !answer.0.starts_with("http/1.1 200") && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
        answer = get(&address, "/vars/stock_level?series", html);
    }
    let (head, series) = answer;
    assert!(head.contains("content-type: application/json"), "browsers, too: {head}");
    assert!(series.starts_with("{\"label\":\"trend\",\"data\":[[0,0],[1,0],"), "{series}");
    assert!(series.ends_with(",[173,1234567]]}"), "{series}");
    for (path, says) in [
        ("/vars/stock_none?series", "ENODATA: `stock_none' has no past: it is a text, "),
        ("/vars/kernel_version?series", "has no past"),
        ("/vars/stock_*?series", "ENODATA: ?series is of one variable"),
        ("/vars/stock_level;stock_none?series", "ENODATA: ?series is of one variable"),
        ("/vars?series", "ENODATA: ?series is of one variable"),
        ("/vars/nothing?series", "Fail to find any bvar by `nothing'"),
    ] {
        let (head, body) = get(&address, path, "*/*");
        assert!(head.starts_with("http/1.1 404") && body.contains(says), "{path}: {head}{body}");
    }

    let (_, page) = get(&address, "/vars/stock_level", html);
    assert!(page.contains("last 60 seconds") && page.contains("last 60 minutes"), "{page}");
    assert!(page.contains(">1234567</td>") && page.matches("<figure").count() == 2, "{page}");
    let (_, page) = get(&address, "/vars/stock_none", html);
    assert!(page.contains("There is no plot: it is a text, ") && !page.contains("<figure"), "{page}");
    for path in ["/vars/stock_*", "/vars"] {
        let (_, page) = get(&address, path, html);
        assert!(!page.contains("<figure") && !page.contains("no plot"), "{page}");
    }
    let (_, page) = get(&address, "/vars/pid", html);
    assert!(page.contains(&format!(">{}</td>", std::process::id())), "{page}");
    let (_, json) = get(&address, "/vars/pid?json", "*/*");
    assert!(json.contains(&format!("[\"pid\",0,\"pid\",{}]", std::process::id())), "{json}");
    // names with labels lead to themselves
    let (_, page) = get(&address, "/vars/stock", html);
    let link = page.split("href=\"../").find(|link| link.starts_with("vars/stock%7B")).expect(&page);
    let link = link.split('"').next().unwrap();
    let (_, text) = get(&address, &format!("/{link}"), "*/*");
    assert_eq!(text, "stock{shelf=\"a;b/c\"} : 12345\r\n");
}

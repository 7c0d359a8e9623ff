//! A server with a page and flags of its own, and what is said to it.

use polywire::{
    Engine, Handler, Method, Pages, Running, Server, Service, Started, Status,
    console::{Action, Column, Page, Table, Value, View},
    flags::{Flag, Flags, Registered},
    handler::Call,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

pub const HOSTILE: &str = "<script>alert(1)</script>\"'&\x1b[2J\u{202e}";

/// A server with a page that shows hostile text and counts its changes.
pub fn start(server: Server) -> (Running, Arc<AtomicU32>) {
    start_with(server, Pages::default())
}

/// The same, with that page beside these.
pub fn start_with(server: Server, pages: Pages) -> (Running, Arc<AtomicU32>) {
    let changes = Arc::new(AtomicU32::new(0));
    let counted = changes.clone();
    let stock = Page::new("stock", "what is on the shelves", |asked| {
        if asked.rest == "none" {
            return Err(Status::not_found(format!("no shelf {}", asked.rest)));
        }
        let table = Table::new("shelves", [Column::new("shelf"), Column::new("age")])
            .row("a", [HOSTILE.into(), Value::Seconds(2.5)]);
        Ok(View::new("Stock")
            .note(asked.rest.clone())
            .fact("items", 12_u64)
            .table(table)
            .action(Action::new("stock", "Clear")))
    })
    .change(move |asked| {
        counted.fetch_add(1, Relaxed);
        Ok(View::new("Stock").note(format!("cleared {}", asked.fields.get("shelf").unwrap_or("all"))))
    });
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let running = server.engine(&engine).pages(pages.page(stock)).listen("127.0.0.1:0").start();
    let running = running.expect("it starts");
    (running, changes)
}

/// The status and all of the answer to a request with these fields, which `|` separates.
pub fn exchange(running: &Running, line: &str, fields: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let fields = if fields.is_empty() { "Host: localhost".into() } else { fields.to_owned() };
    let head = format!("{line} HTTP/1.1|{fields}|Connection: close|Content-Length: {}||", body.len());
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer); // a refusal may reset what was not read
    let answer = String::from_utf8(answer).expect("text");
    (answer.get(9..12).unwrap_or("0").parse().expect("a status"), answer)
}

pub fn get(running: &Running, path: &str) -> String {
    let (status, answer) = exchange(running, &format!("GET {path}"), "", "");
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

pub fn token(running: &Running) -> String {
    get(running, "/token").split_once("\r\n\r\n").expect("a body").1.to_owned()
}

pub const BROWSER: &str = "Host: localhost|Accept: text/html,*/*;q=0.8|User-Agent: Mozilla/5.0";

/// Never answers.
pub struct Hold;
impl Handler for Hold {
    fn start(&self, _: Call) -> Started {
        Started::Future(Box::pin(std::future::pending()))
    }
}

/// A method of which one call may be under way, and one whose name is none for a flag.
pub fn holding() -> Service {
    let hold = Method::new("Hold", || Box::new(Hold)).max_concurrency(1);
    Service::new("test.Holding", &[]).with(hold).with(Method::new("<script>\x1b[2J", || Box::new(Hold)))
}

/// A flag of an application whose value is any text.
pub struct Motto(std::sync::Mutex<String>);
impl Registered for Motto {
    fn name(&self) -> &str {
        "motto"
    }
    fn help(&self) -> &str {
        "what is said"
    }
    fn allowed(&self) -> String {
        "a text".into()
    }
    fn default(&self) -> String {
        String::new()
    }
    fn value(&self) -> String {
        self.0.lock().expect("no panic").clone()
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn store(&self, text: &str) -> Result<(), String> {
        *self.0.lock().expect("no panic") = text.to_owned();
        Ok(())
    }
    fn tell(&self) {}
}

/// A server with the flags `batch` and `motto` beside its own.
pub fn with_flags() -> (Running, Flags, Flag<u64>) {
    let batch = Flag::new("batch", 64u64, "Rows that are written at once").range(1..=1000);
    let flags = Flags::new();
    flags.register(&batch).expect("the first of this name");
    flags.add(Motto(Default::default())).expect("the first of this name");
    (start_with(Server::new().service(holding()), Pages::default().flags(&flags)).0, flags, batch)
}

/// The status and answer to a form with these fields and the token.
pub fn change(running: &Running, path: &str, fields: &str) -> (u16, String) {
    let form = format!(
        "Host: localhost|Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {}",
        token(running)
    );
    exchange(running, &format!("POST {path}"), &form, fields)
}

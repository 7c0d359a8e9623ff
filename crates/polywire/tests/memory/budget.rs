//! A server with a budget of memory under attack, which is a process of its own: its resident memory stays
//! within the budget.

use polywire::{Bounds, Server, Service};
use polywire_server::{Call, Handler, Method, Started};
use polywire_wire::Outcome;
use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const BUDGET: usize = 64 << 20;
/// Set for the process that is the server.
const ROLE: &str = "POLYWIRE_TEST_SERVER";

struct Echo;

impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome { body: call.body, content: call.content, reply: true, ..Outcome::default() })
    }
}

/// The other process runs this test alone, until its standard input ends.
#[test]
fn the_server() {
    if std::env::var_os(ROLE).is_none() {
        return; // not that process
    }
    let service = Service::new("test.Echo", &[]).with(Method::new("Echo", || Box::new(Echo)));
    let running = Server::new()
        .service(service)
        .bounds(Bounds::default().memory(BUDGET))
        .listen("127.0.0.1:0")
        .start()
        .expect("a port");
    println!("listening on {}", running.addresses()[0]);
    let _ = std::io::stdin().read(&mut [0]); // until the parent ends
    eprintln!("{:?}", running.overload().memory);
}

struct ServerProcess {
    child: Child,
    address: String,
}

impl ServerProcess {
    fn start() -> ServerProcess {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.args(["--exact", "budget::the_server", "--nocapture"]).env(ROLE, "1");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let line =
            lines.map_while(Result::ok).find(|line| line.contains("listening on ")).expect("its address");
        let address = line.rsplit(' ').next().expect("a word").to_owned();
        ServerProcess { child, address }
    }

    fn resident(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
        line.split_whitespace().nth(1).expect("a number").parse::<usize>().expect("a number") << 10
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_nonblocking(true).expect("possible");
        stream
    }

    /// Whether a whole call is answered.
    fn answers(&self) -> bool {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("possible");
        stream.write_all(&request(2, 2)).expect("it reads");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).is_ok() && answer == *b"HTTP/1.1 200"
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        drop(self.child.stdin.take()); // it says what it has decided, and ends
        std::thread::sleep(Duration::from_millis(500));
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

/// A request that announces `length` bytes and has `sent` of them.
fn request(length: usize, sent: usize) -> Vec<u8> {
    let head = format!(
        "POST /test.Echo/Echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/proto\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + sent, b'x');
    bytes
}

/// Writes to all peers for a while, as fast as the server takes it, and returns the most memory that it had.
fn attack(server: &ServerProcess, peers: &mut [TcpStream], bytes: &[u8], again: bool) -> usize {
    let mut written = vec![0; peers.len()];
    let (began, mut most) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_secs(6) {
        for (peer, written) in peers.iter_mut().zip(&mut written) {
            match peer.write(&bytes[*written..]) {
                Ok(n) => *written += n,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => *written = bytes.len(), // closed
            }
            if again && *written == bytes.len() {
                *written = 0;
            }
        }
        most = most.max(server.resident());
    }
    most
}

#[test]
fn half_sent_requests_and_unread_replies_stay_within_the_budget() {
    let _alone = crate::alone();
    for (what, peers, bytes, again) in [
        ("half-sent", 900, request(1 << 20, 900 << 10), false),
        ("unread", 60, request(1 << 20, 1 << 20), true),
    ] {
        let server = ServerProcess::start();
        assert!(server.answers());
        let before = server.resident();
        let mut peers: Vec<_> = (0..peers).map(|_| server.connect()).collect();
        let most = attack(&server, &mut peers, &bytes, again);
        let grown = most.saturating_sub(before);
        println!("{what}: {} MB of {} MB", grown >> 20, BUDGET >> 20);
        assert!(grown > BUDGET / 2, "{what}: the attack reaches the server: {grown}");
        // What the allocator holds besides is more on a machine that is busy.
        assert!(grown <= BUDGET / 5 * 6, "{what}: {grown} bytes more than {before}");
        drop(peers);
        let until = Instant::now() + Duration::from_secs(10);
        while !server.answers() {
            assert!(Instant::now() < until, "{what}: it serves again");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// glibc would keep what lies before anything that is still in use: three quarters of the peak.
#[cfg(target_env = "gnu")]
#[test]
fn memory_goes_back_to_the_system_after_an_attack() {
    let _alone = crate::alone();
    let server = ServerProcess::start();
    assert!(server.answers());
    let before = server.resident();
    let bytes = crate::held::heads(1000, "/test.Echo/Echo", false);
    let mut peers: Vec<_> = (0..10).map(|_| server.connect()).collect();
    let most = attack(&server, &mut peers, &bytes, false).saturating_sub(before);
    assert!(most > BUDGET / 2, "the attack reaches the server: {most}");
    drop(peers);
    let (mut left, until) = (most, Instant::now() + Duration::from_secs(20));
    while left > most / 4 {
        assert!(Instant::now() < until, "{left} bytes of {most} are left");
        std::thread::sleep(Duration::from_millis(50));
        left = server.resident().saturating_sub(before);
    }
    println!("{} MB more under an attack, {} MB afterwards", most >> 20, left >> 20);
}

/// A refusal over HTTP says when to come again, and the connection goes on.
#[test]
fn a_refusal_over_http_is_503_and_says_when_to_come_again() {
    let _alone = crate::alone();
    let echo = Method::new("Echo", || Box::new(Echo)).max_memory(1);
    let service = Service::new("test.Echo", &[]).with(echo);
    let running = Server::new().service(service).listen("127.0.0.1:0").start().expect("a port");
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("possible");
    for (bytes, first) in [(2, "HTTP/1.1 503"), (1, "HTTP/1.1 200"), (2, "HTTP/1.1 503")] {
        stream.write_all(&request(bytes, bytes)).expect("it reads");
        let (mut answer, mut piece) = (Vec::new(), [0; 1024]);
        while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
            let n = stream.read(&mut piece).expect("an answer");
            assert!(n > 0, "the connection goes on");
            answer.extend_from_slice(&piece[..n]);
        }
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        assert!(answer.starts_with(&first.to_lowercase()), "{answer}");
        assert_eq!(answer.contains("\r\nretry-after: 1\r\n"), first.ends_with("503"), "{answer}");
    }
}

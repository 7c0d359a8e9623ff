//! Restarts that refuse no connection, with real processes.

use crate::support::{Folder, Server, polywire, run};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::{fd::OwnedFd, unix::net::UnixDatagram},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

const RESTARTS: usize = 5;

/// Calls without pause on connections of their own, and what became of them.
#[derive(Default)]
pub struct Load {
    pub stop: AtomicBool,
    pub well: AtomicU64,
    pub lost: AtomicU64,
}

impl Load {
    /// Repeats a call that returns what went wrong.
    pub fn run(self: &Arc<Self>, call: impl Fn() -> Result<(), String> + Send + 'static) -> JoinHandle<()> {
        let load = self.clone();
        thread::spawn(move || {
            while !load.stop.load(Relaxed) {
                match call() {
                    Ok(()) => load.well.fetch_add(1, Relaxed),
                    Err(why) => {
                        println!("lost: {why}");
                        load.lost.fetch_add(1, Relaxed)
                    }
                };
            }
        })
    }

    /// Waits until this many further calls have ended well, or one has not.
    pub fn go_on(&self, calls: u64) {
        let before = self.well.load(Relaxed);
        while self.well.load(Relaxed) < before + calls && self.lost.load(Relaxed) == 0 {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

pub fn by_hand(address: &str) -> Result<(), String> {
    let mut stream = TcpStream::connect(address).map_err(|error| format!("connect: {error}"))?;
    let body = r#"{"message":"x"}"#;
    let request = format!(
        "POST /example.EchoService/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).map_err(|error| format!("write: {error}"))?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).map_err(|error| format!("read: {error}"))?;
    if reply.starts_with("HTTP/1.1 200 ") { Ok(()) } else { Err(format!("reply: {reply:?}")) }
}

/// Two calls, the second on the connection of the first if it is still open.
fn by_curl(address: &str) -> Result<(), String> {
    let url = format!("http://{address}/example.EchoService/Echo");
    let options = [
        "-sS",
        "-w",
        "%{http_code} ",
        "-o",
        "/dev/null",
        "-o",
        "/dev/null",
        "-H",
        "content-type: application/json",
    ];
    let output = Command::new("curl").args(options).args(["-d", r#"{"message":"x"}"#, &url, &url]).output();
    let output = output.map_err(|error| error.to_string())?;
    match (output.status.success(), &*output.stdout) {
        (true, b"200 200 ") => Ok(()),
        _ => Err(format!("curl: {} {:?}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

#[test]
fn five_restarts_by_hand_over_refuse_no_connection_and_lose_no_call() {
    let folder = Folder::new("handover");
    let (path, unix) = (folder.path("handover"), format!("unix:{}", folder.path("calls")));
    let options = ["--listen", "127.0.0.1:0", "--listen", &unix, "--hand-over", &path];
    let mut server = Server::with(&options);
    assert_eq!(server.next_address(), unix);
    let address = server.address.clone();
    let load = Arc::new(Load::default());
    let mut callers = Vec::new();
    for _ in 0..2 {
        let address = address.clone();
        callers.push(load.run(move || by_hand(&address)));
    }
    match Command::new("curl").arg("--version").output() {
        Ok(_) => {
            let address = address.clone();
            callers.push(load.run(move || by_curl(&address)));
        }
        Err(_) => println!("without curl, which is not installed"),
    }
    {
        let unix = unix.clone();
        callers.push(load.run(move || {
            let ran = run(&["call", "-s", &unix, "example.EchoService/Echo", "-d", r#"{"message":"x"}"#]);
            if ran.code == Some(0) { Ok(()) } else { Err(ran.stderr) }
        }));
    }
    for _ in 0..RESTARTS {
        load.go_on(20);
        let mut next = Server::with(&options);
        assert_eq!(next.next_address(), unix);
        assert_eq!(next.address, address, "they have the same sockets");
        assert_eq!(server.ended(), (Some(0), String::new()), "the one before stops by itself");
        server = next;
    }
    load.go_on(20);
    load.stop.store(true, Relaxed);
    callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    let (well, lost) = (load.well.load(Relaxed), load.lost.load(Relaxed));
    println!("{well} calls, {lost} lost");
    assert_eq!(lost, 0, "of {well} calls");
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
    assert!(
        !fs::exists(folder.path("calls")).unwrap() && !fs::exists(&path).unwrap(),
        "the last one removes its files"
    );
}

#[test]
fn a_next_process_that_fails_changes_nothing() {
    let folder = Folder::new("handover-fails");
    let (path, unix) = (folder.path("handover"), format!("unix:{}", folder.path("calls")));
    let addresses = ["--listen", "127.0.0.1:0", "--listen", &unix];
    let options = [&addresses[..], &["--hand-over", &path]].concat();
    let mut server = Server::with(&options);
    assert_eq!(server.next_address(), unix);
    let serves = |server: &Server| {
        by_hand(&server.address).unwrap();
        run(&["call", "-s", &unix, "example.EchoService/Echo", "-d", r#"{"message":"x"}"#]).succeeds();
    };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let fails = |code: i32, more: &[&str], why: &str| {
        let ran = run(&[&["serve"], &addresses[..], more].concat()).exits(code);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        serves(&server);
    };
    fails(1, &["--hand-over", &path, "--listen", &taken], &taken);
    let flags = folder.path("flags");
    fs::write(&flags, "drain_limit=soon\n").unwrap();
    fails(1, &["--hand-over", &path, "--flagfile", &flags], "drain_limit");
    // The last step before the next process is ready: its own socket for the one after it.
    let long = folder.path(&"x".repeat(107 - folder.path("").len())); // the longest that a socket may have
    fs::hard_link(&path, &long).unwrap();
    fails(2, &["--hand-over", &long], "hand-over at");
    // Who says nothing, or nonsense, is no next process.
    for words in ["", "ready", "Ready\n"] {
        let mut peer = std::os::unix::net::UnixStream::connect(&path).unwrap();
        peer.write_all(words.as_bytes()).unwrap();
    }
    for _ in 0..20 {
        serves(&server);
    }
    let next = Server::with(&options);
    assert_eq!(server.ended().0, Some(0));
    serves(&next);
}

#[test]
fn sockets_of_systemd_are_served_and_systemd_is_told() {
    let folder = Folder::new("systemd");
    let notify = UnixDatagram::bind(folder.path("notify")).unwrap();
    notify.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // As systemd does it: the socket is descriptor 3, and LISTEN_PID is the process itself.
    let program = env!("CARGO_BIN_EXE_polywire");
    let script = format!(
        "exec 3<&0 </dev/null; export LISTEN_PID=$$; exec {program} serve --shards 1 --listen systemd:calls"
    );
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .env("LISTEN_FDS", "1")
        .env("LISTEN_FDNAMES", "calls")
        .env("NOTIFY_SOCKET", folder.path("notify"))
        .stdin(Stdio::from(OwnedFd::from(listener.try_clone().unwrap())))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("listening on {address}\n"));
    let told = || {
        let mut text = [0; 256];
        let n = notify.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..n]).into_owned()
    };
    assert_eq!(told(), format!("READY=1\nMAINPID={}\nSTATUS=serving\n", child.id()));
    assert_eq!(by_hand(&address), Ok(()));
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(told().starts_with("STOPPING=1\n"));
    assert!(child.wait().unwrap().success());
    // systemd still has the socket: who connects now waits for the next process.
    TcpStream::connect(&address).expect("the socket listens without a process");

    let ran = run(&["serve", "--listen", "systemd:calls"]).exits(1);
    assert!(ran.stderr.contains("systemd has passed no sockets"), "{}", ran.stderr);
}

#[test]
fn an_access_log_goes_on_in_a_new_file_after_sighup() {
    let folder = Folder::new("access");
    let (log, old) = (folder.path("log"), folder.path("log.1"));
    let server =
        Server::with(&["--listen", "127.0.0.1:0", "--access-log", &log, "--access-log-format", "common"]);
    by_hand(&server.address).unwrap();
    fs::rename(&log, &old).unwrap();
    server.signal("HUP");
    // The signal comes at some time; then there is a new file with what came after it.
    let mut calls = 1;
    while !fs::exists(&log).unwrap() {
        by_hand(&server.address).unwrap();
        calls += 1;
        assert!(calls < 10_000);
    }
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
    let lines: Vec<String> = [old, log]
        .map(|path| fs::read_to_string(path).unwrap())
        .concat()
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(lines.len(), calls);
    for line in lines {
        assert!(
            line.starts_with("127.0.0.1 - - [")
                && line.ends_with(" +0000] \"POST /example.EchoService/Echo http\" 200 15"),
            "{line}"
        );
    }
}

#[test]
fn several_processes_share_a_port_if_all_of_them_say_so() {
    let first = Server::with(&["--listen", "127.0.0.1:0", "--reuse-port"]);
    let second = Server::with(&["--listen", &first.address, "--reuse-port"]);
    assert_eq!(first.address, second.address);
    run(&["serve", "--listen", &first.address]).exits(1);
    for _ in 0..20 {
        by_hand(&first.address).unwrap();
    }
    first.signal("TERM");
    assert_eq!(first.ended().0, Some(0));
    by_hand(&second.address).unwrap();
}

#[test]
fn a_flag_file_sets_limits_of_the_server_and_a_wrong_one_ends_it() {
    let folder = Folder::new("flagfile");
    let file = folder.path("flags");
    fs::write(
        &file,
        "# limits\nmax_concurrency=0\nmax_concurrency/example.EchoService/Echo=auto\n--drain_limit=20s\n",
    )
    .unwrap();
    let server = Server::with(&["--listen", "127.0.0.1:0", "--flagfile", &file]);
    by_hand(&server.address).unwrap();
    for (text, why) in [
        ("drain_limit=20\n", "line 1: cannot set drain_limit to \"20\""),
        ("drain_limit=20s\nmax_concurrency=many\n", "line 2: cannot set max_concurrency to \"many\""),
        ("max_concurency=1\n", "did you mean max_concurrency"),
    ] {
        fs::write(&file, text).unwrap();
        let ran = run(&["serve", "--listen", "127.0.0.1:0", "--flagfile", &file]).exits(1);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    let output =
        polywire(&["serve", "--listen", "127.0.0.1:0"]).env("POLYWIRE_FLAG_DRAIN_LIMIT", "soon").output();
    assert_eq!(output.unwrap().status.code(), Some(1));
}

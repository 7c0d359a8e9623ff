//! The client of memcached against servers of the test: where keys go, what is sent again, what a server can
//! do wrong. What memcached itself answers is tested by interop/memcached.

use polywire::{
    CallEnd, CallStart, Channel, Code, Interceptor, Resilience, Status,
    memcache::{Answer, Client, Error},
};
use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A server of the meta commands whose connections are served by `serve`; ends with the process.
struct Fake {
    address: String,
    /// Lines of requests that came, in order.
    lines: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
    /// New connections are closed at once.
    refuses: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Fake {
    /// `answer`: what a line is answered with; `None` closes the connection.
    fn start(answer: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound").to_string();
        let fake = Fake {
            address: address.clone(),
            lines: Arc::default(),
            connections: Arc::default(),
            refuses: Arc::default(),
            open: Arc::default(),
        };
        let (lines, connections, refuses) =
            (fake.lines.clone(), fake.connections.clone(), fake.refuses.clone());
        let (answer, open) = (Arc::new(answer), fake.open.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if refuses.load(SeqCst) {
                    continue;
                }
                connections.fetch_add(1, SeqCst);
                open.lock().expect("not poisoned").push(stream.try_clone().expect("a second handle"));
                let (lines, answer, address) = (lines.clone(), answer.clone(), address.clone());
                thread::spawn(move || serve(stream, &address, &lines, &*answer));
            }
        });
        fake
    }

    /// As a process that is killed: its connections close, and no further one is served.
    fn kill(&self) {
        self.refuses.store(true, SeqCst);
        for stream in self.open.lock().expect("not poisoned").drain(..) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("not poisoned").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    address: &str,
    lines: &Mutex<Vec<String>>,
    answer: &dyn Fn(&str, &str) -> Option<String>,
) {
    let Ok(reader) = stream.try_clone() else { return };
    for line in BufReader::new(reader).lines().map_while(Result::ok) {
        lines.lock().expect("not poisoned").push(line.clone());
        match answer(&line, address) {
            Some(reply) if stream.write_all(reply.as_bytes()).is_ok() => {}
            _ => return drop(stream.shutdown(std::net::Shutdown::Both)),
        }
    }
}

/// The opaque flag of a line.
fn opaque(line: &str) -> &str {
    line.split(' ').find(|word| word.starts_with('O')).unwrap_or("O0")
}

/// Each key has its server's address for a value.
fn whose(line: &str, address: &str) -> Option<String> {
    Some(match line.split(' ').next() {
        Some("mg") => format!("VA {} {}\r\n{address}\r\n", address.len(), opaque(line)),
        _ => "MN\r\n".to_owned(),
    })
}

fn client(address: &str) -> Client {
    let channel = Channel::builder(address).protocol("memcache_meta").timeout(Duration::from_secs(10));
    let channel = if address.contains("://") {
        channel.resilience(Resilience::default().balancer("c_ketama"))
    } else {
        channel
    };
    Client::new(channel.build().expect("a valid channel"))
}

fn run(test: impl Future<Output = Tested>) -> Tested {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(test)
}

#[test]
fn operations_are_sent_before_they_are_awaited() -> Tested {
    let fake = Fake::start(whose);
    let client = client(&fake.address);
    let came = async |count: usize| {
        let seen = async {
            while fake.lines().len() < count {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), seen).await
    };
    run(async {
        let one = client.get("one").start();
        came(1).await?;
        let both = client.get_many(["two", "three"]).start();
        came(4).await?; // and a fence
        assert_eq!(one.await?.expect("a value").value, fake.address);
        assert_eq!(both.await?.len(), 2);
        let refused = client.get("").start();
        assert!(refused.is_finished() && matches!(refused.await, Err(Error::Key(_))));
        Ok(())
    })?;
    assert_eq!(client.get("four").start_blocking()?.wait()?.expect("a value").value, fake.address);
    Ok(())
}

#[test]
fn keys_are_split_by_server_in_one_request_each_and_joined_in_their_order() -> Tested {
    let fakes = [(); 3].map(|()| Fake::start(whose));
    let client = client(&format!("list://{},{},{}", fakes[0].address, fakes[1].address, fakes[2].address));
    run(async {
        let keys: Vec<String> = (0..100).map(|i| format!("key{i}")).collect();
        let mut alone = Vec::new();
        for key in &keys {
            alone.push(client.get(key).await?.expect("a value").value);
        }
        assert_eq!(alone.iter().collect::<HashSet<_>>().len(), 3, "all servers have keys");
        let before = fakes.each_ref().map(|fake| fake.lines().len());
        let together = client.get_many(&keys).await?;
        assert_eq!(together.into_iter().map(|item| item.expect("a value").value).collect::<Vec<_>>(), alone);
        for (fake, before) in fakes.iter().zip(before) {
            let lines = fake.lines().split_off(before);
            assert_eq!(lines.iter().filter(|line| *line == "mn").count(), 1, "{}: {lines:?}", fake.address);
            assert_eq!(fake.connections.load(SeqCst), 1);
        }
        let blocking = client.clone();
        let keys = keys.clone();
        let items = thread::spawn(move || blocking.get_many(&keys).blocking()).join().expect("no panic")?;
        assert_eq!(items.into_iter().map(|item| item.expect("a value").value).collect::<Vec<_>>(), alone);
        Ok(())
    })
}

#[test]
fn keys_of_a_server_that_is_gone_belong_to_the_others() -> Tested {
    let fakes = [(); 3].map(|()| Fake::start(whose));
    let client = client(&format!("list://{},{},{}", fakes[0].address, fakes[1].address, fakes[2].address));
    run(async {
        let keys: Vec<String> = (0..60).map(|i| format!("key{i}")).collect();
        let before = client.get_many(&keys).await?;
        fakes[0].kill();
        // Some of these meet the server that is gone, and are sent to another one.
        for round in 0..5 {
            let after = client.get_many(&keys).await?;
            for (before, after) in before.iter().zip(&after) {
                let (before, after) =
                    (&before.as_ref().expect("a value").value, &after.as_ref().expect("a value").value);
                assert_ne!(after, fakes[0].address.as_bytes(), "round {round}");
                assert!(before == after || before == fakes[0].address.as_bytes(), "only its keys move");
            }
        }
        Ok(())
    })
}

#[test]
fn what_may_have_been_executed_is_sent_again_only_if_that_does_no_harm() -> Tested {
    let fake = Fake::start(|_, _| None);
    let client = client(&fake.address);
    let sent = |command: &str| fake.lines().iter().filter(|line| line.starts_with(command)).count();
    run(async {
        assert!(
            matches!(client.incr("n", 1).await, Err(Error::Call(status)) if status.code() == Code::Unavailable)
        );
        assert_eq!(sent("ma n "), 1, "a counter that may have counted");
        assert!(client.set("cas", "x").cas(5).await.is_err());
        assert_eq!(sent("ms cas "), 1);
        assert!(client.append("a", "x").await.is_err());
        assert_eq!(sent("ms a "), 1);
        assert!(client.delete("d").await.is_err());
        assert_eq!(sent("md d "), 1);
        let batch = client.batch().with(client.get("b1")).with(client.incr("b2", 1));
        for answer in batch.await? {
            assert!(matches!(answer, Answer::Failed(Error::Call(_))));
        }
        assert_eq!(sent("mg b1 "), 1, "a batch is as its most delicate operation");
        assert!(client.get("g").await.is_err());
        assert!(sent("mg g ") > 1, "a read is sent again: {:?}", fake.lines());
        assert!(client.incr("r", 1).repeatable().await.is_err());
        assert!(sent("ma r ") > 1, "because its caller says so");
        Ok(())
    })
}

#[test]
fn a_reply_to_another_request_is_never_taken_for_ones_own() -> Tested {
    let fake = Fake::start(|_, _| Some("VA 5 O4000000000\r\nwrong\r\n".into()));
    let client = client(&fake.address);
    run(async {
        let failed = client.get("k").await;
        assert!(matches!(failed, Err(Error::Call(_))), "{failed:?}");
        Ok(())
    })
}

#[test]
fn the_reply_of_a_call_that_was_given_up_is_not_that_of_the_next() -> Tested {
    let fake = Fake::start(|line, _| {
        if line.starts_with("mg slow ") {
            thread::sleep(Duration::from_millis(300)); // longer than the caller waits
        }
        let key = line.split(' ').nth(1).unwrap_or_default();
        Some(format!("VA {} {}\r\n{key}\r\n", key.len(), opaque(line)))
    });
    let client = client(&fake.address);
    run(async {
        let slow = client.get("slow").timeout(Duration::from_millis(50)).await;
        assert!(matches!(slow, Err(Error::Call(status)) if status.code() == Code::DeadlineExceeded));
        for key in ["a", "b", "c"] {
            assert_eq!(client.get(key).await?.expect("a value").value, key);
        }
        assert_eq!(fake.connections.load(SeqCst), 1, "the connection has gone on");
        Ok(())
    })
}

#[test]
fn errors_of_a_quiet_batch_are_those_of_all_that_have_no_reply() -> Tested {
    let fake = Fake::start(|line, _| {
        Some(match line.split(' ').nth(1) {
            Some("bad") => "SERVER_ERROR out of memory\r\n".into(),
            Some("hit") => format!("VA 1 {}\r\nx\r\n", opaque(line)),
            Some(_) => String::new(),
            None => "MN\r\n".into(),
        })
    });
    let client = client(&fake.address);
    run(async {
        let batch =
            client.batch().quiet().with(client.get("bad")).with(client.get("hit")).with(client.get("miss"));
        let answers = batch.await?;
        let is_error = |answer: &Answer| matches!(answer, Answer::Failed(Error::Server { text, .. }) if text.contains("out of memory"));
        assert!(is_error(&answers[0]) && is_error(&answers[2]), "{answers:?}");
        assert!(matches!(&answers[1], Answer::Value(item) if item.value == "x"), "{answers:?}");
        let fine = client.batch().quiet().with(client.get("hit")).with(client.get("miss")).await?;
        assert!(matches!((&fine[0], &fine[1]), (Answer::Value(_), Answer::Missing)), "{fine:?}");
        assert_eq!(fake.connections.load(SeqCst), 1);
        Ok(())
    })
}

#[test]
fn a_channel_of_another_protocol_is_told_from_the_first_operation() -> Tested {
    let client = Client::new(Channel::builder("127.0.0.1:1").protocol("redis").build()?);
    run(async {
        assert!(
            matches!(client.get("k").await, Err(Error::Unsupported(why)) if why.contains("memcache_meta"))
        );
        let answers = client.batch().with(client.get("k")).await?;
        assert!(matches!(answers[..], [Answer::Failed(Error::Unsupported(_))]));
        assert!(client.batch().await?.is_empty(), "nothing is asked, and nothing is answered");
        Ok(())
    })
}

#[test]
fn servers_do_not_answer_it() {
    let server = polywire::Server::new().listen("127.0.0.1:0").protocols(["memcache"]);
    let error = server.start().err().expect("no server speaks it");
    assert!(error.to_string().contains("only clients speak the protocol"), "{error}");
}

/// polywire serves no memcached: there it is the channel's interceptors that run around commands.
#[tokio::test]
async fn interceptors_see_commands() {
    struct Seen(polywire_machine_testing::Log);
    impl Interceptor for Seen {
        fn before(&self, call: &mut CallStart<'_>) -> Result<(), Status> {
            self.0.add(format!("{}/{}", call.service(), call.method()));
            Ok(())
        }
        fn after(&self, call: &CallEnd<'_>) {
            self.0.add(call.status().code().to_string());
        }
    }
    let (fake, log) = (Fake::start(whose), polywire_machine_testing::Log::default());
    let channel = Channel::builder(&fake.address).protocol("memcache_meta").interceptor(Seen(log.clone()));
    let client = Client::new(channel.timeout(Duration::from_secs(60)).build().expect("a valid channel"));
    assert!(client.get("key").await.expect("it answers").is_some());
    assert_eq!(log.take(), ["/", "OK"], "a command has no names");
}

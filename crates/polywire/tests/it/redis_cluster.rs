//! The client of Redis clusters against nodes that lie, move slots and fail; subscriptions that are
//! interrupted.
#![cfg(feature = "redis")]

use polywire::{
    Channel, Code, Connections, Context, Pooling, Running, Server, Status,
    redis::{self, Cluster, Commands, Event, Kind, ReadFrom, Session, Store, Subscriber, Value},
};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn run(test: impl Future<Output = Tested>) -> Tested {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(test)
}

/// A node of a cluster that answers as it is told to.
struct Node {
    server: Running,
    table: Arc<Mutex<Value>>,
    looks: Arc<AtomicUsize>,
    /// GET, SET and ASKING as they came.
    seen: Arc<Mutex<Vec<String>>>,
}

impl Node {
    /// `answer` gets the words of each GET and SET.
    fn start(answer: impl Fn(&[String]) -> Value + Send + Sync + 'static) -> Node {
        let (table, looks) = (Arc::new(Mutex::new(Value::Null)), Arc::new(AtomicUsize::new(0)));
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let answer = Arc::new(answer);
        let told = table.clone();
        let counted = looks.clone();
        let answered = |seen: &Arc<Mutex<Vec<String>>>| {
            let (seen, answer) = (seen.clone(), answer.clone());
            move |_: &Context, args: &[&[u8]]| {
                let words: Vec<_> =
                    args.iter().map(|arg| String::from_utf8_lossy(arg).into_owned()).collect();
                seen.lock().expect("whole").push(words.join(" "));
                if words[0] == "ASKING" || words[0] == "READONLY" { Value::OK } else { answer(&words) }
            }
        };
        let commands = Commands::new()
            .on("cluster", -2, move |_, args| {
                if args[1].eq_ignore_ascii_case(b"SHARDS") {
                    return Value::error("ERR Unknown subcommand"); // as before 7.0
                }
                counted.fetch_add(1, Relaxed);
                told.lock().expect("whole").clone()
            })
            .on("get", 2, answered(&seen))
            .on("set", 3, answered(&seen))
            .on("asking", 1, answered(&seen))
            .on("readonly", 1, answered(&seen));
        let server = Server::new().service(redis::service(commands)).listen("127.0.0.1:0");
        Node { server: server.start().expect("a port is free"), table, looks, seen }
    }

    fn port(&self) -> i64 {
        self.address().rsplit_once(':').expect("a port").1.parse().expect("a number")
    }

    fn address(&self) -> String {
        self.server.addresses()[0].to_string()
    }

    fn seen(&self) -> Vec<String> {
        std::mem::take(&mut *self.seen.lock().expect("whole"))
    }

    /// All nodes tell these ranges.
    fn tell(nodes: &[&Node], ranges: &[(i64, i64, &[&Node])]) {
        let node =
            |node: &&Node| Value::Array(vec!["127.0.0.1".into(), Value::Integer(node.port()), "id".into()]);
        let range = |(first, last, nodes): &(i64, i64, &[&Node])| {
            let numbers = [Value::Integer(*first), Value::Integer(*last)];
            Value::Array(numbers.into_iter().chain(nodes.iter().map(node)).collect())
        };
        let table = Value::Array(ranges.iter().map(range).collect());
        nodes.iter().for_each(|node| *node.table.lock().expect("whole") = table.clone());
    }
}

/// `foo` is of slot 12182, `bar` of 5061.
const ALL: (i64, i64) = (0, 16383);

fn cluster(node: &Node) -> Cluster {
    Cluster::builder([node.address()]).build().expect("valid options")
}

#[test]
fn a_node_that_redirects_to_itself_for_ever_is_given_up() -> Tested {
    let port: Arc<AtomicUsize> = Arc::default();
    let own = port.clone();
    let node = Node::start(move |_| Value::error(format!("MOVED 12182 127.0.0.1:{}", own.load(Relaxed))));
    port.store(node.port() as usize, Relaxed);
    Node::tell(&[&node], &[(ALL.0, ALL.1, &[&node])]);
    run(async {
        let redis = cluster(&node).client();
        let failed = redis.get::<String>("foo").await.expect_err("it never answers");
        assert!(failed.message().starts_with("redirected 5 times"), "{failed}");
        assert_eq!(node.seen().len(), 6);
        let failed = redis.pipeline().get("foo").get("bar").read::<Vec<Value>>().await.expect_err("the same");
        assert!(failed.message().starts_with("redirected 5 times"), "{failed}");
        assert!(node.looks.load(Relaxed) <= 2);
        Ok(())
    })
}

#[test]
fn a_redirection_to_an_address_outside_of_the_cluster_is_not_followed() -> Tested {
    let foreign = TcpListener::bind("127.0.0.1:0")?;
    foreign.set_nonblocking(true)?;
    let elsewhere = foreign.local_addr()?;
    for word in ["MOVED", "ASK"] {
        let node = Node::start(move |_| Value::error(format!("{word} 12182 {elsewhere}")));
        Node::tell(&[&node], &[(ALL.0, ALL.1, &[&node])]);
        run(async {
            let redis = cluster(&node).client();
            let failed = redis.get::<String>("foo").await.expect_err("refused");
            assert!(failed.message().contains("no node of the cluster"), "{failed}");
            Ok(())
        })?;
        assert!(foreign.accept().is_err(), "somebody connected to it");
    }
    Ok(())
}

#[test]
fn addresses_that_the_user_does_not_allow_are_not_connected_to() -> Tested {
    let node = Node::start(|_| Value::from("x"));
    let other = Node::start(|_| Value::from("y"));
    Node::tell(&[&node, &other], &[(0, 8000, &[&node]), (8001, 16383, &[&other])]);
    let only = node.address();
    let cluster = Cluster::builder([node.address()]).timeout(Duration::from_millis(200));
    let cluster = cluster.address(move |address| (address == only).then(|| address.to_owned())).build()?;
    run(async {
        assert_eq!(cluster.client().get::<String>("bar").await?, "x");
        let failed = cluster.client().get::<String>("foo").await.expect_err("nobody has its slot");
        assert_eq!(failed.code(), Code::Unavailable);
        assert_eq!(other.seen(), [""; 0]);
        Ok(())
    })
}

#[test]
fn moved_changes_the_table_and_ask_does_not() -> Tested {
    let target: Arc<Mutex<String>> = Arc::default();
    let told = target.clone();
    let from = Node::start(move |words| match &words[1][..] {
        "{foo}ask" => Value::error(format!("ASK 12182 {}", told.lock().expect("whole"))),
        _ => Value::error(format!("MOVED 12182 {}", told.lock().expect("whole"))),
    });
    let to = Node::start(|words| Value::from(words[1].clone()));
    *target.lock().expect("whole") = to.address();
    Node::tell(&[&from, &to], &[(0, 1, &[&to]), (2, 16383, &[&from])]);
    run(async {
        let redis = cluster(&from).client();
        for _ in 0..2 {
            assert_eq!(redis.get::<String>("{foo}ask").await?, "{foo}ask");
            assert_eq!(from.seen(), ["GET {foo}ask"]);
            assert_eq!(to.seen(), ["ASKING", "GET {foo}ask"]);
        }
        // Of a pipeline only the commands that need it.
        let both: Vec<String> = redis.pipeline().get("{foo}ask").get("{foo}ask").read().await?;
        assert_eq!(both, ["{foo}ask", "{foo}ask"]);
        assert_eq!(to.seen(), ["ASKING", "GET {foo}ask", "ASKING", "GET {foo}ask"]);
        from.seen();
        assert_eq!(redis.get::<String>("foo").await?, "foo");
        assert_eq!((from.seen(), to.seen()), (vec!["GET foo".to_owned()], vec!["GET foo".to_owned()]));
        assert_eq!(redis.get::<String>("foo").await?, "foo");
        assert_eq!((from.seen(), to.seen()), (vec![], vec!["GET foo".to_owned()]));
        Ok(())
    })
}

#[test]
fn a_pipeline_is_split_by_node_and_joined_in_order() -> Tested {
    let one = Node::start(|words| Value::from(format!("1:{}", words[1])));
    let two = Node::start(|words| Value::from(format!("2:{}", words[1])));
    Node::tell(&[&one, &two], &[(0, 8000, &[&one]), (8001, 16383, &[&two])]);
    run(async {
        let redis = cluster(&one).client();
        let replies: Vec<String> =
            redis.pipeline().get("foo").get("bar").get("{foo}1").get("{bar}1").read().await?;
        assert_eq!(replies, ["2:foo", "1:bar", "2:{foo}1", "1:{bar}1"]);
        assert_eq!(
            (one.seen(), two.seen()),
            (vec!["GET bar".into(), "GET {bar}1".into()], vec!["GET foo".into(), "GET {foo}1".into()])
        );
        let none: Vec<Value> = redis.pipeline().read().await?;
        assert_eq!(none, []);
        Ok(())
    })
}

#[test]
fn commands_of_several_slots_are_refused_before_they_are_sent() -> Tested {
    let node = Node::start(|_| Value::OK);
    Node::tell(&[&node], &[(ALL.0, ALL.1, &[&node])]);
    run(async {
        let redis = cluster(&node).client();
        let refused: Status = redis.mget::<Vec<Value>>(["foo", "bar"]).await.expect_err("two slots");
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().starts_with("CROSSSLOT"), "{refused}");
        let refused = redis.pipeline().set("foo", 1).set("bar", 2).atomic().read::<(Value, Value)>().await;
        let refused = refused.expect_err("two slots");
        assert!(refused.message().contains("SET (command 1) is of 12182"), "{refused}");
        let refused =
            redis.pipeline().get("foo").dbsize().read::<Vec<Value>>().await.expect_err("about one node");
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert_eq!(node.seen(), [""; 0]);
        Ok(())
    })
}

#[test]
fn what_was_not_done_is_sent_again_until_the_deadline() -> Tested {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let node = Node::start(move |words| match (&words[1][..], counted.fetch_add(1, Relaxed)) {
        ("foo", 0) => Value::error("TRYAGAIN Multiple keys request during rehashing of slot"),
        ("foo", 1) => Value::error("CLUSTERDOWN The cluster is down"),
        ("foo", _) => Value::from("at last"),
        _ => Value::error("LOADING Redis is loading the dataset in memory"),
    });
    Node::tell(&[&node], &[(ALL.0, ALL.1, &[&node])]);
    run(async {
        let redis = cluster(&node).client();
        assert_eq!(redis.get::<String>("foo").await?, "at last");
        let begun = Instant::now();
        let failed =
            redis.get::<String>("bar").timeout(Duration::from_millis(100)).await.expect_err("it loads");
        assert!(failed.message().starts_with("LOADING"), "{failed}");
        assert!(begun.elapsed() < Duration::from_secs(1));
        Ok(())
    })
}

#[test]
fn the_table_is_read_once_for_many_callers_whose_node_has_gone() -> Tested {
    let gone = Node::start(|_| Value::OK);
    let left = Node::start(|_| Value::from("here"));
    Node::tell(&[&gone, &left], &[(ALL.0, ALL.1, &[&gone])]);
    let cluster = Cluster::builder([left.address()]).timeout(Duration::from_secs(10)).build()?;
    run(async {
        cluster.refresh().await?;
        assert_eq!(left.looks.load(Relaxed), 1);
        Node::tell(&[&left], &[(ALL.0, ALL.1, &[&left])]);
        gone.server.stop().await;
        let calls: Vec<_> = (0..200)
            .map(|_| {
                let redis = cluster.client();
                tokio::spawn(async move { redis.get::<String>("foo").await })
            })
            .collect();
        for call in calls {
            assert_eq!(call.await??, "here");
        }
        let looks = left.looks.load(Relaxed) - 1;
        assert!(looks <= 5, "the table was read {looks} times");
        Ok(())
    })
}

#[test]
fn replicas_answer_what_changes_nothing_and_the_master_if_they_fail() -> Tested {
    let master = Node::start(|_| Value::from("master"));
    let replica = Node::start(|_| Value::from("replica"));
    Node::tell(&[&master, &replica], &[(ALL.0, ALL.1, &[&master, &replica])]);
    let cluster = Cluster::builder([master.address()]).read_from(ReadFrom::Replica);
    let redis = cluster.timeout(Duration::from_secs(5)).build()?.client();
    run(async {
        assert_eq!(redis.get::<String>("foo").await?, "replica");
        assert_eq!(replica.seen(), ["READONLY", "GET foo"]);
        assert_eq!(redis.set("foo", 1).await, Ok(()));
        assert_eq!((master.seen(), replica.seen()), (vec!["SET foo 1".to_owned()], vec![]));
        replica.server.stop().await;
        assert_eq!(redis.get::<String>("foo").await?, "master");
        Ok(())
    })
}

#[test]
fn a_table_that_cannot_be_used_is_told_to_the_caller() -> Tested {
    let node = Node::start(|_| Value::OK);
    let range =
        |first| Value::Array(vec![Value::Integer(first), Value::Integer(first), Value::Array(vec![])]);
    *node.table.lock().expect("whole") = Value::Array((0..=16_384).map(|_| range(1)).collect());
    run(async {
        let cluster = Cluster::builder([node.address()]).timeout(Duration::from_secs(1)).build()?;
        let failed = cluster.client().get::<String>("foo").await.expect_err("no table");
        assert!(failed.message().contains("cannot be used"), "{failed}");
        Ok(())
    })
}

#[test]
fn a_cluster_is_called_without_a_runtime() -> Tested {
    let node = Node::start(|words| Value::from(words[1].clone()));
    Node::tell(&[&node], &[(ALL.0, ALL.1, &[&node])]);
    let redis = cluster(&node).client();
    assert_eq!(redis.get::<String>("foo").blocking()?, "foo");
    assert_eq!(redis.pipeline().get("foo").get("bar").read::<(String, String)>().blocking()?.1, "bar");
    Ok(())
}

fn own_connections(address: &str) -> Channel {
    Channel::builder(address)
        .protocol("redis")
        .pooling(Pooling::default().kind(Connections::Short))
        .build()
        .expect("valid")
}

#[test]
fn a_session_watches_and_its_transaction_does_nothing_when_a_key_has_changed() -> Tested {
    let server = Server::new().service(redis::service(Store::default())).listen("127.0.0.1:0").start()?;
    let address = server.addresses()[0].to_string();
    run(async {
        let redis = redis::Client::new(own_connections(&address));
        redis.set("n", 1).await?;
        let mut own = Session::open(&own_connections(&address)).await?;
        own.watch(["n"]).await?;
        assert_eq!(own.get::<i64>("n").await?, 1);
        let done: Option<(i64, i64)> = own.exec(redis.pipeline().incr("n").incr("n")).await?;
        assert_eq!(done, Some((2, 3)));
        own.watch(["n"]).await?;
        redis.set("n", 10).await?;
        let done: Option<(i64,)> = own.exec(redis.pipeline().incr("n")).await?;
        assert_eq!(done, None);
        assert_eq!(redis.get::<i64>("n").await?, 10);
        let wrong =
            own.exec::<Value>(redis.pipeline().incr("n").command(&redis::Command::new("NOSUCH"))).await;
        let wrong = wrong.expect_err("it cannot be queued");
        assert!(
            wrong.message().starts_with("EXECABORT") && wrong.message().contains("command 2: ERR unknown"),
            "{wrong}"
        );
        assert_eq!(own.incr("n").await?, 11);
        // A command that was given up leaves its reply to be skipped.
        let increment = redis::Command::new("INCR").arg("n");
        let given_up = own.call::<i64>(&increment);
        drop(tokio::time::timeout(Duration::ZERO, given_up).await);
        let (number, again): (i64, i64) = own.pipeline(redis.pipeline().incr("n").incr("n")).await?;
        assert_eq!(again, number + 1);
        let shared = Channel::builder(&address).protocol("redis").build()?;
        let refused = Session::open(&shared).await.map(drop).expect_err("its connections are shared");
        assert_eq!(refused.code(), Code::FailedPrecondition);
        Ok(())
    })
}

/// Accepts a connection, reads until `until` has come, and answers.
fn serve_once(listener: &TcpListener, until: &str, answer: &str) -> TcpStream {
    let (mut stream, _) = listener.accept().expect("a connection");
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains(until) {
        let mut bytes = [0; 1024];
        let n = stream.read(&mut bytes).expect("bytes");
        assert!(n > 0, "it ended after {}", seen.escape_ascii());
        seen.extend_from_slice(&bytes[..n]);
    }
    stream.write_all(answer.as_bytes()).expect("sent");
    stream
}

#[test]
fn a_subscriber_shows_the_gap_and_subscribes_again() -> Tested {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let subscribed = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";
    let message = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n";
    let server = std::thread::spawn(move || {
        drop(serve_once(&listener, "SUBSCRIBE\r\n$1\r\nc\r\n", &format!("{subscribed}{message}")));
        // The second connection is silent until it is asked by PING.
        let pinged = serve_once(&listener, "PING", &format!("{subscribed}{message}"));
        drop(pinged);
    });
    run(async {
        let mut news = Subscriber::new(own_connections(&address));
        news.set_ping_after(Duration::from_millis(50));
        news.subscribe(["c"]).await?;
        news.subscribe(["c"]).await?;
        assert_eq!(news.subscriptions(), 1);
        for round in 0..2 {
            let begun = news.next().await;
            assert!(
                matches!(&begun, Event::Subscribed(Kind::Channel, name) if name == "c"),
                "{round}: {begun:?}"
            );
            let Event::Message(message) = news.next().await else { panic!("a message") };
            assert_eq!((&message.channel[..], &message.payload[..]), (&b"c"[..], &b"hi"[..]));
            let lost = news.next().await;
            assert!(matches!(lost, Event::Lost(_)), "{lost:?}");
        }
        Ok(())
    })?;
    server.join().expect("the server did not panic");
    Ok(())
}

#[test]
fn a_server_that_is_silent_even_when_asked_is_given_up() -> Tested {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    run(async {
        let mut news = Subscriber::new(own_connections(&address));
        news.set_ping_after(Duration::from_millis(20));
        news.subscribe(["c"]).await?;
        let Event::Lost(why) = news.next().await else { panic!("it was silent") };
        assert!(why.message().starts_with("silent for"), "{why}");
        Ok(())
    })
}

#[test]
fn subscriptions_have_a_bound() -> Tested {
    run(async {
        let mut news = Subscriber::new(own_connections("127.0.0.1:1"));
        news.subscribe((0..redis::MAX_SUBSCRIPTIONS).map(|number| number.to_string())).await?;
        let refused = news.subscribe(["one more"]).await.expect_err("too many");
        assert_eq!(refused.code(), Code::ResourceExhausted);
        let mut long = Subscriber::new(own_connections("127.0.0.1:1"));
        let refused =
            long.subscribe([vec![0; redis::MAX_SUBSCRIPTION_BYTES + 1]]).await.expect_err("too long");
        assert_eq!(refused.code(), Code::ResourceExhausted);
        Ok(())
    })
}

redis::commands! {
    /// A command of one's own.
    trait Shouting {
        /// In capital letters.
        fn shout(text: one) -> String = "SHOUT";
        /// The number of an item, or whatever else it is read as.
        fn count_of [T] (name: key, items: list) -> T = "COUNT OF";
    }
}

#[test]
fn commands_of_ones_own_look_like_the_others() -> Tested {
    let commands = Commands::new().on("shout", 2, |_, args| Value::from(args[1].to_ascii_uppercase())).on(
        "count",
        -3,
        |_, args| Value::Integer(args.len() as i64),
    );
    let server = Server::new().service(redis::service(commands)).listen("127.0.0.1:0").start()?;
    let address = server.addresses()[0].to_string();
    run(async {
        let redis = redis::Client::new(own_connections(&address));
        assert_eq!(redis.shout("hi").await?, "HI");
        assert_eq!(redis.count_of::<usize>("x", ["a", "b"]).await?, 5);
        let (first, second): (String, i64) =
            redis.pipeline().shout("a").count_of::<i64>("x", ["b"]).read().await?;
        assert_eq!((first.as_str(), second), ("A", 4));
        let mut own = redis.session("x").await?;
        assert_eq!((&mut own).shout("b").await?, "B");
        let wrong = redis.count_of::<bool>("x", ["a"]).await;
        assert_eq!(wrong, Ok(true));
        let wrong: Result<Vec<String>, Status> = redis.count_of("x", ["a"]).await;
        let wrong = wrong.expect_err("an integer is no list");
        assert_eq!(wrong.message(), "unexpected redis reply: expected a list, got an integer");
        Ok(())
    })
}

/// A server that says which role it has, and a sentinel that names a master.
fn told(role: &Arc<Mutex<&'static str>>, master: &Arc<Mutex<i64>>, name: &'static str) -> Running {
    let (role, master) = (role.clone(), master.clone());
    let commands = Commands::new()
        .on("role", 1, move |_, _| {
            Value::Array(vec![Value::from(*role.lock().expect("whole")), Value::Integer(0)])
        })
        .on("sentinel", 3, move |_, args| match (args[2], *master.lock().expect("whole")) {
            (b"orders", port) if port > 0 => {
                Value::Array(vec!["127.0.0.1".into(), Value::from(port.to_string())])
            }
            _ => Value::NullArray,
        })
        .on("get", 2, move |_, _| Value::from(name));
    Server::new().service(redis::service(commands)).listen("127.0.0.1:0").start().expect("a port is free")
}

#[test]
fn calls_follow_the_master_that_sentinels_name() -> Tested {
    let none: Arc<Mutex<i64>> = Arc::default();
    let (first_role, second_role) = (Arc::new(Mutex::new("master")), Arc::new(Mutex::new("slave")));
    let (first, second) = (told(&first_role, &none, "first"), told(&second_role, &none, "second"));
    let port = |server: &Running| {
        i64::from(
            server.addresses()[0]
                .to_string()
                .rsplit_once(':')
                .expect("a port")
                .1
                .parse::<u16>()
                .expect("a port"),
        )
    };
    let master = Arc::new(Mutex::new(port(&first)));
    let sentinel = told(&Arc::new(Mutex::new("sentinel")), &master, "sentinel");
    // The first sentinel is not there.
    let source =
        redis::Sentinel::new("orders", ["127.0.0.1:1".to_owned(), sentinel.addresses()[0].to_string()])?;
    let channel = Channel::builder("orders")
        .servers(source)
        .protocol("redis")
        .timeout(Duration::from_secs(5))
        .build()?;
    let redis = redis::Client::new(channel);
    run(async {
        assert_eq!(redis.get::<String>("k").await?, "first");
        // A server that is still a replica is not taken for the master.
        *master.lock().expect("whole") = port(&second);
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(redis.get::<String>("k").await?, "first");
        (*first_role.lock().expect("whole"), *second_role.lock().expect("whole")) = ("slave", "master");
        let begun = Instant::now();
        while redis.get::<String>("k").await? != "second" {
            assert!(begun.elapsed() < Duration::from_secs(10), "calls still go to the old master");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    })
}

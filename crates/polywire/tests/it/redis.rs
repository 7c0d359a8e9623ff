//! Redis as its users see it: a server with a store or handlers, and the typed client.

use polywire::{
    Authenticator, Caller, Channel, Code, Connections, Context, Identity, Pooling, Running, Server, Service,
    Status,
    redis::{self, Answer, Client, Command, Commands, Store, Transaction, Value},
};
use std::{
    collections::{BTreeMap, HashSet},
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn serve(service: Service) -> Running {
    Server::new().service(service).listen("127.0.0.1:0").start().expect("a port is free")
}

fn client(server: &Running, protocol: &str) -> Client {
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol(protocol);
    Client::new(channel.build().expect("a valid channel"))
}

fn run(test: impl Future<Output = Tested>) -> Tested {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(test)
}

/// Sends bytes and reads until the server closes, as `QUIT` makes it do.
fn talk(server: &Running, bytes: &str) -> Result<String, std::io::Error> {
    let mut stream = TcpStream::connect(server.addresses()[0].to_string())?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.write_all(bytes.as_bytes())?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

#[test]
fn a_typed_client_reads_the_same_in_both_versions() -> Tested {
    let server = serve(redis::service(Store::default()));
    run(async {
        for protocol in ["redis", "redis:3", "redis:3,db=0"] {
            let redis = client(&server, protocol);
            assert_eq!(redis.ping().await?, "PONG");
            redis.set("key", "value").await?;
            let value: Option<String> = redis.get("key").await?;
            assert_eq!(value.as_deref(), Some("value"));
            let none: Option<String> = redis.get("none").await?;
            assert_eq!(none, None);
            assert_eq!((redis.del(["key", "n", "h", "s", "l"]).await?, redis.incrby("n", 5).await?), (1, 5));
            assert_eq!(redis.hset("h", [("a", 1), ("b", 2)]).await?, 2);
            let fields: BTreeMap<String, i64> = redis.hgetall("h").await?;
            assert_eq!(fields, BTreeMap::from([("a".into(), 1), ("b".into(), 2)]));
            redis.sadd("s", ["x", "y", "x"]).await?;
            let members: HashSet<String> = redis.smembers("s").await?;
            assert_eq!(members, HashSet::from(["x".into(), "y".into()]));
            redis.rpush("l", [b"\0\xff"]).await?;
            let items: Vec<Vec<u8>> = redis.lrange("l", 0, -1).await?;
            assert_eq!(items, [b"\0\xff"]);
            redis.psetex("t", Duration::from_secs(100), "v").await?;
            assert!((1..=100_000).contains(&redis.pttl("t").await?));
            let wrong: Result<Option<String>, Status> = redis.get("l").await;
            let wrong = wrong.expect_err("a list is no string");
            assert_eq!(wrong.code(), Code::FailedPrecondition);
            assert!(wrong.message().starts_with("WRONGTYPE "), "{wrong}");
            redis.call::<()>(&Command::new("FLUSHALL")).await?;
        }
        Ok(())
    })
}

#[test]
fn a_pipeline_is_one_call() -> Tested {
    let server = serve(redis::service(Store::default()));
    let redis = client(&server, "redis");
    run(async {
        let (ok, sum, text): (bool, i64, String) =
            redis.pipeline().set("n", 41).incr("n").get("n").read().await?;
        assert_eq!((ok, sum, text.as_str()), (true, 42, "42"));
        let each: Vec<Value> = redis.pipeline().lpush("n", ["x"]).get("n").read().await?;
        assert!(each[0].is_error() && each[1] == Value::from("42"));
        let (first, second): (i64, i64) = redis.pipeline().incr("n").incr("n").atomic().read().await?;
        assert_eq!((first, second), (43, 44));
        let aborted = redis.pipeline().incr("n").command(&Command::new("nonsense")).atomic();
        let aborted: Result<(i64, i64), Status> = aborted.read().await;
        assert!(aborted.expect_err("nothing was done").message().starts_with("EXECABORT"));
        let number: i64 = redis.get("n").await?;
        assert_eq!(number, 44);
        let many =
            (0..1000).fold(redis.pipeline(), |pipeline, n| pipeline.command(&Command::new("ECHO").arg(n)));
        let echoed: Vec<i64> = many.read().await?;
        assert_eq!(echoed, (0..1000).collect::<Vec<_>>());
        Ok(())
    })
}

#[test]
fn what_takes_long_is_answered_in_its_turn() -> Tested {
    let server = serve(redis::service(Store::default()));
    let redis = client(&server, "redis");
    let items: Vec<i64> = (0..50_000).collect();
    run(async {
        // More arguments than a shard reads at once, a longer list, and a transaction of both.
        let (pushed, all, pong, last): (i64, Vec<i64>, String, i64) = redis
            .pipeline()
            .command(&Command::new("RPUSH").arg("l").arg_list(&items))
            .command(&Command::new("LRANGE").arg("l").arg(0).arg(-1))
            .command(&Command::new("PING"))
            .command(&Command::new("LINDEX").arg("l").arg(-1))
            .read()
            .await?;
        assert_eq!((pushed, pong.as_str(), last), (50_000, "PONG", 49_999));
        assert_eq!(all, items);
        let (removed, left): (i64, i64) = redis
            .pipeline()
            .command(&Command::new("LREM").arg("l").arg(0).arg(7))
            .llen("l")
            .atomic()
            .read()
            .await?;
        assert_eq!((removed, left), (1, 49_999));
        assert_eq!(redis.del(["l"]).await?, 1);
        Ok(())
    })
}

#[test]
fn a_plain_thread_needs_no_runtime() -> Tested {
    let server = serve(redis::service(Store::default()));
    let redis = client(&server, "redis:3");
    redis.set("k", "v").blocking()?;
    let value: String = redis.get("k").blocking()?;
    assert_eq!(value, "v");
    Ok(())
}

#[test]
fn a_connection_of_ones_own_can_watch() -> Tested {
    let server = serve(redis::service(Store::default()));
    let address = server.addresses()[0].to_string();
    run(async {
        let builder =
            Channel::builder(address).protocol("redis").pooling(Pooling::default().kind(Connections::Pooled));
        let alone = Client::new(builder.build()?);
        let other = client(&server, "redis");
        alone.call::<()>(&Command::new("WATCH").arg("k")).await?;
        other.set("k", 1).await?;
        let prevented: Result<(i64,), Status> = alone.pipeline().incr("k").atomic().read().await;
        assert_eq!(prevented.expect_err("k has changed").code(), Code::Aborted);
        let (done,): (i64,) = alone.pipeline().incr("k").atomic().read().await?;
        assert_eq!(done, 2);
        Ok(())
    })
}

struct Password;

impl Authenticator for Password {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        match (caller.user(), caller.credential()) {
            (None, Some(b"sekrit")) => Ok(Identity::named("default")),
            (Some(b"me"), Some(b"sekrit")) => Ok(Identity::named("me")),
            _ => Err(Status::unauthenticated("wrong")),
        }
    }
}

#[test]
fn a_password_is_asked_for() -> Tested {
    let server = Server::new()
        .service(redis::service(Commands::new().on("whoami", 1, |cx: &Context, _: &[&[u8]]| {
            Value::bulk(cx.identity().map_or("nobody", |identity| &identity.name))
        })))
        .authenticate(Password)
        .listen("127.0.0.1:0")
        .start()?;
    let address = server.addresses()[0].to_string();
    run(async {
        for (credential, name) in [("sekrit", "default"), ("me:sekrit", "me")] {
            let channel = Channel::builder(&*address).protocol("redis:3").credential(credential).build()?;
            let found: String = Client::new(channel).call(&Command::new("WHOAMI")).await?;
            assert_eq!(found, name);
        }
        let channel = Channel::builder(&*address).protocol("redis").credential("wrong").build()?;
        let refused: Result<String, Status> = Client::new(channel).call(&Command::new("WHOAMI")).await;
        assert_eq!(refused.expect_err("a wrong password").code(), Code::Unauthenticated);
        let refused: Result<String, Status> = client(&server, "redis").call(&Command::new("WHOAMI")).await;
        assert_eq!(refused.expect_err("no password").code(), Code::Unauthenticated);
        Ok(())
    })
}

/// Collects words until `end`.
struct Collect(Vec<String>);

impl Transaction for Collect {
    fn command(&mut self, _: &Context, args: &[&[u8]]) -> (Value, bool) {
        let word = String::from_utf8_lossy(args[0]).into_owned();
        if word != "end" {
            self.0.push(word);
            return (Value::Simple("QUEUED".into()), false);
        }
        (std::mem::take(&mut self.0).into(), true)
    }
}

#[test]
fn handlers_answer_commands_and_may_begin_transactions() -> Tested {
    let commands = Commands::new()
        .on("shout", 2, |_: &Context, args: &[&[u8]]| Value::from(args[1].to_ascii_uppercase()))
        .on("begin", 1, |_: &Context, _: &[&[u8]]| Answer::Begin(Value::OK, Box::new(Collect(Vec::new()))))
        .on_async("later", -2, |_, args| {
            Box::pin(async move {
                tokio::task::yield_now().await;
                Answer::from(args.len() as i64)
            })
        });
    let server = serve(redis::service(commands));
    let asked = "SHOUT hi\r\nshout\r\nlater a b\r\nPING\r\nnonsense x\r\nbegin\r\none\r\ntwo\r\nend\r\nPING\r\nQUIT\r\n";
    let answered = "$2\r\nHI\r\n-ERR wrong number of arguments for 'shout' command\r\n:3\r\n+PONG\r\n\
        -ERR unknown command 'nonsense', with args beginning with: 'x' \r\n\
        +OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n$3\r\none\r\n$3\r\ntwo\r\n+PONG\r\n+OK\r\n";
    assert_eq!(talk(&server, asked)?, answered);
    Ok(())
}

#[test]
fn a_transaction_dies_with_its_connection() -> Tested {
    let server = serve(redis::service(Store::default()));
    // Whether it ends with QUIT or by just ending.
    for (last, reply) in [("QUIT\r\n", "+OK\r\n+QUEUED\r\n+OK\r\n"), ("", "+OK\r\n+QUEUED\r\n")] {
        let mut socket = TcpStream::connect(server.addresses()[0].to_string())?;
        socket.write_all(format!("MULTI\r\nSET k v\r\n{last}").as_bytes())?;
        let mut said = vec![0; reply.len()];
        socket.read_exact(&mut said)?;
        assert_eq!(String::from_utf8(said)?, reply);
        socket.shutdown(std::net::Shutdown::Write)?;
        assert_eq!(socket.read(&mut [0])?, 0, "the connection has ended");
    }
    assert_eq!(talk(&server, "GET k\r\nEXEC\r\nQUIT\r\n")?, "$-1\r\n-ERR EXEC without MULTI\r\n+OK\r\n");
    Ok(())
}

#[test]
fn first_bytes_that_redis_server_takes_are_taken() -> Tested {
    let server = serve(redis::service(Store::default()));
    for first in ["\r\n", "\n", "*-1\r\n", "*-10\r\n", "*0\r\n", " ", "\t"] {
        assert_eq!(talk(&server, &format!("{first}PING\r\nQUIT\r\n"))?, "+PONG\r\n+OK\r\n", "{first:?}");
    }
    assert_eq!(talk(&server, "\"PING\"\r\n'QUIT'\r\n")?, "+PONG\r\n+OK\r\n");
    // HTTP on the same port skips an empty line, too.
    let reply = talk(&server, "\r\nGET /health HTTP/1.0\r\n\r\n")?;
    assert!(reply.starts_with("HTTP/1.0 200 OK\r\n") && reply.ends_with("\r\n\r\nOK"), "{reply}");
    Ok(())
}

#[test]
fn without_a_password_no_command_is_done_on_any_way() -> Tested {
    let server = Server::new().service(redis::service(Store::default())).authenticate(Password);
    let server = server.listen("127.0.0.1:0").start()?;
    let no = "-NOAUTH Authentication required.\r\n";
    for command in [
        "SET k v",
        "GET k",
        "MULTI",
        "EXEC",
        "WATCH k",
        "FLUSHALL",
        "KEYS *",
        "CONFIG GET *",
        "CLIENT ID",
        "COMMAND",
        "INFO",
        "PING",
        "*2\r\n$3\r\nGET\r\n$1\r\nk",
        "RESET x",
    ] {
        let reply = talk(&server, &format!("{command}\r\nQUIT\r\n"))?;
        let refusal = match command {
            "RESET x" => "-ERR wrong number of arguments for 'reset' command\r\n",
            _ => no,
        };
        assert_eq!(reply, format!("{refusal}+OK\r\n"), "{command}");
    }
    // RESET takes back what AUTH gave, also within a transaction.
    let reply = talk(
        &server,
        "AUTH sekrit\r\nSET k v\r\nRESET\r\nGET k\r\nAUTH sekrit\r\nMULTI\r\nRESET\r\nEXEC\r\nGET k\r\nHELLO 3\r\nQUIT\r\n",
    )?;
    let expected = format!("+OK\r\n+OK\r\n+RESET\r\n{no}+OK\r\n+OK\r\n+RESET\r\n{no}{no}");
    let hello = "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> \
                 <pass> option can be used to authenticate the client and select the RESP protocol version at the same \
                 time\r\n+OK\r\n";
    assert_eq!(reply, expected + hello);
    // Nothing of it was done: not before the password, not in the transaction that RESET ended.
    let reply = talk(&server, "AUTH sekrit\r\nDBSIZE\r\nGET k\r\nQUIT\r\n")?;
    assert_eq!(reply, "+OK\r\n:1\r\n$1\r\nv\r\n+OK\r\n", "what was set with a password, and that alone");
    Ok(())
}

//! Conversations between a client and a server, recorded over real sockets and played again.

use polywire::{
    Channel, Content, Running, Server, Target,
    redis::{self, Store},
    testkit::{By, Conversation, Recorder, Replay},
};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn serve(store: Store) -> (Running, String) {
    let running = Server::new().service(redis::service(store)).listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    (running, address)
}

fn client(address: impl ToString) -> redis::Client {
    redis::Client::new(Channel::builder(address.to_string()).protocol("redis").build().unwrap())
}

/// What one does with the client of a test.
async fn set_and_get(redis: &redis::Client, value: &str) -> Option<String> {
    redis.set("key", value).await.unwrap();
    redis.get("key").await.unwrap()
}

async fn recorded() -> Conversation {
    let (_server, address) = serve(Store::default());
    let recorder = Recorder::start(address).await.unwrap();
    assert_eq!(set_and_get(&client(recorder.address()), "value").await.as_deref(), Some("value"));
    let conversation = recorder.conversation().unwrap();
    // by a file, as a test would have it
    Conversation::parse(&conversation.to_string()).unwrap()
}

#[tokio::test]
async fn a_server_is_tested_by_what_a_client_once_sent() {
    let conversation = recorded().await;
    let text = conversation.to_string();
    assert!(text.contains(" 1 > \"value\\r\\n\"\n") && text.contains(" 1 < \"+OK\\r\\n\"\n"), "{text}");
    let (_server, address) = serve(Store::default());
    Replay::new(&conversation).client(&address).await.unwrap();

    let changed = Conversation::parse(&text.replace("< \"+OK\\r\\n\"", "< \"+YES\\r\\n\"")).unwrap();
    let difference = Replay::new(&changed).client(&address).await.unwrap_err();
    assert_eq!((difference.connection, difference.at), (1, 1), "{difference}");
    assert_eq!((&*difference.expected, &*difference.found), ("\"YES\\r\\n\"", "\"OK\\r\\n\""));
    Replay::new(&changed).mask("+", "\r\n").client(&address).await.unwrap();
}

#[tokio::test]
async fn a_client_is_tested_by_what_a_server_once_answered() {
    let conversation = recorded().await;
    let replay = Replay::new(&conversation).patience(Duration::from_secs(2));
    let got = replay.server(async |address| set_and_get(&client(address), "value").await).await.unwrap();
    assert_eq!(got.as_deref(), Some("value"));
    let other = replay
        .server(async |address| {
            let redis = client(address);
            let _ = redis.set("key", "other").await; // it is not answered
        })
        .await
        .unwrap_err();
    assert_eq!((&*other.expected, &*other.found), ("\"value\\r\\n\"", "\"other\\r\\n\""), "{other}");
    let nobody = replay.patience(Duration::from_millis(20)).server(async |_| ()).await.unwrap_err();
    assert_eq!((&*nobody.expected, &*nobody.found), ("a connection", "no client connected in time"));
}

#[tokio::test]
async fn dates_of_http_are_masked() {
    let (_server, address) = serve(Store::default());
    let recorder = Recorder::start(&address).await.unwrap();
    let channel: Channel = Channel::builder(recorder.address().to_string()).protocol("http").build().unwrap();
    let health = channel.call(Target::fixed("", "/health"), Vec::new()).content(Content::RAW);
    assert_eq!(health.metadata(":method", "GET").await.unwrap().body, b"OK"[..]);
    let text = recorder.conversation().unwrap().to_string();
    let is_date = |line: &&str| line.to_ascii_lowercase().contains(" < \"date: ");
    let date = text.lines().find(is_date).unwrap_or_else(|| panic!("no date: {text}"));
    // Not in the time of the line, which is there as well.
    let long_ago = text.replace(date, &date.replacen(": ", ": long before ", 1));
    let replay = Replay::new(&Conversation::parse(&long_ago).unwrap());
    replay.client(&address).await.unwrap_err();
    replay.mask_header("date").client(&address).await.unwrap();
}

#[tokio::test]
async fn any_stream_can_be_recorded_and_more_or_less_than_was_recorded_is_a_difference() {
    let (mut client, from_client) = tokio::io::duplex(64);
    let (to_server, mut server) = tokio::io::duplex(64);
    let relayed = tokio::spawn(Recorder::relay(from_client, to_server));
    let mut four = [0; 4];
    client.write_all(b"ping").await.unwrap();
    server.read_exact(&mut four).await.unwrap();
    server.write_all(b"\x00\xffok").await.unwrap();
    client.read_exact(&mut four).await.unwrap();
    drop(client);
    assert_eq!(server.read(&mut four).await.unwrap(), 0);
    drop(server);
    let conversation = relayed.await.unwrap().unwrap();
    let said: Vec<_> = conversation.events.iter().map(|sent| (sent.by, sent.bytes.as_deref())).collect();
    let wanted: [(By, Option<&[u8]>); 4] = [
        (By::Client, Some(b"ping")),
        (By::Server, Some(b"\x00\xffok")),
        (By::Client, None),
        (By::Server, None),
    ];
    assert_eq!(said, wanted);

    for (answer, found) in [
        (&b"\x00\xffok"[..], Ok(())),
        (b"\x00\xff", Err("the end")),
        (b"\x00\xffok!", Err("\"!\"")),
        (b"\x01", Err("\"\\x01\"")),
    ] {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let playing = tokio::spawn(async move {
            theirs.write_all(answer).await.unwrap();
            theirs.shutdown().await.unwrap();
            let mut read = Vec::new();
            theirs.read_to_end(&mut read).await.unwrap();
            read
        });
        let played = Replay::new(&conversation).client_over(ours).await;
        assert_eq!(played.as_ref().map_err(|difference| &*difference.found).copied(), found);
        if played.is_ok() {
            assert_eq!(playing.await.unwrap(), b"ping");
        }
    }
}

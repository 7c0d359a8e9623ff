//! Calls of stubs, and what of them is seen on the way.

use super::{
    channel,
    library::{
        Book, CreateBookRequest, Everything, GetBookRequest, LibraryClient, ListBooksRequest,
        MoveBookRequest, UpdateBookRequest,
    },
    noting, start,
};
use polywire::{
    Channel, Code, Compression, Server, Target,
    rpc::{ErrorDetails, ErrorInfo},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

#[tokio::test]
async fn a_stub_calls_by_the_rules_of_its_methods() {
    let (running, log) = noting();
    for protocol in ["http", "h2"] {
        let library = LibraryClient::new(channel(&running, protocol).await);
        let name = || "shelves/1/books/2".to_owned();
        let get = GetBookRequest { name: name(), mask: Default::default() };
        assert_eq!(library.get_book(get).await.unwrap().name, name());
        // The first rule cannot say this name; the second one can.
        let get = GetBookRequest { name: "a/b".into(), mask: Default::default() };
        assert_eq!(library.get_book(get).await.unwrap().name, "a/b");
        let list = ListBooksRequest { parent: "shelves/1".into(), page_size: 2, ..Default::default() };
        assert_eq!(library.list_books(list.clone()).await.unwrap().request.page_size, 2);
        let titles = library.list_titles(list).await.unwrap();
        assert_eq!(titles.titles, ["shelves/1 0", "shelves/1 1"]);
        assert_eq!(titles.next_page_token, "", "the reply is one field");
        let book = Book { title: "T".into(), pages: i64::MAX, ..Default::default() };
        let create =
            CreateBookRequest { parent: "shelves/1".into(), book: book.into(), request_id: "é&".into() };
        let created = library.create_book(create).await.unwrap();
        assert_eq!((&*created.name, created.pages), ("shelves/1/books/é&", i64::MAX));
        let book = Book { name: name(), title: "T".into(), ..Default::default() };
        let update = UpdateBookRequest { book: book.into(), update_mask: Default::default() };
        assert_eq!(library.update_book(update).await.unwrap().title, "T");
        let moved = MoveBookRequest { name: name(), shelf: "x".into() };
        assert_eq!(library.move_book(moved).await.unwrap().title, "x");
        let all = Everything {
            f_string: "a b".into(),
            f_bytes: vec![255, 254],
            f_double: 0.1,
            words: vec!["x".into(), "".into()],
            maybe: Some(0),
            inner: Everything { f_int64: -5, ..Default::default() }.into(),
            ..Default::default()
        };
        assert_eq!(library.echo(all.clone()).await.unwrap().into_message(), all);
        library.count(Default::default()).await.unwrap();
        assert_eq!(
            log.take(),
            [
                "GET /v1/shelves/1/books/2",
                "GET /v1/books/a%2Fb",
                "GET /v1/shelves/1/books?page_size=2",
                "GET /v1/shelves/1/titles?page_size=2",
                "POST /v1/shelves/1/books?request_id=%C3%A9%26",
                "PATCH /v1/shelves/1/books/2",
                "POST /v1/shelves/1/books/2:move",
                "GET /v1/echo?f_string=a%20b&f_double=0.1&f_bytes=__4%3D&words=x&words=&inner.f_int64=-5&maybe=0",
                "POST /library.v1.Library/Count",
            ]
        );
    }
    running.stop().await;
}

#[tokio::test]
async fn failures_and_what_cannot_be_said() {
    let (running, log) = noting();
    let library = LibraryClient::new(channel(&running, "http").await);
    let lost = GetBookRequest { name: "shelves/1/books/lost".into(), mask: Default::default() };
    let status = library.get_book(lost).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "no \"shelves/1/books/lost\""));
    log.take();
    let status = library.delete_book(GetBookRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "http: field name is empty, and the path needs it");
    let wrong = GetBookRequest { name: "pens/1".into(), mask: Default::default() };
    let status = library.delete_book(wrong).await.unwrap_err();
    assert!(status.message().contains("does not fit \"shelves/*/books/*\""), "{status}");
    assert!(log.take().is_empty(), "nothing was sent");
    running.stop().await;
}

#[tokio::test]
async fn rules_are_left_out_where_that_is_asked_for() {
    let (running, log) = noting();
    let address = running.addresses()[0].to_string();
    let by_name = Channel::builder(&address).protocol("http").http_rules(false).build().unwrap();
    let as_protobuf = Channel::builder(&address).protocol("http:proto").build().unwrap();
    for channel in [by_name, as_protobuf] {
        let get = GetBookRequest { name: "a/b".into(), mask: Default::default() };
        assert_eq!(LibraryClient::new(channel).get_book(get).await.unwrap().name, "a/b");
        assert_eq!(log.take(), ["POST /library.v1.Library/GetBook"]);
    }
    let get = GetBookRequest { name: "a/b".into(), mask: Default::default() };
    let grpc = LibraryClient::new(channel(&running, "grpc").await);
    assert_eq!(grpc.get_book(get).await.unwrap().name, "a/b");
    running.stop().await;
}

fn a_book() -> GetBookRequest {
    GetBookRequest { name: "shelves/1/books/2".into(), mask: Default::default() }
}

/// What a stub's call of a book, made with these options, sends to a server that answers with these bytes,
/// and how it ends.
async fn call_of(
    answer: Vec<u8>,
    options: impl FnOnce(polywire::Call<Book>) -> polywire::Call<Book>,
) -> (String, Result<polywire::Reply<Book>, polywire::Status>) {
    let call = |channel| options(LibraryClient::new(channel).get_book(a_book())).into_future();
    exchanged(answer, call).await
}

/// What a call over a channel sends to a server that answers with these bytes, and how it ends.
async fn exchanged<F: Future>(answer: Vec<u8>, call: impl FnOnce(Channel) -> F) -> (String, F::Output) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let channel = Channel::builder(address).protocol("http").build().unwrap();
    let serve = async {
        let (mut peer, _) = listener.accept().await.unwrap();
        let mut sent = Vec::new();
        while !sent.windows(4).any(|end| end == b"\r\n\r\n") {
            assert!(peer.read_buf(&mut sent).await.unwrap() > 0, "the head ends");
        }
        peer.write_all(&answer).await.unwrap();
        String::from_utf8(sent).expect("text alone")
    };
    tokio::join!(serve, call(channel))
}

#[tokio::test]
async fn a_call_without_a_body_is_not_compressed() {
    let answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}".to_vec();
    let (sent, ended) = call_of(answer.clone(), |call| call.compress(Compression::GZIP)).await;
    ended.unwrap();
    let sent = sent.to_ascii_lowercase();
    assert!(sent.starts_with("get /v1/shelves/1/books/2 "), "{sent}");
    assert!(!sent.contains("content-") && sent.ends_with("\r\n\r\n"), "{sent}");

    let raw = |channel: Channel| {
        let call = channel.call(Target::named("", "/x"), "").metadata(":method", "GET");
        call.compress(Compression::GZIP).into_future()
    };
    let (sent, ended) = exchanged(answer, raw).await;
    ended.unwrap();
    assert!(sent.starts_with("GET /x ") && !sent.to_ascii_lowercase().contains("content-"), "{sent}");

    let running = start(Server::new());
    let library = LibraryClient::new(channel(&running, "http").await);
    let book = Book { title: "T".into(), ..Default::default() };
    let create = CreateBookRequest { parent: "shelves/1".into(), book: book.into(), request_id: "9".into() };
    let created = library.create_book(create).compress(Compression::GZIP).await.unwrap();
    assert_eq!((&*created.name, &*created.title), ("shelves/1/books/9", "T"));
    running.stop().await;
}

#[tokio::test]
async fn an_attachment_is_refused_before_anything_is_sent() {
    let (running, log) = noting();
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        let library = LibraryClient::new(channel.clone());
        let status = library.get_book(a_book()).attachment("raw").await.unwrap_err();
        let text = format!("{protocol}: a call by an HTTP rule carries no attachment beside its message");
        assert_eq!((status.code(), status.message()), (Code::InvalidArgument, &*text));
        assert_eq!(channel.connections_made(), 0);
        library.get_book(a_book()).attachment("").await.expect("an empty one is none");
    }
    assert_eq!(log.take().len(), 2);
    running.stop().await;
}

#[tokio::test]
async fn a_compressed_failure_keeps_its_details() {
    // {"code":5,"message":"no
    // tea","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SOLD_OUT"}]}
    const FAILURE: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabVJ\xceOIU\xb22\xd5Q\xcaM-.NL\x07\xb2\x95\xf2\xf2\x15JR\x13\x95t\x94RRK\x123s\x8a\x95\xac\xa2\xab\x95\x1cJ*\x0b@\x92 J/=??='5\xb1 \xb3X/9?W\x1f\xc2\xd5+*H\xd6s-*\xca/\xf2\xccK\xcb\x07j/JM,\xce\xcf\x03\xea\x09\xf6\xf7q\x89\xf7\x0f\x0dQ\xaa\x8d\xad\x05\x0034\xa9zr\x00\x00\x00";
    let answer = |body: &[u8]| {
        let head = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-encoding: gzip";
        [format!("{head}\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
    };
    let status = call_of(answer(FAILURE), |call| call).await.1.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "no tea"));
    assert_eq!(status.error_detail::<ErrorInfo>().unwrap().reason, "SOLD_OUT");
    let status = call_of(answer(&FAILURE[..40]), |call| call).await.1.unwrap_err();
    assert_eq!((status.code(), status.details().len()), (Code::NotFound, 0), "{status}");
}

//! `google.api.HttpBody`: bodies that are not JSON.

use super::{
    channel,
    library::{Cover, GetBookRequest, LibraryClient, WatchBookRequest},
    noting, start,
};
use polywire::{Channel, Code, Compression, Content, HttpBody, Raw, Reply, Server, Status, Target};

fn text(data: &str) -> HttpBody {
    HttpBody { content_type: "text/plain".into(), data: data.into(), ..Default::default() }
}

/// The reply to a request by hand.
async fn raw(
    channel: &Channel,
    (verb, path): (&str, &str),
    (content_type, body): (&str, &str),
) -> Result<Reply<Raw>, Status> {
    let call = channel.call(Target::named("", path), body.to_owned()).metadata(":method", verb);
    call.metadata("content-type", content_type).await
}

fn said(reply: &Reply<Raw>) -> (String, String) {
    // Forms that we know are said by a number.
    let known = match reply.content {
        Content::JSON => "application/json",
        Content::PROTOBUF => "application/proto",
        _ => "",
    };
    let content_type = reply.metadata().get_str("content-type").unwrap_or(known);
    (content_type.to_owned(), String::from_utf8(reply.body.to_vec()).unwrap())
}

#[tokio::test]
async fn bytes_travel_as_they_are() {
    let running = start(Server::new());
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        let cover = raw(&channel, ("GET", "/v1/shelves/1/books/2/cover"), ("", "")).await.unwrap();
        assert_eq!(said(&cover), ("image/svg+xml".into(), "<svg>shelves/1/books/2</svg>".into()));
        for content_type in ["image/png", "application/json", "application/proto"] {
            let set = raw(&channel, ("PUT", "/v1/shelves/1/books/2/cover"), (content_type, "<[ ")).await;
            assert_eq!(said(&set.unwrap()), (content_type.into(), "<[ shelves/1/books/2".into()));
            let reversed = raw(&channel, ("POST", "/v1/reverse"), (content_type, "{abc")).await.unwrap();
            assert_eq!(said(&reversed), (content_type.into(), "cba{".into()));
        }
        let pages = raw(&channel, ("GET", "/v1/shelves/1/books/2:read?count=2"), ("", "")).await.unwrap();
        assert_eq!(said(&pages), ("text/plain".into(), "page 0\npage 1\n".into()));
        let none = raw(&channel, ("GET", "/v1/shelves/1/books/2:read"), ("", "")).await.unwrap();
        assert_eq!(none.body.len(), 0);
        let lost = raw(&channel, ("GET", "/v1/shelves/1/books/lost/cover"), ("", "")).await.unwrap_err();
        assert_eq!(lost.message(), r#"{"code":5,"message":"no \"shelves/1/books/lost\"","details":[]}"#);
        let torn = raw(&channel, ("GET", "/v1/shelves/1/books/torn:read"), ("", "")).await.unwrap_err();
        assert_eq!(torn.message(), r#"{"code":15,"message":"a page is missing","details":[]}"#);
    }
    running.stop().await;
}

#[tokio::test]
async fn a_stub_sends_and_reads_them() {
    let (running, log) = noting();
    let name = || "shelves/1/books/2".to_owned();
    for protocol in ["http", "h2", "grpc", "baidu_std"] {
        let library = LibraryClient::new(channel(&running, protocol).await);
        let get = GetBookRequest { name: name(), mask: Default::default() };
        let cover = library.get_cover(get).await.unwrap();
        assert_eq!((&*cover.content_type, &cover.data[..5]), ("image/svg+xml", &b"<svg>"[..]));
        let set = Cover { name: name(), image: text("[").into(), version: 0 };
        let set = library.set_cover(set).await.unwrap().into_message();
        assert_eq!(*set.image, text("[shelves/1/books/2"));
        let reversed = library.reverse(text("abc")).compress(Compression::GZIP).await.unwrap();
        assert_eq!(reversed.into_message(), text("cba"));
        library.reverse(HttpBody::default()).await.unwrap();
        let read = library.read_book(WatchBookRequest { name: name(), count: 2 });
        let mut pages = read.await.unwrap();
        let mut all = String::new();
        while let Some(page) = pages.next().await.transpose().unwrap() {
            assert_eq!(page.content_type, "text/plain");
            all.push_str(std::str::from_utf8(&page.data).unwrap()); // a proxy may divide it anywhere
        }
        assert_eq!(all, "page 0\npage 1\n");
        let torn = library.read_book(WatchBookRequest { name: "shelves/1/books/torn".into(), count: 0 });
        let status = match torn.await {
            Err(status) => status,
            Ok(mut pages) => pages.next().await.unwrap().unwrap_err(),
        };
        assert_eq!((status.code(), status.message()), (Code::DataLoss, "a page is missing"), "{protocol}");
    }
    assert_eq!(
        log.take()[..5],
        [
            "GET /v1/shelves/1/books/2/cover",
            "PUT /v1/shelves/1/books/2/cover",
            "POST /v1/reverse",
            "POST /v1/reverse",
            "GET /v1/shelves/1/books/2:read?count=2",
        ]
    );
    running.stop().await;
}

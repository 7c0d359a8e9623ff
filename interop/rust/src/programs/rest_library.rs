//! `rest-library server` answers the rules of `library.proto` with what it was asked;
//! `rest-library client ADDRESS` calls such a server by its rules alone, and prints `pass NAME` or
//! `FAIL NAME: reason`.

use crate::library::v1::{
    Book, Cover, CreateBookRequest, Everything, GetBookRequest, Library, LibraryClient, ListBooksRequest,
    ListBooksResponse, ListTitlesResponse, MoveBookRequest, UpdateBookRequest, WatchBookRequest,
};
use polywire::{
    Channel, Code, Context, HttpBody, Reply, Server, Status, Stream, Streaming, StreamingCall, wkt::Empty,
};
use std::process::ExitCode;

struct Shelves;

impl Library for Shelves {
    async fn get_book(&self, _: &Context, request: GetBookRequest) -> Result<Reply<Book>, Status> {
        if request.name.ends_with("/lost") {
            return Err(Status::not_found(format!("no {:?}", request.name)));
        }
        let title = request.mask.paths.join(",");
        Ok(Book { name: request.name, title, ..Default::default() }.into())
    }
    async fn list_books(
        &self,
        _: &Context,
        request: ListBooksRequest,
    ) -> Result<Reply<ListBooksResponse>, Status> {
        Ok(ListBooksResponse { request: request.into(), ..Default::default() }.into())
    }
    async fn list_titles(
        &self,
        _: &Context,
        request: ListBooksRequest,
    ) -> Result<Reply<ListTitlesResponse>, Status> {
        let titles = (0..request.page_size.min(100)).map(|number| format!("{} {number}", request.parent));
        Ok(ListTitlesResponse { titles: titles.collect(), next_page_token: "next".into() }.into())
    }
    async fn create_book(&self, _: &Context, request: CreateBookRequest) -> Result<Reply<Book>, Status> {
        let name = format!("{}/books/{}", request.parent, request.request_id);
        Ok(Book { name, ..request.book.into_option().unwrap_or_default() }.into())
    }
    async fn update_book(&self, _: &Context, request: UpdateBookRequest) -> Result<Reply<Book>, Status> {
        let tags = request.update_mask.paths.clone();
        Ok(Book { tags, ..request.book.into_option().unwrap_or_default() }.into())
    }
    async fn delete_book(&self, _: &Context, _: GetBookRequest) -> Result<Reply<Empty>, Status> {
        Ok(Empty::default().into())
    }
    async fn move_book(&self, _: &Context, request: MoveBookRequest) -> Result<Reply<Book>, Status> {
        Ok(Book { name: request.name, title: request.shelf, ..Default::default() }.into())
    }
    async fn watch_book(
        &self,
        cx: &Context,
        request: WatchBookRequest,
    ) -> Result<impl Stream<Item = Result<Book, Status>>, Status> {
        if request.count < 0 {
            return Err(Status::out_of_range("less than none"));
        }
        let (out, books) = polywire::stream(4);
        cx.spawn(async move {
            for number in 0..request.count {
                let title = format!("{} {number}", request.name);
                out.send(Book { title, ..Default::default() }).await?;
            }
            if request.name.ends_with("/torn") { Err(Status::data_loss("a page is missing")) } else { Ok(()) }
        });
        Ok(books)
    }
    async fn get_cover(&self, _: &Context, request: GetBookRequest) -> Result<Reply<HttpBody>, Status> {
        if request.name.ends_with("/lost") {
            return Err(Status::not_found(format!("no {:?}", request.name)));
        }
        let data = format!("<svg>{}</svg>", request.name).into();
        Ok(HttpBody { content_type: "image/svg+xml".into(), data, ..Default::default() }.into())
    }
    async fn set_cover(&self, _: &Context, mut request: Cover) -> Result<Reply<Cover>, Status> {
        request.image.get_or_insert_default().data.extend(request.name.bytes());
        Ok(Cover { version: 1, ..request }.into())
    }
    async fn reverse(&self, _: &Context, mut request: HttpBody) -> Result<Reply<HttpBody>, Status> {
        request.data.reverse();
        Ok(request.into())
    }
    async fn read_book(
        &self,
        cx: &Context,
        request: WatchBookRequest,
    ) -> Result<impl Stream<Item = Result<HttpBody, Status>>, Status> {
        let (out, pages) = polywire::stream(4);
        cx.spawn(async move {
            for number in 0..request.count {
                let data = format!("page {number}\n").into();
                out.send(HttpBody { content_type: "text/plain".into(), data, ..Default::default() }).await?;
            }
            if request.name.ends_with("/torn") { Err(Status::data_loss("a page is missing")) } else { Ok(()) }
        });
        Ok(pages)
    }
    async fn echo(&self, _: &Context, request: Everything) -> Result<Reply<Everything>, Status> {
        Ok(request.into())
    }
    async fn count(&self, _: &Context, _: Empty) -> Result<Reply<Everything>, Status> {
        Ok(Everything::default().into())
    }
}

#[tokio::main]
pub async fn main() -> polywire::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["server"] => {
            let running = Server::new().service(Shelves.into_service()).listen("127.0.0.1:0").start()?;
            for address in running.addresses() {
                println!("listening on {address}");
            }
            polywire::stop_signal()?.await;
            running.stop().await;
            Ok(ExitCode::SUCCESS)
        }
        ["client", address] => {
            let channel = Channel::builder(address).protocol("http").build()?;
            Ok(client(&LibraryClient::new(channel)).await)
        }
        _ => Err("usage: rest-library server | rest-library client ADDRESS".into()),
    }
}

async fn client(library: &LibraryClient) -> ExitCode {
    let mut failed = false;
    let mut check = |name: &str, result: Result<(), String>| match result {
        Ok(()) => println!("pass {name}"),
        Err(why) => {
            failed = true;
            println!("FAIL {name}: {why}");
        }
    };
    let name = || "shelves/1/books/a b".to_owned();
    let get = GetBookRequest { name: name(), mask: Default::default() };
    let got = library.get_book(get).await.map(|book| book.name.clone());
    check("our client gets by a path", same(got, name()));
    let list = ListBooksRequest { parent: "shelves/1".into(), page_size: 2, ..Default::default() };
    let listed = library.list_books(list.clone()).await.map(|reply| reply.request.page_size);
    check("our client puts fields into a query", same(listed, 2));
    let titles = library.list_titles(list).await.map(|reply| reply.titles.clone());
    let expected = ["shelves/1 0", "shelves/1 1"].map(str::to_owned).to_vec();
    check("our client reads the field that is answered with", same(titles, expected));
    let book = Book { title: "T".into(), pages: i64::MAX, ..Default::default() };
    let create =
        CreateBookRequest { parent: "shelves/1".into(), book: book.into(), request_id: "é&=".into() };
    let created = library.create_book(create).await.map(|book| (book.name.clone(), book.pages));
    check("our client sends a field as the body", same(created, ("shelves/1/books/é&=".into(), i64::MAX)));
    let book = Book { name: name(), title: "T".into(), ..Default::default() };
    let update = UpdateBookRequest { book: book.into(), update_mask: Default::default() };
    let updated = library.update_book(update).await.map(|book| (book.name.clone(), book.title.clone()));
    check("our client patches", same(updated, (name(), "T".into())));
    let moved = MoveBookRequest { name: name(), shelf: "x".into() };
    let moved = library.move_book(moved).await.map(|book| (book.name.clone(), book.title.clone()));
    check("our client says a verb of its own", same(moved, (name(), "x".into())));
    let everything = Everything {
        f_string: "a b+&".into(),
        f_uint64: u64::MAX,
        f_float: f32::NEG_INFINITY,
        f_double: 0.1,
        f_bytes: vec![255, 254, 0],
        words: vec!["x".into(), "".into()],
        numbers: vec![-1, 2],
        maybe: Some(0),
        inner: Everything { f_int64: -5, ..Default::default() }.into(),
        ..Default::default()
    };
    let echoed = library.echo(everything.clone()).await.map(|reply| reply.into_message());
    check("our client says all kinds of fields in a query", same(echoed, everything));
    let lost = GetBookRequest { name: "shelves/1/books/lost".into(), mask: Default::default() };
    let why =
        library.get_book(lost).await.map_or_else(|status| Ok(status.to_string()), |_| Ok(String::new()));
    let why = why.map(|why| why.contains("NOT_FOUND") && why.contains("no \"shelves/1/books/lost\""));
    check("our client reads a failure", same(why, true));
    let name = |book: &str| format!("shelves/1/books/{book}");
    let watched = watched_titles(library.watch_book(WatchBookRequest { name: name("2"), count: 2 })).await;
    let expected = ["shelves/1/books/2 0", "shelves/1/books/2 1"].map(str::to_owned).to_vec();
    check("our client reads a stream", same(watched.1.map(|()| watched.0), expected));
    let (titles_before, ended) =
        watched_titles(library.watch_book(WatchBookRequest { name: name("torn"), count: 1 })).await;
    let said = ended.map_or_else(
        |status| Ok((titles_before.len(), status.code(), status.message().to_owned())),
        |()| Err(Status::internal("no failure")),
    );
    let expected = (1, Code::DataLoss, "a page is missing".to_owned());
    check("our client reads how a stream fails", same(said, expected));
    let (_, ended) =
        watched_titles(library.watch_book(WatchBookRequest { name: name("2"), count: -1 })).await;
    let said = ended.map_or_else(
        |status| Ok((status.code(), status.message().to_owned())),
        |()| Ok((Code::Ok, String::new())),
    );
    check(
        "our client reads how a stream fails at once",
        same(said, (Code::OutOfRange, "less than none".to_owned())),
    );
    let cover = library.get_cover(GetBookRequest { name: name("2"), mask: Default::default() }).await;
    let cover = cover.map(|cover| (cover.content_type.clone(), cover.data.clone()));
    let expected = ("image/svg+xml".to_owned(), b"<svg>shelves/1/books/2</svg>".to_vec());
    check("our client reads a body that is not JSON", same(cover, expected));
    let read = read(library.read_book(WatchBookRequest { name: name("2"), count: 2 })).await;
    check("our client reads a stream of bodies", same(read, b"page 0\n\npage 1\n\n".to_vec()));
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

async fn watched_titles(call: StreamingCall<Streaming<Book>>) -> (Vec<String>, Result<(), Status>) {
    let mut titles = Vec::new();
    let ended = async {
        let mut books = call.await?;
        while let Some(book) = books.next().await.transpose()? {
            titles.push(book.title);
        }
        Ok(())
    };
    let ended = ended.await;
    (titles, ended)
}

async fn read(call: StreamingCall<Streaming<HttpBody>>) -> Result<Vec<u8>, Status> {
    let (mut pages, mut all) = (call.await?, Vec::new());
    while let Some(page) = pages.next().await.transpose()? {
        all.extend(page.data);
    }
    Ok(all)
}

fn same<T: PartialEq + std::fmt::Debug>(given: Result<T, Status>, expected: T) -> Result<(), String> {
    match given {
        Ok(given) if given == expected => Ok(()),
        given => Err(format!("{given:?}, not {expected:?}")),
    }
}

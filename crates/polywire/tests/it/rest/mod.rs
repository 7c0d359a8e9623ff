//! Rules of `google.api.http` at servers and clients, over HTTP/1.1 and HTTP/2.

mod authorization;
mod bodies;
mod client;
mod openapi;
mod server;
mod start;
mod streams;
mod try_it;

use library::{
    Book, Cover, CreateBookRequest, Everything, GetBookRequest, Library, ListBooksRequest, ListBooksResponse,
    ListTitlesResponse, MoveBookRequest, UpdateBookRequest, WatchBookRequest,
};
use polywire::{Channel, Context, HttpBody, Reply, Running, Server, Status, Stream, Target, wkt::Empty};
use polywire_machine_testing::Log;
use polywire_samples::rest::library::v1 as library;

/// Answers with what it was asked.
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
        let titles = (0..request.page_size).map(|number| format!("{} {number}", request.parent));
        let titles = titles.collect();
        Ok(ListTitlesResponse { titles, next_page_token: "next".into() }.into())
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

fn start(server: Server) -> Running {
    server.service(Shelves.into_service()).listen("127.0.0.1:0").start().expect("it starts")
}

/// A server that notes the verb and the path of each request.
fn noting() -> (polywire::Running, Log) {
    let log = Log::default();
    let seen = log.clone();
    let note = move |cx: polywire::Context, next: polywire::Next| {
        let field = |name| cx.metadata().get_str(name).unwrap_or_default().to_owned();
        seen.add(format!("{} {}", field(":method"), field(":path")));
        next.run(cx)
    };
    (start(Server::new().middleware(note)), log)
}

/// A channel to the server over this protocol.
async fn channel(running: &Running, protocol: &str) -> Channel {
    let address = running.addresses()[0].to_string();
    Channel::builder(address).protocol(protocol).build().expect("a channel")
}

/// The body of the answer to a request, or how it failed: for those by rules, the body again.
async fn ask(channel: &Channel, verb: &str, path: &str, body: &str) -> Result<String, String> {
    let call = channel.call(Target::named("", path), body.to_owned()).metadata(":method", verb);
    match call.await {
        Ok(reply) => Ok(String::from_utf8(reply.body.to_vec()).expect("text")),
        Err(status) => Err(status.message().to_owned()),
    }
}

//! A service for old clients and new ones, a custom protocol of nshead frames, and a dialect in front of the
//! service.

use polywire::{Context, IoBuf, Reply, Server, Status, nshead};

polywire::include!("search");
use search::{Found, Query, SearchService};

/// Independent of who calls it, and how.
struct Search;

impl SearchService for Search {
    async fn find(&self, cx: &Context, query: Query) -> Result<Reply<Found>, Status> {
        if query.keyword.is_empty() {
            return Err(Status::invalid_argument("nothing to look for"));
        }
        let title = |page: &i32| format!("{} on page {page}, by {}", query.keyword, cx.protocol());
        Ok(Found { titles: query.pages.iter().map(title).collect() }.into())
    }
}

/// Answers ubrpc, nova_pbrpc and the others, as well as baidu_std, gRPC and HTTP.
pub fn server() -> Server {
    Server::new().service(Search.into_service())
}

/// Frames whose `id` selects the operation on the body: 1 returns it in capitals; 2 sends no reply.
struct Own;

impl nshead::NsheadService for Own {
    async fn frame(&self, _: &Context, frame: nshead::Frame) -> Result<Option<IoBuf>, Status> {
        match frame.head.id {
            1 => Ok(Some(frame.body.to_vec().to_ascii_uppercase().into())),
            2 => Ok(None),
            // The protocol has no error replies: the connection closes.
            _ => Err(Status::unimplemented("no such frame")),
        }
    }
}

/// Answers nshead frames directly.
pub fn own() -> Server {
    Server::new().service(nshead::service(Own))
}

/// A dialect: a request is the name of a method in 16 bytes, padded with NULs, and a message of protobuf. A
/// reply is an error number in four bytes, little-endian, 0 for none, and the message, or the text of the
/// error.
struct Dialect;

impl nshead::Adaptor for Dialect {
    fn request(&mut self, _: &nshead::Head, mut body: IoBuf) -> Result<nshead::Call, Status> {
        if body.len() < 16 {
            return Err(Status::invalid_argument("no method"));
        }
        let name = body.cut(16).to_vec();
        let name = String::from_utf8_lossy(&name);
        Ok(nshead::Call::new("search.SearchService", name.trim_end_matches('\0'), body))
    }

    fn reply(&mut self, _: &nshead::Head, returned: Result<nshead::Returned, &Status>) -> nshead::Reply {
        let (number, rest) = match returned {
            Ok(returned) => (0, returned.message),
            Err(status) => (status.code() as i32, IoBuf::from(status.message().to_owned())),
        };
        let mut body = IoBuf::copy_from_slice(&number.to_le_bytes());
        body.append(rest);
        nshead::Reply::Body(body)
    }
}

/// Answers frames of the dialect, as well as baidu_std, gRPC and HTTP, by the same service.
pub fn dialect() -> Server {
    server().service(nshead::adapted(|| Dialect))
}

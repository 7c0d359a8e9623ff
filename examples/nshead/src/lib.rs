//! A service for old clients and new ones, and a custom protocol of nshead frames.

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

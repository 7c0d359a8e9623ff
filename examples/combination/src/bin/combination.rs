//! Four servers, each with some documents, and channels that call several of them.

#![forbid(unsafe_code)]

use polywire::combination::{Mapping, Parallel, Part, Selective};
use polywire::{Channel, Context, Reply, Running, Server, Status};
use search::{Found, Query, Searcher, SearcherClient};

polywire::include!("search"); // mod search { Query, Found, Searcher, SearcherClient }

/// A server that has these documents.
struct Documents(&'static [&'static str]);

impl Searcher for Documents {
    async fn find(&self, _: &Context, query: Query) -> Result<Reply<Found>, Status> {
        let found = self.0.iter().filter(|document| document.contains(&*query.word));
        Ok(Found { documents: found.map(|document| (*document).into()).collect() }.into())
    }
}

fn serve(documents: &'static [&'static str]) -> Running {
    let server = Server::new().service(Documents(documents).into_service());
    server.listen("127.0.0.1:0").start().expect("a free port")
}

fn address(server: &Running) -> String {
    server.addresses()[0].to_string()
}

async fn find(channel: &Channel, word: &str) -> Result<String, Status> {
    let found = SearcherClient::new(channel.clone()).find(Query { word: word.into() }).await?.into_message();
    Ok(found.documents.iter().map(|document| document.to_string()).collect::<Vec<_>>().join(", "))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (birds, fish) = (serve(&["red kite", "red kestrel"]), serve(&["red mullet"]));
    let to = |address: String| Channel::builder(address).build();

    // All channels at once; protobuf merges their replies by appending lists.
    let both = Parallel::new().channel(to(address(&birds))?).channel(to(address(&fish))?).build()?;
    println!("both: {}", find(&both, "red").await?);

    // One of the channels; nothing listens at the first.
    let either = Selective::new().channel(to("127.0.0.1:1".into())?).channel(to(address(&fish))?).build()?;
    for _ in 0..2 {
        println!("either: {}", find(&either, "red").await?);
    }

    // One server of each partition, by their tags.
    let servers = format!("list://{} 0/2,{} 1/2", address(&birds), address(&fish));
    let parts = Channel::builder(&*servers).partitioned(2).fail_limit(1).build()?;
    println!("partitions: {}", find(&parts, "k").await?);

    // A part that is skipped, and combinations in a combination.
    let only_first = |part: &mut Part| Ok(if part.index() == 0 { Mapping::Send } else { Mapping::Skip });
    let first = Channel::builder(&*servers).partitioned(2).mapper(only_first).build()?;
    let nested = Parallel::new().channel(first).channel(either).build()?;
    println!("nested: {}", find(&nested, "red").await?);
    Ok(())
}

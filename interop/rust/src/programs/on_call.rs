//! `on-call stock`: a server whose flag `reserve_time` says how long it takes.
//! `on-call guarded TOKEN [CERTIFICATE KEY]`: the same, whose pages have a token, with TLS or without.
//! `on-call front URL`: a server that calls the stocks of the url, with callers by name, and with flags for
//! what it takes itself.
//!
//! interop/console/on_call.py plants one fault at a time in a front and three stocks, and looks for it on the
//! pages of the front.

use crate::shop::{Front, Order, Stock, StockClient};
use polywire::{
    Caller, Channel, Context, Identity, Pages, Reply, Resilience, Server, Status,
    console::Access,
    flags::{Flag, Flags},
};
use std::{io::Write, time::Duration};

const QUICK: Duration = Duration::from_millis(2);

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["stock"] => runtime.block_on(stock(Server::new(), Pages::default().auth(|_| Access::Act))),
        ["guarded", token] => runtime.block_on(stock(Server::new(), Pages::default().token(token))),
        ["guarded", token, certificate, key] => {
            let tls = polywire::ServerTls::files(certificate, key);
            runtime.block_on(stock(Server::new().tls(tls), Pages::default().token(token)))
        }
        ["front", url] => runtime.block_on(async {
            let stock = Channel::builder(url).resilience(Resilience::default().balancer("rr")).build()?;
            let (place, price) = (flag("place_time"), flag("price_time"));
            let counter =
                Counter { stock: StockClient::new(stock), place: place.clone(), price: price.clone() };
            let server = Server::new().service(counter.into_service()).authenticate(by_name);
            let pages = Pages::default().page(polywire::console::why()).auth(|_| Access::Act);
            serve(server, pages, &[&place, &price]).await
        }),
        _ => Err("usage: on-call stock | on-call front URL".into()),
    }
}

async fn stock(server: Server, pages: Pages) -> polywire::Result<()> {
    let takes = flag("reserve_time");
    let server = server.service(Shelf { takes: takes.clone() }.into_service());
    serve(server, pages, &[&takes]).await
}

fn flag(name: &'static str) -> Flag<Duration> {
    Flag::new(name, QUICK, "What a call takes by itself")
}

/// Everybody is who he says he is.
async fn by_name(caller: Caller) -> Result<Identity, Status> {
    caller.bearer().map(Identity::named).ok_or_else(|| Status::unauthenticated("a name is needed"))
}

/// The server at a port of its own, until SIGTERM.
async fn serve(server: Server, pages: Pages, own: &[&Flag<Duration>]) -> polywire::Result<()> {
    let flags = Flags::new();
    for flag in own {
        flags.register(flag)?;
    }
    let stop = polywire::stop_signal()?;
    let server = server.pages(pages.flags(&flags)).listen("127.0.0.1:0");
    let running = server.start()?;
    println!("listening on {}", running.addresses()[0]);
    std::io::stdout().flush()?;
    stop.await;
    running.stop().await;
    Ok(())
}

struct Shelf {
    takes: Flag<Duration>,
}

impl Stock for Shelf {
    async fn reserve(&self, _: &Context, order: Order) -> Result<Reply<Order>, Status> {
        tokio::time::sleep(self.takes.get()).await;
        Ok(order.into())
    }
}

struct Counter {
    stock: StockClient,
    place: Flag<Duration>,
    price: Flag<Duration>,
}

impl Front for Counter {
    async fn place(&self, cx: &Context, order: Order) -> Result<Reply<Order>, Status> {
        tokio::time::sleep(self.place.get()).await;
        let reserved = self.stock.reserve(order).within(cx).await?;
        Ok(Order { item: reserved.item.clone() }.into())
    }

    async fn price(&self, _: &Context, order: Order) -> Result<Reply<Order>, Status> {
        tokio::time::sleep(self.price.get()).await;
        Ok(order.into())
    }
}

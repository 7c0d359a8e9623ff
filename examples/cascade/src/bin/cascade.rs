//! A shop that asks two other services in turn, each by another protocol.

#![forbid(unsafe_code)]

use polywire::{Channel, Context, Reply, Running, Server, Service, Status};
use shop::{Item, Prices, PricesClient, Seen, Shop, ShopClient, Stock, StockClient};
use std::{sync::Arc, time::Duration};
use tokio::sync::mpsc;

polywire::include!("shop"); // mod shop { Item, Seen, Shop, ShopClient, Stock, StockClient, Prices, PricesClient }

/// The field that names the call of the user in the logs of all services.
const TRACE: &str = "traceparent";

/// Tells when a handler is dropped before its end: its caller has given the call up, or its time is over.
struct Working {
    name: &'static str,
    given_up: Option<mpsc::UnboundedSender<&'static str>>,
}

impl Working {
    fn on(name: &'static str, given_up: &mpsc::UnboundedSender<&'static str>) -> Self {
        Working { name, given_up: Some(given_up.clone()) }
    }

    fn done(mut self) {
        self.given_up = None;
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some(given_up) = &self.given_up {
            let _ = given_up.send(self.name);
        }
    }
}

/// What a service has seen of a call.
fn seen(name: &str, cx: &Context) -> Seen {
    let trace = cx.metadata().get_str(TRACE).unwrap_or("none");
    let left = cx.remaining().unwrap_or_default();
    Seen { by: vec![format!("{name} by {}, trace {trace}", cx.protocol())], left_ms: left.as_millis() as u32 }
}

struct Front {
    stock: StockClient,
    prices: PricesClient,
    given_up: mpsc::UnboundedSender<&'static str>,
}

impl Shop for Front {
    async fn buy(&self, cx: &Context, item: Item) -> Result<Reply<Seen>, Status> {
        let working = Working::on("shop", &self.given_up);
        let trace = cx.metadata().get_str(TRACE).unwrap_or("none").to_owned();
        // `within`: these calls end with ours at the latest, and are given up with it.
        let stock = self.stock.reserve(item.clone()).within(cx).metadata(TRACE, &trace).await?;
        let prices = self.prices.ask(item).within(cx).metadata(TRACE, &trace).await?;
        let mine = seen("shop", cx);
        let mut by = prices.into_message().by;
        by.extend(stock.into_message().by);
        by.extend(mine.by);
        working.done();
        Ok(Seen { by, left_ms: mine.left_ms }.into())
    }
}

struct Store;

impl Stock for Store {
    async fn reserve(&self, cx: &Context, _: Item) -> Result<Reply<Seen>, Status> {
        Ok(seen("stock", cx).into())
    }
}

struct List(mpsc::UnboundedSender<&'static str>);

impl Prices for List {
    async fn ask(&self, cx: &Context, item: Item) -> Result<Reply<Seen>, Status> {
        let working = Working::on("prices", &self.0);
        if cx.remaining().is_none() {
            return Err(Status::invalid_argument("the deadline has got lost on the way"));
        }
        if item.name == "diamond" {
            std::future::pending::<()>().await; // its price is still being negotiated
        }
        working.done();
        Ok(seen("prices", cx).into())
    }
}

fn serve(service: Service) -> polywire::Result<(Running, String)> {
    let running = Server::new().service(service).listen("127.0.0.1:0").start()?;
    let address = running.addresses()[0].to_string();
    Ok((running, address))
}

/// The two services that were at work on a call when it was given up.
async fn both(given_up: &mut mpsc::UnboundedReceiver<&'static str>) -> String {
    let mut names = [given_up.recv().await.unwrap_or("none"), given_up.recv().await.unwrap_or("none")];
    names.sort_unstable();
    names.join(" and ")
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let (tell, mut given_up) = mpsc::unbounded_channel();
    let (_stock, stock) = serve(Store.into_service())?;
    let (_prices, prices) = serve(List(tell.clone()).into_service())?;
    let front = Front {
        stock: StockClient::new(Channel::builder(stock).protocol("baidu_std").build()?),
        prices: PricesClient::new(Channel::builder(prices).protocol("http").build()?),
        given_up: tell,
    };
    let (_shop, shop) = serve(front.into_service())?;
    let shop = Arc::new(ShopClient::new(Channel::builder(shop).protocol("grpc").build()?));
    let item = |name: &str| Item { name: name.into() };

    // The trace reaches all of them.
    for by in &shop.buy(item("pen")).metadata(TRACE, "7").await?.by {
        println!("{by}");
    }

    // The deadline of the user is that of everybody.
    let late = shop.buy(item("diamond")).timeout(Duration::from_millis(100)).await.expect_err("no price");
    println!("too late: {}; given up by {}", late.code(), both(&mut given_up).await);

    // A user who does not wait any longer ends the work of everybody, too.
    let user = tokio::spawn({
        let shop = shop.clone();
        async move { shop.buy(item("diamond")).timeout(Duration::from_secs(60)).await.map(drop) }
    });
    tokio::time::sleep(Duration::from_millis(100)).await; // it is under way
    user.abort();
    println!("cancelled; given up by {}", both(&mut given_up).await);
    Ok(())
}

//! A new version of a service gets the calls of testers, and a tenth of the others.

#![forbid(unsafe_code)]

use greet::{Answer, Greeter, GreeterClient, Question};
use polywire::{
    Channel, Context, Reply, Running, Server, Status, naming,
    routing::{Cluster, HeaderMatch, Matcher, PathMatch, Route, RouteTable, Target, router_fn},
};
use tokio::sync::watch;

polywire::include!("greet"); // mod greet { Question, Answer, Greeter, GreeterClient }

struct Version(&'static str);

impl Greeter for Version {
    async fn ask(&self, _: &Context, _: Question) -> Result<Reply<Answer>, Status> {
        Ok(Answer { version: self.0.into() }.into())
    }
}

fn serve(version: &'static str) -> Running {
    let server = Server::new().service(Version(version).into_service());
    server.listen("127.0.0.1:0").start().expect("a free port")
}

fn cluster(server: &Running) -> Cluster {
    Cluster::of([naming::Server::new(server.addresses()[0].to_string())])
}

/// The calls of testers go to the canary, and so many in a hundred of the others.
fn table(stable: &Running, canary: &Running, percent: u32) -> polywire::Result<RouteTable> {
    let testers = Matcher::new(PathMatch::any()).header(HeaderMatch::exact("x-tester", "yes"));
    let split = [Target::new("stable").weight(100 - percent), Target::new("canary").weight(percent)];
    let routes = [Route::new(testers, "canary"), Route::new(PathMatch::any(), split)];
    Ok(RouteTable::new(routes, [("stable", cluster(stable)), ("canary", cluster(canary))])?)
}

/// How many of 1000 calls the canary answers.
async fn canaries(client: &GreeterClient, tester: &str) -> polywire::Result<usize> {
    let mut found = 0;
    for _ in 0..1000 {
        let answer = client.ask(Question::default()).metadata("x-tester", tester).await?;
        found += usize::from(answer.version == "canary");
    }
    Ok(found)
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let (stable, canary) = (serve("stable"), serve("canary"));

    // A router is whatever gives tables; this one passes on what it is told.
    let (tell, told) = watch::channel(table(&stable, &canary, 10)?);
    let router = router_fn("canary", move |updates| {
        let mut told = told.clone();
        async move {
            loop {
                updates.table(told.borrow_and_update().clone());
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        }
    });
    let channel = Channel::builder("greet").router(router).build()?;
    let client = GreeterClient::new(channel.clone());

    println!("testers: {} of 1000 calls to the canary", canaries(&client, "yes").await?);
    println!("others: {} of 1000", canaries(&client, "no").await?);
    tell.send(table(&stable, &canary, 100)?)?;
    while canaries(&client, "no").await? < 1000 {} // until the new table is in use
    println!("others, by a table with 100 %: 1000 of 1000");
    for cluster in channel.why().clusters {
        println!("{}: {} server", cluster.name, cluster.server_count);
    }
    Ok(())
}

//! A server and its client in one process: forty calls at once, four connections.

use polywire::{Channel, Reply, Status};
use polywire_example_blocking::users::{FindRequest, User, UsersClient};

async fn ask(users: UsersClient, id: u64) -> Result<Reply<User>, Status> {
    users.find(FindRequest { id }).await
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let running = polywire_example_blocking::server(4).listen("127.0.0.1:0").start()?;
    let users = UsersClient::new(Channel::connect(running.addresses()[0].to_string()).await?);

    let calls: Vec<_> = (0..40).map(|n| tokio::spawn(ask(users.clone(), 1 + n % 2))).collect();
    let mut names = Vec::new();
    for call in calls {
        names.push(call.await??.name.clone());
    }
    println!("{} answers, the first {} and {}", names.len(), names[0], names[1]);
    println!("at most 4 connections: {}", polywire_example_blocking::opened() <= 4);

    println!("no such user: {}", users.find(FindRequest { id: 9 }).await.expect_err("nobody").code());
    println!("a failed query: {}", users.find(FindRequest { id: 0 }).await.expect_err("it fails").code());
    running.stop().await;
    Ok(())
}

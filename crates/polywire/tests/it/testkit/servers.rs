//! Servers that come, stop and crash.

use super::{echo, line, ms, number, talk::TalkClient, took, with_echo};
use polywire::{Code, Context, Reply, Resilience, Server, Status, testkit::Net};
use tokio::time::Instant;

#[tokio::test]
async fn a_stop_lets_calls_end_and_refuses_new_connections() {
    let net = Net::seeded(2);
    let server = net.serve("echo:1", Server::new().service(echo()));
    let echo = TalkClient::new(net.channel("echo:1"));
    let call = tokio::spawn(echo.say(number(500)).into_future());
    tokio::time::sleep(ms(10)).await;
    let began = Instant::now();
    assert!(server.stop().await.is_empty(), "nothing was left");
    assert!(began.elapsed() >= ms(489) && began.elapsed() < ms(1000), "{:?}", began.elapsed());
    assert_eq!(call.await.unwrap().unwrap().number, 500);
    let why = echo.say(line("hi")).await.unwrap_err();
    assert_eq!(why.code(), Code::Unavailable);
}

#[tokio::test]
async fn a_crash_resets_connections_and_another_server_takes_the_name() {
    let net = Net::seeded(2);
    let server = net.serve("echo:1", Server::new().service(echo()));
    let client =
        TalkClient::new(net.builder("echo:1").resilience(Resilience::default().retries(0)).build().unwrap());
    let call = tokio::spawn(client.say(number(500)).into_future());
    tokio::time::sleep(ms(10)).await;
    server.crash();
    assert_eq!(call.await.unwrap().unwrap_err().code(), Code::Unavailable);
    assert_eq!(client.say(line("hi")).await.unwrap_err().code(), Code::Unavailable);
    let again = net.serve("echo:1", Server::new().service(echo()));
    tokio::time::sleep(ms(2000)).await;
    client.say(line("hi")).await.unwrap();
    server.crash(); // it is gone: this is not the other one
    assert_eq!(again.connections().len(), 1);
    client.say(line("hi")).await.unwrap();
}

/// A client with an interrupted link cannot know of a crash.
#[tokio::test]
async fn a_crash_behind_a_partition_is_noticed_when_it_is_healed() {
    let net = Net::seeded(2);
    let server = net.serve("echo:1", Server::new().service(echo()));
    let client = TalkClient::new(
        net.builder("echo:1").resilience(Resilience::default().retries(0)).timeout(None).build().unwrap(),
    );
    let call = tokio::spawn(client.say(number(500)).into_future());
    tokio::time::sleep(ms(10)).await;
    net.link("echo:1").partition();
    server.crash();
    tokio::time::sleep(ms(10_000)).await;
    assert!(!call.is_finished());
    net.link("echo:1").heal();
    assert_eq!(call.await.unwrap().unwrap_err().code(), Code::Unavailable);
}

/// A server that asks another one.
struct Front(TalkClient);

impl crate::talk::Talk for Front {
    async fn say(
        &self,
        cx: &Context,
        request: crate::talk::Line,
    ) -> Result<Reply<crate::talk::Line>, Status> {
        let reply = self.0.say(request).within(cx).await?;
        Ok(line(&format!("front: {}", reply.text)).into())
    }
    async fn count(
        &self,
        _: &Context,
        _: crate::talk::Line,
    ) -> Result<impl polywire::Stream<Item = Result<crate::talk::Line, Status>>, Status> {
        Err::<polywire::Streaming<_>, _>(Status::unimplemented("not here"))
    }
    async fn sum(
        &self,
        _: &Context,
        _: polywire::Streaming<crate::talk::Line>,
    ) -> Result<Reply<crate::talk::Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: polywire::Streaming<crate::talk::Line>,
    ) -> Result<impl polywire::Stream<Item = Result<crate::talk::Line, Status>>, Status> {
        Ok(incoming)
    }
}

#[tokio::test]
async fn servers_call_servers_and_a_partition_parts_two_of_them() {
    let (net, direct) = with_echo(4);
    let behind = TalkClient::new(net.host("front:1").channel("echo:1"));
    net.serve("front:1", Server::new().service(crate::talk::Talk::into_service(Front(behind))));
    let front = TalkClient::new(net.builder("front:1").protocol("grpc").build().unwrap());
    net.link_between("front:1", "echo:1").delay(ms(10));
    let began = Instant::now();
    assert_eq!(front.say(line("hi")).await.unwrap().text, "front: hi");
    took(began, ms(40));
    net.partition("front:1", "echo:1");
    let why = front.say(line("hi")).timeout(ms(300)).await.unwrap_err();
    assert_eq!(why.code(), Code::DeadlineExceeded, "{why:?}");
    assert_eq!(direct.say(line("hi")).await.unwrap().text, "hi", "others reach it");
    net.heal("front:1", "echo:1");
    assert_eq!(front.say(line("hi")).await.unwrap().text, "front: hi");
}

#[tokio::test]
async fn a_name_is_taken_until_its_server_stops() {
    let net = Net::seeded(2);
    let server = net.serve("echo:1", Server::new().service(echo()));
    let why = net.try_serve("echo:1", Server::new()).err().expect("the name is taken").to_string();
    assert_eq!(why, "there is a server \"echo:1\" already: stop it first");
    server.stop().await;
    net.serve("echo:1", Server::new().service(echo()));
}

#[tokio::test]
async fn with_the_network_its_servers_end() {
    let (net, echo) = with_echo(2);
    echo.say(line("hi")).await.unwrap();
    drop(net);
    tokio::time::sleep(ms(10)).await;
    assert_eq!(echo.say(line("hi")).await.unwrap_err().code(), Code::Unavailable);
}

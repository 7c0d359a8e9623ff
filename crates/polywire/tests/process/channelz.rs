//! `grpc.channelz.v1.Channelz`.

use crate::{
    support::{Closures, apart, line, run, run_over},
    talk::{Talk, TalkClient},
};
use channel_connectivity_state::State;
use polywire::{
    Resilience, Target,
    naming::{Server as Named, Source, Updates, Watching},
    standard::channelz::*,
};
use std::net::TcpListener;
use tokio::sync::watch;

#[test]
fn a_server_shows_its_figures_listeners_and_connections() {
    let _alone = crate::alone();
    run(async || {
        let (running, channel) = apart(Closures::default().into_service());
        TalkClient::new(channel.clone()).say(line("hi")).await.unwrap();
        let channelz = ChannelzClient::new(channel);
        let servers = channelz.get_servers(GetServersRequest::default()).await.unwrap().into_message();
        assert!(servers.end && servers.server.len() == 1);
        let server = &servers.server[0];
        let address = running.addresses()[0].to_string();
        assert_eq!((server.r#ref.server_id, &server.r#ref.name), (1, &address));
        assert_eq!(server.data.calls_succeeded, 1, "the one before");
        assert_eq!(server.listen_socket[0].name, address);

        let asked = GetServerSocketsRequest { server_id: 1, ..Default::default() };
        let sockets = channelz.get_server_sockets(asked).await.unwrap().into_message();
        assert!(sockets.end && sockets.socket_ref.len() == 1);
        let asked = GetSocketRequest { socket_id: sockets.socket_ref[0].socket_id, ..Default::default() };
        let socket = channelz.get_socket(asked).await.unwrap().into_message().socket;
        assert_eq!(socket.r#ref.name, running.connections()[0].peer.to_string());
        assert_eq!(socket.data.messages_received, 3, "those before this one");
        let protocol = socket.data.option.iter().find(|option| option.name == "protocol").unwrap();
        assert!(["lab", "h2", "baidu_std"].contains(&&protocol.value[..]), "{}", protocol.value);
        let Some(address::Address::TcpipAddress(remote)) = &socket.remote.address else {
            panic!("{socket:?}")
        };
        assert_eq!(remote.ip_address, [127, 0, 0, 1]);

        let listener =
            GetSocketRequest { socket_id: server.listen_socket[0].socket_id, ..Default::default() };
        let listener = channelz.get_socket(listener).await.unwrap().into_message().socket;
        assert_eq!(listener.r#ref.name, address);
    });
}

#[test]
fn pages_of_sockets_follow_each_other() {
    let _alone = crate::alone();
    run(async || {
        let (running, channel) = apart(Closures::default().into_service());
        let channelz = ChannelzClient::new(channel);
        let silent: Vec<_> = (0..4)
            .map(|_| std::net::TcpStream::connect(running.addresses()[0].to_string()).unwrap())
            .collect();
        while running.connections().len() < silent.len() {
            tokio::task::yield_now().await;
        }
        let (mut seen, mut start) = (Vec::new(), 0);
        loop {
            let asked = GetServerSocketsRequest { server_id: 1, start_socket_id: start, max_results: 2 };
            let page = channelz.get_server_sockets(asked).await.unwrap().into_message();
            assert!(page.socket_ref.len() <= 2);
            seen.extend(page.socket_ref.iter().map(|socket| socket.socket_id));
            start = seen.last().unwrap() + 1;
            if page.end {
                break;
            }
        }
        assert!(seen.is_sorted() && seen.len() == 5, "{seen:?}");
    });
}

#[test]
fn what_is_not_there_is_not_found() {
    let _alone = crate::alone();
    run(async || {
        let (_running, channel) = apart(Closures::default().into_service());
        let channelz = ChannelzClient::new(channel);
        for id in [0, i64::MAX, i64::MIN, -2] {
            let asked = GetSocketRequest { socket_id: id, ..Default::default() };
            assert_eq!(channelz.get_socket(asked).await.unwrap_err().message(), format!("no socket {id}"));
        }
        assert_eq!(
            channelz.get_server(GetServerRequest { server_id: 2 }).await.unwrap_err().message(),
            "no server 2"
        );
        assert_eq!(
            channelz.get_channel(GetChannelRequest { channel_id: -1 }).await.unwrap_err().message(),
            "no channel -1"
        );
    });
}

/// Asks a server of its own, so that what is asked about stays as it is.
struct Asking(ChannelzClient, #[allow(dead_code)] polywire::Running);

impl Asking {
    fn new() -> Self {
        let (running, channel) = apart(Closures::default().into_service());
        Asking(ChannelzClient::new(channel), running)
    }

    /// All channels of the process, in pages of two.
    async fn channels(&self) -> Vec<Channel> {
        let (mut seen, mut start) = (Vec::<Channel>::new(), 0);
        loop {
            let asked = GetTopChannelsRequest { start_channel_id: start, max_results: 2 };
            let page = self.0.get_top_channels(asked).await.unwrap().into_message();
            assert!(page.channel.len() <= 2);
            seen.extend(page.channel);
            start = seen.last().map_or(0, |last| last.r#ref.channel_id + 1);
            if page.end {
                assert!(seen.is_sorted_by_key(|channel| channel.r#ref.channel_id));
                return seen;
            }
        }
    }

    /// The channel to a target that no other test uses.
    async fn to(&self, target: &str) -> Option<Channel> {
        let found = self.channels().await.into_iter().find(|channel| channel.data.target == target)?;
        let asked = GetChannelRequest { channel_id: found.r#ref.channel_id };
        Some(self.0.get_channel(asked).await.unwrap().channel.as_option().unwrap().clone())
    }

    async fn subchannels(&self, of: &Channel) -> Vec<Subchannel> {
        let mut found = Vec::new();
        for named in &of.subchannel_ref {
            let asked = GetSubchannelRequest { subchannel_id: named.subchannel_id };
            let answer = self.0.get_subchannel(asked).await.unwrap().into_message();
            found.push(answer.subchannel.as_option().unwrap().clone());
        }
        found
    }
}

fn state(data: &ChannelData) -> State {
    data.state.state.as_known().unwrap()
}

/// Started, succeeded, failed.
fn calls(data: &ChannelData) -> [i64; 3] {
    [data.calls_started, data.calls_succeeded, data.calls_failed]
}

#[test]
fn a_channel_shows_its_server_and_its_connection() {
    let _alone = crate::alone();
    run(async || {
        let (running, channel) = apart(Closures::default().into_service());
        let (asking, target) = (Asking::new(), running.addresses()[0].to_string());
        let before = asking.to(&target).await.unwrap();
        assert_eq!((state(&before.data), calls(&before.data)), (State::IDLE, [0, 0, 0]));
        let talk = TalkClient::new(channel.clone());
        talk.say(line("hi")).await.unwrap();
        talk.say(line("hi")).await.unwrap();
        let missing = Target::named("talk.Talk", "Missing");
        assert!(!channel.call(missing, Vec::new()).await.unwrap_err().is_ok());
        let shown = asking.to(&target).await.unwrap();
        assert_eq!((state(&shown.data), calls(&shown.data)), (State::READY, [3, 2, 1]));
        assert!(shown.data.last_call_started_timestamp.seconds > 0);
        assert!(shown.data.trace.creation_timestamp.seconds > 0);
        let [of_server] = &asking.subchannels(&shown).await[..] else { panic!("{shown:?}") };
        assert_eq!((&of_server.data.target, calls(&of_server.data)), (&target, [3, 2, 1]));
        let [socket] = &of_server.socket_ref[..] else { panic!("{of_server:?}") };
        let asked = GetSocketRequest { socket_id: socket.socket_id, ..Default::default() };
        let socket = asking.0.get_socket(asked).await.unwrap().into_message().socket;
        let theirs = running.connections()[0].peer.to_string();
        let Some(address::Address::TcpipAddress(ours)) = &socket.local.address else { panic!("{socket:?}") };
        assert!(theirs.ends_with(&format!(":{}", ours.port)), "{theirs} {ours:?}");

        drop((talk, channel));
        assert_eq!(asking.to(&target).await, None, "a channel that is dropped disappears");
    });
}

#[test]
fn a_channel_without_a_server_shows_a_failure() {
    let _alone = crate::alone();
    run(async || {
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = nobody.local_addr().unwrap().to_string();
        drop(nobody);
        let (channel, asking) = (polywire::Channel::builder(&*target).build().unwrap(), Asking::new());
        let failed = channel.call(Target::named("talk.Talk", "Say"), Vec::new()).await.unwrap_err();
        assert_eq!(failed.code(), polywire::Code::Unavailable);
        let shown = asking.to(&target).await.unwrap();
        assert_eq!(state(&shown.data), State::TRANSIENT_FAILURE);
        assert_eq!(shown.data.calls_started, shown.data.calls_failed);
    });
}

/// A source that says what a test tells it.
struct Told(watch::Receiver<Vec<Named>>);

impl Source for Told {
    fn name(&self) -> String {
        "told://".to_owned()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        let mut told = self.0.clone();
        Box::pin(async move {
            loop {
                updates.set(told.borrow_and_update().clone());
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        })
    }
}

#[test]
fn the_figures_of_servers_that_have_left_stay_in_those_of_the_channel() {
    let _alone = crate::alone();
    run_over("grpc", async || {
        let servers = [(); 2].map(|()| apart(Closures::default().into_service()).0);
        let named = |n: usize| Named::new(servers[n].addresses()[0].to_string());
        let (tell, told) = watch::channel(vec![named(0), named(1)]);
        let channel = polywire::Channel::builder("channelz_fleet")
            .servers(Told(told))
            .resilience(Resilience::default().balancer("rr"));
        let channel = channel.protocol("grpc").build().unwrap();
        let (talk, asking) = (TalkClient::new(channel), Asking::new());
        // The server that is connected first has all calls until the other one is connected, too.
        let mut made = 0;
        loop {
            talk.say(line("hi")).await.unwrap();
            made += 1;
            let shown = asking.to("channelz_fleet").await.unwrap();
            assert_eq!((state(&shown.data), calls(&shown.data)), (State::READY, [made, made, 0]));
            let of_servers = asking.subchannels(&shown).await;
            let started: Vec<_> = of_servers.iter().map(|one| one.data.calls_started).collect();
            assert_eq!(started.iter().sum::<i64>(), made, "{started:?}");
            if started.len() == 2 && started.iter().all(|calls| *calls > 0) {
                break;
            }
        }
        tell.send(vec![named(1)]).unwrap();
        let left = loop {
            let shown = asking.to("channelz_fleet").await.unwrap();
            if shown.subchannel_ref.len() == 1 {
                break shown;
            }
        };
        assert_eq!(calls(&left.data), [made, made, 0]);
        talk.say(line("hi")).await.unwrap();
        assert_eq!(calls(&asking.to("channelz_fleet").await.unwrap().data), [made + 1, made + 1, 0]);
    });
}

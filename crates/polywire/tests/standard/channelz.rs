//! `grpc.channelz.v1.Channelz`.

use crate::{
    support::{Closures, apart, line, run},
    talk::{Talk, TalkClient},
};
use polywire::standard::channelz::*;

#[test]
fn a_server_shows_its_figures_listeners_and_connections() {
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
    run(async || {
        let (_running, channel) = apart(Closures::default().into_service());
        let channelz = ChannelzClient::new(channel);
        assert!(channelz.get_top_channels(Default::default()).await.unwrap().end);
        for id in [0, i64::MAX, i64::MIN, -2] {
            let asked = GetSocketRequest { socket_id: id, ..Default::default() };
            assert_eq!(channelz.get_socket(asked).await.unwrap_err().message(), format!("no socket {id}"));
        }
        assert_eq!(
            channelz.get_server(GetServerRequest { server_id: 2 }).await.unwrap_err().message(),
            "no server 2"
        );
        assert_eq!(
            channelz.get_channel(GetChannelRequest { channel_id: 1 }).await.unwrap_err().message(),
            "no channel 1"
        );
    });
}

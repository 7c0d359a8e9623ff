//! `grpc.channelz.v1`: its messages and client, and the service of a server. The service reports the server
//! itself, its listeners and its connections, and the channels of the process, of all protocols.
//!
//! Fields that gRPC's tools read without checking (grpcdebug: times, windows of flow control) are always
//! present, as zero where they are unknown.

pub use super::generated::channelz::*;

use address::{OtherAddress, TcpIpAddress, UdsAddress};
use polywire_call::{Reply, Status};
use polywire_client::{
    Connectivity,
    channelz::{self as channels, ChannelInfo, SubchannelInfo, Tries},
};
use polywire_engine::{ConnectionStats, Peer};
use polywire_formats::wkt::{Int64Value, Timestamp};
use polywire_server::{About, Context, Service};
use std::{net::IpAddr, sync::atomic::Ordering::Relaxed, time::SystemTime};

/// Id of the only server that the service reports.
const SERVER: i64 = 1;
/// Ids of listeners are negative; connections have their own ids.
const FIRST_LISTENER: i64 = -1;
/// Channels or sockets in a reply to a request that sets no maximum, and the most there are in any.
const MOST: usize = 100;
const MOST_AT_ALL: usize = 1000;

struct Answering {
    about: About,
}

pub(super) fn service(about: &About) -> Service {
    Answering { about: about.clone() }.into_service()
}

fn unknown<T>(what: &str, id: i64) -> Result<T, Status> {
    Err(Status::not_found(format!("no {what} {id}")))
}

impl Answering {
    fn server(&self) -> Server {
        let calls = self.about.calls();
        let data = ServerData {
            calls_started: (calls.succeeded + calls.failed + calls.pending) as i64,
            calls_succeeded: calls.succeeded as i64,
            calls_failed: calls.failed as i64,
            last_call_started_timestamp: Timestamp::from(SystemTime::now()).into(), // the one that asks
        };
        let listeners = self.about.listeners();
        let listen = (0..).zip(&listeners).map(|(at, peer)| socket_ref(FIRST_LISTENER - at, peer)).collect();
        let name = listeners.first().map(Peer::to_string).unwrap_or_default();
        Server {
            r#ref: ServerRef { server_id: SERVER, name }.into(),
            data: data.into(),
            listen_socket: listen,
        }
    }

    fn socket(&self, id: i64) -> Option<Socket> {
        if id <= FIRST_LISTENER {
            let at = usize::try_from(FIRST_LISTENER.checked_sub(id)?).ok()?;
            let peer = self.about.listeners().get(at).cloned()?;
            let (r#ref, local) = (socket_ref(id, &peer).into(), address(&peer).into());
            return Some(Socket { r#ref, local, ..Socket::default() });
        }
        let of_server = self.about.connections().into_iter().find(|connection| connection.id as i64 == id);
        let connection = of_server.or_else(|| channels::socket(number(id)?))?;
        Some(Socket {
            r#ref: socket_ref(id, &connection.peer).into(),
            data: figures(&connection).into(),
            local: address(&connection.local).into(),
            remote: address(&connection.peer).into(),
        })
    }
}

impl Channelz for Answering {
    async fn get_top_channels(
        &self,
        cx: &Context,
        request: GetTopChannelsRequest,
    ) -> Result<Reply<GetTopChannelsResponse>, Status> {
        for_operators(cx)?;
        let (found, end) =
            channels::channels(number(request.start_channel_id).unwrap_or(0), most(request.max_results));
        let channel = found.into_iter().map(channel).collect();
        Ok(GetTopChannelsResponse { channel, end }.into())
    }

    async fn get_servers(
        &self,
        cx: &Context,
        request: GetServersRequest,
    ) -> Result<Reply<GetServersResponse>, Status> {
        for_operators(cx)?;
        let server = (request.start_server_id <= SERVER).then(|| self.server());
        Ok(GetServersResponse { server: server.into_iter().collect(), end: true }.into())
    }

    async fn get_server(
        &self,
        cx: &Context,
        request: GetServerRequest,
    ) -> Result<Reply<GetServerResponse>, Status> {
        for_operators(cx)?;
        match request.server_id {
            SERVER => Ok(GetServerResponse { server: self.server().into() }.into()),
            id => unknown("server", id),
        }
    }

    async fn get_server_sockets(
        &self,
        cx: &Context,
        request: GetServerSocketsRequest,
    ) -> Result<Reply<GetServerSocketsResponse>, Status> {
        for_operators(cx)?;
        if request.server_id != SERVER {
            return unknown("server", request.server_id);
        }
        let mut connections = self.about.connections();
        connections.retain(|connection| connection.id as i64 >= request.start_socket_id);
        connections.sort_by_key(|connection| connection.id);
        let most = most(request.max_results);
        let end = connections.len() <= most;
        let refs = connections.iter().take(most);
        let socket_ref = refs.map(|connection| socket_ref(connection.id as i64, &connection.peer)).collect();
        Ok(GetServerSocketsResponse { socket_ref, end }.into())
    }

    async fn get_channel(
        &self,
        cx: &Context,
        request: GetChannelRequest,
    ) -> Result<Reply<GetChannelResponse>, Status> {
        for_operators(cx)?;
        match number(request.channel_id).and_then(channels::channel) {
            Some(found) => Ok(GetChannelResponse { channel: channel(found).into() }.into()),
            None => unknown("channel", request.channel_id),
        }
    }

    async fn get_subchannel(
        &self,
        cx: &Context,
        request: GetSubchannelRequest,
    ) -> Result<Reply<GetSubchannelResponse>, Status> {
        for_operators(cx)?;
        match number(request.subchannel_id).and_then(channels::subchannel) {
            Some(found) => Ok(GetSubchannelResponse { subchannel: subchannel(found).into() }.into()),
            None => unknown("subchannel", request.subchannel_id),
        }
    }

    async fn get_socket(
        &self,
        cx: &Context,
        request: GetSocketRequest,
    ) -> Result<Reply<GetSocketResponse>, Status> {
        for_operators(cx)?;
        match self.socket(request.socket_id) {
            Some(socket) => Ok(GetSocketResponse { socket: socket.into() }.into()),
            None => unknown("socket", request.socket_id),
        }
    }
}

/// The maximum number of results for a request.
fn most(max_results: i64) -> usize {
    let wanted = usize::try_from(max_results).ok().filter(|most| *most > 0);
    wanted.map_or(MOST, |most| most.min(MOST_AT_ALL))
}

/// An id as the process has it.
fn number(id: i64) -> Option<u64> {
    u64::try_from(id).ok()
}

fn channel(about: ChannelInfo) -> Channel {
    let channel_ref = |(id, name): (u64, String)| ChannelRef { channel_id: id as i64, name };
    let subchannel_ref = |(id, name): (u64, String)| SubchannelRef { subchannel_id: id as i64, name };
    Channel {
        r#ref: channel_ref((about.id, about.target.clone())).into(),
        data: channel_data(about.target, about.state, about.tries, about.created).into(),
        channel_ref: about.channels.into_iter().map(channel_ref).collect(),
        subchannel_ref: about.subchannels.into_iter().map(subchannel_ref).collect(),
    }
}

fn subchannel(about: SubchannelInfo) -> Subchannel {
    let sockets = about.sockets.iter();
    Subchannel {
        r#ref: SubchannelRef { subchannel_id: about.id as i64, name: about.target.clone() }.into(),
        socket_ref: sockets.map(|socket| socket_ref(socket.id as i64, &socket.peer)).collect(),
        data: channel_data(about.target, about.state, about.tries, about.created).into(),
    }
}

fn channel_data(target: String, state: Connectivity, tries: Tries, created: SystemTime) -> ChannelData {
    use channel_connectivity_state::State;
    let state = match state {
        Connectivity::Idle => State::IDLE,
        Connectivity::Connecting => State::CONNECTING,
        Connectivity::Ready => State::READY,
        Connectivity::TransientFailure => State::TRANSIENT_FAILURE,
        _ => State::UNKNOWN,
    };
    ChannelData {
        state: ChannelConnectivityState { state: state.into() }.into(),
        target,
        trace: ChannelTrace { creation_timestamp: Timestamp::from(created).into() }.into(),
        calls_started: tries.started as i64,
        calls_succeeded: tries.succeeded as i64,
        calls_failed: tries.failed as i64,
        last_call_started_timestamp: tries.last_started.map(Timestamp::from).unwrap_or_default().into(),
    }
}

fn socket_ref(id: i64, peer: &Peer) -> SocketRef {
    SocketRef { socket_id: id, name: peer.to_string() }
}

fn address(peer: &Peer) -> Address {
    let address: address::Address = match peer {
        Peer::Ip(at) => {
            let ip_address = match at.ip().to_canonical() {
                IpAddr::V4(ip) => ip.octets().to_vec(),
                IpAddr::V6(ip) => ip.octets().to_vec(),
            };
            TcpIpAddress { ip_address, port: at.port().into() }.into()
        }
        Peer::Unix(path) => {
            let path = path.as_ref().map(|path| path.display().to_string());
            UdsAddress { filename: path.unwrap_or_default() }.into()
        }
        other => OtherAddress { name: other.to_string() }.into(),
    };
    Address { address: Some(address) }
}

fn figures(connection: &ConnectionStats) -> SocketData {
    let option =
        |name: &str, value: &dyn ToString| SocketOption { name: name.into(), value: value.to_string() };
    SocketData {
        messages_received: connection.messages.load(Relaxed) as i64,
        last_local_stream_created_timestamp: Timestamp::default().into(),
        last_remote_stream_created_timestamp: Timestamp::default().into(),
        last_message_sent_timestamp: Timestamp::default().into(),
        last_message_received_timestamp: Timestamp::default().into(),
        local_flow_control_window: Int64Value::default().into(),
        remote_flow_control_window: Int64Value::default().into(),
        option: vec![
            option("protocol", &connection.protocol().unwrap_or("unknown")),
            option("age_ms", &connection.since.elapsed().as_millis()),
            option("calls", &connection.calls()),
            option("bytes_in", &connection.bytes_in.load(Relaxed)),
            option("bytes_out", &connection.bytes_out.load(Relaxed)),
            option("owed", &connection.owed.load(Relaxed)),
        ],
    }
}

/// Refuses callers on other machines: this service shows the inside of a server.
fn for_operators(cx: &Context) -> Result<(), Status> {
    match cx.peer().is_local() {
        true => Ok(()),
        false => Err(Status::permission_denied("this service answers peers on its own machine only")),
    }
}

//! The loads: which protocol, and what is called.

/// What is called, over which protocol. Each is measured with one caller and with [`MANY`] of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Load {
    BaiduStd,
    Grpc,
    Http1,
    Redis,
    /// Messages of a stream in both directions; a caller has a stream, and its next message waits for the
    /// answer.
    GrpcStream,
}

/// Callers of the larger load. Those of protocols with one call at a time have a connection each.
pub const MANY: u32 = 100;

impl Load {
    pub const ALL: [Load; 5] = [Load::BaiduStd, Load::Grpc, Load::Http1, Load::Redis, Load::GrpcStream];

    /// As in the record and as an argument.
    pub fn name(self) -> &'static str {
        match self {
            Load::BaiduStd => "baidu_std",
            Load::Grpc => "grpc",
            Load::Http1 => "http",
            Load::Redis => "redis",
            Load::GrpcStream => "grpc_stream",
        }
    }

    pub fn of_name(name: &str) -> Option<Load> {
        Load::ALL.into_iter().find(|load| load.name() == name)
    }

    /// The name by which a channel is told its protocol.
    pub fn protocol(self) -> &'static str {
        match self {
            Load::GrpcStream => "grpc",
            _ => self.name(),
        }
    }
}

//! Files of settings that `polywire gateway example` prints.

use clap::ValueEnum;

/// What a file is an example of.
#[derive(Clone, Copy, ValueEnum)]
pub enum Example {
    /// A fleet of brpc behind one port, for its clients and for callers of gRPC, Connect and JSON
    Brpc,
    /// REST by rules of google.api.http in front of servers of gRPC
    Rest,
    /// Pages in browsers: grpc-web, Connect, WebSocket
    Web,
    /// From ubrpc to baidu_std: shadow, comparison, shares
    Migrate,
    /// All settings
    Full,
}

impl Example {
    pub fn text(self) -> &'static str {
        match self {
            Example::Brpc => include_str!("examples/brpc.toml"),
            Example::Rest => include_str!("examples/rest.toml"),
            Example::Web => include_str!("examples/web.toml"),
            Example::Migrate => include_str!("examples/migrate.toml"),
            Example::Full => include_str!("examples/full.toml"),
        }
    }
}

//! gRPC's standard services, which every server has: what gRPC's tools and load balancers ask for.
//!
//! | service | for | asks |
//! | --- | --- | --- |
//! | `grpc.health.v1.Health` | load balancers, `grpc_health_probe` | [`Health`](polywire_server::Health) of the server |
//! | `grpc.reflection.v1.ServerReflection`, `v1alpha` | grpcurl and the like | the descriptor sets of its services |
//! | `grpc.channelz.v1.Channelz` | `grpcdebug` and the like | connections and figures of the server |
//!
//! `generated/` is what `polywire-build` makes of `proto/`, committed so that programs need no generator for it;
//! `xtask/tests/standard.rs` holds it to that.

#![forbid(unsafe_code)]

pub mod channelz;
pub mod health;
pub mod reflection;

/// What `polywire-build` made of `proto/`, and what that code refers to.
#[allow(clippy::all)]
mod generated {
    pub use polywire_client::stub::*;
    pub use polywire_formats::generated::*;
    pub use polywire_server::{BidiStreaming, ServerStreaming, Unary};

    pub mod channelz {
        include!("generated/grpc.channelz.v1.rs");
    }
    pub mod health {
        include!("generated/grpc.health.v1.rs");
    }
    pub mod reflection {
        include!("generated/grpc.reflection.v1.rs");
    }
}

// Names by which generated code refers to its runtime.
use polywire_call::{Reply, Status};
use polywire_client::{Call, StreamingCall, Target};
use polywire_formats::{EnumValue, Map, MessageField};
use polywire_server::{About, Context, Service};
use polywire_streams::{Stream, Streaming};
type Channel = polywire_client::Channel<polywire_protocols::Builtin>;
type Duplex<I, O> = polywire_client::Duplex<I, O>;

/// What shows a server's inside is for peers on its own machine.
fn for_operators(cx: &Context) -> Result<(), Status> {
    match cx.peer().is_local() {
        true => Ok(()),
        false => Err(Status::permission_denied("this service answers peers on its own machine only")),
    }
}

/// All of them, as a server has them unless it says `without_pages`. A service of the user's of the same name replaces ours.
pub fn services(about: &About) -> Vec<Service> {
    let mut services = vec![health::service(about), channelz::service(about)];
    services.extend(reflection::services(about));
    services
}

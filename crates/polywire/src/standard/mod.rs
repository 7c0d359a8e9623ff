//! Services that every server has: what gRPC's tools and load balancers ask for.
//!
//! | service | for | asks |
//! | --- | --- | --- |
//! | `grpc.health.v1.Health` | load balancers, `grpc_health_probe` | [`Health`](crate::Health) of the server |
//! | `grpc.reflection.v1.ServerReflection`, `v1alpha` | grpcurl and the like | the descriptor sets of its services |
//! | `grpc.channelz.v1.Channelz` | `grpcdebug` and the like | connections and figures of the server |
//!
//! `generated/` is what `polywire-build` makes of `proto/`, committed so that programs need no generator for it;
//! `xtask/tests/standard.rs` holds it to that.

pub mod channelz;
pub mod health;
pub mod reflection;

#[allow(clippy::all)]
mod generated {
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

use polywire_server::{About, Service};

/// What shows a server's inside is for peers on its own machine.
fn for_operators(cx: &crate::Context) -> Result<(), crate::Status> {
    match cx.peer().is_local() {
        true => Ok(()),
        false => Err(crate::Status::permission_denied("this service answers peers on its own machine only")),
    }
}

/// All of them. A service of the user's of the same name replaces ours.
pub(crate) fn services(about: &About) -> Vec<Service> {
    let mut services = vec![health::service(about), channelz::service(about)];
    services.extend(reflection::services(about));
    services
}

//! Services that every server has: what gRPC's tools and load balancers ask for.
//!
//! | service | for | asks |
//! | --- | --- | --- |
//! | `grpc.health.v1.Health` | load balancers, `grpc_health_probe` | [`Health`](crate::Health) of the server |
//! | `grpc.reflection.v1.ServerReflection`, `v1alpha` | grpcurl and the like | the descriptor sets of its services |
//!
//! `generated/` is what `polywire-build` makes of `proto/`, committed so that programs need no generator for it;
//! `crates/build/tests/standard.rs` holds it to that.

pub mod health;
pub mod reflection;

#[allow(clippy::all)]
mod generated {
    pub mod health {
        include!("generated/grpc.health.v1.rs");
    }
    pub mod reflection {
        include!("generated/grpc.reflection.v1.rs");
    }
}

use polywire_server::{About, Service};

/// All of them. A service of the user's of the same name replaces ours.
pub(crate) fn services(about: &About) -> Vec<Service> {
    let mut services = vec![health::service(about)];
    services.extend(reflection::services(about));
    services
}

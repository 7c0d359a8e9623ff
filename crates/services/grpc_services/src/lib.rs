//! gRPC's standard services, which every server has. gRPC's tools and load balancers use them.
//!
//! | service | used by | source |
//! | --- | --- | --- |
//! | `grpc.health.v1.Health` | load balancers, `grpc_health_probe` | [`Health`](polywire_server::Health) of the server |
//! | `grpc.reflection.v1.ServerReflection`, `v1alpha` | grpcurl and the like | the descriptor sets of its services |
//! | `grpc.channelz.v1.Channelz`, with the feature `channelz` | `grpcdebug` and the like | the server's connections and counts of calls, and the channels of the process |
//!
//! With the feature `load`, [`load`] has services that a program adds by itself: how loaded the server is.
//!
//! `generated/` is the output of `polywire-build` for `proto/`. It is committed so that programs need no
//! generator for it; `xtask/tests/standard.rs` checks that it is current.

#![forbid(unsafe_code)]

#[cfg(feature = "channelz")]
pub mod channelz;
pub mod health;
#[cfg(feature = "load")]
pub mod load;
pub mod reflection;

/// Output of `polywire-build` for `proto/`, and the items that it refers to.
#[allow(clippy::all)]
mod generated {
    pub use polywire_client::stub::*;
    pub use polywire_formats::generated::*;
    pub use polywire_server::{BidiStreaming, ServerStreaming, Unary};

    #[cfg(feature = "channelz")]
    pub mod channelz {
        include!("generated/grpc.channelz.v1.rs");
    }
    pub mod health {
        include!("generated/grpc.health.v1.rs");
    }
    pub mod reflection {
        include!("generated/grpc.reflection.v1.rs");
    }
    #[cfg(feature = "load")]
    pub mod load {
        include!("generated/polywire.load.v1.rs");
    }
    /// The modules follow the nesting of their packages: one refers to the other by its path.
    #[cfg(feature = "load")]
    pub mod xds {
        pub mod data {
            pub mod orca {
                pub mod v3 {
                    include!("generated/xds.data.orca.v3.rs");
                }
            }
        }
        pub mod service {
            pub mod orca {
                pub mod v3 {
                    include!("generated/xds.service.orca.v3.rs");
                }
            }
        }
    }
}

// Names by which generated code refers to its runtime.
use polywire_call::{Reply, Status};
use polywire_client::{Call, Channel as AnyChannel, StreamingCall, Target};
#[cfg(any(feature = "channelz", feature = "load"))]
use polywire_formats::wkt;
use polywire_formats::{EnumValue, Map, MessageField};
use polywire_server::{About, Context, Service};
use polywire_streams::{Stream, Streaming};
type Channel = AnyChannel;
type Duplex<I, O> = polywire_client::Duplex<I, O>;

/// All standard services, as a server has them unless it has no pages (`pages(None)`). A service of the
/// application with the same name replaces the standard one.
pub fn services(about: &About) -> Vec<Service> {
    let mut services = vec![health::service(about)];
    #[cfg(feature = "channelz")]
    services.push(channelz::service(about));
    services.extend(reflection::services(about));
    services
}

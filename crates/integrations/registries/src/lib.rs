//! Sets of servers that are kept by a registry: sources that read them, and registrations of this process's
//! servers.
//!
//! | scheme | folder | feature | watches by | registers by |
//! | --- | --- | --- | --- | --- |
//! | `consul://` | `consul/` | `consul` | blocking queries | a service of the agent with a TTL check |
//! | `etcd://` | `etcd/` | `etcd` | Range, then Watch | a key with a lease |
//! | `k8s://` | `k8s/` | `k8s` | EndpointSlices: list, then watch | |
//! | `nacos://` | `nacos/` | `nacos` | a list every few seconds | an ephemeral instance with beats |
//! | `remotefile://` | `remotefile/` | `remotefile` | a file every few seconds | |
//! | `zookeeper://` | `zookeeper/` | `zookeeper` | the children of a node | an ephemeral node |
//!
//! Every folder has the same files: `mod.rs` with the type of the registry, which is made from the url, and
//! its scheme; `source.rs`, its [`Source`](polywire_naming::Source); `register.rs`, its [`Registrar`]. One
//! url serves both.
//!
//! | where | what it is |
//! | --- | --- |
//! | `url.rs` | what follows `://`: addresses, path, parameters |
//! | `dial.rs` | how the channels to a registry are made |
//! | `bounds.rs` | how long answers may be, and may take |
//! | `entries.rs` | what an answer comes to: the set of the entries that can be read |
//! | `hosts.rs` | hosts and ports as registries have them |
//! | `http.rs` | requests to a registry that speaks HTTP with JSON |
//! | `value.rs` | servers as the values of keys and nodes |
//!
//! The registries are spoken to by our own channels. Not here: running a source and keeping its last good set
//! (crate `naming`).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "__registry")]
#[allow(dead_code)] // each registry uses its part
mod bounds;
#[cfg(feature = "consul")]
pub mod consul;
#[cfg(feature = "__registry")]
#[allow(dead_code)]
mod dial;
#[cfg(feature = "__registry")]
mod entries;
#[cfg(feature = "etcd")]
pub mod etcd;
#[cfg(feature = "__registry")]
#[allow(dead_code)]
mod hosts;
#[cfg(feature = "__http")]
#[allow(dead_code)]
mod http;
#[cfg(feature = "k8s")]
pub mod k8s;
#[cfg(feature = "nacos")]
pub mod nacos;
#[cfg(feature = "remotefile")]
pub mod remotefile;
#[cfg(feature = "__registry")]
#[allow(dead_code)]
mod url;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
mod value;
#[cfg(feature = "zookeeper")]
pub mod zookeeper;

#[cfg(feature = "__registry")]
pub use dial::Dial;

// Names by which generated code refers to its runtime.
#[cfg(feature = "etcd")]
mod generated {
    pub use polywire_formats::generated::*;
}
#[cfg(feature = "etcd")]
use polywire_formats::{EnumValue, MessageField};

use polywire_call::ConfigError;
use polywire_naming::{Registrar, Registration, Scheme};

/// A kind of registry.
struct Kind {
    scheme: Scheme,
    /// `None`: it takes no registrations.
    register: Option<fn(&str) -> Result<Box<dyn Registrar>, ConfigError>>,
}

macro_rules! kinds {
    ($($feature:literal $module:ident $register:expr;)*) => {
        /// All registries; without its feature, a registry only returns an error.
        const KINDS: &[Kind] = &[$(
            #[cfg(feature = $feature)]
            Kind { scheme: $module::SCHEME, register: $register },
            #[cfg(not(feature = $feature))]
            Kind { scheme: Scheme { name: $feature, open: |_| missing($feature) }, register: Some(|_| missing($feature)) },
        )*];
    };
}

kinds! {
    "consul" consul Some(consul::registrar);
    "etcd" etcd Some(etcd::registrar);
    "k8s" k8s None;
    "nacos" nacos Some(nacos::registrar);
    "remotefile" remotefile None;
    "zookeeper" zookeeper Some(zookeeper::registrar);
}

/// The schemes of the registries. A scheme whose feature is off returns an error when it is used.
pub fn schemes() -> impl Iterator<Item = Scheme> {
    KINDS.iter().map(|kind| kind.scheme)
}

/// A registration of a server in the registry of a url, the same url by which channels find the server.
///
/// # Errors
/// The scheme is not that of a registry, its feature is not enabled, or the rest of the url is invalid for
/// it.
pub fn registration(url: &str) -> Result<Registration, ConfigError> {
    let found = url.split_once("://").and_then(|(name, rest)| {
        let kind = KINDS.iter().find(|kind| kind.scheme.name.eq_ignore_ascii_case(name))?;
        Some((kind.register?, rest))
    });
    match found {
        Some((register, rest)) => register(rest).map(Registration::boxed),
        None => {
            let able = KINDS.iter().filter(|kind| kind.register.is_some());
            let able: Vec<_> = able.map(|kind| format!("{}://", kind.scheme.name)).collect();
            let text = format!(
                "{url:?} names no registry that servers register with: these do: {}",
                able.join(", ")
            );
            Err(ConfigError::new("register", text).with_value(url))
        }
    }
}

#[allow(dead_code)] // with all features
fn missing<T>(feature: &'static str) -> Result<T, ConfigError> {
    let text = format!("{feature}:// needs the feature `{feature}` of `polywire`");
    Err(ConfigError::new("address", text).with_value(format!("{feature}://")))
}

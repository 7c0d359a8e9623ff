//! The resources of control planes: checked, and converted to plain types in which every value is valid.
//!
//! | type | file | what it says |
//! | --- | --- | --- |
//! | `Listener` (LDS) | `listener.rs`, `filter.rs` | which routes a target has; the filters of its calls |
//! | `RouteConfiguration` (RDS) | `route.rs`, `matching.rs`, `faults.rs` | which cluster a call goes to, with its timeout, retries and hash |
//! | `Cluster` (CDS) | `cluster.rs`, `policy.rs`, `tls.rs` | where endpoints come from; how one is chosen and connected to |
//! | `ClusterLoadAssignment` (EDS) | `endpoints.rs` | addresses by priority and locality |
//!
//! Every resource is checked on its own (gRFC A46), and every refusal is a text. Fields that these files do
//! not name are ignored.

pub(crate) mod cluster;
pub(crate) mod endpoints;
pub(crate) mod faults;
mod filter;
pub(crate) mod listener;
pub(crate) mod matching;
pub(crate) mod policy;
pub(crate) mod route;
pub(crate) mod tls;

#[cfg(test)]
mod tests;

pub(crate) use cluster::Cluster;
pub(crate) use endpoints::Endpoints;
pub(crate) use listener::Listener;
pub(crate) use route::Routes;

use crate::{
    bootstrap::{Certificates, canonical},
    messages::envoy::service::discovery::v3::Resource as Wrapped,
};
use polywire_formats::{
    Message,
    wkt::{self, Any},
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// A type of resource, in the order in which they refer to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Listener,
    Routes,
    Cluster,
    Endpoints,
}

/// A resource that was found to be good.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Resource {
    Listener(Arc<Listener>),
    Routes(Arc<Routes>),
    Cluster(Arc<Cluster>),
    Endpoints(Arc<Endpoints>),
}

/// The context against which resources are checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known {
    /// The certificate providers of the bootstrap.
    pub providers: BTreeMap<String, Certificates>,
}

/// A resource as it was received.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Received {
    /// The name of the resource in its canonical spelling.
    pub name: String,
    /// The resource as it was received, without its wrapper.
    pub wire: Any,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Listener, Kind::Routes, Kind::Cluster, Kind::Endpoints];

    pub fn type_url(self) -> &'static str {
        match self {
            Kind::Listener => "type.googleapis.com/envoy.config.listener.v3.Listener",
            Kind::Routes => "type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
            Kind::Cluster => "type.googleapis.com/envoy.config.cluster.v3.Cluster",
            Kind::Endpoints => "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        }
    }

    pub fn of(type_url: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.type_url() == type_url)
    }

    /// The name of the type in messages.
    pub fn title(self) -> &'static str {
        self.type_url().rsplit('.').next().unwrap_or_default()
    }

    /// Whether a response contains all resources of the type, so that absent ones are deleted.
    pub fn is_whole(self) -> bool {
        matches!(self, Kind::Listener | Kind::Cluster)
    }

    /// The name of a resource, which may be wrapped.
    ///
    /// # Errors
    /// Its name cannot be read.
    pub fn named(self, any: Any) -> Result<Received, String> {
        let wire = match any.message_name() == "envoy.service.discovery.v3.Resource" {
            true => {
                let wrapped = Wrapped::from_wire(&any.value)
                    .map_err(|error| format!("a resource cannot be read: {error}"))?;
                wrapped.resource.into_option().ok_or("a resource is empty")?
            }
            false => any,
        };
        if wire.type_url != self.type_url() {
            return Err(format!("a resource has the type {:?}", shortened(&wire.type_url)));
        }
        let name = first_field(&wire.value).ok_or("a resource cannot be read")?;
        if name.is_empty() {
            return Err("a resource has no name".to_owned());
        }
        Ok(Received { name: canonical(name), wire })
    }

    /// Checks a resource.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn check(self, wire: &Any, known: &Known) -> Result<Resource, String> {
        Ok(match self {
            Kind::Listener => Resource::Listener(Arc::new(Listener::check(&message(wire)?)?)),
            Kind::Routes => Resource::Routes(Arc::new(Routes::check(&message(wire)?)?)),
            Kind::Cluster => Resource::Cluster(Arc::new(Cluster::check(&message(wire)?, known)?)),
            Kind::Endpoints => Resource::Endpoints(Arc::new(Endpoints::check(&message(wire)?)?)),
        })
    }
}

/// Field 1 as text: the name in all four types. The rest is not parsed, so that an invalid resource still has
/// a name.
fn first_field(wire: &[u8]) -> Option<&str> {
    use buffa::encoding::{Tag, WireType, skip_field_depth};
    let mut rest = wire;
    let mut name = "";
    while !rest.is_empty() {
        let tag = Tag::decode(&mut rest).ok()?;
        if tag.field_number() == 1 && tag.wire_type() == WireType::LengthDelimited {
            let length = usize::try_from(buffa::encoding::decode_varint(&mut rest).ok()?).ok()?;
            let (text, after) = rest.split_at_checked(length)?;
            (name, rest) = (std::str::from_utf8(text).ok()?, after);
        } else {
            skip_field_depth(tag, &mut rest, 100).ok()?;
        }
    }
    Some(name)
}

/// The message inside an `Any` whose type was checked.
fn message<M: Message>(any: &Any) -> Result<M, String> {
    M::from_wire(&any.value).map_err(|error| format!("it cannot be read: {error}"))
}

/// A duration that is valid and not negative.
fn duration(name: &str, field: Option<&wkt::Duration>) -> Result<Option<Duration>, String> {
    let Some(field) = field else { return Ok(None) };
    let read = Duration::try_from(*field).ok();
    read.map(Some).ok_or_else(|| format!("{name} is not a duration, or a negative one"))
}

/// A peer's text, shortened for messages.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

//! `dns://echo.prod:8000`, `dns://_grpc._tcp.echo.prod`: the addresses of a name, or its SRV records.
//!
//! | url | servers |
//! | --- | --- |
//! | `dns://host:port`, `dns:///host:port`, `dns:host:port` | an address each (A, AAAA), with the port of the url |
//! | `dns://_service._proto.name` | of the SRV records with the lowest priority: the addresses of each target, with its port and weight |
//! | `dns://10.0.0.53:5353,10.0.0.54/host:port` | the same, asked of these DNS servers (port 53 where none is given) |
//! | `…?family=4`, `?family=6`, `?family=both` | addresses of this family; without it IPv4, or IPv6 where there is no IPv4 |
//!
//! ```text
//!  target.rs: what the url asks for
//!     │
//!     ▼
//!  records.rs: what DNS says, as this source uses it ◄── hickory.rs: the resolver
//!     │
//!     ▼
//!  look.rs: servers of the records ──► Updates
//! ```
//!
//! Names are looked up again when no server can be reached, and when the shortest time-to-live of their
//! records has passed since the last answer (at least 5 s and at most 5 min, plus up to half of it at
//! random). A name that no longer exists is an error like others: the last set stays in use.
//!
//! Requires the feature `dns`; without it, opening such a url fails with an error that names the feature.

#[cfg(feature = "dns")]
mod hickory;
#[cfg(feature = "dns")]
mod look;
#[cfg(feature = "dns")]
mod records;
#[cfg(feature = "dns")]
mod source;
#[cfg(feature = "dns")]
mod target;

use crate::Scheme;

/// `dns://NAME`: servers from records in DNS, with the feature `dns`.
pub const SCHEME: Scheme = Scheme { name: "dns", open };

#[cfg(feature = "dns")]
use source::open;

#[cfg(not(feature = "dns"))]
fn open(rest: &str) -> Result<Box<dyn crate::Source>, polywire_call::ConfigError> {
    let url = format!("dns://{rest}");
    let text = format!("{url:?} is left out of this build: turn on the feature `dns` of `polywire`");
    Err(polywire_call::ConfigError::new("address", text).with_value(url))
}

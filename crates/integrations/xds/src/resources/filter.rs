//! The known HTTP filters. Listeners have filters, and routes may override those of their listener.

use crate::messages::xds::r#type::v3::TypedStruct;
use polywire_formats::{Message, wkt::Any};

const ROUTER: &str = "envoy.extensions.filters.http.router.v3.Router";
pub(super) const FAULT: &str = "envoy.extensions.filters.http.fault.v3.HTTPFault";

/// A supported filter.
pub(super) enum Filter {
    Router,
    Fault(Any),
}

/// A filter by the type of its configuration. `None`: another one.
pub(super) fn known(any: &Any) -> Result<Option<Filter>, String> {
    Ok(match any.message_name() {
        ROUTER => Some(Filter::Router),
        FAULT => Some(Filter::Fault(any.clone())),
        "xds.type.v3.TypedStruct" | "udpa.type.v1.TypedStruct" => {
            let typed = TypedStruct::from_wire(&any.value).map_err(|error| error.to_string())?;
            match typed.type_url.rsplit('/').next() {
                Some(ROUTER) => Some(Filter::Router),
                _ => None,
            }
        }
        _ => None,
    })
}

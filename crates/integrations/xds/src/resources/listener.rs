//! `envoy.config.listener.v3.Listener`, whose API listener contains an `HttpConnectionManager`.

use super::{
    Routes, duration,
    faults::{Faults, Override, overrides_of},
    filter::{Filter, known},
    message, shortened,
};
use crate::messages::envoy::{
    config::listener::v3 as wire,
    extensions::filters::{
        http::fault::v3::HTTPFault,
        network::http_connection_manager::v3::{
            HttpConnectionManager, HttpFilter, http_connection_manager::RouteSpecifier,
        },
    },
};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

const MANAGER: &str = "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// The maximum number of fault filters: each route of a table has a copy of all of them.
const MOST_FAULTS: usize = 16;

/// The listener of a target.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Listener {
    /// The API listener; `None`: it is a listener for servers.
    pub api: Option<Api>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Api {
    pub routes: RoutesOf,
    /// The maximum duration of calls whose route sets none. `Some(ZERO)`: no limit.
    pub max_stream_duration: Option<Duration>,
    /// Fault filters by their name, in their order.
    pub faults: Vec<(String, Faults)>,
}

/// The source of the routes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RoutesOf {
    Inline(Arc<Routes>),
    Named(String),
}

impl Listener {
    pub fn check(wire: &wire::Listener) -> Result<Listener, String> {
        let Some(api) = wire.api_listener.as_option() else { return Ok(Listener { api: None }) };
        let any = api.api_listener.as_option().ok_or("api_listener is empty")?;
        if any.message_name() != MANAGER {
            return Err(format!(
                "api_listener is {:?}, not an HttpConnectionManager",
                shortened(&any.type_url)
            ));
        }
        Ok(Listener { api: Some(Api::check(&message(any)?)?) })
    }
}

impl Api {
    fn check(wire: &HttpConnectionManager) -> Result<Api, String> {
        if wire.xff_num_trusted_hops != 0 {
            return Err("xff_num_trusted_hops is not 0".to_owned());
        }
        if !wire.original_ip_detection_extensions.is_empty() {
            return Err("original_ip_detection_extensions is not empty".to_owned());
        }
        let routes = match &wire.route_specifier {
            Some(RouteSpecifier::RouteConfig(routes)) => RoutesOf::Inline(Arc::new(
                Routes::check(routes).map_err(|why| format!("route_config: {why}"))?,
            )),
            Some(RouteSpecifier::Rds(rds)) => {
                let source = rds.config_source.as_option();
                if source.is_none_or(|source| source.config_source_specifier.is_none()) {
                    return Err("rds.config_source is neither ads nor self".to_owned());
                }
                if rds.route_config_name.is_empty() {
                    return Err("rds.route_config_name is empty".to_owned());
                }
                RoutesOf::Named(crate::bootstrap::canonical(&rds.route_config_name))
            }
            Some(RouteSpecifier::ScopedRoutes(_)) => return Err("scoped_routes is not supported".to_owned()),
            None => return Err("it has neither rds nor route_config".to_owned()),
        };
        let options = wire.common_http_protocol_options.as_option();
        let max_stream_duration = options.map(|options| {
            duration(
                "common_http_protocol_options.max_stream_duration",
                options.max_stream_duration.as_option(),
            )
        });
        Ok(Api {
            routes,
            max_stream_duration: max_stream_duration.transpose()?.flatten(),
            faults: filters(&wire.http_filters)?,
        })
    }

    /// The effective fault filters for a call. `overrides`: from the cluster's weight to the virtual host.
    pub fn faults(&self, overrides: &[&std::collections::BTreeMap<String, Override>]) -> Vec<Faults> {
        let of = |(name, faults): &(String, Faults)| match overrides_of(name, overrides) {
            Some(Override::Faults(faults)) => Some(faults.clone()),
            Some(Override::Disabled) => None,
            None => Some(faults.clone()),
        };
        self.faults.iter().filter_map(of).collect()
    }
}

/// Checks the filters of a listener. Source: gRFC A39.
fn filters(wire: &[HttpFilter]) -> Result<Vec<(String, Faults)>, String> {
    let mut names = BTreeSet::new();
    let mut faults = Vec::new();
    let mut routed = false;
    for filter in wire {
        let name = &filter.name;
        if name.is_empty() {
            return Err("a filter has no name".to_owned());
        }
        if !names.insert(name) {
            return Err(format!("two filters are called {:?}", shortened(name)));
        }
        let about = |why: String| format!("the filter {:?}: {why}", shortened(name));
        let known = match filter.typed_config.as_option() {
            Some(any) => known(any).map_err(about)?,
            None => return Err(about("it has no typed_config".to_owned())),
        };
        if routed && !(known.is_none() && filter.is_optional) {
            return Err(about("it follows the router, which is the last one".to_owned()));
        }
        match known {
            Some(Filter::Router) => routed = true,
            Some(Filter::Fault(any)) => {
                faults.push((name.clone(), Faults::check(&message::<HTTPFault>(&any)?).map_err(about)?));
                if faults.len() > MOST_FAULTS {
                    return Err(format!("there are more than {MOST_FAULTS} filters for faults"));
                }
            }
            None if filter.is_optional => {}
            None => return Err(about("its type is not supported".to_owned())),
        }
    }
    match routed {
        true => Ok(faults),
        false => Err("the last filter is not the router".to_owned()),
    }
}

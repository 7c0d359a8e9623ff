//! `envoy.extensions.filters.http.fault.v3.HTTPFault`: delays and failures that a control plane orders. gRFC
//! A33.

use super::{
    duration,
    filter::{Filter, known},
    message, shortened,
};
use crate::messages::envoy::{
    config::route::v3::FilterConfig,
    extensions::filters::{
        common::fault::v3::FaultDelay,
        http::fault::v3::{FaultAbort, HTTPFault, fault_abort::ErrorType},
    },
    r#type::v3::{FractionalPercent, fractional_percent::DenominatorType},
};
use polywire_formats::wkt::Any;
use std::{collections::BTreeMap, time::Duration};

/// The faults that are injected into calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Faults {
    pub delay: Option<(Delay, Share)>,
    pub abort: Option<(Abort, Share)>,
    /// Calls with a fault at the same time. `None`: any number.
    pub most_active: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delay {
    Fixed(Duration),
    /// The delay is in the call's metadata.
    ByHeader,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Abort {
    Http(u32),
    Grpc(u32),
    ByHeader,
}

/// A part of a whole: `numerator` of `denominator`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    pub numerator: u32,
    pub denominator: u32,
}

/// A route's override of a filter of its listener.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Override {
    Faults(Faults),
    Disabled,
}

impl Share {
    /// # Errors
    /// The denominator is invalid.
    pub fn check(wire: &FractionalPercent) -> Result<Share, String> {
        let denominator = match wire.denominator.as_known() {
            Some(DenominatorType::HUNDRED) => 100,
            Some(DenominatorType::TEN_THOUSAND) => 10_000,
            Some(DenominatorType::MILLION) => 1_000_000,
            None => return Err("a denominator that there is not".to_owned()),
        };
        Ok(Share { numerator: wire.numerator, denominator })
    }

    /// The numerator in millionths, at most a million.
    pub fn millionths(self) -> u32 {
        let scaled = u64::from(self.numerator) * u64::from(1_000_000 / self.denominator);
        scaled.min(1_000_000) as u32
    }
}

impl Faults {
    pub fn check(wire: &HTTPFault) -> Result<Faults, String> {
        Ok(Faults {
            delay: wire.delay.as_option().map(delay).transpose()?,
            abort: wire.abort.as_option().map(abort).transpose()?,
            most_active: wire.max_active_faults.as_option().map(|most| most.value),
        })
    }
}

fn share(wire: Option<&FractionalPercent>) -> Result<Share, String> {
    wire.map_or(Ok(Share { numerator: 0, denominator: 100 }), Share::check)
}

fn delay(wire: &FaultDelay) -> Result<(Delay, Share), String> {
    let delay = match duration("delay.fixed_delay", wire.fixed_delay.as_option())? {
        Some(fixed) => Delay::Fixed(fixed),
        None if wire.header_delay.is_set() => Delay::ByHeader,
        None => return Err("delay has neither fixed_delay nor header_delay".to_owned()),
    };
    Ok((delay, share(wire.percentage.as_option())?))
}

fn abort(wire: &FaultAbort) -> Result<(Abort, Share), String> {
    let abort = match &wire.error_type {
        Some(ErrorType::HttpStatus(status)) => Abort::Http(*status),
        Some(ErrorType::GrpcStatus(status)) => Abort::Grpc(*status),
        Some(ErrorType::HeaderAbort(_)) => Abort::ByHeader,
        None => return Err("abort has neither http_status nor grpc_status nor header_abort".to_owned()),
    };
    Ok((abort, share(wire.percentage.as_option())?))
}

/// `typed_per_filter_config`: overrides of filters by their name.
pub(super) fn overrides<'a>(
    wire: impl IntoIterator<Item = (&'a String, &'a Any)>,
) -> Result<BTreeMap<String, Override>, String> {
    let mut overrides = BTreeMap::new();
    for (name, any) in wire {
        let about = |why: String| format!("typed_per_filter_config[{:?}]: {why}", shortened(name));
        if let Some(given) = one(any).map_err(about)? {
            overrides.insert(name.clone(), given);
        }
    }
    Ok(overrides)
}

fn one(any: &Any) -> Result<Option<Override>, String> {
    let (mut any, mut optional) = (any.clone(), false);
    if any.message_name() == "envoy.config.route.v3.FilterConfig" {
        let wrapped: FilterConfig = message(&any)?;
        if wrapped.disabled {
            return Ok(Some(Override::Disabled));
        }
        optional = wrapped.is_optional;
        any = wrapped.config.into_option().ok_or("its config is empty")?;
    }
    match known(&any)? {
        Some(Filter::Fault(any)) => Ok(Some(Override::Faults(Faults::check(&message(&any)?)?))),
        Some(Filter::Router) => Err("the router takes no configuration".to_owned()),
        None if optional => Ok(None),
        None => Err(format!("the type {:?} is not supported", shortened(&any.type_url))),
    }
}

/// The first of these overrides for the filter.
pub(super) fn overrides_of<'a>(
    name: &str,
    overrides: &[&'a BTreeMap<String, Override>],
) -> Option<&'a Override> {
    overrides.iter().find_map(|one| one.get(name))
}

//! What a cluster does about servers that fail or are slow: outlier detection, a circuit breaker, hedging.

use super::document::{Placed, Table};
use crate::peer::HedgeAfter;
use polywire::{
    Hedge, Resilience,
    balance::{BreakerSettings, FailurePercentage, Outliers, SuccessRate},
};
use std::time::Duration;

/// What the file says.
#[derive(Clone, Default, PartialEq)]
pub struct Failing {
    outliers: Option<Outliers>,
    has_breaker: bool,
    hedge: Option<HedgeAfter>,
}

/// Percentage of servers that may be out after a breaker has isolated one. Strangers choose the requests
/// here, and one that makes any server fail must not take all of them from others.
const MOST_OUT: u32 = 50;
/// The shortest time between two looks, and of an ejection.
const SHORTEST: Duration = Duration::from_millis(100);
/// Servers and calls of a rule.
const MOST: u32 = 1_000_000;

impl Failing {
    /// Reads the keys `outliers`, `breaker` and `hedge` of a cluster.
    pub fn read(cluster: &Table<'_>) -> Failing {
        Failing {
            outliers: cluster.table("outliers").map(|table| outliers(&table)),
            has_breaker: cluster.flag("breaker"),
            hedge: cluster.text("hedge").and_then(|text| hedge(cluster, &text)),
        }
    }

    pub fn on(&self, resilience: Resilience) -> Resilience {
        let breaker = self.has_breaker.then(|| BreakerSettings::default().max_percent(MOST_OUT));
        resilience.outliers(self.outliers.clone()).breaker(breaker).hedge(self.hedge.map(Hedge::from))
    }

    pub fn hedges(&self) -> bool {
        self.hedge.is_some()
    }

    /// For the operator, a line each. `may_run_twice`: the call that is asked about.
    pub fn words(&self, may_run_twice: bool) -> Vec<String> {
        let outliers = self.outliers.as_ref().map(|outliers| {
            let rate = outliers.success_rate.as_ref().map(|rate| {
                format!(
                    "a share of good calls {} thousandths of the deviation below the mean",
                    rate.stdev_factor
                )
            });
            let failed = outliers.failure_percentage.as_ref();
            let failed = failed.map(|failed| format!("more than {} % failed calls", failed.threshold));
            let rules: Vec<_> = failed.into_iter().chain(rate).collect();
            format!(
                "servers with {} in {:?} are left out for {:?} and longer, at most {} % of them",
                rules.join(" or "),
                outliers.interval,
                outliers.base_ejection,
                outliers.max_percent
            )
        });
        let breaker = self.has_breaker.then(|| {
            format!("each server has a circuit breaker, by which at most {MOST_OUT} % of them are out")
        });
        let hedge = self.hedge.map(|after| {
            let after = match after {
                HedgeAfter::Auto => "the time of 95 % of its calls".to_owned(),
                HedgeAfter::Time(time) => format!("{time:?}"),
            };
            match may_run_twice {
                true => format!("sent a second time after {after}"),
                false => "never sent a second time: no `idempotent` of the route names it".to_owned(),
            }
        });
        [outliers, breaker, hedge].into_iter().flatten().collect()
    }
}

fn hedge(cluster: &Table<'_>, Placed { value, at }: &Placed<String>) -> Option<HedgeAfter> {
    let after = match (&**value, value.ends_with(|last: char| last.is_ascii_digit())) {
        ("auto", _) => Ok(HedgeAfter::Auto),
        (_, true) => Err("has no unit: us, ms, s, m or h".to_owned()),
        _ => value.parse(),
    };
    match after {
        Ok(HedgeAfter::Time(time)) if time.is_zero() => {
            cluster.wrong(*at, "hedge", "every call would be made twice: write a time, or \"auto\"");
            None
        }
        Ok(after) => Some(after),
        Err(wrong) => {
            cluster.wrong(*at, "hedge", format_args!("{value:?}: {wrong}"));
            None
        }
    }
}

fn outliers(table: &Table<'_>) -> Outliers {
    let usual = Outliers::default();
    let failed = table.table("failure_percentage").map(|failed| {
        let usual = FailurePercentage::default();
        let rule = FailurePercentage::default()
            .threshold(failed.number("threshold", 100).unwrap_or(usual.threshold))
            .minimum_hosts(hosts(&failed, usual.minimum_hosts))
            .request_volume(volume(&failed, usual.request_volume));
        failed.finish();
        rule
    });
    let rate = table.table("success_rate").map(|rate| {
        let usual = SuccessRate::default();
        let rule = SuccessRate::default()
            .stdev_factor(rate.number("stdev_factor", 100_000).unwrap_or(usual.stdev_factor))
            .minimum_hosts(hosts(&rate, usual.minimum_hosts))
            .request_volume(volume(&rate, usual.request_volume));
        rate.finish();
        rule
    });
    let time = |key: &'static str, usual: Duration| {
        let time = table.duration(key)?;
        if time < SHORTEST {
            table.wrong(table.at_key(key), key, format_args!("at least {SHORTEST:?}; {usual:?} by default"));
        }
        Some(time)
    };
    let mut outliers = Outliers::default()
        .interval(time("interval", usual.interval).unwrap_or(usual.interval))
        .base_ejection(time("base_ejection", usual.base_ejection).unwrap_or(usual.base_ejection))
        .max_ejection(time("max_ejection", usual.max_ejection).unwrap_or(usual.max_ejection))
        .max_percent(table.number("max_percent", 100).unwrap_or(usual.max_percent));
    table.finish();
    if failed.is_none() && rate.is_none() && table.is_well() {
        let text = "no rule is here, so that no server would be left out: write failure_percentage = {} or \
                    success_rate = {}, with settings of their own";
        table.wrong(table.at(), "failure_percentage", text);
    }
    outliers.failure_percentage = failed;
    outliers.success_rate = rate;
    outliers
}

fn hosts(rule: &Table<'_>, usual: usize) -> usize {
    rule.number("minimum_hosts", MOST).map_or(usual, |hosts| hosts as usize)
}

fn volume(rule: &Table<'_>, usual: u64) -> u64 {
    rule.number("request_volume", MOST).map_or(usual, u64::from)
}

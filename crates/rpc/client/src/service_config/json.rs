//! Reads and checks the text of a service config. Unknown fields are ignored, as gRPC's own readers do.

use super::{
    config::ServiceConfig,
    method::{Backoff, Codes, HedgingPolicy, Method, Retry},
    throttle::{TOKEN, Throttle},
};
use polywire_call::Code;
use serde_json::Value;
use std::{collections::HashMap, fmt::Display, sync::Arc, time::Duration};

/// "Values greater than 5 are treated as 5 without being considered a validation error."
const MOST_ATTEMPTS: u32 = 5;
/// "maxTokens … must be in the range (0, 1000]".
const MOST_TOKENS: f64 = 1000.0;

impl ServiceConfig {
    /// # Errors
    /// The field that is wrong, and why.
    pub fn parse(text: &str) -> Result<Self, String> {
        // By `FromStr`, which serde_json compiles itself; `from_str` would be compiled here.
        let value: Value = text.parse().map_err(|error: serde_json::Error| format!("not JSON: {error}"))?;
        let root = At { path: String::new(), value: &value };
        root.object()?;
        let mut methods: HashMap<String, HashMap<String, Arc<Method>>> = HashMap::new();
        for config in root.items("methodConfig")? {
            let method = Arc::new(method(&config)?);
            for name in config.items("name")? {
                let part = |key| {
                    Ok::<_, String>(name.get(key)?.map(|at| at.text()).transpose()?.unwrap_or_default())
                };
                let (service, of) = (part("service")?, part("method")?);
                if service.is_empty() && !of.is_empty() {
                    return Err(name.wrong("a method without its service"));
                }
                let known = methods.entry(service.to_owned()).or_default();
                if known.insert(of.to_owned(), method.clone()).is_some() {
                    return Err(name.wrong("named twice"));
                }
            }
        }
        let throttle = root.get("retryThrottling")?.map(|at| throttle(&at)).transpose()?.map(Arc::new);
        let other = throttle.is_some().then(Arc::default);
        Ok(ServiceConfig { methods, other, throttle })
    }
}

fn method(at: &At<'_>) -> Result<Method, String> {
    let retry = at.get("retryPolicy")?.map(|at| retry(&at)).transpose()?;
    let hedging = at.get("hedgingPolicy")?;
    if let Some(hedging) = hedging.as_ref().filter(|_| retry.is_some()) {
        return Err(hedging.wrong("beside a retryPolicy: a method has one of the two"));
    }
    let hedging = hedging.map(|at| self::hedging(&at)).transpose()?;
    Ok(Method {
        timeout: at.get("timeout")?.map(|at| at.duration()).transpose()?,
        wait_for_ready: at.get("waitForReady")?.map(|at| at.truth()).transpose()?,
        max_request: at.get("maxRequestMessageBytes")?.map(|at| at.count()).transpose()?,
        max_response: at.get("maxResponseMessageBytes")?.map(|at| at.count()).transpose()?,
        retry,
        hedging,
    })
}

fn retry(at: &At<'_>) -> Result<Retry, String> {
    let backoff = Backoff {
        initial: at.needs("initialBackoff")?.pause()?,
        most: at.needs("maxBackoff")?.pause()?,
        multiplier: at.needs("backoffMultiplier")?.positive()?,
    };
    let codes = at.needs("retryableStatusCodes")?;
    let found = self::codes(at, "retryableStatusCodes")?;
    if found.is_empty() {
        return Err(codes.wrong("names none"));
    }
    Ok(Retry { attempts: attempts(at)?, backoff, codes: found })
}

fn hedging(at: &At<'_>) -> Result<HedgingPolicy, String> {
    Ok(HedgingPolicy {
        attempts: attempts(at)?,
        delay: at.get("hedgingDelay")?.map(|at| at.duration()).transpose()?.unwrap_or_default(),
        non_fatal: codes(at, "nonFatalStatusCodes")?,
    })
}

fn attempts(at: &At<'_>) -> Result<u32, String> {
    let at = at.needs("maxAttempts")?;
    let most = at.count()?;
    if most < 2 { Err(at.wrong("must be at least 2")) } else { Ok(most.min(MOST_ATTEMPTS)) }
}

/// Names in any case, or numbers.
fn codes(at: &At<'_>, key: &str) -> Result<Codes, String> {
    let mut codes = Codes::default();
    for item in at.items(key)? {
        let found = Code::ALL.into_iter().find(|code| match item.value {
            Value::String(name) => name.eq_ignore_ascii_case(code.name()),
            number => number.as_u64() == Some(*code as u64),
        });
        codes.insert(found.ok_or_else(|| item.wrong("is not a status code"))?);
    }
    Ok(codes)
}

fn throttle(at: &At<'_>) -> Result<Throttle, String> {
    let most = at.needs("maxTokens")?;
    let tokens = most.positive()?;
    if tokens > MOST_TOKENS {
        return Err(most.wrong(format_args!("must be at most {MOST_TOKENS}")));
    }
    let ratio = at.needs("tokenRatio")?;
    // "The decimal value is truncated at three places"; more than all of them is all of them.
    let thousandths = (ratio.positive()?.min(MOST_TOKENS) * f64::from(TOKEN)) as u32;
    if thousandths == 0 {
        return Err(ratio.wrong("must be at least 0.001"));
    }
    Ok(Throttle::new((tokens * f64::from(TOKEN)) as u32, thousandths))
}

/// A value, and its path, which errors name.
struct At<'v> {
    path: String,
    value: &'v Value,
}

impl<'v> At<'v> {
    fn wrong(&self, why: impl Display) -> String {
        if self.path.is_empty() { why.to_string() } else { format!("{}: {why}", self.path) }
    }

    fn object(&self) -> Result<&'v serde_json::Map<String, Value>, String> {
        self.value.as_object().ok_or_else(|| self.wrong("must be an object"))
    }

    /// A field; `null` counts as absent.
    fn get(&self, key: &str) -> Result<Option<At<'v>>, String> {
        let value = self.object()?.get(key).filter(|value| !value.is_null());
        let dot = if self.path.is_empty() { "" } else { "." };
        Ok(value.map(|value| At { path: format!("{}{dot}{key}", self.path), value }))
    }

    fn needs(&self, key: &str) -> Result<At<'v>, String> {
        self.get(key)?.ok_or_else(|| self.wrong(format_args!("{key} is missing")))
    }

    /// The items of a list field; empty if the field is absent.
    fn items(&self, key: &str) -> Result<Vec<At<'v>>, String> {
        let Some(list) = self.get(key)? else { return Ok(Vec::new()) };
        let items = list.value.as_array().ok_or_else(|| list.wrong("must be a list"))?;
        let item = |(n, value)| At { path: format!("{}[{n}]", list.path), value };
        Ok(items.iter().enumerate().map(item).collect())
    }

    fn text(&self) -> Result<&'v str, String> {
        self.value.as_str().ok_or_else(|| self.wrong("must be a text"))
    }

    fn truth(&self) -> Result<bool, String> {
        self.value.as_bool().ok_or_else(|| self.wrong("must be true or false"))
    }

    /// A whole number, in quotes or without, as protobuf's JSON has it.
    fn count(&self) -> Result<u32, String> {
        let number = match self.value {
            Value::String(text) => text.parse().ok(),
            other => other.as_u64().or_else(|| whole(other.as_f64()?)).and_then(|n| n.try_into().ok()),
        };
        number.ok_or_else(|| self.wrong("must be a whole number of at most 4294967295"))
    }

    fn positive(&self) -> Result<f64, String> {
        let number = self.value.as_f64().filter(|number| *number > 0.0 && number.is_finite());
        number.ok_or_else(|| self.wrong("must be a number above 0"))
    }

    /// `1.5s`: seconds, up to nine decimals.
    fn duration(&self) -> Result<Duration, String> {
        let wrong = || self.wrong("must be a time like \"1.5s\"");
        let text = self.text()?.strip_suffix('s').ok_or_else(wrong)?;
        let (seconds, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(seconds) || !digits(decimals) || decimals.len() > 9 {
            return Err(wrong());
        }
        let nanos = format!("{decimals:0<9}").parse().map_err(|_| wrong())?;
        // protobuf's own bound, ten thousand years.
        let seconds = seconds.parse().ok().filter(|seconds| *seconds <= 315_576_000_000);
        Ok(Duration::new(seconds.ok_or_else(wrong)?, nanos))
    }

    fn pause(&self) -> Result<Duration, String> {
        let pause = self.duration()?;
        if pause.is_zero() { Err(self.wrong("must be above 0s")) } else { Ok(pause) }
    }
}

/// Accepts whole numbers such as `3.0`.
fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: &str = r#""retryPolicy": { "maxAttempts": 9, "initialBackoff": "0.1s", "maxBackoff": "1s",
        "backoffMultiplier": 2, "retryableStatusCodes": ["unavailable", "ABORTED", 8] }"#;

    fn config(text: &str) -> ServiceConfig {
        ServiceConfig::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A config with these fields for all methods.
    fn says(fields: &str) -> Result<ServiceConfig, String> {
        ServiceConfig::parse(&format!(r#"{{ "methodConfig": [{{ "name": [{{}}], {fields} }}] }}"#))
    }

    #[test]
    fn every_field_is_read() {
        let fields = r#""timeout": "1.500340012s", "waitForReady": true, "maxRequestMessageBytes": 7,
            "maxResponseMessageBytes": "8","#;
        let config = says(&format!("{fields} {RETRY}")).expect("it is right");
        let method = config.method("any", "Thing").expect("it is for all");
        assert_eq!(method.timeout, Some(Duration::new(1, 500_340_012)));
        assert_eq!(
            (method.wait_for_ready, method.max_request, method.max_response),
            (Some(true), Some(7), Some(8))
        );
        let retry = method.retry.as_ref().expect("there is one");
        assert_eq!(retry.attempts, 5, "more than five are five");
        let (initial, most) = (Duration::from_millis(100), Duration::from_secs(1));
        assert_eq!(retry.backoff, Backoff { initial, most, multiplier: 2.0 });
        for code in Code::ALL {
            let said = matches!(code, Code::Unavailable | Code::Aborted | Code::ResourceExhausted);
            assert_eq!(retry.codes.contains(code), said, "{code}");
        }
    }

    #[test]
    fn the_most_exact_name_counts() {
        let config = config(
            r#"{ "methodConfig": [
                { "name": [{ "service": "a.A", "method": "One" }, { "service": "b.B", "method": "" }], "timeout": "1s" },
                { "name": [{ "service": "a.A" }], "timeout": "2s" },
                { "name": [{ "service": "", "method": null }], "timeout": "3s" },
                { "timeout": "4s" } ] }"#,
        );
        let seconds =
            |service, method| config.method(service, method).expect("said").timeout.expect("said").as_secs();
        assert_eq!((seconds("a.A", "One"), seconds("b.B", "Any")), (1, 1));
        assert_eq!((seconds("a.A", "Two"), seconds("c.C", "One")), (2, 3));
    }

    #[test]
    fn methods_of_which_nothing_is_said_are_counted_where_there_are_tokens() {
        assert!(config("{}").method("a", "b").is_none());
        assert!(config(r#"{ "loadBalancingConfig": [{ "round_robin": {} }] }"#).method("a", "b").is_none());
        let tokens = config(r#"{ "retryThrottling": { "maxTokens": 1000, "tokenRatio": 0.0016 } }"#);
        assert_eq!(**tokens.method("a", "b").expect("for all"), Method::default());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let retry = |old: &str, new: &str| RETRY.replace(old, new);
        let cases = [
            (retry("9", "1"), "methodConfig[0].retryPolicy.maxAttempts: must be at least 2"),
            (retry("9", "2.5"), "retryPolicy.maxAttempts: must be a whole number"),
            (retry("0.1s", "0s"), "retryPolicy.initialBackoff: must be above 0s"),
            (retry("\"1s\"", "1"), "retryPolicy.maxBackoff: must be a text"),
            (retry("\"1s\"", "\"1\""), "retryPolicy.maxBackoff: must be a time like"),
            (retry("\"1s\"", "\"-1s\""), "retryPolicy.maxBackoff: must be a time like"),
            (retry("\"1s\"", "\"1.0000000001s\""), "retryPolicy.maxBackoff: must be a time like"),
            (retry("\"1s\"", "\"99999999999999999999s\""), "retryPolicy.maxBackoff: must be a time like"),
            (retry(": 2", ": -2"), "retryPolicy.backoffMultiplier: must be a number above 0"),
            (retry("ABORTED", "NO_SUCH"), "retryPolicy.retryableStatusCodes[1]: is not a status code"),
            (retry(", 8", ", 17"), "retryPolicy.retryableStatusCodes[2]: is not a status code"),
            (
                retry("[\"unavailable\", \"ABORTED\", 8]", "[]"),
                "retryPolicy.retryableStatusCodes: names none",
            ),
            (retry("\"maxBackoff\"", "\"other\""), "methodConfig[0].retryPolicy: maxBackoff is missing"),
            (format!(r#"{RETRY}, "hedgingPolicy": {{}}"#), "hedgingPolicy: beside a retryPolicy"),
            (
                r#""hedgingPolicy": { "maxAttempts": 1 }"#.into(),
                "hedgingPolicy.maxAttempts: must be at least 2",
            ),
            (
                r#""hedgingPolicy": { "maxAttempts": 2, "hedgingDelay": "x" }"#.into(),
                "hedgingPolicy.hedgingDelay: must be a time",
            ),
            (r#""hedgingPolicy": {}"#.into(), "hedgingPolicy: maxAttempts is missing"),
            (r#""hedgingPolicy": 3"#.into(), "hedgingPolicy: must be an object"),
            (
                r#""hedgingPolicy": { "maxAttempts": 2, "hedgingDelay": "-1s" }"#.into(),
                "hedgingPolicy.hedgingDelay: must be a time",
            ),
            (
                r#""hedgingPolicy": { "maxAttempts": 2, "nonFatalStatusCodes": ["NO"] }"#.into(),
                "hedgingPolicy.nonFatalStatusCodes[0]: is not a status code",
            ),
            (r#""timeout": "s""#.into(), "methodConfig[0].timeout: must be a time"),
            (r#""waitForReady": 1"#.into(), "methodConfig[0].waitForReady: must be true or false"),
            (
                r#""maxRequestMessageBytes": 4294967296"#.into(),
                "maxRequestMessageBytes: must be a whole number",
            ),
            (r#""maxResponseMessageBytes": -1"#.into(), "maxResponseMessageBytes: must be a whole number"),
        ];
        for (fields, why) in cases {
            let error = says(&fields).err().unwrap_or_else(|| panic!("{fields} is right"));
            assert!(error.contains(why), "{fields}: {error}");
        }
    }

    #[test]
    fn what_is_wrong_outside_of_methods_is_named_too() {
        let cases = [
            ("[]", "must be an object"),
            ("{", "not JSON"),
            (r#"{ "methodConfig": {} }"#, "methodConfig: must be a list"),
            (r#"{ "methodConfig": [1] }"#, "methodConfig[0]: must be an object"),
            (
                r#"{ "methodConfig": [{ "name": [{ "method": "One" }] }] }"#,
                "name[0]: a method without its service",
            ),
            (r#"{ "methodConfig": [{ "name": [{}, {}] }] }"#, "methodConfig[0].name[1]: named twice"),
            (
                r#"{ "retryThrottling": { "maxTokens": 1001, "tokenRatio": 1 } }"#,
                "maxTokens: must be at most 1000",
            ),
            (
                r#"{ "retryThrottling": { "maxTokens": 0, "tokenRatio": 1 } }"#,
                "maxTokens: must be a number above 0",
            ),
            (
                r#"{ "retryThrottling": { "maxTokens": 1, "tokenRatio": 0.0001 } }"#,
                "tokenRatio: must be at least",
            ),
            (r#"{ "retryThrottling": { "maxTokens": 1 } }"#, "retryThrottling: tokenRatio is missing"),
        ];
        for (text, why) in cases {
            let error = ServiceConfig::parse(text).err().unwrap_or_else(|| panic!("{text} is right"));
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_hedging_policy_is_read() {
        let hedging = |text: &str| {
            let config = says(&format!(r#""hedgingPolicy": {{ {text} }}"#)).expect("it is right");
            config.method("a", "b").expect("said").hedging.expect("said")
        };
        let all =
            hedging(r#""maxAttempts": 9, "hedgingDelay": "0.5s", "nonFatalStatusCodes": ["aborted", 14]"#);
        assert_eq!((all.attempts, all.delay), (5, Duration::from_millis(500)), "more than five are five");
        for code in Code::ALL {
            assert_eq!(
                all.non_fatal.contains(code),
                matches!(code, Code::Aborted | Code::Unavailable),
                "{code}"
            );
        }
        let least = hedging(r#""maxAttempts": 2"#);
        assert_eq!((least.attempts, least.delay, least.non_fatal), (2, Duration::ZERO, Codes::default()));
    }

    #[test]
    fn a_text_cut_anywhere_is_refused() {
        let text = format!(r#"{{ "methodConfig": [{{ "name": [{{}}], {RETRY} }}] }}"#);
        for end in 0..text.len() {
            assert!(ServiceConfig::parse(&text[..end]).is_err(), "cut at {end}");
        }
    }
}

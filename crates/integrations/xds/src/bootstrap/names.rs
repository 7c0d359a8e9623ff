//! Names of resources: plain text, or `xdstp://AUTHORITY/TYPE/ID?KEY=VALUE&KEY=VALUE`.

use std::collections::BTreeMap;

/// The canonical spelling of a name: the parameters of an `xdstp` name sorted, each key once. Other names
/// stay unchanged.
pub(crate) fn canonical(name: &str) -> String {
    let Some((before, parameters)) = name.split_once('?').filter(|_| name.starts_with("xdstp:")) else {
        return name.to_owned();
    };
    let (parameters, directive) = match parameters.split_once('#') {
        Some((parameters, directive)) => (parameters, format!("#{directive}")),
        None => (parameters, String::new()),
    };
    let pairs: BTreeMap<&str, &str> = parameters
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    let pairs: Vec<_> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    match pairs.is_empty() {
        true => format!("{before}{directive}"),
        false => format!("{before}?{}{directive}", pairs.join("&")),
    }
}

/// A path whose segments are percent-encoded; slashes stay.
pub(crate) fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(byte.into())
            }
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':' | b'@' => {
                encoded.push(byte.into());
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

//! The parameters of permessage-deflate, in values of `sec-websocket-extensions`.
//!
//! ```text
//!  client   permessage-deflate; client_max_window_bits, permessage-deflate       offers, the preferred one first
//!  server   permessage-deflate; server_no_context_takeover                       the offer that it takes
//! ```
//!
//! Source: RFC 6455 9.1, RFC 7692 5 and 7.1

/// The name of the extension.
const NAME: &str = "permessage-deflate";
const SERVER_RESETS: &str = "server_no_context_takeover";
const CLIENT_RESETS: &str = "client_no_context_takeover";
const SERVER_BITS: &str = "server_max_window_bits";
const CLIENT_BITS: &str = "client_max_window_bits";

/// The largest window of DEFLATE, as the exponent of its bytes: 32 KiB.
const MOST_BITS: u8 = 15;
/// The smallest window that this implementation compresses with. RFC 7692 allows 8, which zlib's format
/// cannot do.
pub(super) const LEAST_BITS: u8 = 9;

/// The agreement of both sides, from the view of one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreed {
    /// Whether messages of this side may refer to bytes of earlier ones.
    pub sends_takeover: bool,
    /// Whether messages of the peer may.
    pub receives_takeover: bool,
    /// This side compresses with a window of two to the power of this many bytes, 8 to 15; with 8 it sends
    /// its messages as they are, since zlib has no such window.
    pub window_bits: u8,
}

/// A server's answer to the values of the field in a request, in order, and the resulting agreement; `None`:
/// no offer can be accepted, and the field is left out. Without `takeover` neither side may refer to earlier
/// messages.
pub fn accept<'v>(offers: impl Iterator<Item = &'v [u8]>, takeover: bool) -> Option<(Agreed, String)> {
    let mut each = offers.flat_map(|value| value.split(|&byte| byte == b','));
    let asked =
        each.find_map(|offer| Parameters::parse(offer, Side::Client).filter(Parameters::can_be_met))?;
    let agreed = Agreed {
        sends_takeover: takeover && !asked.server_resets,
        receives_takeover: takeover && !asked.client_resets,
        window_bits: asked.server_bits.unwrap_or(MOST_BITS),
    };
    let mut answer = NAME.to_owned();
    let mut add = |parameter: &str| {
        answer.push_str("; ");
        answer.push_str(parameter);
    };
    if !agreed.sends_takeover {
        add(SERVER_RESETS);
    }
    if !agreed.receives_takeover {
        add(CLIENT_RESETS);
    }
    if let Some(bits) = asked.server_bits {
        add(&format!("{SERVER_BITS}={bits}"));
    }
    Some((agreed, answer))
}

/// A client's offer, which lets the server choose the client's window, as browsers' offers do.
pub fn offer(takeover: bool) -> String {
    match takeover {
        true => format!("{NAME}; {CLIENT_BITS}"),
        false => format!("{NAME}; {SERVER_RESETS}; {CLIENT_RESETS}; {CLIENT_BITS}"),
    }
}

/// The agreement by the answer to [`offer`] with the same `takeover`; `None`: the answer is invalid, and the
/// connection has to fail.
pub fn read_answer(value: &[u8], takeover: bool) -> Option<Agreed> {
    let answered = Parameters::parse(value, Side::Server)?;
    // RFC 7692 7.1.1.1: who accepts an offer with it says so; the answer may add the other, too.
    let kept = answered.server_resets || takeover;
    kept.then_some(Agreed {
        sends_takeover: takeover && !answered.client_resets,
        receives_takeover: !answered.server_resets,
        window_bits: answered.client_bits.unwrap_or(MOST_BITS),
    })
}

/// The side that has written the parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

/// The parameters of one offer or answer.
#[derive(Default)]
struct Parameters {
    server_resets: bool,
    client_resets: bool,
    server_bits: Option<u8>,
    /// `client_max_window_bits`; 15 if a client sends it without a value.
    client_bits: Option<u8>,
}

impl Parameters {
    /// `None`: another extension, or parameters that RFC 7692 does not have, twice or with a wrong value.
    fn parse(extension: &[u8], side: Side) -> Option<Parameters> {
        let mut parts = std::str::from_utf8(extension).ok()?.split(';').map(str::trim);
        if !parts.next()?.eq_ignore_ascii_case(NAME) {
            return None;
        }
        let mut found = Parameters::default();
        for parameter in parts {
            let (name, value) = match parameter.split_once('=') {
                Some((name, value)) => (name.trim_end(), Some(unquoted(value.trim_start()))),
                None => (parameter, None),
            };
            let again = match (name, value) {
                (SERVER_RESETS, None) => std::mem::replace(&mut found.server_resets, true),
                (CLIENT_RESETS, None) => std::mem::replace(&mut found.client_resets, true),
                (SERVER_BITS, Some(value)) => found.server_bits.replace(bits(value)?).is_some(),
                (CLIENT_BITS, Some(value)) => found.client_bits.replace(bits(value)?).is_some(),
                (CLIENT_BITS, None) if side == Side::Client => found.client_bits.replace(MOST_BITS).is_some(),
                _ => return None,
            };
            if again {
                return None;
            }
        }
        Some(found)
    }

    /// Whether this side can compress as the peer requests.
    fn can_be_met(&self) -> bool {
        self.server_bits.is_none_or(|bits| bits >= LEAST_BITS)
    }
}

/// RFC 7692 7.1.2: "a decimal integer value without leading zeroes between 8 to 15, inclusive".
fn bits(value: &str) -> Option<u8> {
    let bits: u8 = value.parse().ok()?;
    ((8..=MOST_BITS).contains(&bits) && !value.starts_with(['0', '+'])).then_some(bits)
}

/// RFC 6455 9.1: a value may be a token or the same in quotes.
fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}

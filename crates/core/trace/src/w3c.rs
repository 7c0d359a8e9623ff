//! `traceparent` and `tracestate` as text.
//!
//! Source: W3C Trace Context, Recommendation of 23 November 2021, sections 3.2 and 3.3.
//!
//! ```text
//! traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
//!              |  |                                |                `- trace-flags, bit 0: sampled
//!              |  `- trace-id, 16 bytes            `- parent-id, 8 bytes
//!              `- version
//! ```

use crate::{SpanId, TraceContext, TraceId};
use std::sync::Arc;

const LEN: usize = 55;

/// Parses a `traceparent`. `None`: it has to be ignored, and so has the `tracestate` beside it.
pub fn parse_parent(value: &[u8]) -> Option<(TraceId, SpanId, bool)> {
    let value = value.trim_ascii();
    let (head, rest) = value.split_at_checked(LEN)?;
    let is_hex = |bytes: &[u8]| bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let parts = [&head[..2], &head[3..35], &head[36..52], &head[53..]];
    let dashes = [head[2], head[35], head[52]].iter().all(|b| *b == b'-');
    if !dashes || !parts.iter().all(|part| is_hex(part)) {
        return None;
    }
    // "Version ff is invalid"; later ones may have more after another dash, version 00 has not.
    let more_is_allowed = parts[0] != b"00" && rest.first() == Some(&b'-');
    if parts[0] == b"ff" || !rest.is_empty() && !more_is_allowed {
        return None;
    }
    let number = |part: &[u8]| u128::from_str_radix(std::str::from_utf8(part).ok()?, 16).ok();
    let (trace, span, flags) = (number(parts[1])?, number(parts[2])?, number(parts[3])?);
    (trace != 0 && span != 0).then_some((TraceId(trace), SpanId(span as u64), flags & 1 == 1))
}

/// The `traceparent` of a context, in version 00.
pub fn parent_text(context: &TraceContext) -> String {
    let flags = u8::from(context.sampled);
    format!("00-{:032x}-{:016x}-{flags:02x}", context.trace.0, context.span.0)
}

/// "Vendors SHOULD propagate at least 512 characters": also the most that we do.
const MOST_BYTES: usize = 512;
/// "There can be a maximum of 32 list-members in a list."
const MOST_MEMBERS: usize = 32;
/// Members longer than this are left out first.
const LONG: usize = 128;
/// The maximum number of bytes in all `tracestate` fields of a request that are read; longer ones are
/// ignored.
const MOST_READ: usize = 8 << 10;

/// Reads the `tracestate` fields of a request, which are parts of one list.
#[derive(Default, Debug)]
pub struct StateReader {
    text: String,
    is_wrong: bool,
}

impl StateReader {
    pub fn add(&mut self, value: &[u8]) {
        let Ok(value) = std::str::from_utf8(value) else {
            self.is_wrong = true;
            return;
        };
        self.is_wrong |= self.text.len() + value.len() > MOST_READ;
        if !self.is_wrong {
            if !self.text.is_empty() {
                self.text.push(',');
            }
            self.text.push_str(value);
        }
    }

    /// The list, cut to the part that is passed on. `None`: there is none, or it is invalid and not passed
    /// on.
    pub fn text(&self) -> Option<Arc<str>> {
        if self.is_wrong || self.text.is_empty() {
            return None;
        }
        let trimmed = self.text.split(',').map(|member| member.trim_matches([' ', '\t']));
        let mut members: Vec<_> = trimmed.filter(|member| !member.is_empty()).collect();
        let keys: std::collections::HashSet<_> =
            members.iter().map(|member| member.split('=').next()).collect();
        if members.len() > MOST_MEMBERS || keys.len() < members.len() || !members.iter().all(|m| is_member(m))
        {
            return None;
        }
        let len = |members: &[&str]| members.iter().map(|member| member.len() + 1).sum::<usize>();
        while len(&members) > MOST_BYTES + 1 {
            match members.iter().rposition(|member| member.len() > LONG) {
                Some(long) => drop(members.remove(long)),
                None => drop(members.pop()),
            }
        }
        (!members.is_empty()).then(|| members.join(",").into())
    }
}

/// Whether this is `key=value` by the grammar of section 3.3.1.3.
fn is_member(member: &str) -> bool {
    let Some((key, value)) = member.split_once('=') else { return false };
    let is_word = |word: &str, most: usize| {
        (1..=most).contains(&word.len())
            && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/'))
    };
    let starts = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_key = match key.split_once('@') {
        Some((tenant, system)) => {
            is_word(tenant, 241)
                && starts(tenant)
                && is_word(system, 14)
                && system.starts_with(|c: char| c.is_ascii_lowercase())
        }
        None => is_word(key, 256) && starts(key),
    };
    let is_value = (1..=256).contains(&value.len())
        && value.bytes().all(|b| (0x20..=0x7e).contains(&b) && b != b',' && b != b'=')
        && !value.ends_with(' ');
    is_key && is_value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Recommendation, section 3.2.2.
    const EXAMPLE: &[u8] = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn parents_of_the_recommendation() {
        let id = TraceId(0x0af7651916cd43dd8448eb211c80319c);
        assert_eq!(parse_parent(EXAMPLE), Some((id, SpanId(0xb7ad6b7169203331), true)));
        let later = b"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-what-follows";
        assert_eq!(parse_parent(later), Some((id, SpanId(0xb7ad6b7169203331), true)));
        let unsampled = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-02";
        assert!(!parse_parent(unsampled).unwrap().2);
    }

    #[test]
    fn wrong_parents_are_ignored() {
        for wrong in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.x",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] {
            assert_eq!(parse_parent(wrong.as_bytes()), None, "{wrong}");
        }
        for end in 0..EXAMPLE.len() {
            assert_eq!(parse_parent(&EXAMPLE[..end]), None);
        }
        assert_eq!(parse_parent(&[0xff; 64]), None);
    }

    #[test]
    fn a_parent_is_written_as_it_was_read() {
        let (trace, span, sampled) = parse_parent(EXAMPLE).unwrap();
        let context = TraceContext { trace, span, sampled, state: None };
        assert_eq!(parent_text(&context).as_bytes(), EXAMPLE);
    }

    fn state(value: &str) -> Option<String> {
        let mut reader = StateReader::default();
        reader.add(value.as_bytes());
        reader.text().map(|text| text.to_string())
    }

    #[test]
    fn states_are_checked() {
        assert_eq!(
            state("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE").as_deref(),
            Some("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
        );
        assert_eq!(state(" a=1 ,, b@c=2 ").as_deref(), Some("a=1,b@c=2"));
        for wrong in ["", ",", "a", "=1", "a=", "A=1", "a=1=2", "a@=1", "a=\u{7f}", "a=1,a=2", "a=ä"] {
            assert_eq!(state(wrong), None, "{wrong:?}");
        }
        let many = |n: usize| (0..n).map(|k| format!("k{k}=1")).collect::<Vec<_>>().join(",");
        assert!(state(&many(32)).is_some());
        assert_eq!(state(&many(33)), None);
    }

    #[test]
    fn a_long_state_is_cut_at_members_and_a_huge_one_ignored() {
        let kept = format!("first=1,long={},last=2,b={}", "x".repeat(200), "y".repeat(120));
        assert_eq!(state(&format!("{kept},c={}", "z".repeat(250))), Some(kept));
        let short =
            |n: usize| (0..n).map(|k| format!("k{k:02}={}", "1".repeat(28))).collect::<Vec<_>>().join(",");
        assert_eq!(state(&short(20)), Some(short(15)), "the last ones go");
        assert_eq!(state(&format!("a={}", "x".repeat(64 << 10))), None);
        let mut reader = StateReader::default();
        (0..100_000).for_each(|_| reader.add(&[b'a'; 100]));
        assert!(reader.text.len() <= MOST_READ, "what is read is bounded");
    }
}

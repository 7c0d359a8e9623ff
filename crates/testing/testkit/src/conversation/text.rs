//! The text of a conversation.

use super::{By, Conversation, Sent};
use std::{fmt, time::Duration};

/// The number of bytes of a line; longer pieces become several lines, with the same meaning.
const LINE: usize = 1024;

pub(super) fn write(conversation: &Conversation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for Sent { at, connection, by, bytes } in &conversation.events {
        let by = if *by == By::Client { '>' } else { '<' };
        let micros = at.as_micros();
        let (millis, rest) = (micros / 1000, micros % 1000);
        let Some(bytes) = bytes else {
            writeln!(f, "{millis}.{rest:03} {connection} {by} end")?;
            continue;
        };
        // A line of a protocol of text is a line here.
        for line in bytes.split_inclusive(|&byte| byte == b'\n').flat_map(|line| line.chunks(LINE)) {
            writeln!(f, "{millis}.{rest:03} {connection} {by} \"{}\"", line.escape_ascii())?;
        }
    }
    Ok(())
}

pub(super) fn parse(text: &str) -> Result<Conversation, String> {
    let mut conversation = Conversation::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let sent = event(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        let joined = match (conversation.events.last_mut(), &sent.bytes) {
            (Some(Sent { at, connection, by, bytes: Some(bytes) }), Some(more))
                if (*at, *connection, *by) == (sent.at, sent.connection, sent.by) =>
            {
                bytes.extend_from_slice(more);
                true
            }
            _ => false,
        };
        if !joined {
            conversation.events.push(sent);
        }
    }
    Ok(conversation)
}

fn event(line: &str) -> Result<Sent, &'static str> {
    let mut words = line.splitn(4, ' ');
    let mut word = || words.next().ok_or("not: time, connection, direction, bytes");
    let (time, connection, by, bytes) = (word()?, word()?, word()?, word()?);
    Ok(Sent {
        at: time_of(time).ok_or("the time is not milliseconds with three decimals")?,
        connection: connection.parse().map_err(|_| "the connection is no number")?,
        by: match by {
            ">" => By::Client,
            "<" => By::Server,
            _ => return Err("the direction is neither > nor <"),
        },
        bytes: match bytes {
            "end" => None,
            quoted => Some(unescape(quoted)?),
        },
    })
}

fn time_of(text: &str) -> Option<Duration> {
    let (millis, rest) = text.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if rest.len() != 3 || !is_number(rest) || !is_number(millis) {
        return None;
    }
    let micros = millis.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(rest.parse().ok()?)?;
    Some(Duration::from_micros(micros))
}

fn unescape(quoted: &str) -> Result<Vec<u8>, &'static str> {
    let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let mut rest = inner.ok_or("the bytes are not in quotes")?.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(byte @ (b'\\' | b'"' | b'\'')) => byte,
                Some(b'x') => {
                    let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
                    let (Some(high), Some(low)) = (digit(), digit()) else {
                        return Err("\\x without two digits");
                    };
                    (high * 16 + low) as u8
                }
                _ => return Err("an unknown letter after a backslash"),
            },
            b'"' => return Err("a quote within the bytes"),
            byte => byte,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_conversation_is_read_as_it_was_written() {
        let sent = |at, connection, by, bytes| Sent { at: Duration::from_micros(at), connection, by, bytes };
        let all: Vec<u8> = (0..=255).cycle().take(3000).collect();
        let conversation = Conversation {
            events: vec![
                sent(0, 1, By::Client, Some(b"a\nb\"\\'c".to_vec())),
                sent(1_234_567, 1, By::Server, Some(all)),
                sent(1_234_568, 2, By::Server, None),
            ],
        };
        let text = conversation.to_string();
        assert!(
            text.starts_with("0.000 1 > \"a\\n\"\n0.000 1 > \"b\\\"\\\\\\'c\"\n1234.567 1 < \""),
            "{text}"
        );
        assert!(text.ends_with("\n1234.568 2 < end\n"), "{text}");
        assert_eq!(Conversation::parse(&text), Ok(conversation));
    }

    #[test]
    fn a_wrong_line_is_named() {
        for wrong in [
            "x",
            "0 1 > end",
            "0.000 a > end",
            "0.000 1 ? end",
            "0.000 1 > x",
            "0.000 1 > \"\\q\"",
            "0.000 1 > \"\\x1\"",
            "0.000 1 > \"",
            "0.000 1 > \"a\"b\"",
            "99999999999999999999.000 1 > end",
        ] {
            let text = format!("# comment\n\n{wrong}\n");
            assert!(Conversation::parse(&text).unwrap_err().starts_with("line 3: "), "{wrong}");
        }
    }
}

//! Reads the JSON that changes a page: one object without arrays or further objects in it.

use polywire_console::Query;
use std::{iter::Peekable, str::Chars};

/// The names and values of such an object; numbers and words as they are written.
///
/// # Errors
/// It is another kind of text.
pub(crate) fn flat_object(text: &[u8]) -> Result<Query, &'static str> {
    const WRONG: &str = "the body is not a JSON object of texts, numbers, true, false and null";
    let text = std::str::from_utf8(text).map_err(|_| WRONG)?;
    read(&mut text.chars().peekable()).ok_or(WRONG)
}

fn read(rest: &mut Peekable<Chars<'_>>) -> Option<Query> {
    let mut fields = Query::default();
    expect(rest, '{')?;
    space(rest);
    if rest.next_if_eq(&'}').is_none() {
        loop {
            let name = string(rest)?;
            expect(rest, ':')?;
            fields.push(name, value(rest)?);
            space(rest);
            match rest.next()? {
                ',' => {}
                '}' => break,
                _ => return None,
            }
        }
    }
    space(rest);
    rest.next().is_none().then_some(fields)
}

fn space(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|char| " \t\r\n".contains(*char)).is_some() {}
}

fn expect(rest: &mut Peekable<Chars<'_>>, char: char) -> Option<char> {
    space(rest);
    rest.next_if_eq(&char)
}

fn value(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    space(rest);
    if rest.peek() == Some(&'"') {
        return string(rest);
    }
    let mut word = String::new();
    while let Some(char) = rest.next_if(|char| char.is_ascii_alphanumeric() || "+-.".contains(*char)) {
        word.push(char);
    }
    let is_number = word.parse::<f64>().is_ok_and(f64::is_finite);
    (is_number || matches!(&*word, "true" | "false" | "null")).then_some(word)
}

fn string(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    expect(rest, '"')?;
    let mut text = String::new();
    loop {
        text.push(match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => escaped(rest)?,
                char @ ('"' | '\\' | '/') => char,
                _ => return None,
            },
            '\0'..='\u{1f}' => return None,
            char => char,
        });
    }
}

fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let unit = |rest: &mut Peekable<Chars<'_>>| {
        (0..4).try_fold(0, |unit, _| Some(unit * 16 + rest.next()?.to_digit(16)?))
    };
    let high = unit(rest)?;
    if !(0xd800..0xdc00).contains(&high) {
        return char::from_u32(high);
    }
    rest.next_if_eq(&'\\')?;
    rest.next_if_eq(&'u')?;
    let low = unit(rest).filter(|low| (0xdc00..0xe000).contains(low))?;
    char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_and_all_else_refused() {
        let read = |text: &str| flat_object(text.as_bytes()).map(|query| query.with("", None));
        assert_eq!(
            read(r#" { "a" : "x\"\u00e9\ud83d\ude00" , "b":-1.5e3,"c":true } "#).unwrap(),
            "a=x%22%C3%A9%F0%9F%98%80&b=-1.5e3&c=true"
        );
        assert_eq!(read("{}").unwrap(), "");
        for wrong in [
            "",
            "{",
            "[]",
            "{\"a\":[1]}",
            "{\"a\":{}}",
            "{\"a\":1,}",
            "{\"a\"}",
            "{\"a\":x}",
            "{\"a\":\"\\ud800\"}",
            "{} {}",
            "{\"a\":\"\n\"}",
            "{\"a\":inf}",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(flat_object(b"{\"\xff\":1}").is_err());
    }
}

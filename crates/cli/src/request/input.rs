//! Texts from options and files.

use crate::failure::Failure;
use polywire_formats::FormatError;
use serde_json::value::RawValue;
use std::path::Path;

/// A JSON object or array as given, or the contents of the file with this name; `-` is standard input.
///
/// # Errors
/// No file has this name.
pub fn json_or_file(given: &str) -> Result<String, Failure> {
    if given.trim_start().starts_with(['{', '[']) { Ok(given.to_owned()) } else { file(given) }
}

/// The contents of the file with this name if it exists, otherwise the text itself; `-` is standard input.
///
/// # Errors
/// The file cannot be read.
pub fn text_or_file(given: &str) -> Result<String, Failure> {
    if given == "-" || Path::new(given).is_file() { file(given) } else { Ok(given.to_owned()) }
}

fn file(name: &str) -> Result<String, Failure> {
    if name == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::failed(format!("standard input: {error}")));
    }
    std::fs::read_to_string(name).map_err(|error| {
        Failure::usage(format!("{name:?} is neither JSON nor a file that can be read: {error}"))
    })
}

/// JSON values one after another, each with its offset.
pub fn split(text: &str) -> Result<Vec<(usize, &str)>, Failure> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    let mut found = Vec::new();
    loop {
        let start = values.byte_offset();
        match values.next() {
            None => return Ok(found),
            Some(Ok(_)) => found.push((start, &text[start..values.byte_offset()])),
            Some(Err(error)) => return Err(Failure::usage(format!("not JSON: {error}"))),
        }
    }
}

/// JSON values one after another, each as soon as it is complete.
pub fn values(reader: impl std::io::Read) -> impl Iterator<Item = Result<String, Failure>> {
    let mut values = serde_json::Deserializer::from_reader(reader).into_iter::<Box<RawValue>>();
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let value = values.next()?;
        failed = value.is_err();
        Some(match value {
            Ok(value) => Ok(value.get().to_owned()),
            Err(error) => Err(Failure::usage(format!("not JSON: {error}"))),
        })
    })
}

/// An error in the value at byte `start` of `text`, with line and column.
pub fn place(text: &str, start: usize, error: &FormatError) -> Failure {
    let FormatError::Json { at, what } = error else {
        return Failure::usage(format!("the request: {error}"));
    };
    let at = (start + at).min(text.len());
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    Failure::usage(format!("the request: {what} at line {line} column {column}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_one_after_another_are_split_where_they_end() {
        let text = "{\"a\":\"}{\"}{}\n {\"b\":[1,{}]} ";
        let parts: Vec<_> = split(text).unwrap().into_iter().map(|(_, part)| part.trim()).collect();
        assert_eq!(parts, ["{\"a\":\"}{\"}", "{}", "{\"b\":[1,{}]}"]);
        assert!(split("{} {\"a\":").is_err());
        assert!(split(" \n").unwrap().is_empty());
    }

    #[test]
    fn values_of_a_reader_come_one_by_one() {
        let found: Vec<_> = values(&b"{\"a\":\"}{\"}{}\n [1] {"[..]).collect();
        let texts: Vec<_> = found.iter().filter_map(|value| value.as_ref().ok()).collect();
        assert_eq!(texts, ["{\"a\":\"}{\"}", "{}", "[1]"]);
        assert!(found.len() == 4 && found[3].is_err(), "a mistake is told once");
    }

    #[test]
    fn places_are_told_by_line_and_column() {
        let error = FormatError::Json { at: 3, what: "what".into() };
        assert_eq!(place("{}\n{\"a\":", 2, &error).to_string(), "the request: what at line 2 column 3");
    }
}

//! `polywire convert`: dump files to JSON lines and back.
//!
//! A line is a record. Its members are the fields of the meta, by the names of docs/wire/rpc_dump.md, and the
//! payload. Bytes are written as a text if they are one, otherwise as `{"base64": ".."}`. A record that is
//! read from a line has the same bytes as the record from which the line was made.

use crate::failure::Failure;
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use polywire_dump::{Folder, Meta, Own, Reader, Record};
use serde_json::{Map, Value, json};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Converts dump files to JSON lines, one for each record, and such lines back to a dump file
///
/// What begins with a record of a dump file becomes lines, anything else is read as lines. Bytes that are no
/// text are shown as {"base64": ".."}. Lines can be edited: attachment_size and, for HTTP, the length in its
/// head have to fit the payload.
#[derive(clap::Args)]
pub struct Arguments {
    /// Dump files, folders of them, or files of JSON lines; - is standard input with JSON lines
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Longest line in bytes: a record of the longest payload as base64.
const LONGEST_LINE: u64 = 128 << 20;

/// Converts; exit code 1 if a file could not be read to its end.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut output: Box<dyn Write> = match &arguments.output {
        Some(path) => {
            let create = File::options().write(true).create_new(true).open(path);
            Box::new(create.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?)
        }
        None => Box::new(io::stdout().lock()),
    };
    let mut output = BufWriter::new(&mut output);
    let mut whole = true;
    for path in &arguments.paths {
        let of = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
        if path == Path::new("-") {
            from_lines(io::stdin().lock(), "-", &mut output)?;
            continue;
        }
        for file in Folder::open(path).map_err(of)? {
            let mut input = BufReader::new(File::open(&file).map_err(of)?);
            let name = file.display().to_string();
            match input.fill_buf().map_err(of)?.first() {
                Some(b'P') => whole &= to_lines(Reader::new(input), &name, &mut output)?,
                _ => from_lines(input, &name, &mut output)?,
            }
        }
    }
    output.flush()?;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// False if the file could not be read to its end.
fn to_lines<R: Read>(mut reader: Reader<R>, name: &str, out: &mut impl Write) -> Result<bool, Failure> {
    for record in reader.by_ref() {
        match record {
            Ok(record) => writeln!(out, "{}", to_json(&record))?,
            Err(error) => {
                eprintln!("polywire: {name}: {error}; the rest of it is left out");
                return Ok(false);
            }
        }
    }
    if reader.is_truncated() {
        eprintln!("polywire: {name}: it ends within a record");
    }
    Ok(!reader.is_truncated())
}

fn from_lines(mut input: impl BufRead, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let wrong = |why: String| Failure::usage(format!("{name}, line {number}: {why}"));
        let value = serde_json::from_slice(&line).map_err(|error| wrong(error.to_string()))?;
        out.write_all(&from_json(&value).map_err(wrong)?.encode())?;
    }
    Ok(())
}

/// A record as JSON.
pub fn to_json(record: &Record) -> Value {
    let Meta {
        service,
        method,
        method_index,
        compress_type,
        protocol_type,
        attachment_size,
        authentication,
        user_data,
        nshead,
        own,
        as_read,
    } = &record.meta;
    let mut line = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        value.map(|value| line.insert(name.to_owned(), value));
    };
    put("service_name", service.as_deref().map(Value::from));
    put("method_name", method.as_deref().map(Value::from));
    put("method_index", method_index.map(Value::from));
    put("compress_type", compress_type.map(Value::from));
    put("protocol_type", protocol_type.map(Value::from));
    put("attachment_size", attachment_size.map(Value::from));
    put("authentication_data", authentication.as_ref().map(bytes_to_json));
    put("user_data", user_data.as_ref().map(bytes_to_json));
    put("nshead", nshead.as_ref().map(bytes_to_json));
    let Own { protocol, content, compression, fields, number, time_us, messages, unfinished, streams } = own;
    put("protocol", protocol.as_deref().map(Value::from));
    put("content", content.map(Value::from));
    put("compression", compression.map(Value::from));
    let pairs = fields.iter().map(|(name, value)| json!([name, bytes_to_json(value)]));
    put("fields", (!fields.is_empty()).then(|| pairs.collect()));
    put("number", number.map(Value::from));
    put("time_us", time_us.map(Value::from));
    put("messages", (!messages.is_empty()).then(|| messages.iter().copied().collect()));
    put("unfinished", unfinished.then_some(true.into()));
    put("streams", streams.then_some(true.into()));
    put("meta", as_read.as_ref().map(|bytes| json!({ "base64": BASE64_STANDARD.encode(bytes) })));
    put("payload", Some(bytes_to_json(&record.payload)));
    Value::Object(line)
}

fn bytes_to_json(bytes: &Bytes) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
    }
}

/// The record of a line.
///
/// # Errors
/// The error in the line.
pub fn from_json(value: &Value) -> Result<Record, String> {
    let Value::Object(line) = value else { return Err("not an object".into()) };
    let mut record = Record::default();
    let Record { meta, payload } = &mut record;
    for (name, value) in line {
        let at = |why: String| format!("{name}: {why}");
        match &**name {
            "service_name" => meta.service = Some(text(value).map_err(at)?),
            "method_name" => meta.method = Some(text(value).map_err(at)?),
            "method_index" => meta.method_index = Some(number(value).map_err(at)?),
            "compress_type" => meta.compress_type = Some(number(value).map_err(at)?),
            "protocol_type" => meta.protocol_type = Some(number(value).map_err(at)?),
            "attachment_size" => meta.attachment_size = Some(number(value).map_err(at)?),
            "authentication_data" => meta.authentication = Some(bytes(value).map_err(at)?),
            "user_data" => meta.user_data = Some(bytes(value).map_err(at)?),
            "nshead" => meta.nshead = Some(bytes(value).map_err(at)?),
            "protocol" => meta.own.protocol = Some(text(value).map_err(at)?),
            "content" => meta.own.content = Some(number(value).map_err(at)?),
            "compression" => meta.own.compression = Some(number(value).map_err(at)?),
            "fields" => {
                for field in value.as_array().ok_or("fields: not a list")? {
                    let pair = field.as_array().filter(|pair| pair.len() == 2);
                    let pair = pair.ok_or("fields: an item is not [name, value]")?;
                    meta.own.fields.push((text(&pair[0]).map_err(at)?, bytes(&pair[1]).map_err(at)?));
                }
            }
            "number" => meta.own.number = Some(number(value).map_err(at)?),
            "time_us" => meta.own.time_us = Some(number(value).map_err(at)?),
            "messages" => {
                let lengths = value.as_array().ok_or("messages: not a list")?.iter().map(number);
                meta.own.messages = lengths.collect::<Result<_, _>>().map_err(at)?;
            }
            "unfinished" => meta.own.unfinished = value.as_bool().ok_or("unfinished: not true or false")?,
            "streams" => meta.own.streams = value.as_bool().ok_or("streams: not true or false")?,
            "meta" => meta.as_read = Some(bytes(value).map_err(at)?),
            "payload" => *payload = bytes(value).map_err(at)?,
            _ => return Err(at("there is no such member".into())),
        }
    }
    if record.encode().len() > polywire_dump::MAX_RECORD as usize {
        return Err("longer than a record may be".into());
    }
    Ok(record)
}

fn text(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| "not a text".into())
}

fn number<N: TryFrom<i64> + TryFrom<u64>>(value: &Value) -> Result<N, String> {
    let signed = value.as_i64().and_then(|number| N::try_from(number).ok());
    let fits = signed.or_else(|| value.as_u64().and_then(|number| N::try_from(number).ok()));
    fits.ok_or_else(|| "not a whole number that fits".into())
}

fn bytes(value: &Value) -> Result<Bytes, String> {
    match value {
        Value::String(text) => Ok(Bytes::from(text.clone())),
        Value::Object(object) => {
            let encoded = object.get("base64").and_then(Value::as_str).filter(|_| object.len() == 1);
            let encoded = encoded.ok_or("neither a text nor {\"base64\": ..}")?;
            BASE64_STANDARD.decode(encoded).map(Bytes::from).map_err(|error| format!("base64: {error}"))
        }
        _ => Err("neither a text nor {\"base64\": ..}".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_dump::MAX_RECORD;

    /// docs/wire/rpc_dump.md, "Worked examples", and a meta whose fields stand in another order than they are
    /// written.
    const RECORDS: [&str; 4] = [
        "5052504300000030000000230a136578616d706c652e4563686f5365727669636512044563686f2000280230063a000a0568656c6c6f415454414348",
        "505250430000002d00000028280d4a24010002000500000000000000000000000000000000000000949370fb000000000500000068656c6c6f",
        "5052504300000024000000170a0b4563686f53657276696365180020002804300642000a0568656c6c6f415454414348",
        "50525043000000080000000728022000f80701ff",
    ];

    fn unhex(text: &str) -> Vec<u8> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        text.as_bytes().chunks(2).map(byte).collect()
    }

    #[test]
    fn a_line_becomes_the_bytes_that_it_was_made_of() {
        for record in RECORDS {
            let bytes = unhex(record);
            let (record, length) = Record::parse(&bytes, MAX_RECORD).unwrap().unwrap();
            assert_eq!(length, bytes.len());
            let line = to_json(&record).to_string();
            let again = from_json(&serde_json::from_str(&line).unwrap()).unwrap();
            assert_eq!(again.encode(), bytes, "{line}");
        }
        let line = to_json(&Record::parse(&unhex(RECORDS[0]), MAX_RECORD).unwrap().unwrap().0);
        assert_eq!(line["method_name"], "Echo");
        assert_eq!(line["payload"], "\n\u{5}helloATTACH");
        assert_eq!(line.get("meta"), None, "only where it is needed");
    }

    #[test]
    fn what_is_edited_is_written() {
        let line = json!({"protocol_type": 2, "service_name": "s", "payload": {"base64": "/w=="}});
        let record = from_json(&line).unwrap();
        assert_eq!(record.encode(), b"PRPC\0\0\0\x06\0\0\0\x05\x0a\x01s\x28\x02\xff");
        for wrong in [
            json!([]),
            json!({"no": 1}),
            json!({"payload": 1}),
            json!({"payload": {"base64": "?"}}),
            json!({"payload": {"base64": "", "text": ""}}),
            json!({"protocol_type": 1.5}),
            json!({"content": 256}),
            json!({"fields": [["a"]]}),
        ] {
            assert!(from_json(&wrong).is_err(), "{wrong}");
        }
    }
}

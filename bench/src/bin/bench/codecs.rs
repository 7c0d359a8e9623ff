//! FlatBuffers against protobuf, and mcpack against protobuf: what a message costs, and what a call costs
//! with it.

use serde::Deserialize;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, output};
use crate::options::Options;
use crate::words;

/// Bytes of text behind the 32 bytes of fixed fields.
const TEXTS: &[usize] = &[0, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];
const FEW_TEXTS: &[usize] = &[0, 1024, 8192];
const ATTACHMENT: usize = 4096;

#[derive(Deserialize)]
struct Cost {
    ns: f64,
    mb_per_s: f64,
}

/// What the program `codec` says of one message.
fn cost(program: &str, verb: &str, message: &str, form: &str, bytes: usize) -> Result<Cost, String> {
    let command = words![program, verb, "--message", message, "--form", form, "--bytes", bytes];
    let printed = output(&command, None)?;
    serde_json::from_str(&printed).map_err(|error| format!("codec printed {printed}: {error}"))
}

/// Writing and reading in one process; then calls, with both codecs at both ends.
pub fn flatbuffers(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let codec = fleet.rival("codec").ok_or("codec is not built")?;
    let echo = fleet.rival("flat_echo").ok_or("flat_echo is not built")?;
    let texts = if options.quick { FEW_TEXTS } else { TEXTS };
    let mut entries = Vec::new();
    for &bytes in texts {
        for form in ["protobuf", "flatbuffers"] {
            let codec = codec.clone();
            entries.push(Entry::new("codecs", format!("text of {bytes} B"), form, move |_| {
                let write = cost(&codec, "write", "benchmark", form, bytes)?;
                let read = cost(&codec, "read", "benchmark", form, bytes)?;
                Ok(Sample::of(write.ns + read.ns))
            }));
        }
    }
    for (callers, attachment) in [(1, 0), (64, 0), (1, ATTACHMENT), (64, ATTACHMENT)] {
        for &bytes in texts {
            for form in ["protobuf", "flatbuffers"] {
                let beside = if attachment > 0 { ", attachment of 4 KiB" } else { "" };
                let load = format!("{callers} callers, text of {bytes} B{beside}");
                let echo = echo.clone();
                entries.push(Entry::new("flatbuffers", load, form, move |fleet| {
                    let server = fleet.server(&words![echo, "serve"], None)?;
                    let seconds = fleet.time.as_secs_f64();
                    let load = words!["--callers", callers, "--bytes", bytes, "--attachment", attachment];
                    let mut command = words![
                        echo,
                        "press",
                        "--server",
                        server.address,
                        "--form",
                        form,
                        "--duration",
                        seconds
                    ];
                    command.extend(load);
                    fleet.press(&server, &command, None)
                }));
            }
        }
    }
    Ok(entries)
}

/// Encoding and decoding in MB/s of what the message is in protobuf, for each form.
pub fn mcpack(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let codec = fleet.rival("codec").ok_or("codec is not built")?;
    let messages = [
        ("text of 100 B", "echo", 100),
        ("benchmark message, 100 B", "benchmark", 100),
        ("order of 20 items", "order", 0),
        ("text of 64 KB", "echo", 64 * 1024),
    ];
    let mut entries = Vec::new();
    for (load, message, bytes) in messages {
        for (verb, what) in [("write", "encode"), ("read", "decode")] {
            for form in ["protobuf", "mcpack", "compack"] {
                let codec = codec.clone();
                entries.push(Entry::new("mcpack", format!("{load}: {what}"), form, move |_| {
                    cost(&codec, verb, message, form, bytes).map(|cost| Sample::of(cost.mb_per_s))
                }));
            }
        }
    }
    Ok(entries)
}

//! Fields of replies for which a protocol has no place, and the two fields that describe a failure beyond the
//! protocol's number.
//!
//! ```text
//! polywire-status              code, in decimal; "8 refused": the server did not look at the call
//! polywire-status-details-bin  google.rpc.Status in base64
//!
//! an entry of a list of fields: | tag | length | 0x0a length name | 0x12 length value |     (as baidu_std's user_fields)
//! ```
//!
//! Protocols with fields of their own (baidu_std's user_fields, headers of HTTP) send the two among them.
//! Other protocols send a list of entries where readers skip unknown data: sofa_pbrpc, hulu_pbrpc and
//! public_pbrpc after the meta, as field [`NUMBER`]; fb_rpc after the numbers of its meta; ubrpc in `error`
//! and `content`; ZMTP's calls in a frame of its own. Neither is written for a success without fields, or for
//! a failure that the number describes completely.
//!
//! Source: docs/errors.md

use crate::protobuf::{Writer, bytes, field_bytes, skip_value, varint};
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::BytesMut;
use polywire_call::{Code, Metadata, Native, Status, brpc};

/// The base64 in fields of text: the standard alphabet, written without padding, read with or without it.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Code of a failure.
pub(crate) const STATUS: &str = "polywire-status";
/// Details of a failure.
pub(crate) const DETAILS: &str = "polywire-status-details-bin";

/// The text of a failure, if the protocol has no place for it.
pub(crate) const MESSAGE: &str = "polywire-status-message";

/// The word after the code that means that the server refused the call before a handler ran.
const REFUSED: &str = "refused";

/// Field number of these entries in metas that are protobuf.
pub(crate) const NUMBER: u64 = 50_100;
const TAG: u64 = NUMBER << 3 | 2;
/// Fields of a meta that [`find`] looks at. Metas of requests have at most 20, with this one among them.
const MOST_LOOKED_AT: usize = 64;
const NAME: u8 = 1 << 3 | 2;
const VALUE: u8 = 2 << 3 | 2;

/// The value of [`STATUS`] for a failure.
pub(crate) fn status_value(status: &Status) -> String {
    let code = code(status) as u8;
    if status.is_unprocessed() { format!("{code} {REFUSED}") } else { code.to_string() }
}

/// The code that is sent. A request that cannot be read is INTERNAL in gRPC, but an error of the caller here.
fn code(status: &Status) -> Code {
    match (status.code(), status.native()) {
        (Code::Internal, Native::Brpc(brpc::EREQUEST)) => Code::InvalidArgument,
        (code, _) => code,
    }
}

/// The value of [`DETAILS`] for a failure; `None` if it has no details.
pub(crate) fn details(status: &Status) -> Option<String> {
    (!status.details().is_empty()).then(|| BASE64.encode(status.details()))
}

/// The fields of a failure that is sent as `number`: the application's fields, and the facts that the number
/// does not express. If the server itself refuses a call, the number suffices; if a handler chose the same
/// number, the fields explain it.
#[cold]
pub(crate) fn of_failure(number: i32, status: &Status, trailers: Option<&Metadata>) -> Metadata {
    let mut fields = Metadata::new();
    let told = brpc::code(number) == code(status) && (status.is_unprocessed() || !brpc::is_refusal(number));
    if !told || !status.details().is_empty() {
        fields.append(STATUS, status_value(status));
    }
    if let Some(details) = details(status) {
        fields.append(DETAILS, details);
    }
    let theirs = trailers.into_iter().flat_map(Metadata::iter).filter(|(name, _)| !is_status(name));
    theirs.for_each(|(name, value)| fields.append(name, value));
    fields
}

/// The status of a failed call by its number, its text and the fields that came with them; the fields of a
/// status are removed.
#[cold]
pub(crate) fn take_failure(number: i32, text: &str, fields: &mut Option<Box<Metadata>>) -> Status {
    let said = take(fields);
    let text = said.as_ref().and_then(|said| said.get_str(MESSAGE)).unwrap_or(text);
    let status = said.as_ref().and_then(|said| read_status(said, |code| brpc::explained(number, code, text)));
    status.unwrap_or_else(|| brpc::received(number, text))
}

/// Removes the fields of a status, if there are any.
#[cold]
pub(crate) fn take(fields: &mut Option<Box<Metadata>>) -> Option<Metadata> {
    let all = fields.as_mut().filter(|fields| fields.iter().any(|(name, _)| is_status(name)))?;
    let kept: Metadata = all.iter().filter(|(name, _)| !is_status(name)).collect();
    let said = std::mem::replace(&mut **all, kept);
    fields.take_if(|kept| kept.is_empty());
    Some(said)
}

/// The status in [`STATUS`] and [`DETAILS`]. `make` makes it from the code. `None` if there is none.
#[cold]
pub(crate) fn read_status(said: &Metadata, make: impl FnOnce(Code) -> Status) -> Option<Status> {
    let mut words = said.get_str(STATUS)?.split_ascii_whitespace();
    let code = *Code::ALL.get(words.next()?.parse::<usize>().ok()?).filter(|code| **code != Code::Ok)?;
    let status = make(code);
    let status = match said.get(DETAILS).and_then(|details| BASE64.decode(details).ok()) {
        Some(details) => status.with_details(details),
        None => status,
    };
    Some(if words.next() == Some(REFUSED) { status.retryable() } else { status })
}

/// Whether the name is a field of a status, which no application may send.
pub(crate) fn is_status(name: &str) -> bool {
    [STATUS, DETAILS, MESSAGE].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// An application's fields without those of a status; `None` if there are no others.
#[cold]
pub(crate) fn without_status(fields: &Metadata) -> Option<Metadata> {
    let spoilt = fields.iter().any(|(name, _)| is_status(name));
    spoilt.then(|| fields.iter().filter(|(name, _)| !is_status(name)).collect())
}

/// Appends entries to a meta.
pub(crate) fn put<'a>(meta: &mut Writer<'_>, fields: impl Iterator<Item = (&'a str, &'a [u8])>) {
    for (name, value) in fields {
        meta.varint(TAG);
        meta.varint((field_bytes(name.len()) + field_bytes(value.len())) as u64);
        meta.text(NAME, name.as_bytes());
        meta.text(VALUE, value);
    }
}

/// The encoded entries, without their tags.
#[cold]
pub(crate) fn written(fields: &Metadata) -> BytesMut {
    let mut out = BytesMut::new();
    let mut writer = Writer::new(&mut out, fields.byte_len());
    put(&mut writer, fields.iter());
    writer.end();
    out
}

/// The value of the first of these names among the first fields of a protobuf meta: a body that is long is
/// not read to its end.
#[cold]
pub(crate) fn find(mut meta: &[u8], wanted: &str) -> Option<Box<[u8]>> {
    let mut fields = Metadata::new();
    for _ in 0..MOST_LOOKED_AT {
        read_field(&mut meta, &mut fields)?;
        if let Some(value) = fields.get(wanted) {
            return Some(value.into());
        }
    }
    None
}

/// Reads the entries of a protobuf meta, or of a list of entries alone, up to the first malformed one.
#[cold]
pub(crate) fn read(mut meta: &[u8]) -> Option<Box<Metadata>> {
    let mut fields = Metadata::new();
    while let Some(()) = read_field(&mut meta, &mut fields) {}
    (!fields.is_empty()).then(|| Box::new(fields))
}

fn read_field(rest: &mut &[u8], fields: &mut Metadata) -> Option<()> {
    match varint(rest)? {
        TAG => {
            let mut entry = bytes(rest)?;
            let (mut name, mut value): (&[u8], &[u8]) = (&[], &[]);
            while !entry.is_empty() {
                match varint(&mut entry)? {
                    tag if tag == u64::from(NAME) => name = bytes(&mut entry)?,
                    tag if tag == u64::from(VALUE) => value = bytes(&mut entry)?,
                    other => skip_value(other, &mut entry, 0)?,
                }
            }
            if let Ok(name) = std::str::from_utf8(name) {
                fields.append(name, value);
            }
            Some(())
        }
        other => skip_value(other, rest, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_the_number_says_is_not_said_again() {
        let handler = brpc::status(brpc::ELIMIT, "").of_handler();
        for (status, said) in [
            (brpc::status(brpc::EREQUEST, "x"), None),
            (brpc::status(1234, "x"), None),
            (Status::invalid_argument("x"), None),
            (Status::resource_exhausted("x"), None),
            (brpc::status(brpc::ELIMIT, "").unprocessed(), None),
            (handler, Some("8")),
            (Status::not_found("x"), Some("5")),
            (Status::unavailable("x"), Some("14")),
            (Status::unavailable("x").unprocessed(), None),
            (Status::internal("x"), None),
            (Status::internal("x").with_details(vec![1]), Some("13")),
        ] {
            assert_eq!(of_failure(brpc::number(&status), &status, None).get_str(STATUS), said, "{status}");
        }
    }

    #[test]
    fn an_application_cannot_say_the_status() {
        let theirs: Metadata = [("a", "1"), ("Polywire-Status", "5"), (DETAILS, "AA")].into_iter().collect();
        let fields = of_failure(brpc::EINTERNAL, &Status::internal("x"), Some(&theirs));
        assert_eq!(fields.iter().collect::<Vec<_>>(), [("a", &b"1"[..])]);
    }

    #[test]
    fn a_status_that_is_none_is_the_numbers_own() {
        for said in ["", "0", "17", "-1", "five", "99999999999999999999"] {
            let mut fields = Some(Box::new([(STATUS, said)].into_iter().collect::<Metadata>()));
            let status = take_failure(brpc::ELIMIT, "full", &mut fields);
            assert_eq!(status, brpc::received(brpc::ELIMIT, "full"), "{said:?}");
            assert!(status.is_retryable() && fields.is_none());
        }
    }

    proptest! {
        #[test]
        fn entries_come_back(list in prop::collection::vec((".{0,9}", prop::collection::vec(any::<u8>(), 0..300)), 0..9)) {
            let fields: Metadata = list.into_iter().collect();
            let read = read(&written(&fields)).map(|fields| *fields).unwrap_or_default();
            prop_assert_eq!(read, fields);
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            read(&bytes);
        }
    }
}

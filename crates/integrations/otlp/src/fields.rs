//! Writes the fields of OTLP's messages, and reads those of a reply.
//!
//! Source: open-telemetry/opentelemetry-proto v1, `common/v1/common.proto`, `resource/v1/resource.proto`.
//!
//! ```text
//! KeyValue: key 1, value 2      AnyValue: string 1, int 3      Resource.attributes 1      InstrumentationScope: name 1, version 2
//! ResourceSpans and ResourceMetrics: resource 1, scopes 2      ScopeSpans and ScopeMetrics: scope 1, spans or metrics 2
//! Export..Request.resource_.. 1      Export..Response.partial_success 1: rejected_.. 1
//! ```

/// The request with these encoded messages, spans or metrics.
pub fn request(resource: &[(String, String)], messages: &[Vec<u8>]) -> Vec<u8> {
    let mut of_resource = Vec::new();
    message(&mut of_resource, 1, |field| {
        resource.iter().for_each(|(key, value)| text_attribute(field, 1, key, value));
    });
    message(&mut of_resource, 2, |of_scope| {
        message(of_scope, 1, |scope| {
            bytes(scope, 1, b"polywire");
            bytes(scope, 2, env!("CARGO_PKG_VERSION").as_bytes());
        });
        messages.iter().for_each(|message| bytes(of_scope, 2, message));
    });
    let mut request = Vec::with_capacity(of_resource.len() + 8);
    bytes(&mut request, 1, &of_resource);
    request
}

pub fn text_attribute(to: &mut Vec<u8>, field: u32, key: &str, value: &str) {
    message(to, field, |pair| {
        bytes(pair, 1, key.as_bytes());
        message(pair, 2, |any| bytes(any, 1, value.as_bytes()));
    });
}

pub fn int_attribute(to: &mut Vec<u8>, field: u32, key: &str, value: i64) {
    message(to, field, |pair| {
        bytes(pair, 1, key.as_bytes());
        message(pair, 2, |any| varint(any, 3, value as u64)); // negative ones have ten bytes
    });
}

pub fn message(to: &mut Vec<u8>, field: u32, write: impl FnOnce(&mut Vec<u8>)) {
    let mut inner = Vec::new();
    write(&mut inner);
    bytes(to, field, &inner);
}

pub fn bytes(to: &mut Vec<u8>, field: u32, value: &[u8]) {
    number(to, u64::from(field << 3 | 2));
    number(to, value.len() as u64);
    to.extend_from_slice(value);
}

pub fn varint(to: &mut Vec<u8>, field: u32, value: u64) {
    number(to, u64::from(field << 3));
    number(to, value);
}

pub fn fixed64(to: &mut Vec<u8>, field: u32, value: u64) {
    number(to, u64::from(field << 3 | 1));
    to.extend_from_slice(&value.to_le_bytes());
}

pub fn fixed32(to: &mut Vec<u8>, field: u32, value: u32) {
    number(to, u64::from(field << 3 | 5));
    to.extend_from_slice(&value.to_le_bytes());
}

fn number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

pub fn double(to: &mut Vec<u8>, field: u32, value: f64) {
    fixed64(to, field, value.to_bits());
}

/// Writes a repeated field of 64 bits each, packed.
pub fn packed64(to: &mut Vec<u8>, field: u32, values: impl Iterator<Item = u64>) {
    bytes(to, field, &values.flat_map(u64::to_le_bytes).collect::<Vec<_>>());
}

/// The number of spans or points that the collector has rejected, by its reply: `partial_success` 1,
/// `rejected_spans` or `rejected_data_points` 1. A reply that cannot be parsed rejects none.
pub fn rejected(reply: &[u8]) -> u64 {
    let Some(partial) = fields(reply).find_map(|(field, value)| match value {
        Value::Bytes(bytes) if field == 1 => Some(bytes),
        _ => None,
    }) else {
        return 0;
    };
    let number = fields(partial).find_map(|(field, value)| match value {
        Value::Number(number) if field == 1 => Some(number),
        _ => None,
    });
    number.unwrap_or(0)
}

enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    Fixed,
}

/// The fields of a message, up to the first invalid one.
fn fields(message: &[u8]) -> impl Iterator<Item = (u64, Value<'_>)> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let tag = read(&mut rest)?;
        let value = match tag & 7 {
            0 => Value::Number(read(&mut rest)?),
            1 => {
                rest = rest.get(8..)?;
                Value::Fixed
            }
            2 => {
                let len = usize::try_from(read(&mut rest)?).ok()?;
                let (bytes, after) = rest.split_at_checked(len)?;
                rest = after;
                Value::Bytes(bytes)
            }
            5 => {
                rest = rest.get(4..)?;
                Value::Fixed
            }
            _ => return None,
        };
        Some((tag >> 3, value))
    })
}

fn read(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for k in 0..10 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << (7 * k);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_say_what_was_rejected_and_hostile_ones_nothing() {
        // {partial_success: {rejected_spans: 300, error_message: "no"}}, made by Google's protobuf for Python
        assert_eq!(rejected(&[0x0a, 0x07, 0x08, 0xac, 0x02, 0x12, 0x02, 0x6e, 0x6f]), 300);
        for reply in [
            &b""[..],
            b"\x0a",
            b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x0a\x00",
            b"\x0b\x01",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(rejected(reply), 0);
        }
    }
}

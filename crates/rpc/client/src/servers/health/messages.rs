//! The messages of `grpc.health.v1.Health`. The crate with their generated code depends on this one; here
//! protobuf's wrapper messages take their place, since each also has a single field of number 1: a string,
//! and a number, which is how a status travels.

use polywire_formats::{
    Message,
    wkt::{StringValue, UInt64Value},
};

/// `HealthCheckRequest { service = 1 }`.
pub(super) fn request(service: &str) -> Vec<u8> {
    let message = StringValue { value: service.to_owned() };
    message.to_wire().unwrap_or_default() // it is not 2 GiB long
}

/// `status = 1` of a `HealthCheckResponse`; `None`: the bytes are no message.
pub(super) fn status(message: &[u8]) -> Option<u64> {
    UInt64Value::from_wire(message).ok().map(|read| read.value)
}

/// The name of a `ServingStatus`.
pub(super) fn name(status: u64) -> &'static str {
    match status {
        0 => "UNKNOWN",
        1 => "SERVING",
        2 => "NOT_SERVING",
        3 => "SERVICE_UNKNOWN",
        _ => "a status without a name",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_its_service_and_the_empty_one_is_left_out() {
        assert_eq!(request(""), b"");
        assert_eq!(request("a.B"), b"\x0a\x03a.B");
        assert_eq!(request(&"x".repeat(200))[..3], [0x0a, 0xc8, 0x01]);
    }

    #[test]
    fn a_status_is_read_past_fields_that_are_not_known() {
        assert_eq!(status(b""), Some(0));
        assert_eq!(status(b"\x08\x01"), Some(1));
        assert_eq!(status(b"\x12\x02hi\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0\x08\x02\x18\x05"), Some(2));
        for garbage in [&b"\x08"[..], b"\x0f", b"\x12\x05hi", b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"]
        {
            assert_eq!(status(garbage), None, "{garbage:?}");
        }
        for byte in 0..=255 {
            for length in 0..20 {
                let _ = status(&vec![byte; length]); // which does not panic
            }
        }
    }
}

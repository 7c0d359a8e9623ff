//! Arbitrary bytes, and texts that were truncated or modified.

use super::*;
use proptest::prelude::*;

prop_compose! {
    /// Fields of `t.Third` with likely wire types and any content.
    fn third_wire()(fields in proptest::collection::vec((prop_oneof![1u32..18, 20u32..33, 34u32..36, 40u32..42], 0u8..4, any::<u64>(), any::<Vec<u8>>()), 0..8)) -> Vec<u8> {
        let mut wire = Vec::new();
        for (number, kind, bits, mut bytes) in fields {
            let tag = |wire: &mut Vec<u8>, kind: u64| crate::protobuf::wire::put_varint(wire, u64::from(number) << 3 | kind);
            match kind {
                0 => { tag(&mut wire, 0); crate::protobuf::wire::put_varint(&mut wire, bits >> (bits & 63)); }
                1 => { tag(&mut wire, 1); wire.extend(bits.to_le_bytes()); }
                2 => { tag(&mut wire, 5); wire.extend((bits as u32).to_le_bytes()); }
                _ => {
                    if number == 2 || number == 17 || number == 41 { bytes.iter_mut().for_each(|b| *b &= 0x7f); }
                    tag(&mut wire, 2);
                    crate::protobuf::wire::put_varint(&mut wire, bytes.len() as u64);
                    wire.extend(bytes);
                }
            }
        }
        wire
    }
}

proptest! {
    #[test]
    fn any_wire_bytes_give_an_error_or_json(wire in third_wire()) {
        for style in [brpc(), lenient(), Style::Canonical] {
            if let Ok(text) = from_wire(third(), &wire, style) {
                serde_json::from_slice::<serde_json::Value>(&text).unwrap();
                let back = match to_wire(third(), &text, style) {
                    Ok(back) => back,
                    // brpc writes unknown numbers of open enums, and does not read them.
                    Err(e) => {
                        let lenient = style == lenient();
                        prop_assert!(lenient && e.to_string().contains("not a value of its enum"), "{}", e);
                        continue;
                    }
                };
                if back.notes.is_empty() {
                    prop_assert_eq!(from_wire(third(), &back.wire, style).unwrap(), text);
                }
            }
        }
    }

    #[test]
    fn garbage_never_panics(bytes: Vec<u8>, text: String) {
        for style in [brpc(), lenient(), Style::Canonical, Style::Strict] {
            let _ = to_wire(third(), &bytes, style);
            let _ = to_wire(two("t.All"), text.as_bytes(), style);
            let _ = from_wire(third(), &bytes, style);
            let _ = from_wire(two("t.All"), &bytes, style);
        }
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_survived(at in 0usize..400, byte: u8) {
        let text = br#"{"f_double":1.5,"f_int64":"-12","f_string":"a\u00e9b","f_bytes":"AP8Q","r_message":[{"f_bool":true},{}],"m_string":{"k":1},"m_bool":[{"key":true,"value":{"f_enum":"GREEN"}}],"unknown":{"a":[1,2,{"b":null}]},"c_string":"x"}"#;
        let all = two("t.All");
        let whole = to_wire(all, text, brpc()).unwrap().wire;
        let cut = at % text.len();
        prop_assert!(cut == 0 || to_wire(all, &text[..cut], brpc()).is_err());
        let mut changed = text.to_vec();
        changed[cut] = byte;
        if let Ok(read) = to_wire(all, &changed, brpc()) {
            from_wire(all, &read.wire, brpc()).unwrap();
        }
        let cut = at % whole.len();
        let _ = from_wire(all, &whole[..cut], brpc());
    }
}

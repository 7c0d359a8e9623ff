//! msgpack and struct_pack of Rust types: a value that can be read can be written and read again.

use polywire_formats::{
    msgpack,
    struct_pack::{self, Shape, Type},
};
use std::{collections::BTreeMap, sync::LazyLock};

/// A type with everything that nests, and padding in a C struct.
type Value = (Vec<(i8, String)>, BTreeMap<u16, Option<Vec<bool>>>, [i16; 3], (u8, u64, char));

static KIND: LazyLock<Type> = LazyLock::new(|| {
    let Shape::Tuple(mut members) = Type::of::<Value>().expect("of known types").shape().clone() else {
        unreachable!()
    };
    let Some(Shape::Tuple(plain)) = members.pop() else { unreachable!() };
    members.push(Shape::structure(plain)); // read with the memory layout of C
    Shape::Tuple(members).into()
});

pub fn run(input: &[u8]) {
    let Some((chosen, body)) = input.split_first() else { return };
    if chosen & 1 == 0 {
        if let Ok(value) = msgpack::decode::<Value>(body) {
            let written = msgpack::encode(&value).expect("what could be read");
            assert_eq!(msgpack::decode::<Value>(&written).expect("our own"), value);
        }
        return;
    }
    let hash = KIND.hash() | u32::from(chosen >> 1 & 1);
    let whole = [&hash.to_le_bytes()[..], body].concat();
    if let Ok(value) = struct_pack::decode::<Value>(&KIND, &whole) {
        let written = struct_pack::encode(&KIND, &value).expect("what could be read");
        assert_eq!(struct_pack::decode::<Value>(&KIND, &written).expect("our own"), value);
    }
}

//! Generated code for mcpack against conversion by descriptor: both have to read and write the same.

include!(concat!(env!("OUT_DIR"), "/polywire/include/mcpack.rs"));
include!(concat!(env!("OUT_DIR"), "/polywire/include/mcpack3.rs"));

use polywire_formats::{
    Message,
    mcpack::{Variant, from_wire, to_wire},
};
use std::fmt::Debug;

const MOST: usize = 1 << 16;

pub fn run(input: &[u8]) {
    let Some((chosen, body)) = input.split_first() else { return };
    match chosen % 4 {
        0 => same::<mcpack::Main>(body),
        1 => same::<mcpack::All>(body),
        2 => same::<mcpack::Must>(body),
        _ => same::<mcpack3::Implicit>(body),
    }
}

fn same<M: Message + PartialEq + Debug>(body: &[u8]) {
    // Generated code may leave a body to the descriptor, but it may read only what the descriptor reads.
    let Some(message) = M::from_mcpack(body, MOST) else { return };
    let wire = to_wire(M::schema(), body, MOST).expect("generated code has read it");
    let expected = M::from_wire(&wire).expect("our own");
    assert!(alike(&message, &expected), "{message:?} in place of {expected:?}");
    for variant in [Variant::Mcpack, Variant::Compack] {
        let wire = message.to_wire().expect("was read within a limit");
        let expected = from_wire(M::schema(), &wire, variant);
        assert_eq!(message.to_mcpack(variant).as_ref(), expected.as_ref().ok());
        let Ok(written) = expected else { continue }; // keys may be longer than names
        // Not always the message itself: a number is truncated to its `idl_type`.
        let again = M::from_mcpack(&written, usize::MAX).expect("our own");
        let wire = to_wire(M::schema(), &written, usize::MAX).expect("our own");
        let expected = M::from_wire(&wire).expect("our own");
        assert!(alike(&again, &expected), "{again:?} in place of {expected:?}");
    }
}

/// Whether both are equal, except for NaNs and the order of maps.
fn alike<T: PartialEq + Debug>(one: &T, other: &T) -> bool {
    let letters = |value: &T| {
        let mut letters = format!("{value:?}").into_bytes();
        letters.sort_unstable();
        letters
    };
    one == other || letters(one) == letters(other)
}

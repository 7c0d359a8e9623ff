//! Code generated from `.thrift` files, from the point of view of its users.
#![forbid(unsafe_code)]

include!("../golden_thrift/include/zoo.rs");

use polywire::{
    Channel, Context, IoBuf, Server, Status,
    thrift::{Bytes, Double, Encoding, Error, Value, decode, encode},
};
use std::collections::{BTreeMap, BTreeSet};
use zoo::{
    Animal, Branch, Choice, Everything, Keeper, KeeperClient, Kind, Only, Sick, Tail, Tree, keeper,
    shared::{self, Base, Level, Refused},
};

const ENCODINGS: [Encoding; 2] = [Encoding::Binary, Encoding::Compact];

fn lion() -> Animal {
    Animal {
        name: "Leo".to_owned(),
        kind: Kind::TWO,
        tail: Some(Tail { length: Double(0.5), rings: vec![Double(1.0)] }),
        picture: Bytes::from_static(b"\x00\xff"),
        r#match: true,
        ..Animal::default()
    }
}

fn everything() -> Everything {
    Everything {
        a: true,
        b: -1,
        c: 2,
        d: -300,
        e: 70000,
        f: -5_000_000_000,
        g: 1.5,
        h: "text".to_owned(),
        i: Bytes::from_static(b"\x00\x01"),
        k: vec![lion()],
        l: BTreeSet::from(["x".to_owned()]),
        m: BTreeMap::from([(Tail { length: Double(0.25), rings: Vec::new() }, lion())]),
        n: BTreeMap::from([(
            BTreeSet::from([Double(0.5), Double(-0.0)]),
            vec![BTreeMap::from([(3, Kind(77))])],
        )]),
        o: 7,
        p: BTreeMap::from([("s".to_owned(), vec![0.5, 2.0])]),
        choice: Some(Choice::Several(vec![Choice::Number(3), Choice::Again(Box::new(Choice::Number(4)))])),
        animal: lion(),
        only: Some(Only { choice: Choice::Number(1) }),
        far: Some("away".to_owned()),
        from: true,
        ..Everything::default()
    }
}

fn tree() -> Tree {
    let leaf = |item| Tree { item, ..Tree::default() };
    Tree {
        children: vec![leaf(2)],
        next: Some(Box::new(leaf(3))),
        branch: Some(Box::new(Branch { length: 1, tree: Some(Box::new(leaf(4))) })),
        item: 1,
    }
}

fn sick() -> Sick {
    Sick { message: "ill".to_owned(), animal: lion() }
}

fn round<T: Value + PartialEq + std::fmt::Debug>(value: &T) {
    for encoding in ENCODINGS {
        let body = encode(encoding, value).unwrap();
        assert_eq!(decode::<T>(encoding, body).unwrap(), *value, "{encoding:?}");
    }
}

#[test]
fn what_is_written_is_read() {
    round(&everything());
    round(&tree());
    round(&sick());
    round(&*zoo::LION);
    round(&*zoo::CHOSEN);
    round(&zoo::Empty {});
}

/// What Apache's Python library 0.25 writes, with code that Apache's compiler 0.17 made of the same file.
/// Python leaves out what is None, so it wrote neither `id` nor fields of `uuid`.
#[test]
fn what_apache_writes_is_read_and_written_alike() {
    let mut names = BTreeSet::new();
    for line in include_str!("../thrift/apache.txt").lines().filter(|line| !line.starts_with('#')) {
        let [name, encoding, hex] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let encoding = if encoding == "binary" { Encoding::Binary } else { Encoding::Compact };
        let bytes = polywire_machine_testing::hex(hex);
        match name {
            "lion" => same(encoding, &bytes, &lion()),
            "tree" => same(encoding, &bytes, &tree()),
            "sick" => same(encoding, &bytes, &sick()),
            "everything" => {
                let expected = Everything { m: BTreeMap::new(), n: BTreeMap::new(), ..everything() };
                let read = decode::<Everything>(encoding, IoBuf::from(bytes)).unwrap();
                // Python wrote no `uuid`, which its compiler does not know yet; ours is the default.
                assert_eq!(read, expected);
            }
            other => panic!("{other}"),
        }
        names.insert((name, encoding == Encoding::Binary));
    }
    assert_eq!(names.len(), 8);
}

fn same<T: Value + PartialEq + std::fmt::Debug>(encoding: Encoding, bytes: &[u8], value: &T) {
    assert_eq!(decode::<T>(encoding, IoBuf::from(bytes.to_vec())).unwrap(), *value);
    let written = encode(encoding, value).unwrap();
    assert_eq!(written.to_vec(), bytes, "{encoding:?} {value:?}");
}

/// A struct with these bytes in the binary protocol.
fn read<T: Value>(hex: &str) -> Result<T, polywire_formats::FormatError> {
    decode(Encoding::Binary, IoBuf::from(polywire_machine_testing::hex(hex)))
}

#[test]
fn defaults_of_the_file_are_those_of_the_struct() {
    // Only the required name: an empty string in field 1.
    let bare: Animal = read("0b000100000000 00").unwrap();
    assert_eq!(bare, Animal::default());
    assert_eq!((bare.kind, bare.legs, bare.tags), (Kind::ONE, Some(4), vec!["wild".to_owned()]));
    assert_eq!(bare.level, Level::LOW);
}

#[test]
fn a_required_field_that_is_missing_is_an_error_and_an_unknown_one_is_not() {
    assert!(read::<Animal>("00").is_err());
    // Field 99, an i32; and field 1 as an i32, which is no string.
    assert!(read::<Animal>("08006300000001 0b000100000000 00").is_ok());
    assert!(read::<Animal>("08000100000001 00").is_err());
    assert_eq!(Error::missing("Animal", "name"), Error::missing("Animal", "name"));
}

#[test]
fn a_union_has_exactly_one_field() {
    assert_eq!(read::<Choice>("08000100000003 00").unwrap(), Choice::Number(3));
    assert!(read::<Choice>("00").is_err());
    assert!(read::<Choice>("08000100000003 08000100000003 00").is_err());
    // One that it does not know is none; beside one that it knows it is skipped.
    assert!(read::<Choice>("08006300000003 00").is_err());
    assert!(read::<Choice>("08006300000003 08000100000003 00").is_ok());
}

#[test]
fn an_enum_keeps_numbers_without_a_name() {
    assert_eq!(format!("{:?} {:?}", Kind::r#type, Kind(77)), "type 77");
    assert_eq!((Kind::ALIAS, Kind::NEGATIVE.0), (Kind::TWO, -1));
}

#[test]
fn constants_are_what_the_file_says() {
    assert_eq!((zoo::FAVOURITE, zoo::MAX_SIZE, zoo::LEAST, zoo::LEVEL), (Kind::TWO, 16, i64::MIN, 2));
    assert_eq!((zoo::TEXT, &zoo::BYTES[..]), ("say \"hi\"\n", &b"a\tb"[..]));
    assert_eq!(zoo::ID.to_string(), "00112233-4455-6677-8899-aabbccddeeff");
    assert_eq!(*zoo::KINDS, [Kind::ONE, Kind::TWO, Kind::r#type]);
    assert_eq!(*zoo::HALVES, BTreeSet::from([Double(0.5), Double(1.0)]));
    assert_eq!(*zoo::CHOSEN, Choice::Animal(zoo::LION.clone()));
}

struct House;

impl Base for House {
    async fn ping(&self, _: &Context) -> Result<(), Status> {
        Ok(())
    }

    async fn level(&self, _: &Context, key: i32) -> Result<Level, shared::base::LevelError> {
        match key {
            0 => Err(Refused { why: "zero".to_owned(), code: None }.into()),
            1 => Err(Status::not_found("one").into()),
            key => Ok(Level(key)),
        }
    }
}

impl Keeper for House {
    async fn feed(
        &self,
        _: &Context,
        animal: Animal,
        cx: i32,
        r#type: Choice,
    ) -> Result<Animal, keeper::FeedError> {
        match r#type {
            Choice::Number(0) => Err(sick().into()),
            Choice::Number(1) => Err(keeper::FeedError::Again(sick())),
            _ => Ok(Animal { legs: Some(cx), ..animal }),
        }
    }

    async fn clean(&self, _: &Context, what: String) -> Result<(), keeper::CleanError> {
        if what.is_empty() { Ok(()) } else { Err(sick().into()) }
    }

    async fn call(&self, _: &Context, _: i64) -> Result<(), Status> {
        Ok(())
    }

    async fn count(&self, _: &Context) -> Result<BTreeMap<String, zoo::Series>, Status> {
        Ok(BTreeMap::from([("a".to_owned(), BTreeMap::from([("b".to_owned(), vec![0.5])]))]))
    }

    async fn new_(&self, _: &Context) -> Result<(), Status> {
        Err(Status::unavailable("not now"))
    }
}

#[tokio::test]
async fn a_service_is_called_in_every_form() {
    let running = Server::new().service(Keeper::into_service(House)).listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    for form in ["thrift", "thrift:compact", "thrift:old", "thrift:unframed", "thrift:unframed+compact"] {
        let channel = || Channel::builder(address.clone()).protocol(form).build().unwrap();
        for keeper in [KeeperClient::new(channel()), KeeperClient::multiplexed(channel())] {
            keeper.ping().await.unwrap();
            assert_eq!(keeper.level(2).await.unwrap(), Level::HIGH);
            let refused = keeper.level(0).await.unwrap_err();
            assert!(
                matches!(&refused, shared::base::LevelError::Refused(of) if of.why == "zero"),
                "{refused}"
            );
            let status = keeper.level(1).await.unwrap_err();
            assert!(matches!(status, shared::base::LevelError::Status(_)), "{status}");
            let fed = keeper.feed(lion(), 3, Choice::Number(7)).await.unwrap();
            assert_eq!(fed, Animal { legs: Some(3), ..lion() });
            let first = keeper.feed(lion(), 3, Choice::Number(0)).await.unwrap_err();
            assert!(matches!(&first, keeper::FeedError::Sick(of) if *of == sick()), "{first}");
            let again = keeper.feed(lion(), 3, Choice::Number(1)).await.unwrap_err();
            assert!(matches!(again, keeper::FeedError::Again(_)), "{again}");
            keeper.clean(String::new()).await.unwrap();
            keeper.clean("all".to_owned()).await.unwrap_err();
            keeper.call(5).await.unwrap();
            assert_eq!(keeper.count().await.unwrap()["a"]["b"], [0.5]);
            assert!(keeper.new_().await.unwrap_err().to_string().contains("not now"));
        }
    }
}

use crate::redis::{
    Attributed, Value, Verbatim, Version,
    parse::{MAX_DEPTH, ParseError},
    reply::{Found, ReplyScan},
};
use bytes::Bytes;
use polywire_base::IoBuf;
use proptest::{collection::vec, prelude::*};

fn parse(text: &str) -> Result<Value, ParseError> {
    Value::parse(Bytes::copy_from_slice(text.as_bytes()))
}

#[test]
fn every_type_of_the_sheet_is_read() {
    let bulk = |text: &str| Value::bulk(text);
    let cases = [
        ("+OK\r\n", Value::OK),
        ("-ERR text\r\n", Value::error("ERR text")),
        (":-12\r\n", Value::Integer(-12)),
        ("$5\r\nhello\r\n", bulk("hello")),
        ("$-1\r\n", Value::Null),
        ("*-1\r\n", Value::NullArray),
        ("_\r\n", Value::Null),
        ("#t\r\n", Value::Boolean(true)),
        ("#f\r\n", Value::Boolean(false)),
        (",1.5\r\n", Value::Double(1.5)),
        (",inf\r\n", Value::Double(f64::INFINITY)),
        (",-inf\r\n", Value::Double(f64::NEG_INFINITY)),
        ("(12345678901234567890\r\n", Value::BigNumber("12345678901234567890".into())),
        ("!21\r\nSYNTAX invalid syntax\r\n", Value::BulkError("SYNTAX invalid syntax".into())),
        (
            "=15\r\ntxt:Some string\r\n",
            Value::Verbatim(Box::new(Verbatim { format: *b"txt", text: "Some string".into() })),
        ),
        // RESP3 hash {f: v}, captured.
        ("%1\r\n$1\r\nf\r\n$1\r\nv\r\n", Value::Map(vec![(bulk("f"), bulk("v"))])),
        ("~1\r\n:1\r\n", Value::Set(vec![Value::Integer(1)])),
        (">2\r\n+a\r\n:1\r\n", Value::Push(vec![Value::Simple("a".into()), Value::Integer(1)])),
        ("*2\r\n+OK\r\n:2\r\n", Value::Array(vec![Value::OK, Value::Integer(2)])),
        (
            "|1\r\n+ttl\r\n:9\r\n+x\r\n",
            Value::Attributed(Box::new(Attributed {
                attributes: vec![(Value::Simple("ttl".into()), Value::Integer(9))],
                value: Value::Simple("x".into()),
            })),
        ),
    ];
    for (text, value) in cases {
        assert_eq!(parse(text), Ok(value), "{text}");
        for end in 0..text.len() {
            assert_eq!(parse(&text[..end]), Err(ParseError::Truncated), "{text} {end}");
        }
    }
    assert!(matches!(parse(",nan\r\n"), Ok(Value::Double(nan)) if nan.is_nan()));
}

#[test]
fn strings_share_the_memory_of_the_reply() {
    let reply = Bytes::from_static(b"*1\r\n$5\r\nhello\r\n");
    let Ok(Value::Array(items)) = Value::parse(reply.clone()) else { panic!("an array") };
    let Value::Bulk(text) = &items[0] else { panic!("a string") };
    assert_eq!(text.as_ptr(), reply[8..].as_ptr());
}

#[test]
fn hostile_counts_reserve_nothing_and_are_refused() {
    assert_eq!(parse("*99999999999\r\n"), Err(ParseError::TooLarge));
    assert_eq!(parse("%9223372036854775807\r\n"), Err(ParseError::TooLarge));
    assert_eq!(parse("*1000000\r\n:1\r\n"), Err(ParseError::Truncated));
    assert_eq!(parse("$67108865\r\n"), Err(ParseError::TooLarge));
    assert_eq!(parse("$67108864\r\n"), Err(ParseError::Truncated));
    assert_eq!(parse(&"*2\r\n*1000000\r\n".repeat(2)), Err(ParseError::TooLarge));
    let deep = |levels: usize| parse(&["*1\r\n".repeat(levels), ":1\r\n".into()].concat());
    assert!(deep(MAX_DEPTH).is_ok());
    assert_eq!(deep(MAX_DEPTH + 1), Err(ParseError::TooDeep));
    assert_eq!(parse(&"|1\r\n:1\r\n:1\r\n".repeat(1000)), Err(ParseError::TooDeep));
    for malformed in
        ["?\r\n", "$-2\r\n", "*-2\r\n", "%-1\r\n", ":1x\r\n", "=2\r\nab\r\n", "+a\rb\r\n", "+OK\r\nx"]
    {
        assert!(matches!(parse(malformed), Err(ParseError::Malformed(_))), "{malformed}");
    }
}

#[test]
fn resp2_encodes_the_same_with_fewer_types() {
    let value = Value::Array(vec![
        Value::Map(vec![("f".into(), Value::Double(1.5))]),
        Value::Set(vec![Value::Null, Value::NullArray]),
        Value::Boolean(true),
        Value::Attributed(Box::new(Attributed { attributes: vec![], value: Value::Integer(1) })),
    ]);
    let resp2 = "*4\r\n*2\r\n$1\r\nf\r\n$3\r\n1.5\r\n*2\r\n$-1\r\n*-1\r\n:1\r\n:1\r\n";
    let resp3 = "*4\r\n%1\r\n$1\r\nf\r\n,1.5\r\n~2\r\n_\r\n_\r\n#t\r\n|0\r\n:1\r\n";
    assert_eq!(value.encode(Version::Resp2), resp2);
    assert_eq!(value.encode(Version::Resp3), resp3);
}

fn line() -> impl Strategy<Value = Bytes> {
    "[ -~]{0,12}".prop_map(|text| text.into_bytes().into())
}

fn bytes() -> impl Strategy<Value = Bytes> {
    vec(any::<u8>(), 0..20).prop_map(Bytes::from)
}

/// Values that RESP3 can carry and that are equal to themselves, which NaN is not.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        line().prop_map(Value::Simple),
        line().prop_map(Value::Error),
        any::<i64>().prop_map(Value::Integer),
        bytes().prop_map(Value::Bulk),
        any::<bool>().prop_map(Value::Boolean),
        any::<f64>().prop_filter("NaN differs from itself", |d| !d.is_nan()).prop_map(Value::Double),
        "-?[0-9]{1,30}".prop_map(|digits| Value::BigNumber(digits.into_bytes().into())),
        bytes().prop_map(Value::BulkError),
        (any::<[u8; 3]>(), bytes())
            .prop_map(|(format, text)| Value::Verbatim(Box::new(Verbatim { format, text }))),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let pairs = vec((inner.clone(), inner.clone()), 0..4);
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            vec(inner.clone(), 0..6).prop_map(Value::Set),
            pairs.clone().prop_map(Value::Map),
            (pairs, inner).prop_map(|(attributes, value)| {
                Value::Attributed(Box::new(Attributed { attributes, value }))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(value in value(), cut in 0usize..400) {
        let wire = value.encode(Version::Resp3);
        prop_assert_eq!(Value::parse(wire.clone()), Ok(value.clone()));
        // Scanner and parser find the same end, wherever the bytes are split.
        let mut input = IoBuf::from(wire.slice(..cut.min(wire.len())));
        let mut scan = ReplyScan::default();
        let early = scan.scan(&input);
        if cut < wire.len() {
            prop_assert!(matches!(early, Ok(Found::Least(n)) if n > cut && n <= wire.len()));
            input.push(wire.slice(cut..));
            input.push(Bytes::from_static(b"+next"));
            prop_assert_eq!(scan.scan(&input), Ok(Found::Whole(wire.len())));
        } else {
            prop_assert_eq!(early, Ok(Found::Whole(wire.len())));
        }
        // In RESP2 the value may become another one, which must then read back as itself.
        let plain = value.encode(Version::Resp2);
        let read = Value::parse(plain.clone()).expect("RESP2 is read");
        prop_assert_eq!(read.encode(Version::Resp2), plain);
    }

    #[test]
    fn any_bytes_are_read_or_refused(noise in vec(any::<u8>(), 0..64), from in 0usize..16) {
        let mut bytes = vec![b"+-:$*_#,(!=%~>|0"[from]];
        bytes.extend(noise);
        let parsed = Value::take(&mut Bytes::from(bytes.clone()));
        let scanned = ReplyScan::default().scan(&IoBuf::copy_from_slice(&bytes));
        if parsed.is_ok() {
            prop_assert!(matches!(scanned, Ok(Found::Whole(_))));
        }
        if matches!(scanned, Ok(Found::Whole(_))) {
            prop_assert!(parsed != Err(ParseError::Truncated));
        }
    }
}

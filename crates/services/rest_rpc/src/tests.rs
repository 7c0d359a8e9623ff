//! Values in the bodies of both formats.

use super::{
    ByteString,
    values::{Form, of_text, text_of},
};
use polywire_call::Content;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;

const A: Content = Content::MSGPACK;
const B: Content = Content::STRUCT_PACK;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Person {
    id: i32,
    name: String,
    age: i32,
}

fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    form: Form<T>,
    value: T,
    content: Content,
    bytes: &[u8],
) {
    assert_eq!(form.encode(content, &value).unwrap(), bytes, "{value:?}");
    assert_eq!(form.decode(content, bytes).unwrap(), value);
}

#[track_caller]
fn arguments<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, content: Content, bytes: &[u8]) {
    both(Form::of_arguments(), value, content, bytes);
}

#[track_caller]
fn result<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, content: Content, bytes: &[u8]) {
    both(Form::of_value(), value, content, bytes);
}

#[test]
fn arguments_of_format_a() {
    arguments((), A, &[0x90]);
    arguments((1, 2), A, &[0x92, 1, 2]);
    arguments(("key".to_owned(), String::new()), A, b"\x92\xa3key\xa0");
}

#[test]
fn results_of_format_a() {
    result((), A, &[]);
    result(3, A, &[3]);
    result(Some(3), A, &[3]);
    assert_eq!(Form::<Option<i32>>::of_value().decode(A, &[]).unwrap(), None, "of a void function");
}

/// docs/wire/rest_rpc.md, "Body of a call" and "struct_pack, the part needed here".
#[test]
fn arguments_of_format_b() {
    arguments((), B, b"");
    arguments((5,), B, b"5");
    arguments((-1i64,), B, b"-1");
    arguments((1.5f64,), B, b"1.500000");
    arguments((true,), B, b"1");
    arguments(("test".to_owned(),), B, b"test");
    arguments((ByteString(vec![0xff, 0]),), B, b"\xff\0");
    arguments((1, 2), B, &[0x8c, 0x90, 0x45, 0x40, 1, 0, 0, 0, 2, 0, 0, 0]);
    let tom = || Person { id: 1, name: "tom".into(), age: 20 };
    arguments((tom(),), B, b"\xc6\x69\x53\x7a\x01\0\0\0\x03tom\x14\0\0\0");
    result(tom(), B, b"\xca\x6b\x67\x58\x01\0\0\0\x03tom\x14\0\0\0");
}

#[test]
fn results_of_format_b() {
    result((), B, b"");
    result(3, B, b"3");
    result("hello".to_owned(), B, b"hello");
    result(vec![1, 2], B, &[0x10, 0x8d, 0x7c, 0x27, 2, 1, 0, 0, 0, 2, 0, 0, 0]);
    result((5,), B, &[0x98, 0xdd, 0x1a, 0x39, 5, 0, 0, 0]);
}

#[test]
fn a_single_number_may_also_come_as_a_tuple() {
    let form = Form::<(i32,)>::of_arguments();
    assert_eq!(form.decode(B, &[0x98, 0xdd, 0x1a, 0x39, 5, 0, 0, 0]).unwrap(), (5,));
    assert_eq!(form.decode(B, &[0x99, 0xdd, 0x1a, 0x39, 4, 0xfd, 1, 0xff, 0, 5, 0, 0, 0]).unwrap(), (5,));
    assert!(form.decode(B, &[0x98, 0xdd, 0x1a, 0x39, 5, 0, 0]).is_err());
}

#[test]
fn what_does_not_fit_is_an_error() {
    assert!(Form::<(i32,)>::of_arguments().decode(B, b"five").is_err());
    assert!(Form::<(i32,)>::of_arguments().decode(B, b"").is_err());
    assert!(Form::<(i8,)>::of_arguments().decode(B, b"300").is_err());
    assert!(Form::<(String,)>::of_arguments().decode(B, b"\xff").is_err());
    assert!(Form::<()>::of_arguments().decode(B, b"5").is_err());
    assert!(Form::<()>::of_arguments().decode(A, &[0x91, 5]).is_err());
    assert!(Form::<(i32, i32)>::of_arguments().decode(A, &[0x91, 5]).is_err());
    assert!(Form::<(i32, i32)>::of_arguments().decode(A, &[0x93, 5, 5, 5]).is_err());
    assert!(Form::<i32>::of_value().decode(Content::JSON, b"5").is_err());
}

#[test]
fn a_type_that_struct_pack_does_not_have_says_so() {
    #[derive(Serialize, Deserialize, Debug)]
    enum Colour {
        Red,
    }
    let form = Form::<(Colour,)>::of_arguments();
    assert!(form.encode(B, &(Colour::Red,)).unwrap_err().to_string().contains("enum Colour"));
    assert!(form.encode(A, &(Colour::Red,)).is_ok());
}

#[test]
fn strings_of_any_bytes_pass_through_msgpack() {
    let form = Form::<(ByteString,)>::of_arguments();
    let sent = form.encode(A, &(ByteString(vec![0xff, 1]),)).unwrap();
    assert_eq!(form.decode(A, &sent).unwrap().0.0, [0xff, 1]);
    assert_eq!(form.decode(A, b"\x91\xa2\xff\x01").unwrap().0.0, [0xff, 1], "as C++ sends them");
    assert_eq!(form.decode(A, b"\x91\xa2hi").unwrap().0.0, b"hi");
    assert!(Form::<(String,)>::of_arguments().decode(A, b"\x91\xa2\xff\x01").is_err());
}

#[test]
fn what_is_published_as_text_is_told_from_what_is_packed() {
    assert_eq!(text_of("hi"), Some(b"hi".to_vec()));
    assert_eq!(text_of(&5), None);
    assert_eq!(text_of(&("hi",)), None);
    assert_eq!(of_text::<String>(b"hi").unwrap(), "hi");
    assert_eq!(of_text::<ByteString>(b"\xff").unwrap().0, b"\xff");
}

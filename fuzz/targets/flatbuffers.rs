//! FlatBuffers: FlatBuffers' own verifier has to agree with ours, also with ours by schema. A valid message
//! is read, built again, verified, and built once more. It is also converted to JSON and back.
#![no_main]

include!(concat!(env!("OUT_DIR"), "/polywire/include/tree.rs"));

use polywire_fbs::{Place, Schema};
use polywire_formats::{
    FormatError,
    flatbuffers::{Builder, Flat, Offset, json, structs},
};
use std::sync::LazyLock;
use tree::*;

/// Builds the table with all its contents. Shared parts are written separately, and explicit defaults are
/// left out.
fn build(builder: &mut Builder, node: Node<'_>) -> Offset<Node<'static>> {
    let text = node.text().map(|text| builder.create_string(text));
    let next = node.next().map(|next| build(builder, next));
    let many: Option<Vec<_>> = node.many().map(|many| many.iter().map(|node| build(builder, node)).collect());
    let many = many.map(|many| builder.create_vector(&many));
    let names: Option<Vec<_>> =
        node.names().map(|names| names.iter().map(|name| builder.create_string(name)).collect());
    let names = names.map(|names| builder.create_vector(&names));
    let route = node.route().map(|route| structs(builder, &route.iter().collect::<Vec<_>>()));
    let bytes = node.bytes().map(|bytes| builder.create_vector(bytes.bytes()));
    let label = if let Some(name) = node.label_as_name() {
        let text = Some(builder.create_string(name.text()));
        Some(Name::create(builder, &NameArgs { text }).as_union_value())
    } else {
        node.label_as_node().map(|node| build(builder, node).as_union_value())
    };
    let args = NodeArgs {
        flag: node.flag(),
        small: node.small(),
        mark: node.mark(),
        wide: node.wide(),
        ratio: node.ratio(),
        maybe: node.maybe(),
        kind: node.kind(),
        text,
        at: node.at(),
        label_type: label.map_or(Label::NONE, |_| node.label_type()),
        label,
        next,
        many,
        route,
        bytes,
        names,
    };
    Node::create(builder, &args)
}

fn built(message: &NodeBuf) -> NodeBuf {
    Flat::build(|builder| build(builder, message.get()))
}

/// The rules of schema/tree.fbs for the verifier of FlatBuffers' own project.
mod theirs {
    use flatbuffers::{
        ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable, Verifier,
        VerifierOptions,
    };

    type Verified = Result<(), InvalidFlatbuffer>;
    type Many<T> = ForwardsUOffset<Vector<'static, T>>;

    #[derive(Clone, Copy)]
    #[repr(C, align(8))]
    struct Point([u8; 24]);

    impl SimpleToVerifyInSlice for Point {}
    impl Verifiable for Point {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            verifier.in_buffer::<Point>(at)
        }
    }

    struct Name;
    impl Verifiable for Name {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            verifier.visit_table(at)?.visit_field::<ForwardsUOffset<&str>>("text", 4, true)?.finish();
            Ok(())
        }
    }

    struct Node;
    impl Verifiable for Node {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            verifier
                .visit_table(at)?
                .visit_field::<bool>("flag", 4, false)?
                .visit_field::<u16>("small", 6, false)?
                .visit_field::<i32>("mark", 8, false)?
                .visit_field::<u64>("wide", 10, false)?
                .visit_field::<f64>("ratio", 12, false)?
                .visit_field::<i32>("maybe", 14, false)?
                .visit_field::<i8>("kind", 16, false)?
                .visit_field::<ForwardsUOffset<&str>>("text", 18, false)?
                .visit_field::<Point>("at", 20, false)?
                .visit_union::<u8, _>(
                    "label_type",
                    22,
                    "label",
                    24,
                    false,
                    |kind, verifier, at| match kind {
                        1 => verifier.verify_union_variant::<ForwardsUOffset<Name>>("Name", at),
                        2 => verifier.verify_union_variant::<ForwardsUOffset<Node>>("Node", at),
                        _ => Ok(()),
                    },
                )?
                .visit_field::<ForwardsUOffset<Node>>("next", 26, false)?
                .visit_field::<Many<ForwardsUOffset<Node>>>("many", 28, false)?
                .visit_field::<Many<Point>>("route", 30, false)?
                .visit_field::<Many<u8>>("bytes", 32, false)?
                .visit_field::<Many<ForwardsUOffset<&str>>>("names", 34, false)?
                .finish();
            Ok(())
        }
    }

    pub fn verify(buffer: &[u8]) -> Verified {
        // More than ours allows, which does not count the values of a table.
        let options = VerifierOptions { max_apparent_size: 1 << 24, ..VerifierOptions::default() };
        ForwardsUOffset::<Node>::run_verifier(&mut Verifier::new(&options, buffer), 0)
    }
}

static SCHEMA: LazyLock<(Schema, Place)> = LazyLock::new(|| {
    let schema = Schema::parse("tree.fbs", include_str!("../schema/tree.fbs"))
        .expect("it is read by the build script");
    let place = schema.items.iter().position(|item| item.name == "Node").expect("a table");
    (schema, place)
});

/// Longest text in bytes.
const LONGEST: usize = 1 << 20;

/// The message as text, and that text as a message again.
fn texted(message: &[u8]) -> Result<(Vec<u8>, Result<Vec<u8>, FormatError>), FormatError> {
    let (schema, node) = &*SCHEMA;
    let text = json::to_json(schema, *node, message, LONGEST)?;
    let again = json::from_json(schema, *node, &text);
    Ok((text, again))
}

/// A message by schema: valid if our verifier accepts it; its text gives an equal message.
fn by_schema(input: &[u8], valid: bool) {
    match texted(input) {
        Err(FormatError::TooLarge { .. }) => assert!(valid),
        Err(error) => assert!(!valid, "by schema: {error}"),
        Ok((_, Err(_))) => assert!(valid), // a union of a newer schema, or more brackets than JSON may have
        Ok((_, Ok(message))) => {
            assert!(valid);
            verified(&message).expect("what was written by schema is valid");
            let (text, again) = texted(&message).expect("valid");
            assert_eq!(texted(&again.expect("its text can be read")).expect("valid").0, text);
        }
    }
}

/// The message, if it is valid; both verifiers agree, except about what seems too large.
fn verified(input: &[u8]) -> Option<NodeBuf> {
    let theirs = theirs::verify(input);
    match NodeBuf::from_bytes(input.to_vec()) {
        Ok(message) => {
            theirs.expect("what ours takes, theirs takes");
            Some(message)
        }
        Err(error) => {
            let large = error.to_string().contains("apparent size");
            assert!(theirs.is_err() || large, "theirs takes what ours does not: {error}");
            None
        }
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let message = verified(input);
    by_schema(input, message.is_some());
    let Some(message) = message else { return };
    let first = built(&message);
    let read = verified(first.bytes()).expect("what was read is valid when it is built");
    assert_eq!(built(&read), first);
});

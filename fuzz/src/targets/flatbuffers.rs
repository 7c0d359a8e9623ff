//! FlatBuffers: FlatBuffers' own verifier has to agree with ours, also with ours by schema. A valid message
//! is read, built again, verified, and built once more. It is also converted to JSON and back, and to owned
//! tables and back.

include!(concat!(env!("OUT_DIR"), "/polywire/include/tree.rs"));

use polywire_fbs::{Place, Schema};
use polywire_formats::{
    FormatError,
    flatbuffers::{Builder, Flat, Offset, UnionValue, json, structs, unions},
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
        Some(build_name(builder, name).as_union_value())
    } else if let Some(at) = node.label_as_at() {
        Some(builder.create_struct(&at).as_union_value())
    } else if let Some(word) = node.label_as_word() {
        Some(builder.create_string(word).as_union_value())
    } else {
        node.label_as_node().map(|node| build(builder, node).as_union_value())
    };
    let labels = node.labels_type().map(|types| {
        let labels: Vec<_> = (0..types.len()).map(|index| build_label(builder, node, index)).collect();
        unions(builder, &labels)
    });
    let inner = node.inner().map(|inner| builder.create_aligned_vector(inner.bytes(), 16));
    let blocks = node.blocks().map(|blocks| structs(builder, &blocks.iter().collect::<Vec<_>>()));
    let named: Option<Vec<_>> =
        node.named().map(|named| named.iter().map(|name| build_name(builder, name)).collect());
    let named = named.map(|named| builder.create_vector(&named));
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
        labels_type: labels.map(|(types, _)| types),
        labels: labels.map(|(_, values)| values),
        inner,
        blocks,
        named,
    };
    Node::create(builder, &args)
}

fn build_name(builder: &mut Builder, name: Name<'_>) -> Offset<Name<'static>> {
    let text = Some(builder.create_string(name.text()));
    Name::create(builder, &NameArgs { text })
}

/// One of the labels; a variant of a newer schema becomes none.
fn build_label(builder: &mut Builder, node: Node<'_>, index: usize) -> (Label, Option<Offset<UnionValue>>) {
    if let Some(name) = node.labels_as_name(index) {
        (Label::Name, Some(build_name(builder, name).as_union_value()))
    } else if let Some(at) = node.labels_as_at(index) {
        (Label::at, Some(builder.create_struct(&at).as_union_value()))
    } else if let Some(word) = node.labels_as_word(index) {
        (Label::word, Some(builder.create_string(word).as_union_value()))
    } else if let Some(node) = node.labels_as_node(index) {
        (Label::Node, Some(build(builder, node).as_union_value()))
    } else {
        (Label::NONE, None)
    }
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

    type Verified<T = ()> = Result<T, InvalidFlatbuffer>;
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

    /// A struct with `force_align: 16`.
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    struct Block([u8; 16]);

    impl SimpleToVerifyInSlice for Block {}
    impl Verifiable for Block {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            verifier.in_buffer::<Block>(at)
        }
    }

    /// A vector that need not be aligned where it is empty, as in C++.
    struct Structs<T>(T);
    impl<T: SimpleToVerifyInSlice> Verifiable for Structs<T> {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            match verifier.get_uoffset(at)? {
                0 => verifier.range_in_buffer(at.saturating_add(4), 0),
                _ => Vector::<'_, T>::run_verifier(verifier, at),
            }
        }
    }

    /// A message in a vector of bytes; it is verified by itself.
    struct Inner;
    impl Verifiable for Inner {
        fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
            let length = verifier.get_uoffset(at)? as usize;
            let start = at.saturating_add(4);
            verifier.range_in_buffer(start, length)?;
            let bytes: Verified<Vec<u8>> = (0..length).map(|index| verifier.get_u8(start + index)).collect();
            verify(&bytes?)
        }
    }

    fn label(kind: u8, verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
        match kind {
            1 => verifier.verify_union_variant::<ForwardsUOffset<Name>>("Name", at),
            2 => verifier.verify_union_variant::<ForwardsUOffset<Node>>("Node", at),
            3 => verifier.verify_union_variant::<ForwardsUOffset<Point>>("at", at),
            4 => verifier.verify_union_variant::<ForwardsUOffset<&str>>("word", at),
            _ => Ok(()),
        }
    }

    /// The two fields of a vector of unions, for which the crate has nothing.
    fn labels(verifier: &mut Verifier<'_, '_>, types: usize, values: usize) -> Verified {
        ForwardsUOffset::<Vector<'_, u8>>::run_verifier(verifier, types)?;
        let types = types + verifier.get_uoffset(types)? as usize;
        let values = values.saturating_add(verifier.get_uoffset(values)? as usize);
        let length = verifier.get_uoffset(values)? as usize;
        verifier.range_in_buffer(values.saturating_add(4), length.saturating_mul(4))?;
        if verifier.get_uoffset(types)? as usize != length {
            return InvalidFlatbuffer::new_inconsistent_union("labels_type", "labels");
        }
        (1..=length).try_for_each(|index| {
            let kind = verifier.get_u8(types + 3 + index)?;
            label(kind, verifier, values + 4 * index)
        })
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
            let mut table = verifier
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
                .visit_union::<u8, _>("label_type", 22, "label", 24, false, label)?
                .visit_field::<ForwardsUOffset<Node>>("next", 26, false)?
                .visit_field::<Many<ForwardsUOffset<Node>>>("many", 28, false)?
                .visit_field::<ForwardsUOffset<Structs<Point>>>("route", 30, false)?
                .visit_field::<Many<u8>>("bytes", 32, false)?
                .visit_field::<Many<ForwardsUOffset<&str>>>("names", 34, false)?
                .visit_field::<ForwardsUOffset<Inner>>("inner", 40, false)?
                .visit_field::<ForwardsUOffset<Structs<Block>>>("blocks", 42, false)?
                .visit_field::<Many<ForwardsUOffset<Name>>>("named", 44, false)?;
            match (table.deref(36)?, table.deref(38)?) {
                (Some(types), Some(values)) => labels(table.verifier(), types, values)?,
                (None, None) => {}
                _ => return InvalidFlatbuffer::new_inconsistent_union("labels_type", "labels"),
            }
            table.finish();
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
    let schema = Schema::parse("tree.fbs", include_str!("../../schema/tree.fbs"))
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

/// The message, if it is valid; both verifiers agree, except about what seems too large, or is nested too
/// deep: ours counts what is in `inner` with the rest.
fn verified(input: &[u8]) -> Option<NodeBuf> {
    let theirs = theirs::verify(input);
    match NodeBuf::from_bytes(input.to_vec()) {
        Ok(message) => {
            theirs.expect("what ours takes, theirs takes");
            Some(message)
        }
        Err(error) => {
            let error = error.to_string();
            let bounded = ["apparent size", "depth limit"].iter().any(|limit| error.contains(limit));
            assert!(theirs.is_err() || bounded, "theirs takes what ours does not: {error}");
            None
        }
    }
}

/// What is owned is a message with the same contents.
fn owned(message: &NodeBuf) {
    let object = message.get().unpack();
    let packed = Flat::<Node<'static>>::build(|builder| object.pack(builder));
    let again = verified(packed.bytes()).expect("what is packed is valid").get().unpack();
    // As texts, since a ratio need not be a number.
    assert_eq!(format!("{again:?}"), format!("{object:?}"));
}

pub fn run(input: &[u8]) {
    let message = verified(input);
    by_schema(input, message.is_some());
    let Some(message) = message else { return };
    let first = built(&message);
    let read = verified(first.bytes()).expect("what was read is valid when it is built");
    assert_eq!(built(&read), first);
    owned(&message);
    if let Some(named) = message.get().named() {
        let _ = named.find("any"); // it need not be sorted
    }
}

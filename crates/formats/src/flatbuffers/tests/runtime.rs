//! The runtime of FlatBuffers' own project builds the same bytes and refuses the same buffers.

use super::{Message, Node, copy, full};
use crate::flatbuffers::{Builder, Flat, Offset};
use flatbuffers::{
    FlatBufferBuilder, ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, VOffsetT, Vector,
    Verifiable, Verifier, VerifierOptions, WIPOffset,
};
use proptest::prelude::*;

struct Theirs;

impl Verifiable for Theirs {
    fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Result<(), InvalidFlatbuffer> {
        verifier
            .visit_table(at)?
            .visit_field::<ForwardsUOffset<&str>>("text", 4, false)?
            .visit_field::<ForwardsUOffset<Theirs>>("next", 6, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<Theirs>>>>("many", 8, false)?
            .visit_field::<TheirPoint>("at", 10, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, TheirPoint>>>("route", 12, false)?
            .visit_field::<i32>("mark", 14, false)?
            .finish();
        Ok(())
    }
}

/// A struct as the runtime has them: of 24 bytes, aligned to 8.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct TheirPoint([u8; 24]);

impl SimpleToVerifyInSlice for TheirPoint {}
impl Verifiable for TheirPoint {
    fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Result<(), InvalidFlatbuffer> {
        verifier.in_buffer::<TheirPoint>(at)
    }
}

fn verified(bytes: &[u8]) -> Result<(), InvalidFlatbuffer> {
    let options = VerifierOptions { max_apparent_size: 1 << 20, ..VerifierOptions::default() };
    ForwardsUOffset::<Theirs>::run_verifier(&mut Verifier::new(&options, bytes), 0)
}

#[test]
fn what_was_built_passes_their_verifier() {
    verified(full().bytes()).unwrap();
}

/// A step of building, for both.
#[derive(Clone, Debug)]
enum Step {
    Text(String),
    Bytes(Vec<u8>),
    Numbers(Vec<i64>),
    /// Of what was built before.
    Table {
        mark: i32,
        small: u8,
        wide: f64,
        first: bool,
        second: bool,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        ".{0,20}".prop_map(Step::Text),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Step::Bytes),
        prop::collection::vec(any::<i64>(), 0..6).prop_map(Step::Numbers),
        (0..3i32, 0..3u8, 0..2u8, any::<bool>(), any::<bool>()).prop_map(
            |(mark, small, wide, first, second)| {
                Step::Table { mark, small, wide: f64::from(wide), first, second }
            }
        ),
    ]
}

/// A table that refers to `before`, with the fields in the order in which both are told.
fn ours(builder: &mut Builder, steps: &[Step]) -> Offset<Node<'static>> {
    let mut before = None;
    for step in steps {
        before = Some(match step {
            Step::Text(text) => builder.create_string(text).value(),
            Step::Bytes(bytes) => builder.create_vector(bytes).value(),
            Step::Numbers(numbers) => builder.create_vector(numbers).value(),
            Step::Table { mark, small, wide, first, second } => {
                let mut table = builder.start_table::<19, 40>();
                table.push_slot(4, *mark, 0);
                table.push_slot(6, *wide, 0.0);
                for (slot, wanted) in [(8, first), (40, second)] {
                    if let (Some(before), true) = (before, *wanted) {
                        table.push_slot_always(slot, Offset::<Node<'_>>::new(before));
                    }
                }
                table.push_slot(12, *small, 0);
                table.end::<Node<'_>>().value()
            }
        });
    }
    let mut table = builder.start_table::<6, 4>();
    table.push_slot(14, 1i32, 0);
    table.end()
}

fn theirs(steps: &[Step]) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let mut before = None;
    for step in steps {
        before = Some(match step {
            Step::Text(text) => builder.create_string(text).value(),
            Step::Bytes(bytes) => builder.create_vector(bytes).value(),
            Step::Numbers(numbers) => builder.create_vector(numbers).value(),
            Step::Table { mark, small, wide, first, second } => {
                let table = builder.start_table();
                builder.push_slot(4, *mark, 0);
                builder.push_slot(6, *wide, 0.0);
                for (slot, wanted) in [(8, first), (40, second)] {
                    if let (Some(before), true) = (before, *wanted) {
                        builder.push_slot_always(slot as VOffsetT, WIPOffset::<Theirs>::new(before));
                    }
                }
                builder.push_slot(12, *small, 0);
                builder.end_table(table).value()
            }
        });
    }
    let table = builder.start_table();
    builder.push_slot(14, 1i32, 0);
    let root = builder.end_table(table);
    builder.finish(root, None);
    builder.finished_data().to_vec()
}

proptest! {
    #[test]
    fn the_same_steps_make_the_same_bytes(
        steps in prop::collection::vec(step(), 0..12),
        capacity in 0..300usize,
    ) {
        let ours: Message = Flat::build_with_capacity(capacity, |builder| ours(builder, &steps));
        prop_assert_eq!(&ours.bytes()[..], theirs(&steps));
    }

    #[test]
    fn the_same_buffers_are_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = full().bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let (ours, theirs) = (copy(&bytes), verified(&bytes));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours.err(), theirs.err());
    }
}

//! Compares with the runtime of FlatBuffers' own project: it builds the same bytes and refuses the same
//! buffers.

use super::{Message, Node, copy, full};
use crate::flatbuffers::{Builder, Flat, Offset};
use flatbuffers::{
    FlatBufferBuilder, ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable,
    Verifier, VerifierOptions, WIPOffset,
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

/// A building step, for both builders.
#[derive(Clone, Debug)]
enum Step {
    Text(String),
    Bytes(Vec<u8>),
    Numbers(Vec<i64>),
    /// Refers to values that were built before.
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

/// A field of a table.
#[derive(Clone, Copy)]
enum Field {
    Mark(i32),
    Small(u8),
    Wide(f64),
    /// An offset to this position.
    Offset(u32),
}

/// Either builder. The position of a value is its distance from the end.
trait Build {
    fn text(&mut self, text: &str) -> u32;
    fn bytes(&mut self, bytes: &[u8]) -> u32;
    fn numbers(&mut self, numbers: &[i64]) -> u32;
    /// Builds a table with these fields, in this order, each with its position in the vtable.
    fn table(&mut self, fields: &[(u16, Field)]) -> u32;
}

/// The methods that have the same name in both, all except the beginning and end of a table.
macro_rules! build {
    ($builder:ty, $offset:ty, $own:ident, let $table:ident = $start:expr, push to $push:ident, end $end:expr) => {
        impl Build for $builder {
            fn text(&mut self, text: &str) -> u32 {
                self.create_string(text).value()
            }

            fn bytes(&mut self, bytes: &[u8]) -> u32 {
                self.create_vector(bytes).value()
            }

            fn numbers(&mut self, numbers: &[i64]) -> u32 {
                self.create_vector(numbers).value()
            }

            fn table(&mut self, fields: &[(u16, Field)]) -> u32 {
                let $own = self;
                #[allow(unused_mut)]
                let mut $table = $start;
                for &(slot, field) in fields {
                    match field {
                        Field::Mark(value) => $push.push_slot(slot, value, 0),
                        Field::Small(value) => $push.push_slot(slot, value, 0),
                        Field::Wide(value) => $push.push_slot(slot, value, 0.0),
                        Field::Offset(at) => $push.push_slot_always(slot, <$offset>::new(at)),
                    }
                }
                $end.value()
            }
        }
    };
}
build!(Builder, Offset<Node<'_>>, own, let table = own.start_table::<19, 40>(), push to table, end table.end::<Node<'_>>());
build!(FlatBufferBuilder<'_>, WIPOffset<Theirs>, own, let table = own.start_table(), push to own, end own.end_table(table));

/// Does the steps; a table refers to what was built before it.
fn build(builder: &mut impl Build, steps: &[Step]) -> u32 {
    let mut before = None;
    for step in steps {
        before = Some(match step {
            Step::Text(text) => builder.text(text),
            Step::Bytes(bytes) => builder.bytes(bytes),
            Step::Numbers(numbers) => builder.numbers(numbers),
            Step::Table { mark, small, wide, first, second } => {
                let mut fields = vec![(4, Field::Mark(*mark)), (6, Field::Wide(*wide))];
                for (slot, wanted) in [(8, first), (40, second)] {
                    fields.extend(before.filter(|_| *wanted).map(|at| (slot, Field::Offset(at))));
                }
                fields.push((12, Field::Small(*small)));
                builder.table(&fields)
            }
        });
    }
    builder.table(&[(14, Field::Mark(1))])
}

fn theirs(steps: &[Step]) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let root = build(&mut builder, steps);
    builder.finish(WIPOffset::<Theirs>::new(root), None);
    builder.finished_data().to_vec()
}

proptest! {
    #[test]
    fn the_same_steps_make_the_same_bytes(
        steps in prop::collection::vec(step(), 0..12),
        capacity in 0..300usize,
    ) {
        let ours: Message = Flat::build_with_capacity(capacity, |builder| Offset::new(build(builder, &steps)));
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
        // Ours does not ask where the items of an empty vector would be.
        let empty = ours.as_ref().is_ok_and(|ours| ours.get().route().is_some_and(|route| route.is_empty()));
        if let (true, Err(InvalidFlatbuffer::Unaligned { .. })) = (empty, &theirs) {
            return Ok(());
        }
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours.err(), theirs.err());
    }
}

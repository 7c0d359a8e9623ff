//! Heap profiles of a program with the sampling allocator: what is held, by whom, and that memory stays
//! memory.

use crate::alone;
use polywire_profile::{INTERVAL, Profile, Sampled, heap, mark};
use std::{alloc::System, hint::black_box, thread};

#[global_allocator]
static ALLOCATOR: Sampled<System> = Sampled::new(System);

#[inline(never)]
fn keeps_small_ones(count: usize) -> Vec<Box<[u8]>> {
    (0..count).map(|_| black_box(vec![7; 256]).into_boxed_slice()).collect()
}

#[inline(never)]
fn keeps_large_ones(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| black_box(vec![number as u8; 1 << 20])).collect()
}

/// Bytes of the stacks with a function.
fn held(profile: &Profile, function: &str) -> i64 {
    let with =
        profile.samples.iter().filter(|sample| profile.names(sample).any(|name| name.contains(function)));
    with.map(|sample| sample.values[1]).sum()
}

fn is_near(found: i64, expected: usize, part: f64) -> bool {
    (found as f64 - expected as f64).abs() <= expected as f64 * part
}

#[test]
fn a_heap_profile_has_what_is_held_by_who_holds_it() {
    let _alone = alone();
    // 64 MiB by 256 bytes are 128 samples, give or take 11: within 40 % at more than four deviations.
    let small = keeps_small_ones(1 << 18);
    // Of a mebibyte 86 % are sampled: 40 give or take 2.6 of 32.
    let large = keeps_large_ones(32);
    let profile = heap(false).expect("the allocator is there");
    let (found_small, found_large) = (held(&profile, "keeps_small_ones"), held(&profile, "keeps_large_ones"));
    assert!(is_near(found_small, 64 << 20, 0.4), "{found_small}\n{}", profile.folded());
    assert!(is_near(found_large, 32 << 20, 0.4), "{found_large}\n{}", profile.folded());
    assert_eq!(profile.period, INTERVAL as i64);
    // The allocator's own frames are not among them.
    assert!(!profile.folded().contains("polywire_profile::heap::allocator"), "{}", profile.folded());
    drop(small);
    let profile = heap(false).expect("as before");
    assert_eq!(held(&profile, "keeps_small_ones"), 0, "{}", profile.folded());
    assert_eq!(held(&profile, "keeps_large_ones"), found_large);
    drop(large);
    assert_eq!(held(&heap(false).expect("as before"), "keeps_large_ones"), 0);
}

#[test]
fn growth_is_what_is_held_beyond_the_mark() {
    let _alone = alone();
    let before = keeps_large_ones(32);
    mark();
    assert_eq!(held(&heap(true).expect("the allocator is there"), "keeps_large_ones"), 0);
    let after = keeps_large_ones(32);
    let growth = held(&heap(true).expect("as before"), "keeps_large_ones");
    assert!(is_near(growth, 32 << 20, 0.4), "{growth}");
    assert!(held(&heap(false).expect("as before"), "keeps_large_ones") > growth);
    drop((before, after));
    assert_eq!(held(&heap(true).expect("as before"), "keeps_large_ones"), 0, "less than before is no growth");
}

/// The sample of an allocation that grows in place, or moves, is that of its present size, and goes with it.
#[test]
fn what_grows_and_shrinks_is_held_once() {
    let _alone = alone();
    #[inline(never)]
    fn keeps_growing_ones() -> Vec<Vec<u8>> {
        let grown = |_| {
            let mut bytes: Vec<u8> = black_box(Vec::with_capacity(1000));
            for doubled in 0..12 {
                bytes.reserve_exact(1000 << doubled);
                bytes.resize(1000 << doubled, 1);
            }
            bytes.truncate(1 << 20);
            bytes.shrink_to_fit();
            bytes
        };
        (0..32).map(grown).collect()
    }
    let grown = keeps_growing_ones();
    let found = held(&heap(false).expect("the allocator is there"), "keeps_growing_ones");
    assert!(is_near(found, 32 << 20, 0.4), "{found}");
    drop(grown);
    assert_eq!(held(&heap(false).expect("as before"), "keeps_growing_ones"), 0);
}

/// Memory that is sampled keeps its bytes, its alignment and its length, however it grows, shrinks and
/// changes hands.
#[test]
fn memory_is_memory_while_threads_allocate_and_free_for_each_other() {
    let _alone = alone();
    let (send, receive) = std::sync::mpsc::channel::<(Vec<u8>, u8)>();
    let receiver = thread::spawn(move || {
        for (bytes, value) in receive {
            assert!(bytes.iter().all(|byte| *byte == value));
        }
    });
    let work = |seed: u8| {
        let send = send.clone();
        move || {
            for round in 0..300_usize {
                let value = seed.wrapping_add(round as u8);
                let mut bytes = vec![0_u8; 0];
                for step in 0..40 {
                    bytes.resize(bytes.len() + step * 257, value);
                }
                assert!(bytes.iter().all(|byte| *byte == value));
                bytes.truncate(bytes.len() / 3);
                bytes.shrink_to_fit();
                let zeroed = vec![0_u64; 20_000 + round * 100];
                assert!(zeroed.iter().all(|word| *word == 0));
                let pages: Vec<Page> = (0..8).map(|_| Page([value; 4096])).collect();
                assert!(
                    pages.as_ptr().addr().is_multiple_of(4096)
                        && pages.iter().all(|page| page.0[17] == value)
                );
                send.send((bytes, value)).expect("it receives");
            }
        }
    };
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let threads: Vec<_> = (0..4).map(|seed| thread::spawn(work(seed * 50))).collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no byte is wrong"));
    drop(send);
    receiver.join().expect("no byte is wrong");
    // All was given back.
    let profile = heap(false).expect("the allocator is there");
    assert!(held(&profile, "memory_is_memory_while") < 4 << 20, "{}", profile.folded());
}

//! Memory of topics, measured at the allocator. There is one test only, since others would be measured with
//! it.

use polywire_hub::{Hub, Options, Seat};
use polywire_machine_testing::Counting;
use polywire_wire::Limits;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

fn in_use() -> usize {
    ALLOCATOR.in_use().try_into().expect("no more is freed than was allocated")
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const TOPICS: usize = 10_000;

/// Topics of this length that differ early, which take the most memory.
fn topics(length: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..TOPICS).map(move |n| {
        let mut topic = (n as u32).wrapping_mul(0x9e37_79b9).to_be_bytes().to_vec();
        topic.resize(length, b'x');
        topic
    })
}

#[test]
fn topics_cost_little_more_than_their_bytes_and_are_given_back() {
    let options = Options::default().topic_bytes(64 * MIB).topic_memory(64 * MIB);
    let hub = Hub::new(options);
    let seat = || Seat::new(&hub, b"", &Limits::DEFAULT).expect("there is a place");
    let mut stays = seat();
    assert!(stays.topic(true, b"stays"));
    let before = in_use();

    for length in [KIB, 64] {
        let (mut first, mut second) = (seat(), seat());
        for topic in topics(length) {
            assert!(first.topic(true, &topic));
        }
        let (held, said) = (in_use() - before, hub.topic_memory());
        assert!(held < 4 * TOPICS * length.max(80), "{held} bytes for topics of {length}");
        assert!(said < 2 * held && held < said + said / 8, "{held} bytes are taken for {said}");

        for topic in topics(length) {
            assert!(second.topic(true, &topic) && second.topic(true, &topic));
        }
        let shared = in_use() - before - held;
        assert!(shared < TOPICS * 64, "{shared} bytes more for somebody who shares all topics of {length}");
        drop(first);
        assert_eq!(hub.publish(&topics(length).next().unwrap(), |_| ()), 1);
        drop(second);
        let left = in_use().saturating_sub(before);
        assert!(left < MIB, "{left} bytes are left of topics of {length}");
        assert_eq!(hub.publish(b"stays and is served", |_| ()), 1);
    }
    drop(stays);
    assert_eq!(hub.topic_memory(), 0);
}

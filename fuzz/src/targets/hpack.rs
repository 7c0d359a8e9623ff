//! Header blocks: the input is a chain of them, each preceded by its length in one byte. What can be decoded
//! is encoded again, and must decode to the same, while the table of the encoder shrinks and grows.

use polywire_protocols::http::h2::internals::Hpack;

pub fn run(input: &[u8]) {
    let (mut peer, mut ours) = (Hpack::new(), Hpack::new());
    let mut rest = input;
    while let Some((&length, tail)) = rest.split_first() {
        let (block, tail) = tail.split_at((length as usize).min(tail.len()));
        rest = tail;
        let mut fields = Vec::new();
        if peer.decode(block, |name, value| fields.push((name.to_vec(), value.to_vec()))).is_err() {
            return;
        }
        if length % 7 == 0 {
            ours.limit(usize::from(length) * 37);
        }
        let mut again = bytes::BytesMut::new();
        ours.encode(&mut again, fields.iter().map(|(name, value)| (&name[..], &value[..])));
        let mut seen = Vec::new();
        let decoded = ours.decode(&again, |name, value| seen.push((name.to_vec(), value.to_vec())));
        assert_eq!((decoded, seen), (Ok(()), fields));
    }
}

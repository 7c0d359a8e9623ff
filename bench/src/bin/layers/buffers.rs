//! `IoBuf` and `Output`: what a message costs on its way through, copied and shared.

use std::io::IoSlice;

use bytes::Bytes;
use polywire_base::{IoBuf, Output};

use crate::Bench;

const MESSAGES: usize = 600;

pub fn all(bench: &mut Bench) {
    let segment = Bytes::from(vec![7; 64 * 1024]);
    bench.time_prepared(
        "iobuf: cut 100 B off a 64 KB segment",
        MESSAGES as u64,
        100,
        || IoBuf::from(segment.clone()),
        |mut input| {
            for _ in 0..MESSAGES {
                std::hint::black_box(input.cut(100));
            }
            input
        },
    );
    bench.time("iobuf: append and drop a chain of 10", 10, 0, || {
        let mut chain = IoBuf::default();
        for _ in 0..10 {
            chain.push(segment.slice(..4096));
        }
        chain
    });
    let message = [7_u8; 100];
    let mut out = Output::new(1 << 20);
    bench.time("output: put 100 B and flush by 32", 32, 100, || {
        for _ in 0..32 {
            out.put(&message);
        }
        flush(&mut out)
    });
    let long = IoBuf::from(segment.clone());
    let mut out = Output::new(1 << 20);
    bench.time("output: share 64 KB and flush", 1, 0, || {
        out.put(&message);
        out.share(&long);
        flush(&mut out)
    });
}

/// What a socket that takes everything does.
fn flush(out: &mut Output) -> usize {
    let mut flushed = 0;
    while !out.is_empty() {
        let mut slices = [IoSlice::new(&[]); 16];
        let filled = out.io_slices(&mut slices);
        let taken = slices[..filled].iter().map(|slice| slice.len()).sum();
        out.advance(taken);
        flushed += taken;
    }
    flushed
}

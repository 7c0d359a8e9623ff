//! The points of servers on a ring, by the hashes of brpc and gRPC, so that all these clients choose the same
//! servers.

use crate::Members;
use polywire_base::murmur3_32;
use twox_hash::XxHash64;

/// The hash function, and the number of points of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RingKind {
    /// `c_murmurhash`: MurmurHash3, 32 bits.
    Murmur { replicas: u32 },
    /// `c_md5`: the first four bytes of MD5.
    Md5 { replicas: u32 },
    /// `c_ketama`: four points from each MD5; of `replicas` the part that is a multiple of 4 counts, and 4 at
    /// least.
    Ketama { replicas: u32 },
    /// `ring_hash`: XXH64, points by weight; the smallest weight gets whole points if the maximum size of the
    /// ring allows it.
    RingHash { least: u64, most: u64 },
}

/// Points and the numbers of their owners, in no order.
pub(super) fn of(members: &Members, kind: RingKind) -> Vec<(u64, u32)> {
    match kind {
        RingKind::Murmur { replicas } => replicated(members, replicas.max(1), |text, points| {
            points.push(murmur3_32(text, 0));
        }),
        RingKind::Md5 { replicas } => replicated(members, replicas.max(1), |text, points| {
            points.push(word(&md5::compute(text).0, 0));
        }),
        RingKind::Ketama { replicas } => replicated(members, (replicas / 4).max(1), |text, points| {
            let md5::Digest(digest) = md5::compute(text);
            points.extend((0..4).map(|j| word(&digest, j)));
        }),
        RingKind::RingHash { least, most } => weighted(members, least, most),
    }
}

/// brpc's points, from the texts `address-0`, `address-1`, …: 32 bits, here the upper half of 64.
fn replicated(members: &Members, replicas: u32, hash: impl Fn(&[u8], &mut Vec<u32>)) -> Vec<(u64, u32)> {
    let mut points = Vec::new();
    let mut hashes = Vec::new();
    for (i, member) in members.iter().enumerate() {
        for replica in 0..replicas {
            hash(format!("{}-{replica}", member.address()).as_bytes(), &mut hashes);
            points.extend(hashes.drain(..).map(|point| (u64::from(point) << 32, i as u32)));
        }
    }
    points
}

fn word(digest: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([digest[4 * i], digest[4 * i + 1], digest[4 * i + 2], digest[4 * i + 3]])
}

/// gRFC A42's: each server has points in proportion to its weight, from the texts `address_0`, `address_1`,
/// …, or with its hash key in place of the address (gRFC A76).
fn weighted(members: &Members, least: u64, most: u64) -> Vec<(u64, u32)> {
    let weights: Vec<f64> = members.iter().map(|member| f64::from(member.weight().unwrap_or(1))).collect();
    let sum: f64 = weights.iter().sum();
    let smallest = weights.iter().copied().fold(f64::MAX, f64::min) / sum;
    let scale = ((smallest * least as f64).ceil() / smallest).min(most as f64);
    let mut points = Vec::with_capacity(scale as usize);
    let mut target = 0.0;
    for (i, member) in members.iter().enumerate() {
        target += scale * weights[i] / sum;
        let key = member.hash_key();
        let key = key.as_deref().unwrap_or(member.address());
        let mut own = 0_u32;
        while (points.len() as f64) < target {
            let text = format!("{key}_{own}");
            points.push((XxHash64::oneshot(0, text.as_bytes()), i as u32));
            own += 1;
        }
    }
    points
}

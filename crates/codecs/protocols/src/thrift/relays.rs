//! The number of relays that a call has passed, where its form has no other place for it: in the seqid.
//!
//! ```text
//!  seqid of a call that relays pass on     5b 5a 6c | relays, 4 bits | uses, 4 bits
//! ```
//!
//! A seqid says nothing to a server but what to send back, and is its client's to choose. Clients count from
//! 0 or from 1, or draw it: of four billion, 32 say of a call that it has passed as many relays as it may.
//! `uses` tells such a call from those before on its connection, on which it is the only one; 0: a call
//! without a reply.

/// The first three bytes.
const MARK: u32 = 0x5b5a_6c00;
/// Most relays that are counted.
const MOST: u8 = 9;
const USES_BITS: u32 = 4;
/// Most uses.
pub(super) const USES: u32 = (1 << USES_BITS) - 1;

/// The seqid of a call that has passed relays.
pub(super) fn seqid(relays: u8, uses: u32) -> i32 {
    (MARK | u32::from(relays.min(MOST)) << USES_BITS | uses & USES) as i32
}

/// How many relays the call with this seqid has passed; 0: it does not say.
pub(super) fn of(seqid: i32) -> u8 {
    let rest = (seqid as u32).wrapping_sub(MARK);
    let relays = u8::try_from(rest).unwrap_or(0) >> USES_BITS;
    if relays <= MOST { relays } else { 0 }
}

/// Whether it is that of a call without a reply.
pub(super) fn is_oneway(seqid: i32) -> bool {
    of(seqid) > 0 && seqid as u32 & USES == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_relays_are_read_as_they_were_written_and_other_seqids_have_none() {
        for relays in 1..=MOST {
            for uses in 0..=USES {
                let seqid = seqid(relays, uses);
                assert_eq!((of(seqid), is_oneway(seqid)), (relays, uses == 0));
                assert!(seqid > 1 << 30, "no call of ours has it");
            }
        }
        let mark = MARK as i32;
        for seqid in
            [0, 1, -1, i32::MAX, i32::MIN, mark, mark + 15, mark - 1, mark + 160, mark + 255, mark + 256]
        {
            assert_eq!((of(seqid), is_oneway(seqid)), (0, false), "{seqid:#x}");
        }
        assert_eq!((seqid(2, 1), of(0x5b5a_6c21)), (0x5b5a_6c21, 2));
    }
}

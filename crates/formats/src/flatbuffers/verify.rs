//! What the runtime's verifier is told of structs, and the limits of its work.
//!
//! A buffer may say the same table or string many times over: a few bytes then take long to walk through. The verifier
//! counts what it walks through as if nothing were shared; the bound is a multiple of the buffer's own length.

use super::runtime::{InvalidFlatbuffer, Verifiable, Verifier, VerifierOptions};
use std::{borrow::Cow, marker::PhantomData};

/// "C++ verifier defaults, equal in Rust: max depth 64, max tables 1,000,000".
const MAX_DEPTH: usize = 64;
const MAX_TABLES: usize = 1_000_000;
/// How much larger than itself a buffer may seem.
const MAX_SHARING: usize = 16;
/// What every buffer may seem, bytes.
const ALWAYS: usize = 1 << 20;

/// The limits for a buffer of so many bytes.
pub(super) fn limits(bytes: usize) -> VerifierOptions {
    VerifierOptions {
        max_depth: MAX_DEPTH,
        max_tables: MAX_TABLES,
        max_apparent_size: bytes.saturating_mul(MAX_SHARING).max(ALWAYS),
        ignore_missing_null_terminator: false,
    }
}

type Verified = Result<(), InvalidFlatbuffer>;

/// Checks that a struct of this size and alignment is at `at`.
pub fn verify_struct(verifier: &mut Verifier<'_, '_>, at: usize, size: usize, align: usize) -> Verified {
    if !at.is_multiple_of(align) {
        return Err(InvalidFlatbuffer::Unaligned {
            position: at,
            unaligned_type: Cow::Borrowed("struct"),
            error_trace: Default::default(),
        });
    }
    verifier.range_in_buffer(at, size)
}

/// Stands for a vector of structs (or enums) to the verifier.
pub struct StructVector<const SIZE: usize, const ALIGN: usize>(PhantomData<()>);

impl<const SIZE: usize, const ALIGN: usize> Verifiable for StructVector<SIZE, ALIGN> {
    fn run_verifier(verifier: &mut Verifier<'_, '_>, at: usize) -> Verified {
        let len = verifier.get_uoffset(at)? as usize;
        let first = at.saturating_add(size_of::<u32>());
        verify_struct(verifier, first, len.saturating_mul(SIZE), ALIGN)
    }
}

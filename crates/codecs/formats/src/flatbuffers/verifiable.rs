//! The types that can be verified: numbers, targets of offsets, vectors, and the markers of their contents.

use super::{Apart, Indirect, Inline, InvalidFlatbuffer, Items, Read, Verifier};
use std::marker::PhantomData;

/// A type of value that can be verified.
pub trait Verifiable {
    /// Checks the value at `at`.
    ///
    /// # Errors
    /// The fault in the buffer.
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified;
}

pub type Verified = Result<(), InvalidFlatbuffer>;

/// The numbers that identify the variants of a union.
pub trait Tag: for<'a> Read<'a> {}

macro_rules! tags {
    ($($number:ty)*) => {$(
        impl Tag for $number {}
    )*};
}
tags!(u8 i8 u16 i16 u32 i32 u64 i64);

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Verifiable for $number {
            #[inline]
            fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
                verifier.range(at, size_of::<$number>(), size_of::<$number>())
            }
        }
    )*};
}
numbers!(bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

/// The value that an offset leads to.
impl<T: Verifiable> Verifiable for Indirect<T> {
    #[inline]
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        let at = verifier.follow(at)?;
        T::run_verifier(verifier, at)
    }
}

impl Verifiable for &str {
    #[inline]
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.string(at)
    }
}

impl<T: Inline> Verifiable for Apart<T> {
    #[inline]
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        let at = verifier.follow(at)?;
        verifier.apart(at, T::SIZE, T::ALIGN)
    }
}

/// Numbers, enums or structs.
impl<T: Inline> Verifiable for Items<T> {
    #[inline]
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.items(at, T::SIZE, T::ALIGN)
    }
}

/// Marks a vector of bytes that is a message which begins with a `T`.
pub struct Nested<T>(PhantomData<fn() -> T>);

impl<T: Verifiable> Verifiable for Nested<T> {
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.nested(at, T::run_verifier)
    }
}

/// Marks a vector of offsets.
pub struct Indirects<T>(PhantomData<fn() -> T>);

impl<T: Verifiable> Verifiable for Indirects<T> {
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.offsets(at, Indirect::<T>::run_verifier)
    }
}

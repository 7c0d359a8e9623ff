//! The three versions of the protocol: frames of one shape that differ in the identification of a service.

use polywire_base::murmur3_32;

/// The version of the protocol text that a connection follows.
pub(crate) trait Variant: Default + Send + 'static {
    /// The protocol's name.
    const NAME: &'static str;
    const MAGIC: &'static [u8; 4];
    /// Whether a peer skips bytes after the numbers of a meta ("trailing unknown metadata": V2 "skipped",
    /// before it "larger metadata undefined").
    const GROWS: bool;

    /// The number of a service.
    fn service_id(service: &str) -> u32;
}

/// V2, of the newest pull request.
#[derive(Default)]
pub(crate) struct V2;

/// V1, of the head of pull request 3197.
#[derive(Default)]
pub(crate) struct V1;

/// V0, of that request's first text.
#[derive(Default)]
pub(crate) struct V0;

impl Variant for V2 {
    const NAME: &'static str = "fb_rpc";
    const MAGIC: &'static [u8; 4] = b"FRPC";
    const GROWS: bool = true;

    #[inline]
    fn service_id(service: &str) -> u32 {
        service_id(service)
    }
}

impl Variant for V1 {
    const NAME: &'static str = V2::NAME;
    const MAGIC: &'static [u8; 4] = V2::MAGIC;
    const GROWS: bool = false;

    fn service_id(service: &str) -> u32 {
        draft_service_id(service)
    }
}

impl Variant for V0 {
    const NAME: &'static str = "fb_rpc_v0";
    const MAGIC: &'static [u8; 4] = b"BRPC";
    const GROWS: bool = false;

    fn service_id(service: &str) -> u32 {
        draft_service_id(service)
    }
}

/// "service id = MurmurHash3_x86_32(full name bytes, seed 1)"
pub(super) const fn service_id(service: &str) -> u32 {
    murmur3_32(service.as_bytes(), 1)
}

/// "MurmurHash3_x86_32, seed 1, of `prefix + "." + service`; generated table had prefix `test.` so the text
/// is `test..BenchmarkService` (two dots)". Of a service without a namespace nothing is known; its prefix is
/// taken to be empty.
pub(super) fn draft_service_id(service: &str) -> u32 {
    let (prefix, name) = service.split_at(service.rfind('.').map_or(0, |dot| dot + 1));
    murmur3_32(format!("{prefix}.{name}").as_bytes(), 1)
}

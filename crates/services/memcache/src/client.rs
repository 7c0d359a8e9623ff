//! The client: a method for each operation.

use crate::{
    answer::{Answer, Item},
    batch::Batch,
    error::{Error, KeyError},
    form::Form,
    key,
    operation::Operation,
    request::{Request, Verb, expiry},
};
use bytes::Bytes;
use polywire_client::{Call, Channel, Raw, Target};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

/// A memcached server behind a channel, or several of them, each with a part of the keys. Cheap to clone.
///
/// The channel's protocol is `memcache`, the binary one, or `memcache_meta`. With several servers the channel
/// needs a balancer that hashes: `c_ketama`, `c_murmurhash`, `c_md5` or `ring_hash`.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    pub(crate) form: Form,
    binary_keys: bool,
    opaque: Arc<AtomicU32>,
}

/// The target of all calls: the body contains everything else.
const TARGET: Target = Target::fixed("", "");

impl Client {
    /// A client over a channel whose protocol is `memcache` or `memcache_meta`.
    pub fn new<P>(channel: Channel<P>) -> Self {
        let channel: Channel = channel.retyped();
        let form = Form::of(channel.protocol());
        Client { channel, form, binary_keys: false, opaque: Arc::default() }
    }

    /// Keys may consist of any bytes. `memcache_meta` sends keys that are not plain text in base64, at most
    /// 187 bytes of them; clients of the text protocol without meta commands cannot address such keys.
    pub fn binary_keys(mut self) -> Self {
        self.binary_keys = true;
        self
    }

    /// The value of a key; `None`: there is none.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Operation<Option<Item>> {
        Operation::new(self, Request::new(Verb::Get, key), Answer::item)
    }

    /// The values of several keys, in their order: each server gets one request with its keys. Misses cost no
    /// reply.
    pub fn get_many(&self, keys: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Batch<Vec<Option<Item>>> {
        let requests = keys.into_iter().map(|key| Request::new(Verb::Get, key)).collect();
        Batch::new(self, requests, true, |answers| answers.into_iter().map(Answer::item).collect())
    }

    /// Sets a value; returns its CAS. [`Operation::cas`] makes it a compare-and-swap: [`Error::Exists`] if
    /// the value has changed, [`Error::Missing`] if it no longer exists.
    pub fn set(&self, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        self.store(Verb::Set, key, value)
    }

    /// Sets the value of a key that is not there; else [`Error::NotStored`].
    pub fn add(&self, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        self.store(Verb::Add, key, value)
    }

    /// Sets the value of an existing key; otherwise [`Error::NotStored`].
    pub fn replace(&self, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        self.store(Verb::Replace, key, value)
    }

    /// Appends to an existing value; otherwise [`Error::NotStored`].
    pub fn append(&self, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        self.store(Verb::Append, key, value)
    }

    /// Prepends to an existing value; otherwise [`Error::NotStored`].
    pub fn prepend(&self, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        self.store(Verb::Prepend, key, value)
    }

    fn store(&self, verb: Verb, key: impl AsRef<[u8]>, value: impl Into<Bytes>) -> Operation<u64> {
        Operation::new(self, Request { value: value.into(), ..Request::new(verb, key) }, Answer::stored)
    }

    /// Adds to a number in decimal text, modulo 2^64; returns the sum. `None`: there is no such key, see
    /// [`Operation::or_begin_at`].
    pub fn incr(&self, key: impl AsRef<[u8]>, by: u64) -> Operation<Option<u64>> {
        Operation::new(self, Request { delta: by, ..Request::new(Verb::Incr, key) }, Answer::number)
    }

    /// Subtracts from a number in decimal text; it stops at 0.
    pub fn decr(&self, key: impl AsRef<[u8]>, by: u64) -> Operation<Option<u64>> {
        Operation::new(self, Request { delta: by, ..Request::new(Verb::Decr, key) }, Answer::number)
    }

    /// Sets when a value expires; returns whether the key exists.
    pub fn touch(&self, key: impl AsRef<[u8]>, expires: Duration) -> Operation<bool> {
        let request = Request { expiry: Some(expiry(expires)), ..Request::new(Verb::Touch, key) };
        Operation::new(self, request, Answer::found)
    }

    /// Deletes a key; returns whether it was there.
    pub fn delete(&self, key: impl AsRef<[u8]>) -> Operation<bool> {
        Operation::new(self, Request::new(Verb::Delete, key), Answer::found)
    }

    /// Marks a value as stale: the next reader is asked to renew it; the others get the stale value, for at
    /// most this long. `memcache_meta` only.
    pub fn invalidate(&self, key: impl AsRef<[u8]>, expires: Duration) -> Operation<bool> {
        let request = Request { expiry: Some(expiry(expires)), ..Request::new(Verb::Invalidate, key) };
        Operation::new(self, request, Answer::found)
    }

    /// Deletes everything on the server, now or after [`Operation::expires`]. With several servers, only one
    /// of them is flushed: use a channel to each.
    pub fn flush(&self) -> Operation<u64> {
        Operation::new(self, Request::new(Verb::Flush, ""), Answer::stored)
    }

    /// The version of the server; with several servers, of one of them.
    pub fn version(&self) -> Operation<String> {
        Operation::new(self, Request::new(Verb::Version, ""), Answer::text)
    }

    /// Operations that are sent together and awaited together.
    pub fn batch(&self) -> Batch<Vec<Answer>> {
        Batch::new(self, Vec::new(), false, Ok)
    }

    /// Numbers for this many requests, one after another.
    pub(crate) fn opaques(&self, requests: u32) -> u32 {
        self.opaque.fetch_add(requests, Relaxed)
    }

    /// # Errors
    /// The request's key cannot be sent.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Error> {
        if !request.has_key() {
            return Ok(());
        }
        key::check(&request.key, self.binary_keys).map_err(Error::Key)?;
        if !self.form.can_key(&request.key) {
            return Err(Error::Key(KeyError::TooLong));
        }
        Ok(())
    }

    /// For each place on the ring a number that stands for its present server; `None`: unknown.
    pub(crate) fn servers(&self, places: &[u64]) -> Vec<Option<usize>> {
        self.channel.servers_of(places)
    }

    /// The call with this body.
    pub(crate) fn send(&self, body: Bytes, place: u64, repeat: bool, timeout: Option<Duration>) -> Call<Raw> {
        let call = self.channel.call(TARGET, body).key(place).idempotent(repeat);
        match timeout {
            Some(timeout) => call.timeout(timeout),
            None => call,
        }
    }
}

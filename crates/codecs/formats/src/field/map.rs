//! Fields of type `map<K, V>`.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher},
};

/// A field of type `map<K, V>`: a [`HashMap`] of the standard library with a faster hasher.
///
/// `HashMap::new` and `HashMap::from` exist for the standard hasher alone; write `Map::default()`, or
/// collect:
///
/// ```
/// # use polywire_formats::Map;
/// let mut stock: Map<String, u32> = [("apples".to_owned(), 3)].into_iter().collect();
/// stock.insert("pears".to_owned(), 5);
/// assert_eq!(stock["apples"] + stock["pears"], 8);
/// ```
pub type Map<K, V> = HashMap<K, V, MapState>;

/// The hasher state of a [`Map`]: seeded at random when the program starts, like the standard library's, and
/// faster.
#[derive(Clone, Default, Debug)]
pub struct MapState(foldhash::fast::RandomState);

impl BuildHasher for MapState {
    type Hasher = KeyHasher;

    #[inline]
    fn build_hasher(&self) -> KeyHasher {
        KeyHasher(self.0.build_hasher())
    }
}

/// The hasher of a [`Map`].
#[derive(Clone)]
pub struct KeyHasher(foldhash::fast::FoldHasher<'static>);

macro_rules! writes {
    ($($write:ident($type:ty);)*) => {
        impl Hasher for KeyHasher {
            $(
                #[inline]
                fn $write(&mut self, value: $type) {
                    self.0.$write(value);
                }
            )*

            #[inline]
            fn finish(&self) -> u64 {
                self.0.finish()
            }
        }
    };
}

writes! {
    write(&[u8]);
    write_u8(u8);
    write_u16(u16);
    write_u32(u32);
    write_u64(u64);
    write_u128(u128);
    write_usize(usize);
}

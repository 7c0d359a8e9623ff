//! A number that is split into many cells, each with one writer.

use std::{
    array,
    cell::Cell,
    marker::PhantomData,
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// An atomic on its own cache line, so that writers on different cores do not contend for one. (It takes two
/// lines, because the prefetcher of common processors fetches them in pairs.)
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Padded(pub AtomicU64);

/// Cells for writers that own none.
const STRIPES: usize = 8;

/// A sum modulo 2^64: the cells of owners, what former owners counted, and what others added.
pub(crate) struct Cells {
    stripes: [Padded; STRIPES],
    /// Cells of existing owners. Locked to read the sum, and to add or remove a cell; never to write.
    owned: Mutex<Vec<Arc<Padded>>>,
}

impl Cells {
    pub fn new() -> Arc<Self> {
        Arc::new(Cells { stripes: array::from_fn(|_| Padded::default()), owned: Mutex::default() })
    }

    /// Adds to a shared cell; any thread may call it.
    #[inline]
    pub fn add(&self, n: u64) {
        self.stripes[stripe()].0.fetch_add(n, Relaxed);
    }

    pub fn sum(&self) -> u64 {
        // Locked while the shared cells are read, so that a cell that is removed meanwhile is counted once.
        let owned = lock(&self.owned);
        let cells = owned.iter().map(|cell| &**cell).chain(&self.stripes);
        cells.fold(0, |sum, cell| sum.wrapping_add(cell.0.load(Relaxed)))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spreads threads over the shared cells by the address of a thread-local, which needs no counter.
#[inline]
fn stripe() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    let address = HERE.with(|here| ptr::from_ref(here).addr() as u64);
    ((address >> 6).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as usize % STRIPES
}

/// One owner's cell. It may move between threads but not be shared, so a load and a store lose no update.
pub(crate) struct Owned {
    cell: Arc<Padded>,
    of: Arc<Cells>,
    /// Makes it `!Sync`.
    one_owner: PhantomData<Cell<()>>,
}

impl Owned {
    pub fn new(of: &Arc<Cells>) -> Self {
        let cell = Arc::new(Padded::default());
        lock(&of.owned).push(cell.clone());
        Owned { cell, of: of.clone(), one_owner: PhantomData }
    }

    #[inline]
    pub fn add(&self, n: u64) {
        self.cell.0.store(self.cell.0.load(Relaxed).wrapping_add(n), Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.cell.0.load(Relaxed)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let mut owned = lock(&self.of.owned);
        owned.retain(|cell| !Arc::ptr_eq(cell, &self.cell));
        self.of.stripes[0].0.fetch_add(self.get(), Relaxed);
    }
}

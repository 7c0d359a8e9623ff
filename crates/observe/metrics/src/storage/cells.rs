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
#[repr(align(128))]
struct Padded(AtomicU64);

/// Cells for writers that own none.
const STRIPES: usize = 8;

/// How the values of the cells are combined into one.
pub(crate) trait Combine: Send + Sync + 'static {
    /// The value of an unused cell.
    const EMPTY: u64;
    fn combined(a: u64, b: u64) -> u64;
    /// Writes to a cell that others write as well.
    fn write_shared(cell: &AtomicU64, n: u64);
    /// Writes to a cell that has no other writer; a reader may take its value.
    fn write_alone(cell: &AtomicU64, n: u64);
}

/// A sum modulo 2^64.
pub(crate) struct Sum;

impl Combine for Sum {
    const EMPTY: u64 = 0;

    fn combined(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    #[inline]
    fn write_shared(cell: &AtomicU64, n: u64) {
        cell.fetch_add(n, Relaxed);
    }

    #[inline]
    fn write_alone(cell: &AtomicU64, n: u64) {
        cell.store(cell.load(Relaxed).wrapping_add(n), Relaxed);
    }
}

/// The cells of owners, the total of former owners, and writes without an owner.
pub(crate) struct Cells<C = Sum> {
    stripes: [Padded; STRIPES],
    /// Cells of existing owners. Locked to read the value, and to add or remove a cell; never to write.
    owned: Mutex<Vec<Arc<Padded>>>,
    combine: PhantomData<fn() -> C>,
}

fn empty<C: Combine>() -> Padded {
    Padded(AtomicU64::new(C::EMPTY))
}

impl<C: Combine> Cells<C> {
    pub fn new() -> Arc<Self> {
        Arc::new(Cells {
            stripes: array::from_fn(|_| empty::<C>()),
            owned: Mutex::default(),
            combine: PhantomData,
        })
    }

    /// Writes to a shared cell; any thread may call it.
    #[inline]
    pub fn write(&self, n: u64) {
        C::write_shared(&self.stripes[stripe()].0, n);
    }

    pub fn get(&self) -> u64 {
        self.read(|cell| cell.load(Relaxed))
    }

    /// Takes the value and empties the cells.
    pub fn take(&self) -> u64 {
        self.read(|cell| cell.swap(C::EMPTY, Relaxed))
    }

    fn read(&self, read: impl Fn(&AtomicU64) -> u64) -> u64 {
        // Locked while the shared cells are read, so that a cell that is removed meanwhile is counted once.
        let owned = lock(&self.owned);
        let cells = owned.iter().map(|cell| &**cell).chain(&self.stripes);
        cells.fold(C::EMPTY, |value, cell| C::combined(value, read(&cell.0)))
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

/// A cell with a single owner. It may move between threads but not be shared, so a load and a store lose no
/// update.
pub(crate) struct Owned<C: Combine = Sum> {
    cell: Arc<Padded>,
    of: Arc<Cells<C>>,
    /// Makes it `!Sync`.
    one_owner: PhantomData<Cell<()>>,
}

impl<C: Combine> Owned<C> {
    pub fn new(of: &Arc<Cells<C>>) -> Self {
        let cell = Arc::new(empty::<C>());
        lock(&of.owned).push(cell.clone());
        Owned { cell, of: of.clone(), one_owner: PhantomData }
    }

    #[inline]
    pub fn write(&self, n: u64) {
        C::write_alone(&self.cell.0, n);
    }

    pub fn get(&self) -> u64 {
        self.cell.0.load(Relaxed)
    }
}

impl<C: Combine> Drop for Owned<C> {
    fn drop(&mut self) {
        let mut owned = lock(&self.of.owned);
        owned.retain(|cell| !Arc::ptr_eq(cell, &self.cell));
        C::write_shared(&self.of.stripes[0].0, self.get());
    }
}

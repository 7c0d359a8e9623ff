//! Variables with several labels whose combinations are determined when they are read.

use super::{Labels, Reading, Variable};

/// One reading for each combination of label values, computed when it is read. For sets that change by
/// themselves, such as the servers of a channel. `read` limits their number, and returns the labels of
/// `keys`.
///
/// ```
/// # use polywire_metrics::{Computed, Reading, Registry};
/// let registry = Registry::new();
/// let disks = || vec![(vec!["sda".to_owned()], Reading::Level(7))];
/// registry.expose("free_bytes", Computed::new(["disk"], Reading::Level(0), disks))?;
/// assert_eq!(registry.vars(""), "free_bytes{disk=\"sda\"} : 7\r\n");
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
pub struct Computed<F, const N: usize> {
    keys: [&'static str; N],
    example: Reading,
    read: F,
}

impl<F, const N: usize> Computed<F, N>
where
    F: Fn() -> Vec<(Vec<String>, Reading)> + Send + Sync,
{
    /// `example` has the kind of all readings.
    pub fn new(keys: [&'static str; N], example: Reading, read: F) -> Self {
        Computed { keys, example, read }
    }

    fn labels(&self, values: Vec<String>) -> Labels {
        self.keys.iter().map(|key| (*key).to_owned()).zip(values).collect()
    }
}

impl<F, const N: usize> Variable for Computed<F, N>
where
    F: Fn() -> Vec<(Vec<String>, Reading)> + Send + Sync,
{
    fn read(&self) -> Reading {
        let read = (self.read)().into_iter();
        Reading::Labelled(read.map(|(values, reading)| (self.labels(values), reading)).collect())
    }

    fn example(&self) -> Reading {
        Reading::Labelled(vec![(self.labels(vec![String::new(); N]), self.example.clone())])
    }
}

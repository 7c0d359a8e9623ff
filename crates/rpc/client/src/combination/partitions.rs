//! The channels of partitions: each has the servers of the name that belong to its partition.

use crate::{
    combination::{parallel::Calls, part::Mapper, reply::Merger, verdict::Limits},
    core::{Core, SharedCore},
    recipe::Recipe,
    servers::{Filter, FleetOptions, Servers, SharedSource},
};
use polywire_balance::{Capacity, Partition};
use polywire_naming::{Server, Source, Watched};
use std::sync::Arc;

/// Returns the partition of a server, if it has one.
pub(super) type Parser = Arc<dyn Fn(&Server) -> Option<Partition> + Send + Sync>;

/// Makes the channels of partitions.
pub(super) struct Maker {
    pub recipe: Recipe,
    /// The fleet options, whose naming source is not used: all partitions share one watch of it.
    pub fleet: FleetOptions,
    pub watched: Watched,
    pub parser: Parser,
    pub limits: Limits,
    pub mapper: Option<Arc<dyn Mapper>>,
    pub merger: Option<Arc<dyn Merger>>,
}

/// One way of partitioning the data.
pub(super) struct Way {
    pub count: u32,
    pub cores: Vec<SharedCore>,
    pub calls: Arc<Calls>,
}

impl Maker {
    /// A partitioning with a channel for each of `count` partitions.
    pub fn way(&self, count: u32) -> Way {
        let core = |index| Arc::new(Arc::new(self.core(Partition { index, count })));
        let cores: Vec<_> = (0..count).map(core).collect();
        let (mapper, merger) = (self.mapper.clone(), self.merger.clone());
        let calls = Calls::of("partitioned", &cores, mapper, self.limits, merger);
        Way { count, cores, calls: Arc::new(calls) }
    }

    fn core(&self, partition: Partition) -> Core {
        let (parser, before) = (self.parser.clone(), self.fleet.filter.clone());
        let filter: Filter = Arc::new(move |server| {
            before.as_ref().is_none_or(|before| before(server)) && parser(server) == Some(partition)
        });
        let source: Arc<dyn Source> = Arc::new(SharedSource::new(self.watched.clone()));
        let fleet = FleetOptions { source, filter: Some(filter), ..self.fleet.clone() };
        let Partition { index, count } = partition;
        self.recipe.named(&format!("{} partition {index}/{count}", self.recipe.spec.address), Some(fleet))
    }
}

impl Way {
    /// The capacity of the partition with the least.
    pub fn capacity(&self) -> Capacity {
        Capacity::least(self.cores.iter().map(|core| match &core.servers {
            Servers::Many(fleet) => fleet.capacity(),
            Servers::One(_) | Servers::Routed(_) | Servers::Combined(_) => Capacity::default(),
        }))
    }
}

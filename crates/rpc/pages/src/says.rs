//! What pages say outside of themselves: on the overview, and on the page of a method.

use polywire_console::Section;
use std::sync::Arc;

/// The time that calls of a method spend elsewhere, such as in calls to other servers; see
/// [`Page::on_method`](crate::page::Page::on_method).
#[derive(Clone, Debug, Default)]
pub struct Elsewhere {
    /// How many calls of the method are there in the mean: seconds spent there in each second.
    pub in_flight: f64,
    /// The place where most of them are, and how many.
    pub most: (String, f64),
    /// What the method's page shows of it.
    pub sections: Vec<Section>,
}

/// What a page has to say on the overview: findings, and tables of its own.
pub(crate) type Says = Arc<dyn Fn() -> Vec<Section> + Send + Sync>;

/// What a page has to say of where the time of a method goes.
pub(crate) type SaysOfMethod = Arc<dyn Fn(&str) -> Option<Elsewhere> + Send + Sync>;

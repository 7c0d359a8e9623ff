//! How important a call is.

/// The importance of a call, as its caller states it in the field `x-criticality`: `critical_plus`,
/// `critical`, `sheddable_plus` or `sheddable`. While a queue stands, more important calls go first and less
/// important ones are refused first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Rank {
    /// Users notice at once if it fails. Servers take it only from callers with an identity: of others it is
    /// [`Rank::Critical`].
    CriticalPlus,
    /// The default rank of calls.
    #[default]
    Critical,
    /// Part of such calls may fail for minutes (batches).
    SheddablePlus,
    /// All such calls may fail for a while.
    Sheddable,
}

impl Rank {
    /// All ranks, the most important first.
    pub const ALL: [Rank; 4] = [Rank::CriticalPlus, Rank::Critical, Rank::SheddablePlus, Rank::Sheddable];
    /// The metadata field that carries the rank of a call.
    pub const FIELD: &'static str = "x-criticality";

    /// The rank of this name; another text is [`Rank::Critical`].
    pub fn by_name(name: &[u8]) -> Rank {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match () {
            () if is("critical_plus") => Rank::CriticalPlus,
            () if is("sheddable_plus") => Rank::SheddablePlus,
            () if is("sheddable") => Rank::Sheddable,
            () => Rank::Critical,
        }
    }
}

//! Decides a server's state from its checks.

/// The state of a server according to its checks.
///
/// ```text
///             good                       `unhealthy` failures in a row, or one answer "not well"
///  Unknown ─────────► Well ◄──────────────────────────────────────────► Ill
///     │                          `healthy` good ones in a row            ▲
///     └──────────────────────────────────────────────────────────────────┘ a failure
/// ```
///
/// Source: Envoy's active health checking: the first check of a host decides alone, and an unexpected HTTP
///         status does not wait for the threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Standing {
    #[default]
    Unknown,
    /// Failures in a row.
    Well { failed: u32 },
    /// Good checks in a row.
    Ill { good: u32 },
}

/// The server is to be brought back, or to be taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Well,
    Ill,
}

impl Standing {
    /// A check was good. `healthy`: how many in a row bring a server back.
    pub fn good(&mut self, healthy: u32) -> Option<Change> {
        let so_far = match *self {
            Standing::Well { .. } => {
                *self = Standing::Well { failed: 0 };
                return None;
            }
            Standing::Unknown => healthy,
            Standing::Ill { good } => good.saturating_add(1),
        };
        if so_far < healthy {
            *self = Standing::Ill { good: so_far };
            return None;
        }
        *self = Standing::Well { failed: 0 };
        Some(Change::Well)
    }

    /// Records a failed check. `unhealthy`: the number of failures in a row that take a server out;
    /// `at_once`: the server itself reported that it is unhealthy.
    pub fn failed(&mut self, unhealthy: u32, at_once: bool) -> Option<Change> {
        let so_far = match *self {
            Standing::Ill { .. } => {
                *self = Standing::Ill { good: 0 };
                return None;
            }
            Standing::Unknown => unhealthy,
            Standing::Well { failed } => failed.saturating_add(1),
        };
        if so_far < unhealthy && !at_once {
            *self = Standing::Well { failed: so_far };
            return None;
        }
        *self = Standing::Ill { good: 0 };
        Some(Change::Ill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_check_decides_and_then_so_many_in_a_row() {
        let mut standing = Standing::default();
        assert_eq!(standing.good(2), Some(Change::Well));
        assert_eq!([standing.failed(3, false), standing.failed(3, false)], [None, None]);
        assert_eq!(standing.good(2), None, "which forgives the failures");
        assert_eq!([(); 3].map(|()| standing.failed(3, false)), [None, None, Some(Change::Ill)]);
        assert_eq!(standing.failed(3, false), None, "it is out already");
        assert_eq!([standing.good(2), standing.failed(3, false), standing.good(2)], [None; 3]);
        assert_eq!(standing.good(2), Some(Change::Well));
        assert_eq!(standing.failed(3, true), Some(Change::Ill), "it says so itself");
        assert_eq!(Standing::default().failed(3, false), Some(Change::Ill));
    }
}

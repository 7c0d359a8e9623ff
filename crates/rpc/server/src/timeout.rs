//! The time that calls of a method may take, whatever their callers say: [`Method::timeout`].
//!
//! A handler with such a limit is wrapped when the server starts, so that others do not pay for it. The
//! wrapper sets the deadline that the handler sees; a call that waits is ended by the dispatcher's timer.
//!
//! [`Method::timeout`]: crate::Method::timeout

use crate::service::{Call, Handler, Instance, Service, Started};
use std::{mem, time::Duration};

/// A handler whose calls may take this long.
struct Timed {
    handler: Box<dyn Handler>,
    most: Duration,
}

impl Handler for Timed {
    fn start(&self, mut call: Call) -> Started {
        call.cx.shorten(self.most);
        self.handler.start(call)
    }
}

/// The services with limits around those methods that have one.
pub(crate) fn around(mut services: Vec<Service>) -> Vec<Service> {
    for method in services.iter_mut().flat_map(|service| &mut service.methods) {
        let Some(most) = method.timeout else { continue };
        let placeholder: Instance = Box::new(|| unreachable!("replaced below"));
        let instance = mem::replace(&mut method.instance, placeholder);
        method.instance = Box::new(move || Box::new(Timed { handler: instance(), most }));
    }
    services
}

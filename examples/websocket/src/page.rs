//! The page and its scripts, as files that the program has in itself.

use polywire::{
    Content, Handler, IoBuf, Metadata, Method, Service, Started,
    handler::{Call, Outcome},
};

const FILES: &[(&str, &str, &str)] = &[
    ("GET /room", "text/html; charset=utf-8", include_str!("../page/room.html")),
    ("GET /room.js", "text/javascript; charset=utf-8", include_str!("../page/room.js")),
    // The client for pages: a copy of it is all that a page needs.
    (
        "GET /polywire.js",
        "text/javascript; charset=utf-8",
        include_str!("../../../crates/services/websocket/js/polywire.js"),
    ),
];

pub fn service() -> Service {
    FILES.iter().fold(Service::new("page", &[]), |service, &(path, kind, text)| {
        let method = Method::new(path, move || Box::new(File { kind, text })).path(path);
        service.with(method)
    })
}

struct File {
    kind: &'static str,
    text: &'static str,
}

impl Handler for File {
    fn start(&self, _: Call) -> Started {
        let fields: Metadata = [("content-type", self.kind)].into_iter().collect();
        Started::Ready(Outcome {
            body: IoBuf::from(self.text),
            content: Content::RAW,
            reply: true,
            trailers: Some(Box::new(fields)),
            ..Outcome::default()
        })
    }
}

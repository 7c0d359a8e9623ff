//! A raw handler: it reads the request line and the body's bytes, and chooses status, headers and content
//! type.

use polywire::{
    Content, Handler, IoBuf, Metadata, Method, Native, Started, Status,
    handler::{Call, Outcome},
};

/// Handles every path below its service.
pub fn method() -> Method {
    Method::new("default_method", || Box::new(Label))
}

/// Turns a posted text into a label: `POST /label/FORM`.
struct Label;

impl Handler for Label {
    fn start(&self, call: Call) -> Started {
        let text = String::from_utf8_lossy(&call.body.to_vec()).into_owned();
        let posted = call.cx.metadata().get(":method") == Some(b"POST");
        let (form, content_type) = match call.cx.unresolved_path().as_str() {
            _ if !posted => return failed(405, "post a text to /label/plain or /label/html"),
            "plain" => (format!("[ {text} ]\n"), "text/plain; charset=utf-8"),
            "html" => (format!("<b>{}</b>\n", escaped(&text)), "text/html; charset=utf-8"),
            other => return failed(404, format!("no form {other:?}")),
        };
        let headers: Metadata =
            [("content-type", content_type), ("x-letters", &text.len().to_string())].into_iter().collect();
        Started::Ready(Outcome {
            // The code of success can be chosen too: 201 Created.
            status: Status::OK.with_native(Native::Http(201)),
            body: IoBuf::from(form),
            content: Content::RAW,
            reply: true,
            trailers: Some(Box::new(headers)),
            ..Outcome::default()
        })
    }
}

fn failed(code: u16, text: impl Into<Box<str>>) -> Started {
    let status = Status::invalid_argument(text).with_native(Native::Http(code));
    Started::Ready(Outcome { status, ..Outcome::default() })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

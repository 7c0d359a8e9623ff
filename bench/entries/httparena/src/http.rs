//! What is asked by path.

use crate::arena::{Arena, Items, Numbers, Part};
use polywire::{Compression, Context, HttpBody, Message, Reply, Status, wkt::Empty};
use std::sync::Arc;

#[derive(Clone)]
pub struct Pages {
    items: Arc<Items>,
}

impl Pages {
    /// With the data set, an array of items.
    pub fn read(path: &str) -> polywire::Result<Self> {
        let array = std::fs::read_to_string(path)?;
        Ok(Pages { items: Arc::new(Items::from_json(&format!(r#"{{"items":{array}}}"#))?) })
    }
}

impl Arena for Pages {
    async fn sum(&self, _: &Context, numbers: Numbers) -> Result<Reply<HttpBody>, Status> {
        let of_body = match numbers.number.as_option() {
            Some(body) => number(&body.data)?,
            None => 0,
        };
        Ok(text(numbers.a.wrapping_add(numbers.b).wrapping_add(of_body).to_string()))
    }

    async fn pipeline(&self, _: &Context, _: Empty) -> Result<Reply<HttpBody>, Status> {
        Ok(text("ok"))
    }

    async fn json(&self, _: &Context, part: Part) -> Result<Reply<Items>, Status> {
        let all = &self.items.items;
        let mut items = all[..all.len().min(part.count as usize)].to_vec();
        for item in &mut items {
            let total = item.price.checked_mul(item.quantity).and_then(|price| price.checked_mul(part.m));
            item.total = total.ok_or_else(|| Status::invalid_argument("m is too large"))?;
        }
        let reply = Items { count: items.len() as u32, items, ..Default::default() };
        // For callers that accept it.
        Ok(Reply::new(reply).compress(Compression::GZIP))
    }

    async fn upload(&self, _: &Context, body: HttpBody) -> Result<Reply<HttpBody>, Status> {
        Ok(text(body.data.len().to_string()))
    }
}

fn number(text: &[u8]) -> Result<i64, Status> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| Status::invalid_argument("the body is no number"))
}

fn text(text: impl Into<String>) -> Reply<HttpBody> {
    let data = text.into().into_bytes();
    HttpBody { content_type: "text/plain".into(), data, ..Default::default() }.into()
}

//! esp on the command line: the numbers of a head and a body in, a body out.

use crate::{
    failure::Failure,
    request::{Asked, Subject, input},
};
use polywire::{
    Content, Raw, Target,
    esp::{Frame, Head},
};
use std::sync::Arc;

/// The head of a frame, as it was typed.
struct Typed {
    name: String,
    head: Head,
    sample: &'static str,
}

/// Reads the head that the user named: MSG [MSG_ID [TO [FROM]]].
pub fn frame(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let name = asked.name.unwrap_or(asked.method);
    let head = head(name).ok_or_else(|| {
        let text =
            "is no head of esp: MSG [MSG_ID [TO [FROM]]], numbers in decimal, or in hexadecimal after 0x";
        Failure::usage(format!("{name:?} {text}"))
    })?;
    Ok(Arc::new(Typed { name: name.to_owned(), head, sample: asked.request }))
}

impl Subject for Typed {
    fn target(&self) -> Target {
        Target::fixed("", "")
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    /// The body, from a text or a file.
    fn requests(&self, input: Option<&str>, _: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let body = input::text_or_file(input.unwrap_or(self.sample))?;
        Ok(vec![Frame { head: self.head, body: body.into() }.to_bytes().to_vec()])
    }

    fn reply(&self, reply: Raw) -> Result<String, String> {
        let mut reply = Frame::from_bytes(reply.body).ok_or("the reply has no head")?;
        Ok(String::from_utf8_lossy(reply.body.contiguous()).into_owned())
    }
}

/// A head from numbers divided by spaces.
fn head(text: &str) -> Option<Head> {
    let mut numbers = text.split_whitespace().map(|word| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    });
    let msg = numbers.next()??.try_into().ok()?;
    let mut next = || numbers.next().unwrap_or(Some(0));
    let (msg_id, to, from) = (next()?, next()?.into(), next()?.into());
    numbers.next().is_none().then_some(Head { from, to, msg, msg_id })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire::esp::Address;

    #[test]
    fn a_head_is_one_to_four_numbers() {
        let to = Address { stub: 1, port: 0x2211, ip: 0x0100_007f };
        assert_eq!(head("9"), Some(Head { msg: 9, ..Head::default() }));
        assert_eq!(
            head(" 9 10  0x0100007f22110001 "),
            Some(Head { to, msg: 9, msg_id: 10, ..Head::default() })
        );
        assert_eq!(head("0xff 0 0 7").map(|head| (head.msg, head.from.stub)), Some((255, 7)));
        for wrong in ["", "x", "4294967296", "-1", "9 x", "1 2 3 4 5", "0x"] {
            assert_eq!(head(wrong), None, "{wrong:?}");
        }
    }
}

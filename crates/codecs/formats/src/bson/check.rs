//! Whether bytes are a document, with all that is inside. Without recursion: the elements of each open
//! document wait on a stack of at most [`MAX_DEPTH`].

use super::{Elements, Error, MAX_DEPTH, View, value::document};

pub(super) fn check(bytes: &[u8]) -> Result<(), Error> {
    let (whole, rest) = document(bytes)?;
    if !rest.is_empty() {
        return Err(Error::Length);
    }
    let mut outer: Vec<Elements<'_>> = Vec::new();
    let mut elements = whole.iter();
    loop {
        match elements.read()? {
            Some((_, value)) => {
                let Some(inner) = value.inner() else { continue };
                if outer.len() + 1 >= MAX_DEPTH {
                    return Err(Error::TooDeep);
                }
                outer.push(std::mem::replace(&mut elements, View::of(inner).iter()));
            }
            None => match outer.pop() {
                Some(of_outer) => elements = of_outer,
                None => return Ok(()),
            },
        }
    }
}

impl View<'_> {
    /// Checks all that is inside, as [`Document::from_bytes`](super::Document::from_bytes) does.
    ///
    /// # Errors
    /// Something is wrong.
    pub fn check(&self) -> Result<(), Error> {
        check(self.as_bytes())
    }
}

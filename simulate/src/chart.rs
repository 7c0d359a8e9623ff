//! Charts as SVG.

#[derive(Clone, Debug)]
pub struct Chart {
    pub name: &'static str,
}

impl Chart {
    pub fn svg(&self) -> String {
        String::new()
    }
}

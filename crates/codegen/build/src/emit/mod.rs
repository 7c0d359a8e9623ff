//! Generates Rust source from descriptors and model.
//!
//! ```text
//! OUT_DIR/polywire/
//!   <package>.rs               messages, services, descriptors of a package
//!   <package>.binpb            its FileDescriptorSet, imports included
//!   include/<prefix>.rs        module tree of the packages below a prefix: `polywire::include!("prefix")`
//!   all.rs                     module tree of all packages: `polywire::include!()`
//! ```
//!
//! Files without a package are named `_`.

mod buffa;
mod buffers;
mod descriptors;
mod mcpack;
mod messages;
pub(crate) mod numbers;
mod package;
mod paths;
#[cfg(feature = "prost")]
mod prost;
mod runtime;
pub(crate) mod service;
mod text;
mod tree;
mod typed;
mod views;
mod well_known;

pub(crate) use service::Prelude;
pub(crate) use text::Text;

use crate::{Config, Error, model::Model, parsed::Parsed};
use typed::Typed;

/// A file to write, with its path below the output directory.
pub(crate) struct File {
    pub name: String,
    pub content: Vec<u8>,
}

impl File {
    pub fn source(name: String, text: String) -> File {
        File { name, content: text.into_bytes() }
    }
}

/// The files of packages, without the module trees.
pub(crate) fn packages(config: &Config, parsed: &Parsed, model: &Model) -> Result<Vec<File>, Error> {
    let typed = Typed::of(config, parsed);
    #[cfg(feature = "prost")]
    let messages = if config.prost {
        prost::generate(config, &typed.parsed)?
    } else {
        buffa::generate(config, &typed, model)?
    };
    #[cfg(not(feature = "prost"))]
    let messages = buffa::generate(config, &typed, model)?;
    let mut files = Vec::new();
    for (name, package) in &model.packages {
        let file = file_name(name);
        let needed = descriptors::files(parsed, package);
        let source = package::source(config, name, package, &messages, &typed.changed_in(&needed))?;
        files.push(File::source(format!("{file}.rs"), source));
        files.push(File { name: format!("{file}.binpb"), content: descriptors::of(parsed, &needed) });
    }
    Ok(files)
}

/// The module trees of these packages.
pub(crate) fn trees<'p>(packages: impl Iterator<Item = &'p str>) -> Vec<File> {
    tree::files(packages)
}

/// The file name of a package.
pub(crate) fn file_name(package: &str) -> &str {
    if package.is_empty() { "_" } else { package }
}

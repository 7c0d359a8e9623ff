//! The samples of generated code: which files, with which options. The golden files show our part of them,
//! and `polywire-samples` compiles all of it.

use polywire_build::{Config, Error};
use std::path::{Path, PathBuf};

pub struct Sample {
    pub name: &'static str,
    /// Below `tests`.
    pub folder: &'static str,
    pub files: &'static [&'static str],
    pub config: fn() -> Config,
}

impl Sample {
    /// Generates code into a folder.
    pub fn compile(&self, tests: &Path, out: &Path) -> Result<(), Error> {
        let folder = tests.join(self.folder);
        let files: Vec<PathBuf> = self.files.iter().map(|file| folder.join(file)).collect();
        (self.config)().include(folder).out_dir(out).compile(&files)
    }
}

pub const PROTOBUF: Sample = Sample {
    name: "protobuf",
    folder: "protos",
    files: &["echo.proto", "shapes.proto", "awkward.proto", "rootless.proto", "talk.proto", "keywords.proto"],
    config: Config::new,
};

pub const EDITIONS: Sample = Sample {
    name: "editions",
    folder: "protos",
    files: &["edition.proto", "edition_next.proto"],
    config: Config::new,
};

pub const GBK: Sample = Sample {
    name: "gbk",
    folder: "protos",
    files: &["gbk.proto"],
    config: || {
        let config = Config::new().mcpack(true).bytes(".gbk.Text.shared").strings_as_bytes(".gbk.Text");
        let config = config.strings_as_bytes(".gbk.Value").strings_as_bytes(".gbk.Either");
        config.strings_as_bytes(".gbk.Partly.must").strings_as_bytes(".gbk.Partly.names")
    },
};

pub const MCPACK: Sample = Sample {
    name: "mcpack",
    folder: "protos",
    files: &["mcpack.proto"],
    config: || {
        let config = Config::new().mcpack(true).bytes(".mcpack.All.y").bytes(".mcpack.All.ry");
        config.bytes(".mcpack.Blob.data")
    },
};

/// Rules of `google.api.http`.
pub const REST: Sample =
    Sample { name: "rest", folder: "protos", files: &["library.proto"], config: Config::new };

/// Methods that receive views.
pub const VIEWS: Sample = Sample {
    name: "views",
    folder: "protos",
    files: &["views.proto"],
    config: || {
        let config =
            Config::new().views(".views.Stock.Echo").views("views.Stock/Watch").bytes(".views.Order.shared");
        config.views(".views.Stock.Collect").views(".views.Stock.Chat")
    },
};

/// Owned structs for tables of FlatBuffers.
pub const SHIP: Sample = Sample {
    name: "ship",
    folder: "schemas",
    files: &["ship.fbs"],
    config: || Config::new().object_api(true),
};

//! A run: files are read, Rust is generated for them and written.

use crate::{
    Config, Error, emit, fbs,
    model::{self, Model},
    parsed::Parsed,
    thrift,
    written::Written,
};
use polywire_fbs::Schema;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

impl Config {
    /// Generates code for these files. Packages of several calls are kept, but files of packages that refer
    /// to each other have to be in one call.
    ///
    /// # Errors
    /// An error in the files, in an option, or of writing the result; see [`Error`].
    pub fn compile(self, files: &[impl AsRef<Path>]) -> Result<(), Error> {
        let out_dir = self.out_dir.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        let mut written = Written::at(out_dir.ok_or(Error::NoOutDir)?.join("polywire"));
        let files = files.iter().map(|file| file.as_ref().to_owned());
        let is = |file: &PathBuf, ending: &str| file.to_string_lossy().ends_with(ending);
        let (schemas, others): (Vec<_>, Vec<_>) = files.partition(|file| is(file, ".fbs"));
        let (thrifts, protos): (Vec<_>, Vec<_>) = others.into_iter().partition(|file| is(file, ".thrift"));
        let (mut made, mut sources, mut packages) = (Vec::new(), Vec::new(), BTreeSet::new());
        let parsed = if protos.is_empty() { None } else { Some(Parsed::read(&self, &protos)?) };
        model::options::check(&self, parsed.as_ref())?;
        if let Some(parsed) = parsed {
            let model = Model::new(&self, &parsed)?;
            made.extend(emit::packages(&self, &parsed, &model)?);
            packages.extend(model.packages.into_keys());
            sources.extend(parsed.sources);
        }
        if !schemas.is_empty() {
            let schema =
                Schema::read(&schemas, &self.includes).map_err(|error| Error::Schema(error.to_string()))?;
            let (files, namespaces) = fbs::files(&self, &schema)?;
            if let Some(both) = namespaces.iter().find(|name| packages.contains(*name)) {
                return Err(Error::Names(format!("`{both}` is the package of a .proto and of a .fbs file")));
            }
            made.extend(files);
            packages.extend(namespaces);
            sources.extend(schema.sources);
        }
        if !thrifts.is_empty() {
            let mut schema = polywire_thrift_idl::Schema::read(&thrifts, &self.includes)
                .map_err(|error| Error::Thrift(error.to_string()))?;
            let (files, namespaces) = thrift::files(&self, &mut schema)?;
            if let Some(both) = namespaces.iter().find(|name| packages.contains(*name)) {
                let what =
                    format!("`{both}` is the namespace of a .thrift file and the package of another file");
                return Err(Error::Names(what));
            }
            made.extend(files);
            packages.extend(namespaces);
            sources.extend(schema.files.into_iter().map(|file| file.path));
        }
        for source in sources {
            println!("cargo:rerun-if-changed={}", source.display());
        }
        written.packages(&made, packages)?;
        written.finish()
    }
}

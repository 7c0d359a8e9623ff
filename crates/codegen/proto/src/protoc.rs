//! Reads files with the program `protoc`, which the user has installed.

use crate::{Error, Files, decoded, google, no_such_file};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

pub(crate) fn read(
    files: &[impl AsRef<Path>],
    includes: &[PathBuf],
    directories: &[PathBuf],
) -> Result<Files, Error> {
    for file in files.iter().map(AsRef::as_ref) {
        if !file.exists() && !directories.iter().any(|directory| directory.join(file).exists()) {
            return Err(no_such_file(file, includes));
        }
    }
    let made = Folder::new().map_err(|e| Error(format!("no folder for what protoc writes: {e}")))?;
    let set = made.0.join("descriptors.binpb");
    // The last include is Google's files of this crate: those that the user has come first.
    let google = made.0.join("include");
    write_google(&google).map_err(|e| Error(format!("{}: {e}", google.display())))?;
    let protoc = env::var_os("PROTOC").unwrap_or_else(|| "protoc".into());
    let output = Command::new(&protoc)
        .args(["--include_imports", "--include_source_info"])
        .arg(joined("--descriptor_set_out=", &set))
        .args(directories.iter().chain([&google]).map(|directory| joined("--proto_path=", directory)))
        .args(files.iter().map(AsRef::as_ref))
        .output()
        .map_err(|e| not_started(&protoc.to_string_lossy(), &e))?;
    if !output.status.success() {
        return Err(Error(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()));
    }
    let bytes = fs::read(&set).map_err(|e| Error(format!("{}: {e}", set.display())))?;
    let files = decoded(&bytes)?;
    let names = || files.iter().filter_map(|file| file.name.as_deref());
    let on_disk = |name: &str| directories.iter().map(|d| d.join(name)).find(|path| path.exists());
    let sources = names().filter_map(on_disk).collect();
    let bundled = names().filter(|name| google::has(name) && on_disk(name).is_none());
    let bundled = bundled.map(str::to_owned).collect();
    let has_editions = files.iter().any(|file| file.edition.is_some());
    Ok(Files { files, sources, bundled, has_editions })
}

fn joined(option: &str, path: &Path) -> std::ffi::OsString {
    let mut joined = std::ffi::OsString::from(option);
    joined.push(path);
    joined
}

fn not_started(protoc: &str, error: &io::Error) -> Error {
    Error(format!(
        "cannot start {protoc}: {error}\nthis build reads .proto files with protoc: install it, name it in PROTOC, or turn on the feature `parser` of polywire-build (`full` of polywire-cli), which needs none"
    ))
}

fn write_google(include: &Path) -> io::Result<()> {
    google::FILES.iter().try_for_each(|(name, source)| {
        let path = include.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, source)
    })
}

/// A folder of this process, which is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Folder> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        // A build script has a folder of its own. Elsewhere, creating it fails if somebody else has taken the
        // name.
        let parent = env::var_os("OUT_DIR").map_or_else(env::temp_dir, PathBuf::from);
        let path = parent.join(format!("polywire-proto-{}-{}", process::id(), MADE.fetch_add(1, Relaxed)));
        fs::create_dir(&path).map(|()| Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // what is left is in the folder of the build, or in that for temporary files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protoc_that_is_missing_is_named_with_what_to_do() {
        let error = not_started("protoc", &io::Error::from(io::ErrorKind::NotFound)).to_string();
        assert!(error.starts_with("cannot start protoc: ") && error.contains("`parser`"), "{error}");
    }

    #[test]
    fn a_folder_goes_with_its_owner() {
        let (one, other) = (Folder::new().unwrap(), Folder::new().unwrap());
        write_google(&one.0).unwrap();
        let path = one.0.clone();
        assert!(path.join("google/api/http.proto").exists() && path != other.0);
        drop(one);
        assert!(!path.exists());
    }
}

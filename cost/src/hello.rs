//! Lines of LLVM IR that building hello world makes: what the compiler is given to optimise, crate by crate.
//!
//! `cargo check` writes it, before any pass of LLVM: no machine code is made and nothing is linked. The
//! sources are those of `bench/hello`; what `polywire-build` makes of the `.proto` file was made when this
//! program was built, so that the code generator and its dependencies, whose build is no part of these lines,
//! need not be built for it.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::Command,
};

/// Lines by crate: ours by their names, the programs by theirs, all others together.
pub fn lines(root: &Path, work: &Path) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    project(root, work)?;
    let output = Command::new("cargo")
        .args(["check", "--quiet", "--release", "--message-format=json", "--target", env!("COST_TARGET")])
        .current_dir(work)
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env("CARGO_ENCODED_RUSTFLAGS", "--emit=llvm-ir\x1f-Cno-prepopulate-passes")
        .env("POLYWIRE_PACKAGES", "hello")
        .env("POLYWIRE_PACKAGE_hello", env!("POLYWIRE_PACKAGE_hello"))
        .output()?;
    if !output.status.success() {
        return Err(format!("hello world: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let mut lines = BTreeMap::new();
    for message in (&output.stdout[..]).lines() {
        let message: serde_json::Value = serde_json::from_str(&message?)?;
        let Some(files) = message["filenames"].as_array() else { continue };
        for file in files.iter().filter_map(|file| Path::new(file.as_str()?).to_str()) {
            // libNAME-HASH.rmeta -> NAME-HASH.ll; what build scripts and macros are made of is in another
            // folder, and has no IR.
            let path = Path::new(file);
            if !path.starts_with(work.join("target").join(env!("COST_TARGET"))) {
                continue;
            }
            let Some(stem) =
                path.file_name().and_then(|name| name.to_str()?.strip_prefix("lib")?.strip_suffix(".rmeta"))
            else {
                continue;
            };
            let name = stem.split('-').next().unwrap_or(stem);
            let key = match name {
                "client" | "server" => format!("hello world's {name}"),
                _ if name.starts_with("polywire") => name.replace('_', "-"),
                _ => "all other crates".into(),
            };
            *lines.entry(key).or_default() += defined(&path.with_file_name(format!("{stem}.ll")))?;
        }
    }
    Ok(lines)
}

/// The project in this folder, as `bench/hello/run` makes it for the default features. What has not changed
/// keeps its time.
fn project(root: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    let manifest = format!(
        "[package]\nname = \"hello\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\
         polywire = {{ path = {:?} }}\n\n[profile.release]\ncodegen-units = 1\n",
        root.join("crates/polywire")
    );
    let bin = work.join("src/bin");
    fs::create_dir_all(&bin)?;
    put(&work.join("Cargo.toml"), manifest.as_bytes())?;
    // Cargo takes from it what is not ours to choose here: the versions.
    put(&work.join("Cargo.lock"), &fs::read(root.join("Cargo.lock"))?)?;
    for program in ["client.rs", "server.rs"] {
        put(&bin.join(program), &fs::read(root.join("bench/hello/polywire/bin").join(program))?)?;
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    match fs::read(path) {
        Ok(same) if same == bytes => Ok(()),
        _ => fs::write(path, bytes),
    }
}

/// Lines of the definitions of functions in a file of IR.
fn defined(path: &Path) -> Result<u64, Box<dyn Error>> {
    let file = fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut inside, mut lines) = (false, 0);
    for line in BufReader::new(file).split(b'\n') {
        let line = line?;
        inside |= line.starts_with(b"define ");
        lines += u64::from(inside);
        inside &= line != b"}";
    }
    Ok(lines)
}

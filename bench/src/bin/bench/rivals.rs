//! The rivals' programs: those whose crates `bench` has lie beside the driver; the others are built from
//! their folders when they are first asked for, or left out where that fails.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// A program that cargo does not build with the driver. Its folder has a script `build` that makes it in the
/// folder it is told.
struct Foreign {
    program: &'static str,
    /// Below `bench/`.
    folder: &'static str,
    needs: &'static str,
}

const FOREIGN: &[Foreign] = &[
    Foreign { program: "zmq_theirs", folder: "zmq", needs: "Debian: libzmq3-dev" },
    Foreign { program: "libevent_echo", folder: "libevent", needs: "Debian: libevent-dev" },
    Foreign {
        program: "grpc_cpp_echo",
        folder: "grpc_cpp",
        needs: "Debian: g++ pkg-config libgrpc++-dev protobuf-compiler-grpc",
    },
    Foreign {
        program: "grpc_go_echo",
        folder: "grpc_go",
        needs: "Go 1.26 and its modules; Debian: protobuf-compiler",
    },
    Foreign { program: "envoy", folder: "proxies", needs: "Debian: python3-venv; the wheel of PyPI" },
    Foreign { program: "volo_echo", folder: "rivals", needs: "its crates" },
    Foreign { program: "websocket_echo", folder: "rivals", needs: "its crates" },
    Foreign { program: "cache_clients", folder: "rivals", needs: "its crates" },
];

/// Where the programs are, and which could be built.
pub struct Rivals {
    folder: PathBuf,
    built: RefCell<BTreeMap<&'static str, bool>>,
}

impl Rivals {
    pub fn new(folder: PathBuf) -> Rivals {
        Rivals { folder, built: RefCell::default() }
    }

    /// A rival's program, if it is there or can be built.
    pub fn program(&self, name: &str) -> Option<String> {
        let path = self.folder.join(name);
        if let Some(foreign) = FOREIGN.iter().find(|foreign| foreign.program == name) {
            let mut built = self.built.borrow_mut();
            built.entry(foreign.program).or_insert_with(|| foreign.build(&path, &self.folder));
        }
        path.is_file().then(|| path.display().to_string())
    }
}

impl Foreign {
    /// Whether the program is there afterwards; says so if not. One that is newer than its sources stays.
    fn build(&self, program: &Path, out: &Path) -> bool {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder);
        if changed(program) > newest(&sources) {
            return true;
        }
        eprintln!("bench: building {}", self.program);
        let error = match Command::new(sources.join("build")).arg(out).output() {
            Ok(ran) if ran.status.success() => return true,
            Ok(ran) => String::from_utf8_lossy(&ran.stderr).lines().next().unwrap_or_default().to_owned(),
            Err(error) => error.to_string(),
        };
        // One from before would be measured as if it were what the sources say.
        let _ = std::fs::remove_file(program);
        eprintln!("bench: {} is left out: it cannot be built ({}): {error}", self.program, self.needs);
        false
    }
}

/// When the newest file of a folder was changed; folders in it are made from those files.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries.flatten().filter(|entry| entry.path().is_file()).filter_map(|entry| changed(&entry.path())).max()
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}

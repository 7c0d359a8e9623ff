//! The memory that the system grants to this process: of its control group, or of the machine.
//!
//! Source: Documentation/admin-guide/cgroup-v2.rst (`memory.max`), cgroup-v1/memory.rst
//!         (`memory.limit_in_bytes`), proc(5) on `/proc/self/cgroup` and `/proc/meminfo`.

use std::{fs, path::Path};

/// A server's default budget for the memory of its connections: half of the memory that the system grants.
/// `None`: the system sets no limit.
pub fn usual_budget() -> Option<usize> {
    half_of_granted(Path::new("/"))
}

/// The most memory that the process' control group may have, in bytes; `None`: any.
pub fn limit_of_group() -> Option<u64> {
    of_group(Path::new("/"))
}

fn half_of_granted(root: &Path) -> Option<usize> {
    let least = of_group(root).into_iter().chain(of_machine(root)).min()?;
    usize::try_from(least / 2).ok()
}

/// The minimum of the limits of the group and of its parents. In a container the paths of `/proc` may be
/// those outside, and its own group is the root of the mounted tree, which therefore counts as well.
fn of_group(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (mount, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|one| one == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let mount = root.join(mount);
        // No component of a path that leads out of the mount is followed.
        let path: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
        let limit = |depth: usize| {
            let folder = path[..depth].iter().fold(mount.clone(), |folder, part| folder.join(part));
            number(&fs::read_to_string(folder.join(file)).ok()?)
        };
        (0..=path.len()).filter_map(limit).min()
    };
    groups.lines().filter_map(of_line).min()
}

/// A limit in bytes. `max`, and a number that no machine has, as of the first version, are none.
fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|bytes| *bytes < 1 << 60)
}

fn of_machine(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{path::PathBuf, sync::atomic::*};

    /// A root with these files, which are removed in the end.
    struct Root(PathBuf);

    impl Root {
        fn new(files: &[(&str, &str)]) -> Root {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let name =
                format!("polywire-granted-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let root = std::env::temp_dir().join(name);
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
                fs::write(path, text).expect("a file");
            }
            Root(root)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MIB: u64 = 1 << 20;
    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:       8388608 kB\nMemFree: 1 kB\n");

    #[test]
    fn half_of_what_the_group_or_the_machine_grants() {
        let v2 = ("proc/self/cgroup", "0::/a.slice/b.service\n");
        let v1 = ("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/0123\n0::/docker/0123\n");
        let rows: [(&str, Option<u64>, &[(&str, &str)]); 10] = [
            ("nothing is said", None, &[]),
            ("the machine", Some(4096 * MIB), &[MACHINE]),
            (
                "a group without a limit",
                Some(4096 * MIB),
                &[MACHINE, v2, ("sys/fs/cgroup/a.slice/b.service/memory.max", "max\n")],
            ),
            (
                "its own limit",
                Some(256 * MIB),
                &[MACHINE, v2, ("sys/fs/cgroup/a.slice/b.service/memory.max", "536870912\n")],
            ),
            (
                "a lower one above it",
                Some(128 * MIB),
                &[
                    MACHINE,
                    v2,
                    ("sys/fs/cgroup/a.slice/b.service/memory.max", "536870912\n"),
                    ("sys/fs/cgroup/a.slice/memory.max", "268435456\n"),
                ],
            ),
            (
                "a container, whose group is the root",
                Some(64 * MIB),
                &[
                    MACHINE,
                    ("proc/self/cgroup", "0::/../other\n"),
                    ("sys/fs/cgroup/memory.max", "134217728\n"),
                ],
            ),
            (
                "more than the machine has",
                Some(4096 * MIB),
                &[MACHINE, v2, ("sys/fs/cgroup/a.slice/memory.max", "1099511627776\n")],
            ),
            (
                "the first version",
                Some(100 * MIB),
                &[MACHINE, v1, ("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "209715200\n")],
            ),
            (
                "the first version, in a container",
                Some(50 * MIB),
                &[MACHINE, v1, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n")],
            ),
            (
                "the first version, without a limit",
                Some(4096 * MIB),
                &[
                    MACHINE,
                    v1,
                    ("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "9223372036854771712\n"),
                ],
            ),
        ];
        for (what, half, files) in rows {
            let root = Root::new(files);
            assert_eq!(half_of_granted(&root.0), half.map(|bytes| bytes as usize), "{what}");
        }
    }
}

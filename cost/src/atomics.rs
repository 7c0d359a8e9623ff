//! Instructions that read and write a cache line in one step, which no other core may have meanwhile: those
//! with `lock`, and `xchg` with memory. Their addresses are read from `objdump` of binutils, once for each
//! file.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    process::Command,
    sync::{Arc, Mutex},
};

/// Addresses in a program or library, as its file has them.
pub type Addresses = BTreeSet<u64>;

/// Those of the atomic instructions of a program or library.
///
/// # Errors
/// Those of starting `objdump`, and what it says.
pub fn of(object: &str) -> io::Result<Arc<Addresses>> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Addresses>>> = Mutex::new(BTreeMap::new());
    // Held while `objdump` runs: the other thread mostly wants the same file.
    let mut known = KNOWN.lock().expect("no other panics");
    if let Some(addresses) = known.get(object) {
        return Ok(addresses.clone());
    }
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn", object]).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let addresses = Arc::new(read(&String::from_utf8_lossy(&output.stdout)));
    known.insert(object.to_owned(), addresses.clone());
    Ok(addresses)
}

fn read(text: &str) -> Addresses {
    let atomic = |line: &str| {
        let (address, instruction) = line.trim_start().split_once(":\t")?;
        let exchanges = instruction.starts_with("xchg") && instruction.contains('(');
        let is_atomic = exchanges || instruction.split(' ').any(|word| word == "lock");
        is_atomic.then(|| u64::from_str_radix(address, 16).ok())?
    };
    text.lines().filter_map(atomic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomic_instructions_are_those_that_lock() {
        const TEXT: &str = "
0000000000001130 <clock>:
    1130:\tlock incq 0x10(%rdi)
    1135:\txchg   %rax,(%rsi)
    1138:\txchg   %ax,%ax
    113a:\tdata16 lock cmpxchg %ecx,(%rdx)
    113f:\tmov    %rax,(%rdi)
    1142:\tcall   2000 <unlock>
";
        assert_eq!(read(TEXT), Addresses::from([0x1130, 0x1135, 0x113a]));
    }
}

//! Unwinds a stack: from registers and a copy of the stack to the addresses of the active calls.
//!
//! framehop does it, from the tables that compilers write for panics (`.eh_frame`): no frame pointers are
//! needed. A read beyond the copy is an error and ends the walk.

use crate::{
    cpu::Registers,
    modules::{Mapping, Modules},
};
use framehop::{
    CacheNative, FrameAddress, MayAllocateDuringUnwind, UnwindRegsNative, Unwinder, UnwinderNative,
};

/// Frames of one stack.
pub(crate) const MOST_FRAMES: usize = 192;

/// The indexes of the stack pointer and the instruction pointer in [`Registers`].
pub(crate) const STACK_POINTER: usize = 7;
const INSTRUCTION_POINTER: usize = 16;

pub(crate) struct Walker {
    unwinder: UnwinderNative<Vec<u8>, MayAllocateDuringUnwind>,
    cache: CacheNative<MayAllocateDuringUnwind>,
    mappings: Vec<Mapping>,
    frames: Vec<u64>,
}

impl Walker {
    pub fn new(modules: Modules) -> Walker {
        let mut unwinder = UnwinderNative::new();
        modules.tables.into_iter().for_each(|table| unwinder.add_module(table));
        Walker { unwinder, cache: CacheNative::new(), mappings: modules.mappings, frames: Vec::new() }
    }

    /// Walks a stack; returns whether its end was reached.
    pub fn walk(&mut self, registers: &Registers, stack: &[u8]) -> bool {
        self.frames.clear();
        let start = registers[STACK_POINTER];
        let mut read = |address: u64| {
            let at = usize::try_from(address.wrapping_sub(start)).map_err(|_| ())?;
            let bytes = stack.get(at..at.checked_add(8).ok_or(())?).ok_or(())?;
            Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| ())?))
        };
        let instruction = registers[INSTRUCTION_POINTER];
        let mut frames =
            self.unwinder.iter_frames(instruction, native(registers), &mut self.cache, &mut read);
        while self.frames.len() < MOST_FRAMES {
            match frames.next() {
                Ok(Some(frame)) => self.frames.push(lookup(frame)),
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    /// The addresses of the last walk, innermost first: of the instruction, and within each calling one.
    pub fn frames(&self) -> &[u64] {
        &self.frames
    }

    pub fn modules(&self) -> &[Mapping] {
        &self.mappings
    }
}

fn lookup(frame: FrameAddress) -> u64 {
    frame.address_for_lookup()
}

#[cfg(target_arch = "x86_64")]
fn native(registers: &Registers) -> UnwindRegsNative {
    use framehop::x86_64::Reg::*;
    let mut native = UnwindRegsNative::new(registers[INSTRUCTION_POINTER], registers[7], registers[6]);
    let order = [RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15];
    order.into_iter().zip(registers).for_each(|(register, value)| native.set(register, *value));
    native
}

#[cfg(target_arch = "aarch64")]
fn native(registers: &Registers) -> UnwindRegsNative {
    UnwindRegsNative::new(registers[0], registers[7], registers[6])
}

//! The program and the libraries of this process: their places in memory, and how their frames are unwound.
//!
//! Source: proc(5) on `/proc/self/maps`; the ELF specification, "Program Header". What is read here is the
//!         process' own files.

use framehop::{ExplicitModuleSectionInfo, Module};
use object::{
    Object, ObjectSection, ObjectSegment, ReadCache, ReadRef, SegmentFlags, elf::PF_X, read::elf::ElfFile64,
};
use std::{
    collections::HashSet,
    fs::{self, File},
    io,
    ops::Range,
    os::unix::fs::FileExt,
};

/// Modules that are looked at; programs have a few, or hundreds of libraries.
const MOST_MODULES: usize = 2000;
/// Bytes of unwinding tables that are read from one module.
const MOST_TABLE: u64 = 256 << 20;

/// Executable mappings of the process, sorted by address, and their unwinding tables.
pub(crate) struct Modules {
    pub mappings: Vec<Mapping>,
    pub tables: Vec<Module<Vec<u8>>>,
}

/// Part of a file that is mapped as code.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub addresses: Range<u64>,
    /// The offset of the mapping in the file, in bytes.
    pub offset: u64,
    /// The file's path, or a name in brackets as the system gives it.
    pub path: String,
    /// Identifies the file's build, in hexadecimal digits; empty if it has none.
    pub build: String,
}

impl Modules {
    /// # Errors
    /// Errors of reading `/proc/self/maps`. A file that cannot be read is left out: frames in it are guessed
    /// from frame pointers.
    pub fn of_process() -> io::Result<Modules> {
        let mut mappings: Vec<Mapping> =
            fs::read_to_string("/proc/self/maps")?.lines().filter_map(mapping).take(MOST_MODULES).collect();
        mappings.sort_by_key(|mapping| mapping.addresses.start);
        let (mut tables, mut seen) = (Vec::new(), HashSet::new());
        for at in 0..mappings.len() {
            if !seen.insert(mappings[at].path.clone()) {
                continue;
            }
            let Some((table, build)) = read(&mappings[at]) else { continue };
            tables.push(table);
            let path = mappings[at].path.clone();
            mappings.iter_mut().filter(|one| one.path == path).for_each(|one| one.build.clone_from(&build));
        }
        Ok(Modules { mappings, tables })
    }
}

/// A line of `/proc/self/maps` that is about code: `55d0c000-55d0f000 r-xp 00002000 08:01 1234   /usr/bin/x`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    if !words.next()?.contains('x') {
        return None;
    }
    let number = |text| u64::from_str_radix(text, 16).ok();
    let offset = number(words.next()?)?;
    let path = words.nth(2)?.trim();
    let of_file = path.starts_with('/') || path == "[vdso]";
    let addresses = number(start)?..number(end)?;
    of_file.then(|| Mapping { addresses, offset, path: path.to_owned(), build: String::new() })
}

fn read(mapping: &Mapping) -> Option<(Module<Vec<u8>>, String)> {
    let addresses = &mapping.addresses;
    if mapping.path == "[vdso]" {
        // It is in no file: the system's part of each process, of a few pages.
        let length =
            usize::try_from(addresses.end - addresses.start).ok().filter(|length| *length <= 1 << 20)?;
        let mut image = vec![0; length];
        File::open("/proc/self/mem").ok()?.read_exact_at(&mut image, addresses.start).ok()?;
        return of_image(mapping, &image[..]);
    }
    // The program's file may have been replaced since it was started; this name has the one that runs.
    let own = fs::read_link("/proc/self/exe").is_ok_and(|own| own.to_str() == Some(&mapping.path));
    let file = File::open(if own { "/proc/self/exe" } else { &mapping.path }).ok()?;
    of_image(mapping, &ReadCache::new(file))
}

fn of_image<'data, R: ReadRef<'data>>(mapping: &Mapping, image: R) -> Option<(Module<Vec<u8>>, String)> {
    let file = ElfFile64::<object::Endianness, R>::parse(image).ok()?;
    // Where the file's addresses begin in memory.
    let segment = file.segments().find(|segment| {
        // Segments share pages of the file: the one before it, of constants, often ends in the page where
        // code begins.
        let is_code = matches!(segment.flags(), SegmentFlags::Elf { p_flags, .. } if p_flags.0 & PF_X.0 != 0);
        let (offset, length) = segment.file_range();
        is_code && offset <= mapping.offset + 0xfff && mapping.offset < offset + length
    })?;
    let (offset, _) = segment.file_range();
    let base = mapping
        .addresses
        .start
        .wrapping_sub(mapping.offset)
        .wrapping_add(offset)
        .wrapping_sub(segment.address());
    let section = |name| {
        let section = file.section_by_name(name)?;
        let range = section.address()..section.address() + section.size();
        let data = if section.size() <= MOST_TABLE { section.data().ok()?.to_vec() } else { return None };
        Some((range, data))
    };
    let mut info = ExplicitModuleSectionInfo::default();
    if let Some((range, data)) = section(".eh_frame") {
        (info.eh_frame_svma, info.eh_frame) = (Some(range), Some(data));
    }
    if let Some((range, data)) = section(".eh_frame_hdr") {
        (info.eh_frame_hdr_svma, info.eh_frame_hdr) = (Some(range), Some(data));
    }
    info.text_svma = file.section_by_name(".text").map(|text| text.address()..text.address() + text.size());
    info.got_svma = file.section_by_name(".got").map(|got| got.address()..got.address() + got.size());
    let build = file.build_id().ok().flatten().unwrap_or_default();
    let build = build.iter().take(64).map(|byte| format!("{byte:02x}")).collect();
    let first = file.segments().map(|segment| segment.address()).min()?;
    let last = file.segments().map(|segment| segment.address() + segment.size()).max()?;
    let range = base.wrapping_add(first)..base.wrapping_add(last);
    (range.start < range.end).then(|| (Module::new(mapping.path.clone(), range, base, info), build))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_in_files_are_mappings_and_others_are_not() {
        let line = "55d0c000-55d0f000 r-xp 00002000 08:01 1234                 /usr/bin/a b";
        let found = mapping(line).expect("code");
        assert_eq!(
            (found.addresses, found.offset, &*found.path),
            (0x55d0_c000..0x55d0_f000, 0x2000, "/usr/bin/a b")
        );
        for other in [
            "55d0c000-55d0f000 r--p 00002000 08:01 1234                 /usr/bin/a",
            "55d0c000-55d0f000 r-xp 00000000 00:00 0 ",
            "55d0c000-55d0f000 r-xp 00000000 00:00 0",
            "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]",
            "x-y r-xp 0 0 0 /a",
            "",
        ] {
            assert!(mapping(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_own_program_has_an_unwinding_table() {
        let modules = Modules::of_process().expect("maps");
        let here = the_own_program_has_an_unwinding_table as *const () as u64;
        assert!(modules.tables.iter().any(|table| table.avma_range().contains(&here)));
        assert!(modules.mappings.iter().any(|mapping| mapping.addresses.contains(&here)));
    }
}

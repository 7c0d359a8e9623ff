// Made by polywire-build from ship.fbs; changes are lost.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    pub number: u8,
    pub weight: i32,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Hold {
    const SIZE: usize = 16;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            number: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            weight: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(4)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Hold {
    const SIZE: usize = 16;
    const ALIGN: usize = 16;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.number, &mut place[0..1]);
        ::polywire::flatbuffers::Inline::put(&self.weight, &mut place[4..8]);
    }
}
impl ::polywire::flatbuffers::Verifiable for Hold {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 16, 16)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deck {
    pub hold: Hold,
    pub level: u8,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Deck {
    const SIZE: usize = 32;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            hold: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            level: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(16)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Deck {
    const SIZE: usize = 32;
    const ALIGN: usize = 32;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.hold, &mut place[0..16]);
        ::polywire::flatbuffers::Inline::put(&self.level, &mut place[16..17]);
    }
}
impl ::polywire::flatbuffers::Verifiable for Deck {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 32, 32)
    }
}

#[derive(Clone, Copy)]
pub struct Cargo<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Cargo`].
pub type CargoBuf = ::polywire::flatbuffers::Flat<Cargo<'static>>;

impl<'a> Cargo<'a> {
    #[inline]
    pub fn level(&self) -> u8 {
        self.0.field(4).unwrap_or(0)
    }
    #[inline]
    pub fn holds(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Hold>> {
        self.0.field(6)
    }
    #[inline]
    pub fn deck(&self) -> ::std::option::Option<Deck> {
        self.0.field(8)
    }
    #[inline]
    pub fn bytes(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(10)
    }
    #[inline]
    pub fn names(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, &'a str>> {
        self.0.field(12)
    }
}

/// What [`Cargo::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct CargoArgs {
    pub level: u8,
    pub holds: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Hold>>>,
    pub deck: ::std::option::Option<Deck>,
    pub bytes: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub names: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<&'static str>>>>,
}
impl ::std::default::Default for CargoArgs {
    fn default() -> Self {
        Self {
            level: 0,
            holds: ::std::option::Option::None,
            deck: ::std::option::Option::None,
            bytes: ::std::option::Option::None,
            names: ::std::option::Option::None,
        }
    }
}

impl Cargo<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &CargoArgs,
    ) -> ::polywire::flatbuffers::Offset<Cargo<'static>> {
        let mut table = builder.start_table::<5, 76>();
        if let ::std::option::Option::Some(value) = &args.deck { table.push_struct(8, value); }
        if let ::std::option::Option::Some(value) = args.names { table.push_slot_always(12, value); }
        if let ::std::option::Option::Some(value) = args.bytes { table.push_slot_always(10, value); }
        if let ::std::option::Option::Some(value) = args.holds { table.push_slot_always(6, value); }
        table.push_slot(4, args.level, 0);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Cargo<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Cargo<'static> {
    type View<'a> = Cargo<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Cargo<'_> {
        Cargo(table)
    }
}
impl ::std::fmt::Debug for Cargo<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Cargo");
        table.field("level", &self.level());
        table.field("holds", &self.holds());
        table.field("deck", &self.deck());
        table.field("bytes", &self.bytes());
        table.field("names", &self.names());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Cargo<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<u8>("level", 4, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<Hold>>>("holds", 6, false)?
            .visit_field::<Deck>("deck", 8, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<u8>>>("bytes", 10, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<&str>>>("names", 12, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

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
    const ALIGN: usize = 32;
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

#[derive(Clone, Copy)]
pub struct Sailor<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Sailor`].
pub type SailorBuf = ::polywire::flatbuffers::Flat<Sailor<'static>>;

impl<'a> Sailor<'a> {
    #[inline]
    pub fn name(&self) -> ::std::option::Option<&'a str> {
        self.0.field(4)
    }
    #[inline]
    pub fn age(&self) -> u8 {
        self.0.field(6).unwrap_or(20)
    }
}

/// What [`Sailor::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct SailorArgs {
    pub name: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub age: u8,
}
impl ::std::default::Default for SailorArgs {
    fn default() -> Self {
        Self {
            name: ::std::option::Option::None,
            age: 20,
        }
    }
}

impl Sailor<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &SailorArgs,
    ) -> ::polywire::flatbuffers::Offset<Sailor<'static>> {
        let mut table = builder.start_table::<2, 8>();
        if let ::std::option::Option::Some(value) = args.name { table.push_slot_always(4, value); }
        table.push_slot(6, args.age, 20);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Sailor<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Sailor<'static> {
    type View<'a> = Sailor<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Sailor<'_> {
        Sailor(table)
    }
}
impl ::std::fmt::Debug for Sailor<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Sailor");
        table.field("name", &self.name());
        table.field("age", &self.age());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Sailor<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("name", 4, false)?
            .visit_field::<u8>("age", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parrot {
    pub words: i16,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Parrot {
    const SIZE: usize = 2;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            words: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Parrot {
    const SIZE: usize = 2;
    const ALIGN: usize = 2;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.words, &mut place[0..2]);
    }
}
impl ::polywire::flatbuffers::Verifiable for Parrot {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 2, 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Crew(pub u8);
#[allow(non_upper_case_globals)]
impl Crew {
    /// Nothing.
    pub const NONE: Self = Self(0);
    pub const Sailor: Self = Self(1);
    pub const bird: Self = Self(2);
    pub const Mate: Self = Self(7);
    pub const note: Self = Self(8);
    pub const Parrot: Self = Self(9);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::NONE => ::std::option::Option::Some("NONE"),
            Self::Sailor => ::std::option::Option::Some("Sailor"),
            Self::bird => ::std::option::Option::Some("bird"),
            Self::Mate => ::std::option::Option::Some("Mate"),
            Self::note => ::std::option::Option::Some("note"),
            Self::Parrot => ::std::option::Option::Some("Parrot"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Crew {
    const SIZE: usize = ::std::mem::size_of::<u8>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Crew {
    const SIZE: usize = ::std::mem::size_of::<u8>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy)]
pub struct Roster<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Roster`].
pub type RosterBuf = ::polywire::flatbuffers::Flat<Roster<'static>>;

impl<'a> Roster<'a> {
    #[inline]
    pub fn captain_type(&self) -> Crew {
        self.0.field(4).unwrap_or_default()
    }
    /// `captain`, if it is a `Sailor`.
    #[inline]
    pub fn captain_as_sailor(&self) -> ::std::option::Option<Sailor<'a>> {
        if self.captain_type() != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<Sailor<'a>>(6)
    }
    /// `captain`, if it is a `bird`.
    #[inline]
    pub fn captain_as_bird(&self) -> ::std::option::Option<Parrot> {
        if self.captain_type() != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Apart<Parrot>>(6).map(|apart| apart.0)
    }
    /// `captain`, if it is a `Mate`.
    #[inline]
    pub fn captain_as_mate(&self) -> ::std::option::Option<Sailor<'a>> {
        if self.captain_type() != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<Sailor<'a>>(6)
    }
    /// `captain`, if it is a `note`.
    #[inline]
    pub fn captain_as_note(&self) -> ::std::option::Option<&'a str> {
        if self.captain_type() != Crew::note { return ::std::option::Option::None; }
        self.0.field::<&'a str>(6)
    }
    /// `captain`, if it is a `Parrot`.
    #[inline]
    pub fn captain_as_parrot(&self) -> ::std::option::Option<Parrot> {
        if self.captain_type() != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Apart<Parrot>>(6).map(|apart| apart.0)
    }
    #[inline]
    pub fn all_type(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Crew>> {
        self.0.field(8)
    }
    /// The value at `index`, if it is a `Sailor`.
    #[inline]
    pub fn all_as_sailor(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(8)?.get(index)? != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(10)?.get(index)
    }
    /// The value at `index`, if it is a `bird`.
    #[inline]
    pub fn all_as_bird(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(8)?.get(index)? != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(10)?.get(index).map(|apart| apart.0)
    }
    /// The value at `index`, if it is a `Mate`.
    #[inline]
    pub fn all_as_mate(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(8)?.get(index)? != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(10)?.get(index)
    }
    /// The value at `index`, if it is a `note`.
    #[inline]
    pub fn all_as_note(&self, index: usize) -> ::std::option::Option<&'a str> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(8)?.get(index)? != Crew::note { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, &'a str>>(10)?.get(index)
    }
    /// The value at `index`, if it is a `Parrot`.
    #[inline]
    pub fn all_as_parrot(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(8)?.get(index)? != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(10)?.get(index).map(|apart| apart.0)
    }
    #[inline]
    pub fn must_type(&self) -> ::polywire::flatbuffers::Vector<'a, Crew> {
        self.0.required(12)
    }
    /// The value at `index`, if it is a `Sailor`.
    #[inline]
    pub fn must_as_sailor(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(12)?.get(index)? != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(14)?.get(index)
    }
    /// The value at `index`, if it is a `bird`.
    #[inline]
    pub fn must_as_bird(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(12)?.get(index)? != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(14)?.get(index).map(|apart| apart.0)
    }
    /// The value at `index`, if it is a `Mate`.
    #[inline]
    pub fn must_as_mate(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(12)?.get(index)? != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(14)?.get(index)
    }
    /// The value at `index`, if it is a `note`.
    #[inline]
    pub fn must_as_note(&self, index: usize) -> ::std::option::Option<&'a str> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(12)?.get(index)? != Crew::note { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, &'a str>>(14)?.get(index)
    }
    /// The value at `index`, if it is a `Parrot`.
    #[inline]
    pub fn must_as_parrot(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(12)?.get(index)? != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(14)?.get(index).map(|apart| apart.0)
    }
    #[inline]
    pub fn usual_type(&self) -> ::polywire::flatbuffers::Vector<'a, Crew> {
        self.0.field(16).unwrap_or_default()
    }
    /// The value at `index`, if it is a `Sailor`.
    #[inline]
    pub fn usual_as_sailor(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(16)?.get(index)? != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(18)?.get(index)
    }
    /// The value at `index`, if it is a `bird`.
    #[inline]
    pub fn usual_as_bird(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(16)?.get(index)? != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(18)?.get(index).map(|apart| apart.0)
    }
    /// The value at `index`, if it is a `Mate`.
    #[inline]
    pub fn usual_as_mate(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(16)?.get(index)? != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(18)?.get(index)
    }
    /// The value at `index`, if it is a `note`.
    #[inline]
    pub fn usual_as_note(&self, index: usize) -> ::std::option::Option<&'a str> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(16)?.get(index)? != Crew::note { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, &'a str>>(18)?.get(index)
    }
    /// The value at `index`, if it is a `Parrot`.
    #[inline]
    pub fn usual_as_parrot(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(16)?.get(index)? != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(18)?.get(index).map(|apart| apart.0)
    }
}

/// What [`Roster::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct RosterArgs {
    pub captain_type: Crew,
    pub captain: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>,
    pub all_type: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Crew>>>,
    pub all: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::UnionValue>>>>,
    pub must_type: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Crew>>>,
    pub must: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::UnionValue>>>>,
    pub usual_type: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Crew>>>,
    pub usual: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::UnionValue>>>>,
}
impl ::std::default::Default for RosterArgs {
    fn default() -> Self {
        Self {
            captain_type: ::std::default::Default::default(),
            captain: ::std::option::Option::None,
            all_type: ::std::default::Default::default(),
            all: ::std::option::Option::None,
            must_type: ::std::default::Default::default(),
            must: ::std::option::Option::None,
            usual_type: ::std::default::Default::default(),
            usual: ::std::option::Option::None,
        }
    }
}

impl Roster<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &RosterArgs,
    ) -> ::polywire::flatbuffers::Offset<Roster<'static>> {
        let mut table = builder.start_table::<8, 32>();
        if let ::std::option::Option::Some(value) = args.usual { table.push_slot_always(18, value); }
        if let ::std::option::Option::Some(value) = args.usual_type { table.push_slot_always(16, value); }
        if let ::std::option::Option::Some(value) = args.must { table.push_slot_always(14, value); }
        if let ::std::option::Option::Some(value) = args.must_type { table.push_slot_always(12, value); }
        if let ::std::option::Option::Some(value) = args.all { table.push_slot_always(10, value); }
        if let ::std::option::Option::Some(value) = args.all_type { table.push_slot_always(8, value); }
        if let ::std::option::Option::Some(value) = args.captain { table.push_slot_always(6, value); }
        table.push_slot(4, args.captain_type.0, 0u8);
        table.required(14, "must");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Roster<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Roster<'static> {
    type View<'a> = Roster<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Roster<'_> {
        Roster(table)
    }
}
impl ::std::fmt::Debug for Roster<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Roster");
        table.field("captain_type", &self.captain_type());
        table.field("all_type", &self.all_type());
        table.field("must_type", &self.must_type());
        table.field("usual_type", &self.usual_type());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Roster<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_union::<u8>("captain", 6, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .visit_unions::<u8>("all", 10, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .visit_unions::<u8>("must", 14, true, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .visit_unions::<u8>("usual", 18, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .finish();
        ::std::result::Result::Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rank(pub i32);
#[allow(non_upper_case_globals)]
impl Rank {
    /// Nothing.
    pub const NONE: Self = Self(0);
    pub const Sailor: Self = Self(300);
    pub const bird: Self = Self(301);
    pub const word: Self = Self(70000);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::NONE => ::std::option::Option::Some("NONE"),
            Self::Sailor => ::std::option::Option::Some("Sailor"),
            Self::bird => ::std::option::Option::Some("bird"),
            Self::word => ::std::option::Option::Some("word"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Rank {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Rank {
    const SIZE: usize = ::std::mem::size_of::<i32>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Rank {
    const SIZE: usize = ::std::mem::size_of::<i32>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy)]
pub struct Ranks<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Ranks`].
pub type RanksBuf = ::polywire::flatbuffers::Flat<Ranks<'static>>;

impl<'a> Ranks<'a> {
    #[inline]
    pub fn first_type(&self) -> Rank {
        self.0.field(4).unwrap_or_default()
    }
    /// `first`, if it is a `Sailor`.
    #[inline]
    pub fn first_as_sailor(&self) -> ::std::option::Option<Sailor<'a>> {
        if self.first_type() != Rank::Sailor { return ::std::option::Option::None; }
        self.0.field::<Sailor<'a>>(6)
    }
    /// `first`, if it is a `bird`.
    #[inline]
    pub fn first_as_bird(&self) -> ::std::option::Option<Parrot> {
        if self.first_type() != Rank::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Apart<Parrot>>(6).map(|apart| apart.0)
    }
    /// `first`, if it is a `word`.
    #[inline]
    pub fn first_as_word(&self) -> ::std::option::Option<&'a str> {
        if self.first_type() != Rank::word { return ::std::option::Option::None; }
        self.0.field::<&'a str>(6)
    }
    #[inline]
    pub fn all_type(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Rank>> {
        self.0.field(8)
    }
    /// The value at `index`, if it is a `Sailor`.
    #[inline]
    pub fn all_as_sailor(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Rank>>(8)?.get(index)? != Rank::Sailor { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(10)?.get(index)
    }
    /// The value at `index`, if it is a `bird`.
    #[inline]
    pub fn all_as_bird(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Rank>>(8)?.get(index)? != Rank::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(10)?.get(index).map(|apart| apart.0)
    }
    /// The value at `index`, if it is a `word`.
    #[inline]
    pub fn all_as_word(&self, index: usize) -> ::std::option::Option<&'a str> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Rank>>(8)?.get(index)? != Rank::word { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, &'a str>>(10)?.get(index)
    }
}

/// What [`Ranks::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct RanksArgs {
    pub first_type: Rank,
    pub first: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>,
    pub all_type: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Rank>>>,
    pub all: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::UnionValue>>>>,
}
impl ::std::default::Default for RanksArgs {
    fn default() -> Self {
        Self {
            first_type: ::std::default::Default::default(),
            first: ::std::option::Option::None,
            all_type: ::std::default::Default::default(),
            all: ::std::option::Option::None,
        }
    }
}

impl Ranks<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &RanksArgs,
    ) -> ::polywire::flatbuffers::Offset<Ranks<'static>> {
        let mut table = builder.start_table::<4, 19>();
        if let ::std::option::Option::Some(value) = args.all { table.push_slot_always(10, value); }
        if let ::std::option::Option::Some(value) = args.all_type { table.push_slot_always(8, value); }
        if let ::std::option::Option::Some(value) = args.first { table.push_slot_always(6, value); }
        table.push_slot(4, args.first_type.0, 0i32);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Ranks<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Ranks<'static> {
    type View<'a> = Ranks<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Ranks<'_> {
        Ranks(table)
    }
}
impl ::std::fmt::Debug for Ranks<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Ranks");
        table.field("first_type", &self.first_type());
        table.field("all_type", &self.all_type());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Ranks<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_union::<i32>("first", 6, false, |kind, verifier, at| match kind { 300 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 301 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 70000 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("word", at), _ => ::std::result::Result::Ok(()) })?
            .visit_unions::<i32>("all", 10, false, |kind, verifier, at| match kind { 300 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 301 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 70000 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("word", at), _ => ::std::result::Result::Ok(()) })?
            .finish();
        ::std::result::Result::Ok(())
    }
}

#[derive(Clone, Copy)]
pub struct Letter<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Letter`].
pub type LetterBuf = ::polywire::flatbuffers::Flat<Letter<'static>>;

impl<'a> Letter<'a> {
    #[inline]
    pub fn cargo(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(4)
    }
    /// The message in `cargo`.
    pub fn cargo_nested(&self) -> ::std::option::Option<Cargo<'a>> {
        self.0.field::<::polywire::flatbuffers::Vector<'a, u8>>(4).map(|bytes| Cargo(::polywire::flatbuffers::Table::root(bytes.bytes())))
    }
    #[inline]
    pub fn again(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(6)
    }
    /// The message in `again`.
    pub fn again_nested(&self) -> ::std::option::Option<Letter<'a>> {
        self.0.field::<::polywire::flatbuffers::Vector<'a, u8>>(6).map(|bytes| Letter(::polywire::flatbuffers::Table::root(bytes.bytes())))
    }
    #[inline]
    pub fn must(&self) -> ::polywire::flatbuffers::Vector<'a, u8> {
        self.0.required(8)
    }
    /// The message in `must`.
    pub fn must_nested(&self) -> Sailor<'a> {
        Sailor(::polywire::flatbuffers::Table::root(self.0.required::<::polywire::flatbuffers::Vector<'a, u8>>(8).bytes()))
    }
}

/// What [`Letter::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct LetterArgs {
    pub cargo: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub again: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub must: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
}
impl ::std::default::Default for LetterArgs {
    fn default() -> Self {
        Self {
            cargo: ::std::option::Option::None,
            again: ::std::option::Option::None,
            must: ::std::option::Option::None,
        }
    }
}

impl Letter<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &LetterArgs,
    ) -> ::polywire::flatbuffers::Offset<Letter<'static>> {
        let mut table = builder.start_table::<3, 15>();
        if let ::std::option::Option::Some(value) = args.must { table.push_slot_always(8, value); }
        if let ::std::option::Option::Some(value) = args.again { table.push_slot_always(6, value); }
        if let ::std::option::Option::Some(value) = args.cargo { table.push_slot_always(4, value); }
        table.required(8, "must");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Letter<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Letter<'static> {
    type View<'a> = Letter<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Letter<'_> {
        Letter(table)
    }
}
impl ::std::fmt::Debug for Letter<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Letter");
        table.field("cargo", &self.cargo());
        table.field("again", &self.again());
        table.field("must", &self.must());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Letter<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Nested<Cargo<'_>>>>("cargo", 4, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Nested<Letter<'_>>>>("again", 6, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Nested<Sailor<'_>>>>("must", 8, true)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Deckhand(pub i8);
#[allow(non_upper_case_globals)]
impl Deckhand {
    pub const Cook: Self = Self(-1);
    pub const Boy: Self = Self(0);
    pub const Smith: Self = Self(1);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::Cook => ::std::option::Option::Some("Cook"),
            Self::Boy => ::std::option::Option::Some("Boy"),
            Self::Smith => ::std::option::Option::Some("Smith"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Deckhand {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Deckhand {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Deckhand {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Log {
    pub at: u32,
    pub speed: u8,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Log {
    const SIZE: usize = 8;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            at: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            speed: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(4)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Log {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.at, &mut place[0..4]);
        ::polywire::flatbuffers::Inline::put(&self.speed, &mut place[4..5]);
    }
}
impl ::polywire::flatbuffers::Keyed for Log {
    type Key<'k> = u32;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.at
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.at, key)
    }
}
impl ::polywire::flatbuffers::Verifiable for Log {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 8, 4)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    pub metres: f32,
    pub x: u8,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Depth {
    const SIZE: usize = 8;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            metres: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            x: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(4)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Depth {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.metres, &mut place[0..4]);
        ::polywire::flatbuffers::Inline::put(&self.x, &mut place[4..5]);
    }
}
impl ::polywire::flatbuffers::Keyed for Depth {
    type Key<'k> = f32;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.metres
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.metres, key)
    }
}
impl ::polywire::flatbuffers::Verifiable for Depth {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 8, 4)
    }
}

#[derive(Clone, Copy)]
pub struct Named<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Named`].
pub type NamedBuf = ::polywire::flatbuffers::Flat<Named<'static>>;

impl<'a> Named<'a> {
    #[inline]
    pub fn name(&self) -> &'a str {
        self.0.required(4)
    }
    #[inline]
    pub fn x(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
}

/// What [`Named::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct NamedArgs {
    pub name: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub x: i32,
}
impl ::std::default::Default for NamedArgs {
    fn default() -> Self {
        Self {
            name: ::std::option::Option::None,
            x: 0,
        }
    }
}

impl Named<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &NamedArgs,
    ) -> ::polywire::flatbuffers::Offset<Named<'static>> {
        let mut table = builder.start_table::<2, 11>();
        table.push_slot(6, args.x, 0);
        if let ::std::option::Option::Some(value) = args.name { table.push_slot_always(4, value); }
        table.required(4, "name");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Named<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Named<'static> {
    type View<'a> = Named<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Named<'_> {
        Named(table)
    }
}
impl ::std::fmt::Debug for Named<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Named");
        table.field("name", &self.name());
        table.field("x", &self.x());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Named<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("name", 4, true)?
            .visit_field::<i32>("x", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Named<'_> {
    type Key<'k> = &'k str;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.name()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.name(), key)
    }
}

#[derive(Clone, Copy)]
pub struct Numbered<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Numbered`].
pub type NumberedBuf = ::polywire::flatbuffers::Flat<Numbered<'static>>;

impl<'a> Numbered<'a> {
    #[inline]
    pub fn n(&self) -> i16 {
        self.0.field(4).unwrap_or(5)
    }
    #[inline]
    pub fn x(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
}

/// What [`Numbered::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct NumberedArgs {
    pub n: i16,
    pub x: i32,
}
impl ::std::default::Default for NumberedArgs {
    fn default() -> Self {
        Self {
            n: 5,
            x: 0,
        }
    }
}

impl Numbered<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &NumberedArgs,
    ) -> ::polywire::flatbuffers::Offset<Numbered<'static>> {
        let mut table = builder.start_table::<2, 9>();
        table.push_slot(6, args.x, 0);
        table.push_slot(4, args.n, 5);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Numbered<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Numbered<'static> {
    type View<'a> = Numbered<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Numbered<'_> {
        Numbered(table)
    }
}
impl ::std::fmt::Debug for Numbered<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Numbered");
        table.field("n", &self.n());
        table.field("x", &self.x());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Numbered<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<i16>("n", 4, false)?
            .visit_field::<i32>("x", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Numbered<'_> {
    type Key<'k> = i16;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.n()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.n(), key)
    }
}

#[derive(Clone, Copy)]
pub struct Flagged<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Flagged`].
pub type FlaggedBuf = ::polywire::flatbuffers::Flat<Flagged<'static>>;

impl<'a> Flagged<'a> {
    #[inline]
    pub fn on(&self) -> bool {
        self.0.field(4).unwrap_or(false)
    }
    #[inline]
    pub fn x(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
}

/// What [`Flagged::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct FlaggedArgs {
    pub on: bool,
    pub x: i32,
}
impl ::std::default::Default for FlaggedArgs {
    fn default() -> Self {
        Self {
            on: false,
            x: 0,
        }
    }
}

impl Flagged<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &FlaggedArgs,
    ) -> ::polywire::flatbuffers::Offset<Flagged<'static>> {
        let mut table = builder.start_table::<2, 8>();
        table.push_slot(6, args.x, 0);
        table.push_slot(4, args.on, false);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Flagged<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Flagged<'static> {
    type View<'a> = Flagged<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Flagged<'_> {
        Flagged(table)
    }
}
impl ::std::fmt::Debug for Flagged<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Flagged");
        table.field("on", &self.on());
        table.field("x", &self.x());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Flagged<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<bool>("on", 4, false)?
            .visit_field::<i32>("x", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Flagged<'_> {
    type Key<'k> = bool;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.on()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.on(), key)
    }
}

#[derive(Clone, Copy)]
pub struct Typed<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Typed`].
pub type TypedBuf = ::polywire::flatbuffers::Flat<Typed<'static>>;

impl<'a> Typed<'a> {
    #[inline]
    pub fn of(&self) -> Deckhand {
        self.0.field(4).unwrap_or(Deckhand(0))
    }
    #[inline]
    pub fn x(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
}

/// What [`Typed::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct TypedArgs {
    pub of: Deckhand,
    pub x: i32,
}
impl ::std::default::Default for TypedArgs {
    fn default() -> Self {
        Self {
            of: Deckhand(0),
            x: 0,
        }
    }
}

impl Typed<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &TypedArgs,
    ) -> ::polywire::flatbuffers::Offset<Typed<'static>> {
        let mut table = builder.start_table::<2, 8>();
        table.push_slot(6, args.x, 0);
        table.push_slot(4, args.of.0, 0);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Typed<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Typed<'static> {
    type View<'a> = Typed<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Typed<'_> {
        Typed(table)
    }
}
impl ::std::fmt::Debug for Typed<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Typed");
        table.field("of", &self.of());
        table.field("x", &self.x());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Typed<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<i8>("of", 4, false)?
            .visit_field::<i32>("x", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Typed<'_> {
    type Key<'k> = Deckhand;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.of()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.of().0, key.0)
    }
}

#[derive(Clone, Copy)]
pub struct Measured<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Measured`].
pub type MeasuredBuf = ::polywire::flatbuffers::Flat<Measured<'static>>;

impl<'a> Measured<'a> {
    #[inline]
    pub fn by(&self) -> f64 {
        self.0.field(4).unwrap_or(1.5_f64)
    }
    #[inline]
    pub fn x(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
}

/// What [`Measured::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct MeasuredArgs {
    pub by: f64,
    pub x: i32,
}
impl ::std::default::Default for MeasuredArgs {
    fn default() -> Self {
        Self {
            by: 1.5_f64,
            x: 0,
        }
    }
}

impl Measured<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &MeasuredArgs,
    ) -> ::polywire::flatbuffers::Offset<Measured<'static>> {
        let mut table = builder.start_table::<2, 19>();
        table.push_slot(4, args.by, 1.5_f64);
        table.push_slot(6, args.x, 0);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Measured<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Measured<'static> {
    type View<'a> = Measured<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Measured<'_> {
        Measured(table)
    }
}
impl ::std::fmt::Debug for Measured<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Measured");
        table.field("by", &self.by());
        table.field("x", &self.x());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Measured<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<f64>("by", 4, false)?
            .visit_field::<i32>("x", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Measured<'_> {
    type Key<'k> = f64;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.by()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.by(), key)
    }
}

#[derive(Clone, Copy)]
pub struct Book<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Book`].
pub type BookBuf = ::polywire::flatbuffers::Flat<Book<'static>>;

impl<'a> Book<'a> {
    #[inline]
    pub fn logs(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Log>> {
        self.0.field(4)
    }
    #[inline]
    pub fn depths(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Depth>> {
        self.0.field(6)
    }
    #[inline]
    pub fn named(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Named<'a>>> {
        self.0.field(8)
    }
    #[inline]
    pub fn numbered(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Numbered<'a>>> {
        self.0.field(10)
    }
    #[inline]
    pub fn flagged(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Flagged<'a>>> {
        self.0.field(12)
    }
    #[inline]
    pub fn typed(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Typed<'a>>> {
        self.0.field(14)
    }
    #[inline]
    pub fn measured(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Measured<'a>>> {
        self.0.field(16)
    }
}

/// What [`Book::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct BookArgs {
    pub logs: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Log>>>,
    pub depths: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Depth>>>,
    pub named: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Named<'static>>>>>,
    pub numbered: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Numbered<'static>>>>>,
    pub flagged: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Flagged<'static>>>>>,
    pub typed: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Typed<'static>>>>>,
    pub measured: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Measured<'static>>>>>,
}
impl ::std::default::Default for BookArgs {
    fn default() -> Self {
        Self {
            logs: ::std::option::Option::None,
            depths: ::std::option::Option::None,
            named: ::std::option::Option::None,
            numbered: ::std::option::Option::None,
            flagged: ::std::option::Option::None,
            typed: ::std::option::Option::None,
            measured: ::std::option::Option::None,
        }
    }
}

impl Book<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &BookArgs,
    ) -> ::polywire::flatbuffers::Offset<Book<'static>> {
        let mut table = builder.start_table::<7, 31>();
        if let ::std::option::Option::Some(value) = args.measured { table.push_slot_always(16, value); }
        if let ::std::option::Option::Some(value) = args.typed { table.push_slot_always(14, value); }
        if let ::std::option::Option::Some(value) = args.flagged { table.push_slot_always(12, value); }
        if let ::std::option::Option::Some(value) = args.numbered { table.push_slot_always(10, value); }
        if let ::std::option::Option::Some(value) = args.named { table.push_slot_always(8, value); }
        if let ::std::option::Option::Some(value) = args.depths { table.push_slot_always(6, value); }
        if let ::std::option::Option::Some(value) = args.logs { table.push_slot_always(4, value); }
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Book<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Book<'static> {
    type View<'a> = Book<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Book<'_> {
        Book(table)
    }
}
impl ::std::fmt::Debug for Book<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Book");
        table.field("logs", &self.logs());
        table.field("depths", &self.depths());
        table.field("named", &self.named());
        table.field("numbered", &self.numbered());
        table.field("flagged", &self.flagged());
        table.field("typed", &self.typed());
        table.field("measured", &self.measured());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Book<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<Log>>>("logs", 4, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<Depth>>>("depths", 6, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Named<'_>>>>("named", 8, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Numbered<'_>>>>("numbered", 10, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Flagged<'_>>>>("flagged", 12, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Typed<'_>>>>("typed", 14, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Measured<'_>>>>("measured", 16, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

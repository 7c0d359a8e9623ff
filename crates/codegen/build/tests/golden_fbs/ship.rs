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

/// The contents of a [`Cargo`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct CargoT {
    pub level: u8,
    pub holds: ::std::option::Option<::std::vec::Vec<Hold>>,
    pub deck: ::std::option::Option<::std::boxed::Box<Deck>>,
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    pub names: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
}
impl ::std::default::Default for CargoT {
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
impl Cargo<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> CargoT {
        CargoT {
            level: self.level(),
            holds: self.holds().map(|value| value.iter().collect()),
            deck: self.deck().map(|value| ::std::boxed::Box::new(value)),
            bytes: self.bytes().map(|value| value.iter().collect()),
            names: self.names().map(|value| value.iter().map(|value| ::std::string::String::from(value)).collect()),
        }
    }
}
impl CargoT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Cargo<'static>> {
        let holds_ = self.holds.as_ref().map(|value| ::polywire::flatbuffers::aligned_structs(builder, &value, 1));
        let bytes_ = self.bytes.as_ref().map(|value| builder.create_aligned_vector(&value, 32));
        let names_ = self.names.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| builder.create_string(&value)).collect(); builder.create_aligned_vector(&items, 16) });
        let args = CargoArgs {
            level: self.level,
            holds: holds_,
            deck: self.deck.as_deref().copied(),
            bytes: bytes_,
            names: names_,
        };
        Cargo::create(builder, &args)
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

/// The contents of a [`Sailor`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct SailorT {
    pub name: ::std::option::Option<::std::string::String>,
    pub age: u8,
}
impl ::std::default::Default for SailorT {
    fn default() -> Self {
        Self {
            name: ::std::option::Option::None,
            age: 20,
        }
    }
}
impl Sailor<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> SailorT {
        SailorT {
            name: self.name().map(|value| ::std::string::String::from(value)),
            age: self.age(),
        }
    }
}
impl SailorT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Sailor<'static>> {
        let name_ = self.name.as_ref().map(|value| builder.create_string(&value));
        let args = SailorArgs {
            name: name_,
            age: self.age,
        };
        Sailor::create(builder, &args)
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

/// A union of type [`Crew`] with its value, owned.
#[derive(Clone, Debug, PartialEq, Default)]
#[allow(non_camel_case_types)]
pub enum CrewT {
    /// Nothing, or a variant of a newer schema.
    #[default]
    NONE,
    Sailor(::std::boxed::Box<SailorT>),
    bird(::std::boxed::Box<Parrot>),
    Mate(::std::boxed::Box<SailorT>),
    note(::std::string::String),
    Parrot(::std::boxed::Box<Parrot>),
}
impl CrewT {
    /// Writes the value into a message.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> (Crew, ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>) {
        match self {
            Self::NONE => (Crew::NONE, ::std::option::Option::None),
            Self::Sailor(value) => (Crew::Sailor, ::std::option::Option::Some(value.pack(builder).as_union_value())),
            Self::bird(value) => (Crew::bird, ::std::option::Option::Some(builder.create_struct(&**value).as_union_value())),
            Self::Mate(value) => (Crew::Mate, ::std::option::Option::Some(value.pack(builder).as_union_value())),
            Self::note(value) => (Crew::note, ::std::option::Option::Some(builder.create_string(&value).as_union_value())),
            Self::Parrot(value) => (Crew::Parrot, ::std::option::Option::Some(builder.create_struct(&**value).as_union_value())),
        }
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

/// The contents of a [`Roster`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterT {
    pub captain: CrewT,
    pub all: ::std::option::Option<::std::vec::Vec<CrewT>>,
    pub must: ::std::vec::Vec<CrewT>,
    pub usual: ::std::vec::Vec<CrewT>,
}
impl ::std::default::Default for RosterT {
    fn default() -> Self {
        Self {
            captain: ::std::default::Default::default(),
            all: ::std::option::Option::None,
            must: ::std::default::Default::default(),
            usual: ::std::default::Default::default(),
        }
    }
}
impl Roster<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> RosterT {
        RosterT {
            captain: if let ::std::option::Option::Some(value) = self.captain_as_sailor() { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.captain_as_bird() { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.captain_as_mate() { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.captain_as_note() { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.captain_as_parrot() { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE },
            all: self.all_type().map(|types| (0..types.len()).map(|index| if let ::std::option::Option::Some(value) = self.all_as_sailor(index) { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.all_as_bird(index) { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.all_as_mate(index) { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.all_as_note(index) { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.all_as_parrot(index) { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE }).collect()),
            must: (0..self.must_type().len()).map(|index| if let ::std::option::Option::Some(value) = self.must_as_sailor(index) { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.must_as_bird(index) { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.must_as_mate(index) { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.must_as_note(index) { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.must_as_parrot(index) { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE }).collect(),
            usual: (0..self.usual_type().len()).map(|index| if let ::std::option::Option::Some(value) = self.usual_as_sailor(index) { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.usual_as_bird(index) { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.usual_as_mate(index) { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.usual_as_note(index) { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.usual_as_parrot(index) { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE }).collect(),
        }
    }
}
impl RosterT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Roster<'static>> {
        let (captain_type_, captain_) = self.captain.pack(builder);
        let (all_type_, all_) = self.all.as_ref().map(|values| { let packed: ::std::vec::Vec<_> = values.iter().map(|value| value.pack(builder)).collect(); ::polywire::flatbuffers::aligned_unions(builder, &packed, 1) }).unzip();
        let (must_type_, must_) = { let (types, values) = { let packed: ::std::vec::Vec<_> = self.must.iter().map(|value| value.pack(builder)).collect(); ::polywire::flatbuffers::aligned_unions(builder, &packed, 1) }; (::std::option::Option::Some(types), ::std::option::Option::Some(values)) };
        let (usual_type_, usual_) = { let (types, values) = { let packed: ::std::vec::Vec<_> = self.usual.iter().map(|value| value.pack(builder)).collect(); ::polywire::flatbuffers::aligned_unions(builder, &packed, 1) }; (::std::option::Option::Some(types), ::std::option::Option::Some(values)) };
        let args = RosterArgs {
            captain_type: captain_type_,
            captain: captain_,
            all_type: all_type_,
            all: all_,
            must_type: must_type_,
            must: must_,
            usual_type: usual_type_,
            usual: usual_,
        };
        Roster::create(builder, &args)
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

/// A union of type [`Rank`] with its value, owned.
#[derive(Clone, Debug, PartialEq, Default)]
#[allow(non_camel_case_types)]
pub enum RankT {
    /// Nothing, or a variant of a newer schema.
    #[default]
    NONE,
    Sailor(::std::boxed::Box<SailorT>),
    bird(::std::boxed::Box<Parrot>),
    word(::std::string::String),
}
impl RankT {
    /// Writes the value into a message.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> (Rank, ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>) {
        match self {
            Self::NONE => (Rank::NONE, ::std::option::Option::None),
            Self::Sailor(value) => (Rank::Sailor, ::std::option::Option::Some(value.pack(builder).as_union_value())),
            Self::bird(value) => (Rank::bird, ::std::option::Option::Some(builder.create_struct(&**value).as_union_value())),
            Self::word(value) => (Rank::word, ::std::option::Option::Some(builder.create_string(&value).as_union_value())),
        }
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

/// The contents of a [`Ranks`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct RanksT {
    pub first: RankT,
    pub all: ::std::option::Option<::std::vec::Vec<RankT>>,
}
impl ::std::default::Default for RanksT {
    fn default() -> Self {
        Self {
            first: ::std::default::Default::default(),
            all: ::std::option::Option::None,
        }
    }
}
impl Ranks<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> RanksT {
        RanksT {
            first: if let ::std::option::Option::Some(value) = self.first_as_sailor() { RankT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.first_as_bird() { RankT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.first_as_word() { RankT::word(::std::string::String::from(value)) } else { RankT::NONE },
            all: self.all_type().map(|types| (0..types.len()).map(|index| if let ::std::option::Option::Some(value) = self.all_as_sailor(index) { RankT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.all_as_bird(index) { RankT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.all_as_word(index) { RankT::word(::std::string::String::from(value)) } else { RankT::NONE }).collect()),
        }
    }
}
impl RanksT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Ranks<'static>> {
        let (first_type_, first_) = self.first.pack(builder);
        let (all_type_, all_) = self.all.as_ref().map(|values| { let packed: ::std::vec::Vec<_> = values.iter().map(|value| value.pack(builder)).collect(); ::polywire::flatbuffers::aligned_unions(builder, &packed, 1) }).unzip();
        let args = RanksArgs {
            first_type: first_type_,
            first: first_,
            all_type: all_type_,
            all: all_,
        };
        Ranks::create(builder, &args)
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

/// The contents of a [`Letter`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct LetterT {
    pub cargo: ::std::option::Option<::std::vec::Vec<u8>>,
    pub again: ::std::option::Option<::std::vec::Vec<u8>>,
    pub must: ::std::vec::Vec<u8>,
}
impl ::std::default::Default for LetterT {
    fn default() -> Self {
        Self {
            cargo: ::std::option::Option::None,
            again: ::std::option::Option::None,
            must: ::std::default::Default::default(),
        }
    }
}
impl Letter<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> LetterT {
        LetterT {
            cargo: self.cargo().map(|value| value.iter().collect()),
            again: self.again().map(|value| value.iter().collect()),
            must: self.must().iter().collect(),
        }
    }
}
impl LetterT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Letter<'static>> {
        let cargo_ = self.cargo.as_ref().map(|value| builder.create_aligned_vector(&value, 32));
        let again_ = self.again.as_ref().map(|value| builder.create_aligned_vector(&value, 32));
        let must_ = ::std::option::Option::Some(builder.create_aligned_vector(&self.must, 32));
        let args = LetterArgs {
            cargo: cargo_,
            again: again_,
            must: must_,
        };
        Letter::create(builder, &args)
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

/// The contents of a [`Named`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedT {
    pub name: ::std::string::String,
    pub x: i32,
}
impl ::std::default::Default for NamedT {
    fn default() -> Self {
        Self {
            name: ::std::default::Default::default(),
            x: 0,
        }
    }
}
impl Named<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> NamedT {
        NamedT {
            name: ::std::string::String::from(self.name()),
            x: self.x(),
        }
    }
}
impl NamedT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Named<'static>> {
        let name_ = ::std::option::Option::Some(builder.create_string(&self.name));
        let args = NamedArgs {
            name: name_,
            x: self.x,
        };
        Named::create(builder, &args)
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

/// The contents of a [`Numbered`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberedT {
    pub n: i16,
    pub x: i32,
}
impl ::std::default::Default for NumberedT {
    fn default() -> Self {
        Self {
            n: 5,
            x: 0,
        }
    }
}
impl Numbered<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> NumberedT {
        NumberedT {
            n: self.n(),
            x: self.x(),
        }
    }
}
impl NumberedT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Numbered<'static>> {
        let args = NumberedArgs {
            n: self.n,
            x: self.x,
        };
        Numbered::create(builder, &args)
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

/// The contents of a [`Flagged`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct FlaggedT {
    pub on: bool,
    pub x: i32,
}
impl ::std::default::Default for FlaggedT {
    fn default() -> Self {
        Self {
            on: false,
            x: 0,
        }
    }
}
impl Flagged<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> FlaggedT {
        FlaggedT {
            on: self.on(),
            x: self.x(),
        }
    }
}
impl FlaggedT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Flagged<'static>> {
        let args = FlaggedArgs {
            on: self.on,
            x: self.x,
        };
        Flagged::create(builder, &args)
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

/// The contents of a [`Typed`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedT {
    pub of: Deckhand,
    pub x: i32,
}
impl ::std::default::Default for TypedT {
    fn default() -> Self {
        Self {
            of: Deckhand(0),
            x: 0,
        }
    }
}
impl Typed<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> TypedT {
        TypedT {
            of: self.of(),
            x: self.x(),
        }
    }
}
impl TypedT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Typed<'static>> {
        let args = TypedArgs {
            of: self.of,
            x: self.x,
        };
        Typed::create(builder, &args)
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

/// The contents of a [`Measured`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredT {
    pub by: f64,
    pub x: i32,
}
impl ::std::default::Default for MeasuredT {
    fn default() -> Self {
        Self {
            by: 1.5_f64,
            x: 0,
        }
    }
}
impl Measured<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> MeasuredT {
        MeasuredT {
            by: self.by(),
            x: self.x(),
        }
    }
}
impl MeasuredT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Measured<'static>> {
        let args = MeasuredArgs {
            by: self.by,
            x: self.x,
        };
        Measured::create(builder, &args)
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

/// The contents of a [`Book`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct BookT {
    pub logs: ::std::option::Option<::std::vec::Vec<Log>>,
    pub depths: ::std::option::Option<::std::vec::Vec<Depth>>,
    pub named: ::std::option::Option<::std::vec::Vec<NamedT>>,
    pub numbered: ::std::option::Option<::std::vec::Vec<NumberedT>>,
    pub flagged: ::std::option::Option<::std::vec::Vec<FlaggedT>>,
    pub typed: ::std::option::Option<::std::vec::Vec<TypedT>>,
    pub measured: ::std::option::Option<::std::vec::Vec<MeasuredT>>,
}
impl ::std::default::Default for BookT {
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
impl Book<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> BookT {
        BookT {
            logs: self.logs().map(|value| value.iter().collect()),
            depths: self.depths().map(|value| value.iter().collect()),
            named: self.named().map(|value| value.iter().map(|value| value.unpack()).collect()),
            numbered: self.numbered().map(|value| value.iter().map(|value| value.unpack()).collect()),
            flagged: self.flagged().map(|value| value.iter().map(|value| value.unpack()).collect()),
            typed: self.typed().map(|value| value.iter().map(|value| value.unpack()).collect()),
            measured: self.measured().map(|value| value.iter().map(|value| value.unpack()).collect()),
        }
    }
}
impl BookT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Book<'static>> {
        let logs_ = self.logs.as_ref().map(|value| ::polywire::flatbuffers::aligned_structs(builder, &value, 1));
        let depths_ = self.depths.as_ref().map(|value| ::polywire::flatbuffers::aligned_structs(builder, &value, 1));
        let named_ = self.named.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let numbered_ = self.numbered.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let flagged_ = self.flagged.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let typed_ = self.typed.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let measured_ = self.measured.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let args = BookArgs {
            logs: logs_,
            depths: depths_,
            named: named_,
            numbered: numbered_,
            flagged: flagged_,
            typed: typed_,
            measured: measured_,
        };
        Book::create(builder, &args)
    }
}

#[derive(Clone, Copy)]
pub struct Chest<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Chest`].
pub type ChestBuf = ::polywire::flatbuffers::Flat<Chest<'static>>;

impl<'a> Chest<'a> {
    #[inline]
    pub fn open(&self) -> bool {
        self.0.field(4).unwrap_or(true)
    }
    #[inline]
    pub fn weight(&self) -> f64 {
        self.0.field(6).unwrap_or(2.5_f64)
    }
    #[inline]
    pub fn keeper(&self) -> Deckhand {
        self.0.field(8).unwrap_or(Deckhand(0))
    }
    #[inline]
    pub fn rank(&self) -> ::std::option::Option<i32> {
        self.0.field(10)
    }
    #[inline]
    pub fn label(&self) -> ::std::option::Option<&'a str> {
        self.0.field(12)
    }
    #[inline]
    pub fn title(&self) -> &'a str {
        self.0.field(14).unwrap_or("a chest")
    }
    #[inline]
    pub fn owner(&self) -> &'a str {
        self.0.required(16)
    }
    #[inline]
    pub fn deck(&self) -> ::std::option::Option<Deck> {
        self.0.field(18)
    }
    #[inline]
    pub fn inner(&self) -> ::std::option::Option<Chest<'a>> {
        self.0.field(20)
    }
    #[inline]
    pub fn guard_type(&self) -> Crew {
        self.0.field(22).unwrap_or_default()
    }
    /// `guard`, if it is a `Sailor`.
    #[inline]
    pub fn guard_as_sailor(&self) -> ::std::option::Option<Sailor<'a>> {
        if self.guard_type() != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<Sailor<'a>>(24)
    }
    /// `guard`, if it is a `bird`.
    #[inline]
    pub fn guard_as_bird(&self) -> ::std::option::Option<Parrot> {
        if self.guard_type() != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Apart<Parrot>>(24).map(|apart| apart.0)
    }
    /// `guard`, if it is a `Mate`.
    #[inline]
    pub fn guard_as_mate(&self) -> ::std::option::Option<Sailor<'a>> {
        if self.guard_type() != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<Sailor<'a>>(24)
    }
    /// `guard`, if it is a `note`.
    #[inline]
    pub fn guard_as_note(&self) -> ::std::option::Option<&'a str> {
        if self.guard_type() != Crew::note { return ::std::option::Option::None; }
        self.0.field::<&'a str>(24)
    }
    /// `guard`, if it is a `Parrot`.
    #[inline]
    pub fn guard_as_parrot(&self) -> ::std::option::Option<Parrot> {
        if self.guard_type() != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Apart<Parrot>>(24).map(|apart| apart.0)
    }
    #[inline]
    pub fn guards_type(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Crew>> {
        self.0.field(26)
    }
    /// The value at `index`, if it is a `Sailor`.
    #[inline]
    pub fn guards_as_sailor(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(26)?.get(index)? != Crew::Sailor { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(28)?.get(index)
    }
    /// The value at `index`, if it is a `bird`.
    #[inline]
    pub fn guards_as_bird(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(26)?.get(index)? != Crew::bird { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(28)?.get(index).map(|apart| apart.0)
    }
    /// The value at `index`, if it is a `Mate`.
    #[inline]
    pub fn guards_as_mate(&self, index: usize) -> ::std::option::Option<Sailor<'a>> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(26)?.get(index)? != Crew::Mate { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, Sailor<'a>>>(28)?.get(index)
    }
    /// The value at `index`, if it is a `note`.
    #[inline]
    pub fn guards_as_note(&self, index: usize) -> ::std::option::Option<&'a str> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(26)?.get(index)? != Crew::note { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, &'a str>>(28)?.get(index)
    }
    /// The value at `index`, if it is a `Parrot`.
    #[inline]
    pub fn guards_as_parrot(&self, index: usize) -> ::std::option::Option<Parrot> {
        if self.0.field::<::polywire::flatbuffers::Vector<'a, Crew>>(26)?.get(index)? != Crew::Parrot { return ::std::option::Option::None; }
        self.0.field::<::polywire::flatbuffers::Vector<'a, ::polywire::flatbuffers::Apart<Parrot>>>(28)?.get(index).map(|apart| apart.0)
    }
    #[inline]
    pub fn bytes(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(30)
    }
    #[inline]
    pub fn numbers(&self) -> ::polywire::flatbuffers::Vector<'a, i64> {
        self.0.field(32).unwrap_or_default()
    }
    #[inline]
    pub fn hands(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Deckhand>> {
        self.0.field(34)
    }
    #[inline]
    pub fn holds(&self) -> ::polywire::flatbuffers::Vector<'a, Hold> {
        self.0.required(36)
    }
    #[inline]
    pub fn names(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, &'a str>> {
        self.0.field(38)
    }
    #[inline]
    pub fn logs(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Log>> {
        self.0.field(40)
    }
    #[inline]
    pub fn chests(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Chest<'a>>> {
        self.0.field(42)
    }
    #[inline]
    pub fn letter(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(44)
    }
    /// The message in `letter`.
    pub fn letter_nested(&self) -> ::std::option::Option<Sailor<'a>> {
        self.0.field::<::polywire::flatbuffers::Vector<'a, u8>>(44).map(|bytes| Sailor(::polywire::flatbuffers::Table::root(bytes.bytes())))
    }
    #[inline]
    pub fn builder(&self) -> ::std::option::Option<&'a str> {
        self.0.field(46)
    }
    #[inline]
    pub fn unpack_(&self) -> i32 {
        self.0.field(48).unwrap_or(0)
    }
}

/// What [`Chest::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct ChestArgs {
    pub open: bool,
    pub weight: f64,
    pub keeper: Deckhand,
    pub rank: ::std::option::Option<i32>,
    pub label: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub title: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub owner: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub deck: ::std::option::Option<Deck>,
    pub inner: ::std::option::Option<::polywire::flatbuffers::Offset<Chest<'static>>>,
    pub guard_type: Crew,
    pub guard: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>,
    pub guards_type: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Crew>>>,
    pub guards: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::UnionValue>>>>,
    pub bytes: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub numbers: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<i64>>>,
    pub hands: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Deckhand>>>,
    pub holds: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Hold>>>,
    pub names: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<&'static str>>>>,
    pub logs: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Log>>>,
    pub chests: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Chest<'static>>>>>,
    pub letter: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub builder: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub unpack_: i32,
}
impl ::std::default::Default for ChestArgs {
    fn default() -> Self {
        Self {
            open: true,
            weight: 2.5_f64,
            keeper: Deckhand(0),
            rank: ::std::option::Option::None,
            label: ::std::option::Option::None,
            title: ::std::option::Option::None,
            owner: ::std::option::Option::None,
            deck: ::std::option::Option::None,
            inner: ::std::option::Option::None,
            guard_type: ::std::default::Default::default(),
            guard: ::std::option::Option::None,
            guards_type: ::std::default::Default::default(),
            guards: ::std::option::Option::None,
            bytes: ::std::option::Option::None,
            numbers: ::std::option::Option::None,
            hands: ::std::option::Option::None,
            holds: ::std::option::Option::None,
            names: ::std::option::Option::None,
            logs: ::std::option::Option::None,
            chests: ::std::option::Option::None,
            letter: ::std::option::Option::None,
            builder: ::std::option::Option::None,
            unpack_: 0,
        }
    }
}

impl Chest<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &ChestArgs,
    ) -> ::polywire::flatbuffers::Offset<Chest<'static>> {
        let mut table = builder.start_table::<23, 146>();
        if let ::std::option::Option::Some(value) = &args.deck { table.push_struct(18, value); }
        table.push_slot(6, args.weight, 2.5_f64);
        table.push_slot(48, args.unpack_, 0);
        if let ::std::option::Option::Some(value) = args.builder { table.push_slot_always(46, value); }
        if let ::std::option::Option::Some(value) = args.letter { table.push_slot_always(44, value); }
        if let ::std::option::Option::Some(value) = args.chests { table.push_slot_always(42, value); }
        if let ::std::option::Option::Some(value) = args.logs { table.push_slot_always(40, value); }
        if let ::std::option::Option::Some(value) = args.names { table.push_slot_always(38, value); }
        if let ::std::option::Option::Some(value) = args.holds { table.push_slot_always(36, value); }
        if let ::std::option::Option::Some(value) = args.hands { table.push_slot_always(34, value); }
        if let ::std::option::Option::Some(value) = args.numbers { table.push_slot_always(32, value); }
        if let ::std::option::Option::Some(value) = args.bytes { table.push_slot_always(30, value); }
        if let ::std::option::Option::Some(value) = args.guards { table.push_slot_always(28, value); }
        if let ::std::option::Option::Some(value) = args.guards_type { table.push_slot_always(26, value); }
        if let ::std::option::Option::Some(value) = args.guard { table.push_slot_always(24, value); }
        if let ::std::option::Option::Some(value) = args.inner { table.push_slot_always(20, value); }
        if let ::std::option::Option::Some(value) = args.owner { table.push_slot_always(16, value); }
        if let ::std::option::Option::Some(value) = args.title { table.push_slot_always(14, value); }
        if let ::std::option::Option::Some(value) = args.label { table.push_slot_always(12, value); }
        if let ::std::option::Option::Some(value) = args.rank { table.push_slot_always(10, value); }
        table.push_slot(22, args.guard_type.0, 0u8);
        table.push_slot(8, args.keeper.0, 0);
        table.push_slot(4, args.open, true);
        table.required(16, "owner");
        table.required(36, "holds");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Chest<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Chest<'static> {
    type View<'a> = Chest<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Chest<'_> {
        Chest(table)
    }
}
impl ::std::fmt::Debug for Chest<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Chest");
        table.field("open", &self.open());
        table.field("weight", &self.weight());
        table.field("keeper", &self.keeper());
        table.field("rank", &self.rank());
        table.field("label", &self.label());
        table.field("title", &self.title());
        table.field("owner", &self.owner());
        table.field("deck", &self.deck());
        table.field("inner", &self.inner());
        table.field("guard_type", &self.guard_type());
        table.field("guards_type", &self.guards_type());
        table.field("bytes", &self.bytes());
        table.field("numbers", &self.numbers());
        table.field("hands", &self.hands());
        table.field("holds", &self.holds());
        table.field("names", &self.names());
        table.field("logs", &self.logs());
        table.field("chests", &self.chests());
        table.field("letter", &self.letter());
        table.field("builder", &self.builder());
        table.field("unpack", &self.unpack_());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Chest<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<bool>("open", 4, false)?
            .visit_field::<f64>("weight", 6, false)?
            .visit_field::<i8>("keeper", 8, false)?
            .visit_field::<i32>("rank", 10, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("label", 12, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("title", 14, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("owner", 16, true)?
            .visit_field::<Deck>("deck", 18, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<Chest<'_>>>("inner", 20, false)?
            .visit_union::<u8>("guard", 24, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .visit_unions::<u8>("guards", 28, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Sailor", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("bird", at), 7 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Sailor<'_>>>("Mate", at), 8 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<&str>>("note", at), 9 => verifier.verify_union_variant::<::polywire::flatbuffers::Apart<Parrot>>("Parrot", at), _ => ::std::result::Result::Ok(()) })?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<u8>>>("bytes", 30, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<i64>>>("numbers", 32, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<i8>>>("hands", 34, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<Hold>>>("holds", 36, true)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<&str>>>("names", 38, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<Log>>>("logs", 40, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Chest<'_>>>>("chests", 42, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Nested<Sailor<'_>>>>("letter", 44, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("builder", 46, false)?
            .visit_field::<i32>("unpack", 48, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// The contents of a [`Chest`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct ChestT {
    pub open: bool,
    pub weight: f64,
    pub keeper: Deckhand,
    pub rank: ::std::option::Option<i32>,
    pub label: ::std::option::Option<::std::string::String>,
    pub title: ::std::string::String,
    pub owner: ::std::string::String,
    pub deck: ::std::option::Option<::std::boxed::Box<Deck>>,
    pub inner: ::std::option::Option<::std::boxed::Box<ChestT>>,
    pub guard: CrewT,
    pub guards: ::std::option::Option<::std::vec::Vec<CrewT>>,
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    pub numbers: ::std::vec::Vec<i64>,
    pub hands: ::std::option::Option<::std::vec::Vec<Deckhand>>,
    pub holds: ::std::vec::Vec<Hold>,
    pub names: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    pub logs: ::std::option::Option<::std::vec::Vec<Log>>,
    pub chests: ::std::option::Option<::std::vec::Vec<ChestT>>,
    pub letter: ::std::option::Option<::std::vec::Vec<u8>>,
    pub builder: ::std::option::Option<::std::string::String>,
    pub unpack_: i32,
}
impl ::std::default::Default for ChestT {
    fn default() -> Self {
        Self {
            open: true,
            weight: 2.5_f64,
            keeper: Deckhand(0),
            rank: ::std::option::Option::None,
            label: ::std::option::Option::None,
            title: ::std::string::String::from("a chest"),
            owner: ::std::default::Default::default(),
            deck: ::std::option::Option::None,
            inner: ::std::option::Option::None,
            guard: ::std::default::Default::default(),
            guards: ::std::option::Option::None,
            bytes: ::std::option::Option::None,
            numbers: ::std::default::Default::default(),
            hands: ::std::option::Option::None,
            holds: ::std::default::Default::default(),
            names: ::std::option::Option::None,
            logs: ::std::option::Option::None,
            chests: ::std::option::Option::None,
            letter: ::std::option::Option::None,
            builder: ::std::option::Option::None,
            unpack_: 0,
        }
    }
}
impl Chest<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> ChestT {
        ChestT {
            open: self.open(),
            weight: self.weight(),
            keeper: self.keeper(),
            rank: self.rank(),
            label: self.label().map(|value| ::std::string::String::from(value)),
            title: ::std::string::String::from(self.title()),
            owner: ::std::string::String::from(self.owner()),
            deck: self.deck().map(|value| ::std::boxed::Box::new(value)),
            inner: self.inner().map(|value| ::std::boxed::Box::new(value.unpack())),
            guard: if let ::std::option::Option::Some(value) = self.guard_as_sailor() { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.guard_as_bird() { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.guard_as_mate() { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.guard_as_note() { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.guard_as_parrot() { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE },
            guards: self.guards_type().map(|types| (0..types.len()).map(|index| if let ::std::option::Option::Some(value) = self.guards_as_sailor(index) { CrewT::Sailor(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.guards_as_bird(index) { CrewT::bird(::std::boxed::Box::new(value)) } else if let ::std::option::Option::Some(value) = self.guards_as_mate(index) { CrewT::Mate(::std::boxed::Box::new(value.unpack())) } else if let ::std::option::Option::Some(value) = self.guards_as_note(index) { CrewT::note(::std::string::String::from(value)) } else if let ::std::option::Option::Some(value) = self.guards_as_parrot(index) { CrewT::Parrot(::std::boxed::Box::new(value)) } else { CrewT::NONE }).collect()),
            bytes: self.bytes().map(|value| value.iter().collect()),
            numbers: self.numbers().iter().collect(),
            hands: self.hands().map(|value| value.iter().collect()),
            holds: self.holds().iter().collect(),
            names: self.names().map(|value| value.iter().map(|value| ::std::string::String::from(value)).collect()),
            logs: self.logs().map(|value| value.iter().collect()),
            chests: self.chests().map(|value| value.iter().map(|value| value.unpack()).collect()),
            letter: self.letter().map(|value| value.iter().collect()),
            builder: self.builder().map(|value| ::std::string::String::from(value)),
            unpack_: self.unpack_(),
        }
    }
}
impl ChestT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Chest<'static>> {
        let label_ = self.label.as_ref().map(|value| builder.create_string(&value));
        let title_ = ::std::option::Option::Some(builder.create_string(&self.title));
        let owner_ = ::std::option::Option::Some(builder.create_string(&self.owner));
        let inner_ = self.inner.as_ref().map(|value| value.pack(builder));
        let (guard_type_, guard_) = self.guard.pack(builder);
        let (guards_type_, guards_) = self.guards.as_ref().map(|values| { let packed: ::std::vec::Vec<_> = values.iter().map(|value| value.pack(builder)).collect(); ::polywire::flatbuffers::aligned_unions(builder, &packed, 1) }).unzip();
        let bytes_ = self.bytes.as_ref().map(|value| builder.create_aligned_vector(&value, 16));
        let numbers_ = ::std::option::Option::Some(builder.create_aligned_vector(&self.numbers, 1));
        let hands_ = self.hands.as_ref().map(|value| ::polywire::flatbuffers::aligned_structs(builder, &value, 1));
        let holds_ = ::std::option::Option::Some(::polywire::flatbuffers::aligned_structs(builder, &self.holds, 32));
        let names_ = self.names.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| builder.create_string(&value)).collect(); builder.create_aligned_vector(&items, 1) });
        let logs_ = self.logs.as_ref().map(|value| ::polywire::flatbuffers::aligned_structs(builder, &value, 1));
        let chests_ = self.chests.as_ref().map(|value| { let items: ::std::vec::Vec<_> = value.iter().map(|value| value.pack(builder)).collect(); builder.create_aligned_vector(&items, 1) });
        let letter_ = self.letter.as_ref().map(|value| builder.create_aligned_vector(&value, 32));
        let builder_ = self.builder.as_ref().map(|value| builder.create_string(&value));
        let args = ChestArgs {
            open: self.open,
            weight: self.weight,
            keeper: self.keeper,
            rank: self.rank,
            label: label_,
            title: title_,
            owner: owner_,
            deck: self.deck.as_deref().copied(),
            inner: inner_,
            guard_type: guard_type_,
            guard: guard_,
            guards_type: guards_type_,
            guards: guards_,
            bytes: bytes_,
            numbers: numbers_,
            hands: hands_,
            holds: holds_,
            names: names_,
            logs: logs_,
            chests: chests_,
            letter: letter_,
            builder: builder_,
            unpack_: self.unpack_,
        };
        Chest::create(builder, &args)
    }
}

#[derive(Clone, Copy)]
pub struct Defaults<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Defaults`].
pub type DefaultsBuf = ::polywire::flatbuffers::Flat<Defaults<'static>>;

impl<'a> Defaults<'a> {
    #[inline]
    pub fn a(&self) -> f64 {
        self.0.field(4).unwrap_or(0.1875_f64)
    }
    #[inline]
    pub fn b(&self) -> f32 {
        self.0.field(6).unwrap_or(-1.0_f32)
    }
    #[inline]
    pub fn c(&self) -> f64 {
        self.0.field(8).unwrap_or(1.0_f64)
    }
    #[inline]
    pub fn e(&self) -> f64 {
        self.0.field(12).unwrap_or(3.009569673863_f64)
    }
    #[inline]
    pub fn f(&self) -> f32 {
        self.0.field(14).unwrap_or(0.5235988_f32)
    }
    #[inline]
    pub fn g(&self) -> f64 {
        self.0.field(16).unwrap_or(2.0_f64)
    }
    #[inline]
    pub fn h(&self) -> f32 {
        self.0.field(18).unwrap_or(1.0000001_f32)
    }
    #[inline]
    pub fn i(&self) -> f64 {
        self.0.field(20).unwrap_or(-5e-324_f64)
    }
    #[inline]
    pub fn j(&self) -> f64 {
        self.0.field(22).unwrap_or(57.295779513082_f64)
    }
    #[inline]
    pub fn k(&self) -> f64 {
        self.0.field(24).unwrap_or(1.1377777777777778_f64)
    }
}

/// What [`Defaults::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct DefaultsArgs {
    pub a: f64,
    pub b: f32,
    pub c: f64,
    pub e: f64,
    pub f: f32,
    pub g: f64,
    pub h: f32,
    pub i: f64,
    pub j: f64,
    pub k: f64,
}
impl ::std::default::Default for DefaultsArgs {
    fn default() -> Self {
        Self {
            a: 0.1875_f64,
            b: -1.0_f32,
            c: 1.0_f64,
            e: 3.009569673863_f64,
            f: 0.5235988_f32,
            g: 2.0_f64,
            h: 1.0000001_f32,
            i: -5e-324_f64,
            j: 57.295779513082_f64,
            k: 1.1377777777777778_f64,
        }
    }
}

impl Defaults<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &DefaultsArgs,
    ) -> ::polywire::flatbuffers::Offset<Defaults<'static>> {
        let mut table = builder.start_table::<11, 75>();
        table.push_slot(24, args.k, 1.1377777777777778_f64);
        table.push_slot(22, args.j, 57.295779513082_f64);
        table.push_slot(20, args.i, -5e-324_f64);
        table.push_slot(16, args.g, 2.0_f64);
        table.push_slot(12, args.e, 3.009569673863_f64);
        table.push_slot(8, args.c, 1.0_f64);
        table.push_slot(4, args.a, 0.1875_f64);
        table.push_slot(18, args.h, 1.0000001_f32);
        table.push_slot(14, args.f, 0.5235988_f32);
        table.push_slot(6, args.b, -1.0_f32);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Defaults<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Defaults<'static> {
    type View<'a> = Defaults<'a>;
    const ALIGN: usize = 32;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Defaults<'_> {
        Defaults(table)
    }
}
impl ::std::fmt::Debug for Defaults<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Defaults");
        table.field("a", &self.a());
        table.field("b", &self.b());
        table.field("c", &self.c());
        table.field("e", &self.e());
        table.field("f", &self.f());
        table.field("g", &self.g());
        table.field("h", &self.h());
        table.field("i", &self.i());
        table.field("j", &self.j());
        table.field("k", &self.k());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Defaults<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<f64>("a", 4, false)?
            .visit_field::<f32>("b", 6, false)?
            .visit_field::<f64>("c", 8, false)?
            .visit_field::<f64>("e", 12, false)?
            .visit_field::<f32>("f", 14, false)?
            .visit_field::<f64>("g", 16, false)?
            .visit_field::<f32>("h", 18, false)?
            .visit_field::<f64>("i", 20, false)?
            .visit_field::<f64>("j", 22, false)?
            .visit_field::<f64>("k", 24, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// The contents of a [`Defaults`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultsT {
    pub a: f64,
    pub b: f32,
    pub c: f64,
    pub e: f64,
    pub f: f32,
    pub g: f64,
    pub h: f32,
    pub i: f64,
    pub j: f64,
    pub k: f64,
}
impl ::std::default::Default for DefaultsT {
    fn default() -> Self {
        Self {
            a: 0.1875_f64,
            b: -1.0_f32,
            c: 1.0_f64,
            e: 3.009569673863_f64,
            f: 0.5235988_f32,
            g: 2.0_f64,
            h: 1.0000001_f32,
            i: -5e-324_f64,
            j: 57.295779513082_f64,
            k: 1.1377777777777778_f64,
        }
    }
}
impl Defaults<'_> {
    /// Copies everything into an owned value.
    pub fn unpack(&self) -> DefaultsT {
        DefaultsT {
            a: self.a(),
            b: self.b(),
            c: self.c(),
            e: self.e(),
            f: self.f(),
            g: self.g(),
            h: self.h(),
            i: self.i(),
            j: self.j(),
            k: self.k(),
        }
    }
}
impl DefaultsT {
    /// Writes it into a message. Vectors stay in their order, also those of tables with a key.
    pub fn pack(&self, builder: &mut ::polywire::flatbuffers::Builder) -> ::polywire::flatbuffers::Offset<Defaults<'static>> {
        let args = DefaultsArgs {
            a: self.a,
            b: self.b,
            c: self.c,
            e: self.e,
            f: self.f,
            g: self.g,
            h: self.h,
            i: self.i,
            j: self.j,
            k: self.k,
        };
        Defaults::create(builder, &args)
    }
}

// Made by polywire-build from chest.fbs; changes are lost.

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

// Made by polywire-build from zoo.fbs; changes are lost.

/// FlatBuffers have no descriptors.
const DESCRIPTOR_SET: &[u8] = &[];

/// Colours of animals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Colour(pub i8);
#[allow(non_upper_case_globals)]
impl Colour {
    pub const Red: Self = Self(-1);
    pub const Green: Self = Self(0);
    /// Of the sky.
    pub const Blue: Self = Self(7);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::Red => ::std::option::Option::Some("Red"),
            Self::Green => ::std::option::Option::Some("Green"),
            Self::Blue => ::std::option::Option::Some("Blue"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Colour {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Colour {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Colour {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Food(pub u16);
#[allow(non_upper_case_globals)]
impl Food {
    pub const Grass: Self = Self(1);
    pub const Meat: Self = Self(2);
    pub const Fish: Self = Self(4);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::Grass => ::std::option::Option::Some("Grass"),
            Self::Meat => ::std::option::Option::Some("Meat"),
            Self::Fish => ::std::option::Option::Some("Fish"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Food {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Food {
    const SIZE: usize = ::std::mem::size_of::<u16>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Food {
    const SIZE: usize = ::std::mem::size_of::<u16>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cage {
    pub number: u32,
    pub corners: [super::zoo::common::Place; 2],
    pub colour: Colour,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Cage {
    const SIZE: usize = 64;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            number: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            corners: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(8)),
            colour: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(56)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Cage {
    const SIZE: usize = 64;
    const ALIGN: usize = 8;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.number, &mut place[0..4]);
        ::polywire::flatbuffers::Inline::put(&self.corners, &mut place[8..56]);
        ::polywire::flatbuffers::Inline::put(&self.colour, &mut place[56..57]);
    }
}
impl ::polywire::flatbuffers::Verifiable for Cage {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 64, 8)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Animal(pub u8);
#[allow(non_upper_case_globals)]
impl Animal {
    /// Nothing.
    pub const NONE: Self = Self(0);
    pub const Lion: Self = Self(1);
    pub const common_Name: Self = Self(2);
    pub const small: Self = Self(3);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::NONE => ::std::option::Option::Some("NONE"),
            Self::Lion => ::std::option::Option::Some("Lion"),
            Self::common_Name => ::std::option::Option::Some("common_Name"),
            Self::small => ::std::option::Option::Some("small"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Animal {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Animal {
    const SIZE: usize = ::std::mem::size_of::<u8>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Animal {
    const SIZE: usize = ::std::mem::size_of::<u8>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

#[derive(Clone, Copy)]
pub struct Lion<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Lion`].
pub type LionBuf = ::polywire::flatbuffers::Flat<Lion<'static>>;

impl<'a> Lion<'a> {
    #[inline]
    pub fn teeth(&self) -> i32 {
        self.0.field(4).unwrap_or(30)
    }
    #[inline]
    pub fn name(&self) -> super::zoo::common::Name<'a> {
        self.0.required(6)
    }
}

/// What [`Lion::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct LionArgs {
    pub teeth: i32,
    pub name: ::std::option::Option<::polywire::flatbuffers::Offset<super::zoo::common::Name<'static>>>,
}
impl ::std::default::Default for LionArgs {
    fn default() -> Self {
        Self {
            teeth: 30,
            name: ::std::option::Option::None,
        }
    }
}

impl Lion<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &LionArgs,
    ) -> ::polywire::flatbuffers::Offset<Lion<'static>> {
        let mut table = builder.start_table::<2, 11>();
        if let ::std::option::Option::Some(value) = args.name { table.push_slot_always(6, value); }
        table.push_slot(4, args.teeth, 30);
        table.required(6, "name");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Lion<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Lion<'static> {
    type View<'a> = Lion<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Lion<'_> {
        Lion(table)
    }
}
impl ::std::fmt::Debug for Lion<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Lion");
        table.field("teeth", &self.teeth());
        table.field("name", &self.name());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Lion<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<i32>("teeth", 4, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<super::zoo::common::Name<'_>>>("name", 6, true)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nothing(pub i8);
#[allow(non_upper_case_globals)]
impl Nothing {
    pub const NONE: Self = Self(0);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::NONE => ::std::option::Option::Some("NONE"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Nothing {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Nothing {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Inline for Nothing {
    const SIZE: usize = ::std::mem::size_of::<i8>();
    const ALIGN: usize = <Self as ::polywire::flatbuffers::Inline>::SIZE;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.0, place)
    }
}

/// What is not there has a value all the same.
#[derive(Clone, Copy)]
pub struct Sign<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Sign`].
pub type SignBuf = ::polywire::flatbuffers::Flat<Sign<'static>>;

impl<'a> Sign<'a> {
    #[inline]
    pub fn label(&self) -> &'a str {
        self.0.field(4).unwrap_or("it's \"new\"\né")
    }
    #[inline]
    pub fn foods(&self) -> Food {
        self.0.field(6).unwrap_or(Food(3))
    }
    #[inline]
    pub fn none(&self) -> Nothing {
        self.0.field(8).unwrap_or(Nothing(0))
    }
    #[inline]
    pub fn numbers(&self) -> ::polywire::flatbuffers::Vector<'a, i32> {
        self.0.field(10).unwrap_or_default()
    }
    #[inline]
    pub fn names(&self) -> ::polywire::flatbuffers::Vector<'a, &'a str> {
        self.0.field(12).unwrap_or_default()
    }
    #[inline]
    pub fn key(&self) -> &'a str {
        self.0.required(14)
    }
}

/// What [`Sign::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct SignArgs {
    pub label: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub foods: Food,
    pub none: Nothing,
    pub numbers: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<i32>>>,
    pub names: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<&'static str>>>>,
    pub key: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
}
impl ::std::default::Default for SignArgs {
    fn default() -> Self {
        Self {
            label: ::std::option::Option::None,
            foods: Food(3),
            none: Nothing(0),
            numbers: ::std::option::Option::None,
            names: ::std::option::Option::None,
            key: ::std::option::Option::None,
        }
    }
}

impl Sign<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &SignArgs,
    ) -> ::polywire::flatbuffers::Offset<Sign<'static>> {
        let mut table = builder.start_table::<6, 22>();
        if let ::std::option::Option::Some(value) = args.key { table.push_slot_always(14, value); }
        if let ::std::option::Option::Some(value) = args.names { table.push_slot_always(12, value); }
        if let ::std::option::Option::Some(value) = args.numbers { table.push_slot_always(10, value); }
        if let ::std::option::Option::Some(value) = args.label { table.push_slot_always(4, value); }
        table.push_slot(6, args.foods.0, 3);
        table.push_slot(8, args.none.0, 0);
        table.required(14, "key");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Sign<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Sign<'static> {
    type View<'a> = Sign<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Sign<'_> {
        Sign(table)
    }
}
impl ::std::fmt::Debug for Sign<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Sign");
        table.field("label", &self.label());
        table.field("foods", &self.foods());
        table.field("none", &self.none());
        table.field("numbers", &self.numbers());
        table.field("names", &self.names());
        table.field("key", &self.key());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Sign<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("label", 4, false)?
            .visit_field::<u16>("foods", 6, false)?
            .visit_field::<i8>("none", 8, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<i32>>>("numbers", 10, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<&str>>>("names", 12, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("key", 14, true)?
            .finish();
        ::std::result::Result::Ok(())
    }
}
impl ::polywire::flatbuffers::Keyed for Sign<'_> {
    type Key<'k> = &'k str;
    #[inline]
    fn key(&self) -> Self::Key<'_> {
        self.key()
    }
    #[inline]
    fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering {
        ::polywire::flatbuffers::Key::order(self.key(), key)
    }
}

#[derive(Clone, Copy)]
pub struct Mouse<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Mouse`].
pub type MouseBuf = ::polywire::flatbuffers::Flat<Mouse<'static>>;

impl<'a> Mouse<'a> {
    #[inline]
    pub fn r#type(&self) -> ::std::option::Option<&'a str> {
        self.0.field(4)
    }
    #[inline]
    pub fn self_(&self) -> bool {
        self.0.field(6).unwrap_or(true)
    }
}

/// What [`Mouse::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct MouseArgs {
    pub r#type: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub self_: bool,
}
impl ::std::default::Default for MouseArgs {
    fn default() -> Self {
        Self {
            r#type: ::std::option::Option::None,
            self_: true,
        }
    }
}

impl Mouse<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &MouseArgs,
    ) -> ::polywire::flatbuffers::Offset<Mouse<'static>> {
        let mut table = builder.start_table::<2, 8>();
        if let ::std::option::Option::Some(value) = args.r#type { table.push_slot_always(4, value); }
        table.push_slot(6, args.self_, true);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Mouse<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Mouse<'static> {
    type View<'a> = Mouse<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Mouse<'_> {
        Mouse(table)
    }
}
impl ::std::fmt::Debug for Mouse<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Mouse");
        table.field("type", &self.r#type());
        table.field("self", &self.self_());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Mouse<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("type", 4, false)?
            .visit_field::<bool>("self", 6, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// All of it.
#[derive(Clone, Copy)]
pub struct Zoo<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Zoo`].
pub type ZooBuf = ::polywire::flatbuffers::Flat<Zoo<'static>>;

impl<'a> Zoo<'a> {
    #[inline]
    pub fn open(&self) -> bool {
        self.0.field(4).unwrap_or(false)
    }
    #[inline]
    pub fn tiny(&self) -> u8 {
        self.0.field(6).unwrap_or(200)
    }
    #[inline]
    pub fn low(&self) -> i8 {
        self.0.field(8).unwrap_or(-128)
    }
    #[inline]
    pub fn short_one(&self) -> i16 {
        self.0.field(10).unwrap_or(16)
    }
    #[inline]
    pub fn wide(&self) -> u64 {
        self.0.field(12).unwrap_or(18446744073709551615)
    }
    #[inline]
    pub fn ratio(&self) -> f32 {
        self.0.field(14).unwrap_or(1.5_f32)
    }
    #[inline]
    pub fn far(&self) -> f64 {
        self.0.field(16).unwrap_or(f64::NEG_INFINITY)
    }
    #[inline]
    pub fn maybe(&self) -> ::std::option::Option<i32> {
        self.0.field(18)
    }
    #[inline]
    pub fn perhaps(&self) -> ::std::option::Option<Colour> {
        self.0.field(20)
    }
    #[inline]
    pub fn colour(&self) -> Colour {
        self.0.field(22).unwrap_or(Colour(7))
    }
    #[inline]
    pub fn foods(&self) -> Food {
        self.0.field(24).unwrap_or(Food(4))
    }
    #[inline]
    pub fn name(&self) -> &'a str {
        self.0.required(26)
    }
    #[inline]
    pub fn cage(&self) -> ::std::option::Option<Cage> {
        self.0.field(30)
    }
    #[inline]
    pub fn animal_type(&self) -> Animal {
        self.0.field(32).unwrap_or_default()
    }
    /// `animal`, if it is a `Lion`.
    #[inline]
    pub fn animal_as_lion(&self) -> ::std::option::Option<Lion<'a>> {
        if self.animal_type() != Animal::Lion { return ::std::option::Option::None; }
        self.0.field::<Lion<'a>>(34)
    }
    /// `animal`, if it is a `common_Name`.
    #[inline]
    pub fn animal_as_common_name(&self) -> ::std::option::Option<super::zoo::common::Name<'a>> {
        if self.animal_type() != Animal::common_Name { return ::std::option::Option::None; }
        self.0.field::<super::zoo::common::Name<'a>>(34)
    }
    /// `animal`, if it is a `small`.
    #[inline]
    pub fn animal_as_small(&self) -> ::std::option::Option<Mouse<'a>> {
        if self.animal_type() != Animal::small { return ::std::option::Option::None; }
        self.0.field::<Mouse<'a>>(34)
    }
    #[inline]
    pub fn best(&self) -> ::std::option::Option<Mouse<'a>> {
        self.0.field(36)
    }
    #[inline]
    pub fn bytes(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, u8>> {
        self.0.field(38)
    }
    #[inline]
    pub fn numbers(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, i64>> {
        self.0.field(40)
    }
    #[inline]
    pub fn flags(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, bool>> {
        self.0.field(42)
    }
    #[inline]
    pub fn colours(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Colour>> {
        self.0.field(44)
    }
    #[inline]
    pub fn names(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, &'a str>> {
        self.0.field(46)
    }
    #[inline]
    pub fn mice(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, Mouse<'a>>> {
        self.0.field(48)
    }
    #[inline]
    pub fn places(&self) -> ::std::option::Option<::polywire::flatbuffers::Vector<'a, super::zoo::common::Place>> {
        self.0.field(50)
    }
    #[inline]
    pub fn create_(&self) -> i32 {
        self.0.field(52).unwrap_or(0)
    }
    #[inline]
    pub fn r#fn(&self) -> ::std::option::Option<&'a str> {
        self.0.field(54)
    }
}

/// What [`Zoo::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct ZooArgs {
    pub open: bool,
    pub tiny: u8,
    pub low: i8,
    pub short_one: i16,
    pub wide: u64,
    pub ratio: f32,
    pub far: f64,
    pub maybe: ::std::option::Option<i32>,
    pub perhaps: ::std::option::Option<Colour>,
    pub colour: Colour,
    pub foods: Food,
    pub name: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
    pub cage: ::std::option::Option<Cage>,
    pub animal_type: Animal,
    pub animal: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::UnionValue>>,
    pub best: ::std::option::Option<::polywire::flatbuffers::Offset<Mouse<'static>>>,
    pub bytes: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<u8>>>,
    pub numbers: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<i64>>>,
    pub flags: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<bool>>>,
    pub colours: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<Colour>>>,
    pub names: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<&'static str>>>>,
    pub mice: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<::polywire::flatbuffers::Indirect<Mouse<'static>>>>>,
    pub places: ::std::option::Option<::polywire::flatbuffers::Offset<::polywire::flatbuffers::Items<super::zoo::common::Place>>>,
    pub create_: i32,
    pub r#fn: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
}
impl ::std::default::Default for ZooArgs {
    fn default() -> Self {
        Self {
            open: false,
            tiny: 200,
            low: -128,
            short_one: 16,
            wide: 18446744073709551615,
            ratio: 1.5_f32,
            far: f64::NEG_INFINITY,
            maybe: ::std::option::Option::None,
            perhaps: ::std::option::Option::None,
            colour: Colour(7),
            foods: Food(4),
            name: ::std::option::Option::None,
            cage: ::std::option::Option::None,
            animal_type: ::std::default::Default::default(),
            animal: ::std::option::Option::None,
            best: ::std::option::Option::None,
            bytes: ::std::option::Option::None,
            numbers: ::std::option::Option::None,
            flags: ::std::option::Option::None,
            colours: ::std::option::Option::None,
            names: ::std::option::Option::None,
            mice: ::std::option::Option::None,
            places: ::std::option::Option::None,
            create_: 0,
            r#fn: ::std::option::Option::None,
        }
    }
}

impl Zoo<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &ZooArgs,
    ) -> ::polywire::flatbuffers::Offset<Zoo<'static>> {
        let mut table = builder.start_table::<26, 153>();
        if let ::std::option::Option::Some(value) = &args.cage { table.push_struct(30, value); }
        table.push_slot(16, args.far, f64::NEG_INFINITY);
        table.push_slot(12, args.wide, 18446744073709551615);
        if let ::std::option::Option::Some(value) = args.r#fn { table.push_slot_always(54, value); }
        table.push_slot(52, args.create_, 0);
        if let ::std::option::Option::Some(value) = args.places { table.push_slot_always(50, value); }
        if let ::std::option::Option::Some(value) = args.mice { table.push_slot_always(48, value); }
        if let ::std::option::Option::Some(value) = args.names { table.push_slot_always(46, value); }
        if let ::std::option::Option::Some(value) = args.colours { table.push_slot_always(44, value); }
        if let ::std::option::Option::Some(value) = args.flags { table.push_slot_always(42, value); }
        if let ::std::option::Option::Some(value) = args.numbers { table.push_slot_always(40, value); }
        if let ::std::option::Option::Some(value) = args.bytes { table.push_slot_always(38, value); }
        if let ::std::option::Option::Some(value) = args.best { table.push_slot_always(36, value); }
        if let ::std::option::Option::Some(value) = args.animal { table.push_slot_always(34, value); }
        if let ::std::option::Option::Some(value) = args.name { table.push_slot_always(26, value); }
        if let ::std::option::Option::Some(value) = args.maybe { table.push_slot_always(18, value); }
        table.push_slot(14, args.ratio, 1.5_f32);
        table.push_slot(24, args.foods.0, 4);
        table.push_slot(10, args.short_one, 16);
        table.push_slot(32, args.animal_type.0, 0u8);
        table.push_slot(22, args.colour.0, 7);
        if let ::std::option::Option::Some(value) = args.perhaps { table.push_slot_always(20, value.0); }
        table.push_slot(8, args.low, -128);
        table.push_slot(6, args.tiny, 200);
        table.push_slot(4, args.open, false);
        table.required(26, "name");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Zoo<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Zoo<'static> {
    type View<'a> = Zoo<'a>;
    const IDENTIFIER: ::std::option::Option<&'static str> = ::std::option::Option::Some("ZOO1");
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Zoo<'_> {
        Zoo(table)
    }
}
impl ::std::fmt::Debug for Zoo<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Zoo");
        table.field("open", &self.open());
        table.field("tiny", &self.tiny());
        table.field("low", &self.low());
        table.field("short_one", &self.short_one());
        table.field("wide", &self.wide());
        table.field("ratio", &self.ratio());
        table.field("far", &self.far());
        table.field("maybe", &self.maybe());
        table.field("perhaps", &self.perhaps());
        table.field("colour", &self.colour());
        table.field("foods", &self.foods());
        table.field("name", &self.name());
        table.field("cage", &self.cage());
        table.field("animal_type", &self.animal_type());
        table.field("best", &self.best());
        table.field("bytes", &self.bytes());
        table.field("numbers", &self.numbers());
        table.field("flags", &self.flags());
        table.field("colours", &self.colours());
        table.field("names", &self.names());
        table.field("mice", &self.mice());
        table.field("places", &self.places());
        table.field("create", &self.create_());
        table.field("fn", &self.r#fn());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Zoo<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<bool>("open", 4, false)?
            .visit_field::<u8>("tiny", 6, false)?
            .visit_field::<i8>("low", 8, false)?
            .visit_field::<i16>("short_one", 10, false)?
            .visit_field::<u64>("wide", 12, false)?
            .visit_field::<f32>("ratio", 14, false)?
            .visit_field::<f64>("far", 16, false)?
            .visit_field::<i32>("maybe", 18, false)?
            .visit_field::<i8>("perhaps", 20, false)?
            .visit_field::<i8>("colour", 22, false)?
            .visit_field::<u16>("foods", 24, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("name", 26, true)?
            .visit_field::<Cage>("cage", 30, false)?
            .visit_union::<u8>("animal", 34, false, |kind, verifier, at| match kind { 1 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Lion<'_>>>("Lion", at), 2 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<super::zoo::common::Name<'_>>>("common_Name", at), 3 => verifier.verify_union_variant::<::polywire::flatbuffers::Indirect<Mouse<'_>>>("small", at), _ => ::std::result::Result::Ok(()) })?
            .visit_field::<::polywire::flatbuffers::Indirect<Mouse<'_>>>("best", 36, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<u8>>>("bytes", 38, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<i64>>>("numbers", 40, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<bool>>>("flags", 42, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<i8>>>("colours", 44, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<&str>>>("names", 46, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Indirects<Mouse<'_>>>>("mice", 48, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<::polywire::flatbuffers::Items<super::zoo::common::Place>>>("places", 50, false)?
            .visit_field::<i32>("create", 52, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("fn", 54, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// Keeps animals.
///
/// Service `zoo.KeeperService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `zoo.KeeperService`",
    note = "write `impl KeeperService for {Self}` with its methods: `feed`, `walk`"
)]
pub trait KeeperService: Send + Sync + 'static {
    /// Method `Feed`.
    fn feed(
        &self,
        cx: &::polywire::Context,
        request: ZooBuf,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<MouseBuf>, ::polywire::Status>> + Send;

    /// Walks.
    ///
    /// Method `Walk`, which takes and answers with a stream. To be written as
    /// `async fn walk(…) -> Result<impl Stream<Item = Result<super::zoo::common::NameBuf, Status>>, Status>`.
    fn walk(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<MouseBuf>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<super::zoo::common::NameBuf, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("zoo.KeeperService", DESCRIPTOR_SET)
            .unary::<keeper_service::Feed<Self>>(&service)
            .method("Feed", |method| method.id(::polywire::generated::method_id("zoo.KeeperService", 9)))
            .bidi_streaming::<keeper_service::Walk<Self>>(&service)
            .method("Walk", |method| method.id(::polywire::generated::method_id("zoo.KeeperService", 2)))
    }
}

/// The methods of [`KeeperService`], each as a type.
pub mod keeper_service {
    /// `zoo.KeeperService/Feed`.
    pub struct Feed<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::KeeperService> ::polywire::generated::Unary for Feed<Impl> {
        type Service = Impl;
        type Request = super::ZooBuf;
        type Response = super::MouseBuf;
        const NAME: &'static str = "Feed";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::KeeperService::feed(service, cx, request)
        }
    }

    /// `zoo.KeeperService/Walk`.
    pub struct Walk<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::KeeperService> ::polywire::generated::BidiStreaming for Walk<Impl> {
        type Service = Impl;
        type Request = super::MouseBuf;
        type Response = super::super::zoo::common::NameBuf;
        const NAME: &'static str = "Walk";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::KeeperService::walk(service, cx, incoming)
        }
    }
}

/// Keeps animals.
///
/// Calls `zoo.KeeperService` over a channel.
#[derive(Clone)]
pub struct KeeperClient {
    channel: ::polywire::Channel,
}

impl KeeperClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `grpc://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// Method `Feed`.
    #[inline]
    pub fn feed(&self, request: ZooBuf) -> ::polywire::Call<MouseBuf> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("zoo.KeeperService", "Feed").at(9), request)
    }

    /// Walks.
    ///
    /// Method `Walk`: awaited, it is a stream each way.
    #[inline]
    pub fn walk(&self) -> ::polywire::StreamingCall<::polywire::Duplex<MouseBuf, super::zoo::common::NameBuf>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("zoo.KeeperService", "Walk").at(2))
    }
}

/// Service `zoo.index`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `zoo.index`",
    note = "write `impl Index for {Self}` with its methods: `r#type`"
)]
pub trait Index: Send + Sync + 'static {
    /// Method `type`.
    fn r#type(
        &self,
        cx: &::polywire::Context,
        request: MouseBuf,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<MouseBuf>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("zoo.index", DESCRIPTOR_SET)
            .unary::<index::Type<Self>>(&service)
            .method("type", |method| method.id(::polywire::generated::method_id("zoo.index", 0)))
    }
}

/// The methods of [`Index`], each as a type.
pub mod index {
    /// `zoo.index/type`.
    pub struct Type<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Index> ::polywire::generated::Unary for Type<Impl> {
        type Service = Impl;
        type Request = super::MouseBuf;
        type Response = super::MouseBuf;
        const NAME: &'static str = "type";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Index::r#type(service, cx, request)
        }
    }
}

/// Calls `zoo.index` over a channel.
#[derive(Clone)]
pub struct IndexClient {
    channel: ::polywire::Channel,
}

impl IndexClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `grpc://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// Method `type`.
    #[inline]
    pub fn r#type(&self, request: MouseBuf) -> ::polywire::Call<MouseBuf> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("zoo.index", "type").at(0), request)
    }
}

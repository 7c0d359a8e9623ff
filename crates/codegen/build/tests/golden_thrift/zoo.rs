// Made by polywire-build from zoo.thrift; changes are lost.

pub type Number = super::zoo::shared::Number;

pub type Series = ::std::collections::BTreeMap<::std::string::String, ::std::vec::Vec<f64>>;

/// Numbers with names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Kind(pub i32);
#[allow(non_upper_case_globals)]
impl Kind {
    /// The first.
    pub const ONE: Self = Self(1);
    pub const TWO: Self = Self(2);
    pub const r#type: Self = Self(32);
    pub const ALIAS: Self = Self(2);
    pub const NEGATIVE: Self = Self(-1);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::ONE => ::std::option::Option::Some("ONE"),
            Self::TWO => ::std::option::Option::Some("TWO"),
            Self::r#type => ::std::option::Option::Some("type"),
            Self::NEGATIVE => ::std::option::Option::Some("NEGATIVE"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl ::polywire::thrift::Value for Kind {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::I32;
    #[inline]
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        ::std::result::Result::Ok(Self(from.i32()?))
    }
    #[inline]
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        to.i32(self.0)
    }
}

pub const FAVOURITE: Kind = Kind::TWO;

pub const MAX_SIZE: i32 = 16;

pub const LEAST: i64 = -9223372036854775808;

pub const HALF: f64 = 0.5;

pub const WHOLE: f64 = 2.0;

pub const YES: bool = true;

pub const TEXT: &str = "say \"hi\"\n";

pub const BYTES: ::polywire::thrift::Bytes = ::polywire::thrift::Bytes::from_static(b"a\tb");

pub const ID: ::polywire::thrift::Uuid = ::polywire::thrift::Uuid([0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255]);

pub static KINDS: ::std::sync::LazyLock<::std::vec::Vec<Kind>> = ::std::sync::LazyLock::new(|| ::std::vec![Kind::ONE, Kind::TWO, Kind::r#type]);

pub static HALVES: ::std::sync::LazyLock<::std::collections::BTreeSet<::polywire::thrift::Double>> = ::std::sync::LazyLock::new(|| ::std::collections::BTreeSet::from([::polywire::thrift::Double(0.5), ::polywire::thrift::Double(1.0), ::polywire::thrift::Double(0.5)]));

pub static SETS: ::std::sync::LazyLock<::std::collections::BTreeMap<::std::string::String, ::std::collections::BTreeSet<i32>>> = ::std::sync::LazyLock::new(|| ::std::collections::BTreeMap::from([(::std::string::String::from("a"), ::std::collections::BTreeSet::from([1, 2])), (::std::string::String::from("b"), ::std::collections::BTreeSet::new()), (::std::string::String::from("c"), ::std::collections::BTreeSet::new())]));

pub static LION: ::std::sync::LazyLock<Animal> = ::std::sync::LazyLock::new(|| Animal { name: ::std::string::String::from("Leo"), kind: Kind::TWO, legs: ::std::option::Option::Some(4), tail: ::std::option::Option::Some(Tail { length: ::polywire::thrift::Double(0.8), rings: ::std::default::Default::default() }), tags: ::std::vec![::std::string::String::from("wild")], picture: ::std::default::Default::default(), r#match: ::std::default::Default::default(), id: ::std::option::Option::None, level: super::zoo::shared::Level::LOW });

pub static CHOSEN: ::std::sync::LazyLock<Choice> = ::std::sync::LazyLock::new(|| Choice::Animal(Animal { name: ::std::string::String::from("Leo"), kind: Kind::TWO, legs: ::std::option::Option::Some(4), tail: ::std::option::Option::Some(Tail { length: ::polywire::thrift::Double(0.8), rings: ::std::default::Default::default() }), tags: ::std::vec![::std::string::String::from("wild")], picture: ::std::default::Default::default(), r#match: ::std::default::Default::default(), id: ::std::option::Option::None, level: super::zoo::shared::Level::LOW }));

pub const LEVEL: i16 = 2;

/// Has an order, since it is part of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tail {
    pub length: ::polywire::thrift::Double,
    pub rings: ::std::vec::Vec<::polywire::thrift::Double>,
}
impl ::polywire::thrift::Value for Tail {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_length: ::polywire::thrift::Double = ::std::default::Default::default();
        let mut of_rings: ::std::vec::Vec<::polywire::thrift::Double> = ::std::default::Default::default();
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Double) => of_length = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::List) => of_rings = ::polywire::thrift::Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            length: of_length,
            rings: of_rings,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Double);
        ::polywire::thrift::Value::write(&self.length, to);
        to.field(2, ::polywire::thrift::Type::List);
        ::polywire::thrift::Value::write(&self.rings, to);
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Animal {
    pub name: ::std::string::String,
    pub kind: Kind,
    pub legs: ::std::option::Option<i32>,
    pub tail: ::std::option::Option<Tail>,
    pub tags: ::std::vec::Vec<::std::string::String>,
    pub picture: ::polywire::thrift::Bytes,
    /// A word of Rust.
    pub r#match: bool,
    pub id: ::std::option::Option<::polywire::thrift::Uuid>,
    pub level: super::zoo::shared::Level,
}
impl ::std::default::Default for Animal {
    fn default() -> Self {
        Self {
            name: ::std::default::Default::default(),
            kind: Kind::ONE,
            legs: ::std::option::Option::Some(4),
            tail: ::std::option::Option::None,
            tags: ::std::vec![::std::string::String::from("wild")],
            picture: ::std::default::Default::default(),
            r#match: ::std::default::Default::default(),
            id: ::std::option::Option::None,
            level: super::zoo::shared::Level::LOW,
        }
    }
}
impl ::polywire::thrift::Value for Animal {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_name: ::std::option::Option<::std::string::String> = ::std::option::Option::None;
        let mut of_kind: Kind = Kind::ONE;
        let mut of_legs: ::std::option::Option<i32> = ::std::option::Option::None;
        let mut of_tail: ::std::option::Option<Tail> = ::std::option::Option::None;
        let mut of_tags: ::std::option::Option<::std::vec::Vec<::std::string::String>> = ::std::option::Option::None;
        let mut of_picture: ::polywire::thrift::Bytes = ::std::default::Default::default();
        let mut of_match: bool = ::std::default::Default::default();
        let mut of_id: ::std::option::Option<::polywire::thrift::Uuid> = ::std::option::Option::None;
        let mut of_level: super::zoo::shared::Level = super::zoo::shared::Level::LOW;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Binary) => of_name = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (2, ::polywire::thrift::Type::I32) => of_kind = ::polywire::thrift::Value::read(from)?,
                (3, ::polywire::thrift::Type::I32) => of_legs = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (4, ::polywire::thrift::Type::Struct) => of_tail = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (5, ::polywire::thrift::Type::List) => of_tags = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (6, ::polywire::thrift::Type::Binary) => of_picture = ::polywire::thrift::Value::read(from)?,
                (7, ::polywire::thrift::Type::Bool) => of_match = ::polywire::thrift::Value::read(from)?,
                (8, ::polywire::thrift::Type::Uuid) => of_id = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (16, ::polywire::thrift::Type::I32) => of_level = ::polywire::thrift::Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            name: of_name.ok_or(::polywire::thrift::Error::missing("Animal", "name"))?,
            kind: of_kind,
            legs: of_legs.or_else(|| ::std::option::Option::Some(4)),
            tail: of_tail,
            tags: of_tags.unwrap_or_else(|| ::std::vec![::std::string::String::from("wild")]),
            picture: of_picture,
            r#match: of_match,
            id: of_id,
            level: of_level,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.name, to);
        to.field(2, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.kind, to);
        if let ::std::option::Option::Some(value) = &self.legs {
            to.field(3, ::polywire::thrift::Type::I32);
            ::polywire::thrift::Value::write(value, to);
        }
        if let ::std::option::Option::Some(value) = &self.tail {
            to.field(4, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        to.field(5, ::polywire::thrift::Type::List);
        ::polywire::thrift::Value::write(&self.tags, to);
        to.field(6, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.picture, to);
        to.field(7, ::polywire::thrift::Type::Bool);
        ::polywire::thrift::Value::write(&self.r#match, to);
        if let ::std::option::Option::Some(value) = &self.id {
            to.field(8, ::polywire::thrift::Type::Uuid);
            ::polywire::thrift::Value::write(value, to);
        }
        to.field(16, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.level, to);
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Everything {
    pub a: bool,
    pub b: i8,
    pub c: i8,
    pub d: i16,
    pub e: i32,
    pub f: i64,
    pub g: f64,
    pub h: ::std::string::String,
    pub i: ::polywire::thrift::Bytes,
    pub j: ::polywire::thrift::Uuid,
    pub k: ::std::vec::Vec<Animal>,
    pub l: ::std::collections::BTreeSet<::std::string::String>,
    pub m: ::std::collections::BTreeMap<Tail, Animal>,
    pub n: ::std::collections::BTreeMap<::std::collections::BTreeSet<::polywire::thrift::Double>, ::std::vec::Vec<::std::collections::BTreeMap<i32, Kind>>>,
    pub o: Number,
    pub p: Series,
    pub choice: ::std::option::Option<Choice>,
    pub animal: Animal,
    pub only: ::std::option::Option<Only>,
    pub far: ::std::option::Option<::std::string::String>,
    pub from: bool,
}
impl ::polywire::thrift::Value for Everything {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_a: bool = ::std::default::Default::default();
        let mut of_b: i8 = ::std::default::Default::default();
        let mut of_c: i8 = ::std::default::Default::default();
        let mut of_d: i16 = ::std::default::Default::default();
        let mut of_e: i32 = ::std::default::Default::default();
        let mut of_f: i64 = ::std::default::Default::default();
        let mut of_g: f64 = ::std::default::Default::default();
        let mut of_h: ::std::string::String = ::std::default::Default::default();
        let mut of_i: ::polywire::thrift::Bytes = ::std::default::Default::default();
        let mut of_j: ::polywire::thrift::Uuid = ::std::default::Default::default();
        let mut of_k: ::std::vec::Vec<Animal> = ::std::default::Default::default();
        let mut of_l: ::std::collections::BTreeSet<::std::string::String> = ::std::default::Default::default();
        let mut of_m: ::std::collections::BTreeMap<Tail, Animal> = ::std::default::Default::default();
        let mut of_n: ::std::collections::BTreeMap<::std::collections::BTreeSet<::polywire::thrift::Double>, ::std::vec::Vec<::std::collections::BTreeMap<i32, Kind>>> = ::std::default::Default::default();
        let mut of_o: Number = ::std::default::Default::default();
        let mut of_p: Series = ::std::default::Default::default();
        let mut of_choice: ::std::option::Option<Choice> = ::std::option::Option::None;
        let mut of_animal: ::std::option::Option<Animal> = ::std::option::Option::None;
        let mut of_only: ::std::option::Option<Only> = ::std::option::Option::None;
        let mut of_far: ::std::option::Option<::std::string::String> = ::std::option::Option::None;
        let mut of_from: ::std::option::Option<bool> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Bool) => of_a = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::I8) => of_b = ::polywire::thrift::Value::read(from)?,
                (3, ::polywire::thrift::Type::I8) => of_c = ::polywire::thrift::Value::read(from)?,
                (4, ::polywire::thrift::Type::I16) => of_d = ::polywire::thrift::Value::read(from)?,
                (5, ::polywire::thrift::Type::I32) => of_e = ::polywire::thrift::Value::read(from)?,
                (6, ::polywire::thrift::Type::I64) => of_f = ::polywire::thrift::Value::read(from)?,
                (7, ::polywire::thrift::Type::Double) => of_g = ::polywire::thrift::Value::read(from)?,
                (8, ::polywire::thrift::Type::Binary) => of_h = ::polywire::thrift::Value::read(from)?,
                (9, ::polywire::thrift::Type::Binary) => of_i = ::polywire::thrift::Value::read(from)?,
                (10, ::polywire::thrift::Type::Uuid) => of_j = ::polywire::thrift::Value::read(from)?,
                (11, ::polywire::thrift::Type::List) => of_k = ::polywire::thrift::Value::read(from)?,
                (12, ::polywire::thrift::Type::Set) => of_l = ::polywire::thrift::Value::read(from)?,
                (13, ::polywire::thrift::Type::Map) => of_m = ::polywire::thrift::Value::read(from)?,
                (14, ::polywire::thrift::Type::Map) => of_n = ::polywire::thrift::Value::read(from)?,
                (15, ::polywire::thrift::Type::I64) => of_o = ::polywire::thrift::Value::read(from)?,
                (16, ::polywire::thrift::Type::Map) => of_p = ::polywire::thrift::Value::read(from)?,
                (17, ::polywire::thrift::Type::Struct) => of_choice = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (18, ::polywire::thrift::Type::Struct) => of_animal = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (19, ::polywire::thrift::Type::Struct) => of_only = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (1000, ::polywire::thrift::Type::Binary) => of_far = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (20, ::polywire::thrift::Type::Bool) => of_from = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            a: of_a,
            b: of_b,
            c: of_c,
            d: of_d,
            e: of_e,
            f: of_f,
            g: of_g,
            h: of_h,
            i: of_i,
            j: of_j,
            k: of_k,
            l: of_l,
            m: of_m,
            n: of_n,
            o: of_o,
            p: of_p,
            choice: of_choice,
            animal: of_animal.unwrap_or_default(),
            only: of_only,
            far: of_far,
            from: of_from.ok_or(::polywire::thrift::Error::missing("Everything", "from"))?,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Bool);
        ::polywire::thrift::Value::write(&self.a, to);
        to.field(2, ::polywire::thrift::Type::I8);
        ::polywire::thrift::Value::write(&self.b, to);
        to.field(3, ::polywire::thrift::Type::I8);
        ::polywire::thrift::Value::write(&self.c, to);
        to.field(4, ::polywire::thrift::Type::I16);
        ::polywire::thrift::Value::write(&self.d, to);
        to.field(5, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.e, to);
        to.field(6, ::polywire::thrift::Type::I64);
        ::polywire::thrift::Value::write(&self.f, to);
        to.field(7, ::polywire::thrift::Type::Double);
        ::polywire::thrift::Value::write(&self.g, to);
        to.field(8, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.h, to);
        to.field(9, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.i, to);
        to.field(10, ::polywire::thrift::Type::Uuid);
        ::polywire::thrift::Value::write(&self.j, to);
        to.field(11, ::polywire::thrift::Type::List);
        ::polywire::thrift::Value::write(&self.k, to);
        to.field(12, ::polywire::thrift::Type::Set);
        ::polywire::thrift::Value::write(&self.l, to);
        to.field(13, ::polywire::thrift::Type::Map);
        ::polywire::thrift::Value::write(&self.m, to);
        to.field(14, ::polywire::thrift::Type::Map);
        ::polywire::thrift::Value::write(&self.n, to);
        to.field(15, ::polywire::thrift::Type::I64);
        ::polywire::thrift::Value::write(&self.o, to);
        to.field(16, ::polywire::thrift::Type::Map);
        ::polywire::thrift::Value::write(&self.p, to);
        if let ::std::option::Option::Some(value) = &self.choice {
            to.field(17, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        to.field(18, ::polywire::thrift::Type::Struct);
        ::polywire::thrift::Value::write(&self.animal, to);
        if let ::std::option::Option::Some(value) = &self.only {
            to.field(19, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        if let ::std::option::Option::Some(value) = &self.far {
            to.field(1000, ::polywire::thrift::Type::Binary);
            ::polywire::thrift::Value::write(value, to);
        }
        to.field(20, ::polywire::thrift::Type::Bool);
        ::polywire::thrift::Value::write(&self.from, to);
        to.end_struct(outer);
    }
}

/// Has no default: its field has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Only {
    pub choice: Choice,
}
impl ::polywire::thrift::Value for Only {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_choice: ::std::option::Option<Choice> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Struct) => of_choice = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            choice: of_choice.ok_or(::polywire::thrift::Error::missing("Only", "choice"))?,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Struct);
        ::polywire::thrift::Value::write(&self.choice, to);
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    Number(i32),
    Animal(Animal),
    Several(::std::vec::Vec<Choice>),
    Again(::std::boxed::Box<Choice>),
}
impl ::polywire::thrift::Value for Choice {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let wrong = ::polywire::thrift::Error::union("Choice");
        let mut found: ::std::option::Option<Self> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::I32) => {
                    let value = Self::Number(::polywire::thrift::Value::read(from)?);
                    if found.replace(value).is_some() {
                        return ::std::result::Result::Err(wrong);
                    }
                }
                (2, ::polywire::thrift::Type::Struct) => {
                    let value = Self::Animal(::polywire::thrift::Value::read(from)?);
                    if found.replace(value).is_some() {
                        return ::std::result::Result::Err(wrong);
                    }
                }
                (3, ::polywire::thrift::Type::List) => {
                    let value = Self::Several(::polywire::thrift::Value::read(from)?);
                    if found.replace(value).is_some() {
                        return ::std::result::Result::Err(wrong);
                    }
                }
                (4, ::polywire::thrift::Type::Struct) => {
                    let value = Self::Again(::polywire::thrift::Value::read(from)?);
                    if found.replace(value).is_some() {
                        return ::std::result::Result::Err(wrong);
                    }
                }
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        found.ok_or(wrong)
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        match self {
            Self::Number(value) => {
                to.field(1, ::polywire::thrift::Type::I32);
                ::polywire::thrift::Value::write(value, to);
            }
            Self::Animal(value) => {
                to.field(2, ::polywire::thrift::Type::Struct);
                ::polywire::thrift::Value::write(value, to);
            }
            Self::Several(value) => {
                to.field(3, ::polywire::thrift::Type::List);
                ::polywire::thrift::Value::write(value, to);
            }
            Self::Again(value) => {
                to.field(4, ::polywire::thrift::Type::Struct);
                ::polywire::thrift::Value::write(value, to);
            }
        }
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Never {
}
impl ::polywire::thrift::Value for Never {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let wrong = ::polywire::thrift::Error::union("Never");
        let found: ::std::option::Option<Self> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        found.ok_or(wrong)
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let _ = to;
        match *self {}
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Empty {
}
impl ::polywire::thrift::Value for Empty {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Numberless {
    pub first: i8,
    pub second: ::std::string::String,
}
impl ::polywire::thrift::Value for Numberless {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_first: i8 = ::std::default::Default::default();
        let mut of_second: ::std::string::String = ::std::default::Default::default();
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (-1, ::polywire::thrift::Type::I8) => of_first = ::polywire::thrift::Value::read(from)?,
                (-2, ::polywire::thrift::Type::Binary) => of_second = ::polywire::thrift::Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            first: of_first,
            second: of_second,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(-1, ::polywire::thrift::Type::I8);
        ::polywire::thrift::Value::write(&self.first, to);
        to.field(-2, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.second, to);
        to.end_struct(outer);
    }
}

/// Names that are one in Rust.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Twins {
    pub my_id: i32,
    pub my_id_2: i32,
}
impl ::polywire::thrift::Value for Twins {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_my_id: i32 = ::std::default::Default::default();
        let mut of_my_id_2: i32 = ::std::default::Default::default();
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::I32) => of_my_id = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::I32) => of_my_id_2 = ::polywire::thrift::Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            my_id: of_my_id,
            my_id_2: of_my_id_2,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.my_id, to);
        to.field(2, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.my_id_2, to);
        to.end_struct(outer);
    }
}

/// Contains itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tree {
    pub children: ::std::vec::Vec<Tree>,
    pub next: ::std::option::Option<::std::boxed::Box<Tree>>,
    pub branch: ::std::option::Option<::std::boxed::Box<Branch>>,
    pub item: i16,
}
impl ::polywire::thrift::Value for Tree {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_children: ::std::vec::Vec<Tree> = ::std::default::Default::default();
        let mut of_next: ::std::option::Option<::std::boxed::Box<Tree>> = ::std::option::Option::None;
        let mut of_branch: ::std::option::Option<::std::boxed::Box<Branch>> = ::std::option::Option::None;
        let mut of_item: i16 = ::std::default::Default::default();
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::List) => of_children = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::Struct) => of_next = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (3, ::polywire::thrift::Type::Struct) => of_branch = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (4, ::polywire::thrift::Type::I16) => of_item = ::polywire::thrift::Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            children: of_children,
            next: of_next,
            branch: of_branch,
            item: of_item,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::List);
        ::polywire::thrift::Value::write(&self.children, to);
        if let ::std::option::Option::Some(value) = &self.next {
            to.field(2, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        if let ::std::option::Option::Some(value) = &self.branch {
            to.field(3, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        to.field(4, ::polywire::thrift::Type::I16);
        ::polywire::thrift::Value::write(&self.item, to);
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Branch {
    pub length: i32,
    pub tree: ::std::option::Option<::std::boxed::Box<Tree>>,
}
impl ::polywire::thrift::Value for Branch {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_length: ::std::option::Option<i32> = ::std::option::Option::None;
        let mut of_tree: ::std::option::Option<::std::boxed::Box<Tree>> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::I32) => of_length = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (2, ::polywire::thrift::Type::Struct) => of_tree = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            length: of_length.ok_or(::polywire::thrift::Error::missing("Branch", "length"))?,
            tree: of_tree,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::I32);
        ::polywire::thrift::Value::write(&self.length, to);
        if let ::std::option::Option::Some(value) = &self.tree {
            to.field(2, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(value, to);
        }
        to.end_struct(outer);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sick {
    pub message: ::std::string::String,
    pub animal: Animal,
}
impl ::polywire::thrift::Value for Sick {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_message: ::std::string::String = ::std::default::Default::default();
        let mut of_animal: ::std::option::Option<Animal> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Binary) => of_message = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::Struct) => of_animal = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            message: of_message,
            animal: of_animal.unwrap_or_default(),
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.message, to);
        to.field(2, ::polywire::thrift::Type::Struct);
        ::polywire::thrift::Value::write(&self.animal, to);
        to.end_struct(outer);
    }
}
impl ::std::fmt::Display for Sick {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::std::fmt::Debug::fmt(self, f)
    }
}
impl ::std::error::Error for Sick {}

/// Keeps animals.
///
/// Service `Keeper`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `Keeper`",
    note = "write `impl Keeper for {Self}` with its methods: `feed`, `clean`, `call`, `count`, `new_`"
)]
pub trait Keeper: super::zoo::shared::Base {
    /// Feeds one.
    ///
    /// Method `feed`.
    fn feed(&self, cx: &::polywire::Context, animal: Animal, cx_: i32, r#type: Choice) -> impl ::std::future::Future<Output = ::std::result::Result<Animal, keeper::FeedError>> + ::std::marker::Send;

    /// Method `clean`.
    fn clean(&self, cx: &::polywire::Context, what: ::std::string::String) -> impl ::std::future::Future<Output = ::std::result::Result<(), keeper::CleanError>> + ::std::marker::Send;

    /// Method `call`, which is not answered.
    fn call(&self, cx: &::polywire::Context, times: Number) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send;

    /// Method `count`.
    fn count(&self, cx: &::polywire::Context) -> impl ::std::future::Future<Output = ::std::result::Result<::std::collections::BTreeMap<::std::string::String, Series>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `new`.
    fn new_(&self, cx: &::polywire::Context) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    ///
    /// The service that it extends has a function of this name, too:
    /// `Keeper::into_service(handler)` says that this one is meant, and not that of `Base`.
    fn into_service(self) -> ::polywire::thrift::Service
    where
        Self: ::std::marker::Sized,
    {
        keeper::add_to(::polywire::thrift::Service::new("Keeper"), &::std::sync::Arc::new(self))
    }
}

/// The methods of [`Keeper`], each as a type.
pub mod keeper {
    /// Adds all methods, after those of the service that it extends.
    pub fn add_to<Impl: super::Keeper>(service: ::polywire::thrift::Service, of: &::std::sync::Arc<Impl>) -> ::polywire::thrift::Service {
        super::super::zoo::shared::base::add_to(service, of)
            .with::<Feed, Impl>(of)
            .with::<Clean, Impl>(of)
            .with::<Call, Impl>(of)
            .with::<Count, Impl>(of)
            .with::<New, Impl>(of)
    }

    /// `Keeper.feed`.
    pub struct Feed;

    /// The arguments of `feed`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FeedArgs {
        pub animal: super::Animal,
        pub cx: i32,
        pub r#type: super::Choice,
    }
    impl ::polywire::thrift::Value for FeedArgs {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut of_animal: ::std::option::Option<super::Animal> = ::std::option::Option::None;
            let mut of_cx: i32 = 3;
            let mut of_type: ::std::option::Option<super::Choice> = ::std::option::Option::None;
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (1, ::polywire::thrift::Type::Struct) => of_animal = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                    (2, ::polywire::thrift::Type::I32) => of_cx = ::polywire::thrift::Value::read(from)?,
                    (3, ::polywire::thrift::Type::Struct) => of_type = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(Self {
                animal: of_animal.unwrap_or_default(),
                cx: of_cx,
                r#type: of_type.ok_or(::polywire::thrift::Error::missing("feed", "type"))?,
            })
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            to.field(1, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(&self.animal, to);
            to.field(2, ::polywire::thrift::Type::I32);
            ::polywire::thrift::Value::write(&self.cx, to);
            to.field(3, ::polywire::thrift::Type::Struct);
            ::polywire::thrift::Value::write(&self.r#type, to);
            to.end_struct(outer);
        }
    }

    /// What `feed` answers with.
    #[derive(Clone, Debug, PartialEq)]
    pub enum FeedResult {
        Success(super::Animal),
        Sick(super::Sick),
        Status_(super::super::zoo::shared::Refused),
        Again(super::Sick),
        /// None of these: what a `void` method returns.
        Nothing,
    }
    impl ::polywire::thrift::Value for FeedResult {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut found = Self::Nothing;
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (0, ::polywire::thrift::Type::Struct) => found = Self::Success(::polywire::thrift::Value::read(from)?),
                    (1, ::polywire::thrift::Type::Struct) => found = Self::Sick(::polywire::thrift::Value::read(from)?),
                    (2, ::polywire::thrift::Type::Struct) => found = Self::Status_(::polywire::thrift::Value::read(from)?),
                    (3, ::polywire::thrift::Type::Struct) => found = Self::Again(::polywire::thrift::Value::read(from)?),
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(found)
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            match self {
                Self::Success(value) => {
                    to.field(0, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Sick(value) => {
                    to.field(1, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Status_(value) => {
                    to.field(2, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Again(value) => {
                    to.field(3, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Nothing => {}
            }
            to.end_struct(outer);
        }
    }

    /// Why `feed` failed: by what it declares, or by anything else.
    #[derive(Clone, Debug)]
    pub enum FeedError {
        Sick(super::Sick),
        Status_(super::super::zoo::shared::Refused),
        Again(super::Sick),
        /// No answer, or one that the service does not declare.
        Status(::polywire::Status),
    }
    impl ::std::convert::From<::polywire::Status> for FeedError {
        fn from(of: ::polywire::Status) -> Self {
            Self::Status(of)
        }
    }
    impl ::std::convert::From<super::Sick> for FeedError {
        fn from(of: super::Sick) -> Self {
            Self::Sick(of)
        }
    }
    impl ::std::convert::From<super::super::zoo::shared::Refused> for FeedError {
        fn from(of: super::super::zoo::shared::Refused) -> Self {
            Self::Status_(of)
        }
    }
    impl ::std::fmt::Display for FeedError {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::Sick(of) => ::std::fmt::Display::fmt(of, f),
                Self::Status_(of) => ::std::fmt::Display::fmt(of, f),
                Self::Again(of) => ::std::fmt::Display::fmt(of, f),
                Self::Status(of) => ::std::fmt::Display::fmt(of, f),
            }
        }
    }
    impl ::std::error::Error for FeedError {
        fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)> {
            match self {
                Self::Sick(of) => ::std::error::Error::source(of),
                Self::Status_(of) => ::std::error::Error::source(of),
                Self::Again(of) => ::std::error::Error::source(of),
                Self::Status(of) => ::std::error::Error::source(of),
            }
        }
    }

    impl ::polywire::thrift::Method for Feed {
        const NAME: &'static str = "feed";
        type Args = FeedArgs;
        type Result = FeedResult;
        type Success = super::Animal;
        type Failure = FeedError;
        #[inline]
        fn into_result(outcome: ::std::result::Result<super::Animal, FeedError>) -> ::std::result::Result<FeedResult, ::polywire::Status> {
            match outcome {
                ::std::result::Result::Ok(value) => ::std::result::Result::Ok(FeedResult::Success(value)),
                ::std::result::Result::Err(FeedError::Sick(of)) => ::std::result::Result::Ok(FeedResult::Sick(of)),
                ::std::result::Result::Err(FeedError::Status_(of)) => ::std::result::Result::Ok(FeedResult::Status_(of)),
                ::std::result::Result::Err(FeedError::Again(of)) => ::std::result::Result::Ok(FeedResult::Again(of)),
                ::std::result::Result::Err(FeedError::Status(status)) => ::std::result::Result::Err(status),
            }
        }
        #[inline]
        fn from_result(result: FeedResult) -> ::std::result::Result<super::Animal, FeedError> {
            match result {
                FeedResult::Success(value) => ::std::result::Result::Ok(value),
                FeedResult::Nothing => ::std::result::Result::Err(FeedError::Status(::polywire::thrift::missing_result("feed"))),
                FeedResult::Sick(of) => ::std::result::Result::Err(FeedError::Sick(of)),
                FeedResult::Status_(of) => ::std::result::Result::Err(FeedError::Status_(of)),
                FeedResult::Again(of) => ::std::result::Result::Err(FeedError::Again(of)),
            }
        }
    }
    impl<Impl: super::Keeper> ::polywire::thrift::Served<Impl> for Feed {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: FeedArgs) -> impl ::std::future::Future<Output = ::std::result::Result<super::Animal, FeedError>> + ::std::marker::Send {
            super::Keeper::feed(service, cx, arguments.animal, arguments.cx, arguments.r#type)
        }
    }

    /// `Keeper.clean`.
    pub struct Clean;

    /// The arguments of `clean`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CleanArgs {
        pub what: ::std::string::String,
    }
    impl ::polywire::thrift::Value for CleanArgs {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut of_what: ::std::string::String = ::std::default::Default::default();
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (1, ::polywire::thrift::Type::Binary) => of_what = ::polywire::thrift::Value::read(from)?,
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(Self {
                what: of_what,
            })
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            to.field(1, ::polywire::thrift::Type::Binary);
            ::polywire::thrift::Value::write(&self.what, to);
            to.end_struct(outer);
        }
    }

    /// What `clean` answers with.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CleanResult {
        Sick(super::Sick),
        /// None of these: what a `void` method returns.
        Nothing,
    }
    impl ::polywire::thrift::Value for CleanResult {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut found = Self::Nothing;
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (1, ::polywire::thrift::Type::Struct) => found = Self::Sick(::polywire::thrift::Value::read(from)?),
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(found)
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            match self {
                Self::Sick(value) => {
                    to.field(1, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Nothing => {}
            }
            to.end_struct(outer);
        }
    }

    /// Why `clean` failed: by what it declares, or by anything else.
    #[derive(Clone, Debug)]
    pub enum CleanError {
        Sick(super::Sick),
        /// No answer, or one that the service does not declare.
        Status(::polywire::Status),
    }
    impl ::std::convert::From<::polywire::Status> for CleanError {
        fn from(of: ::polywire::Status) -> Self {
            Self::Status(of)
        }
    }
    impl ::std::convert::From<super::Sick> for CleanError {
        fn from(of: super::Sick) -> Self {
            Self::Sick(of)
        }
    }
    impl ::std::fmt::Display for CleanError {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::Sick(of) => ::std::fmt::Display::fmt(of, f),
                Self::Status(of) => ::std::fmt::Display::fmt(of, f),
            }
        }
    }
    impl ::std::error::Error for CleanError {
        fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)> {
            match self {
                Self::Sick(of) => ::std::error::Error::source(of),
                Self::Status(of) => ::std::error::Error::source(of),
            }
        }
    }

    impl ::polywire::thrift::Method for Clean {
        const NAME: &'static str = "clean";
        type Args = CleanArgs;
        type Result = CleanResult;
        type Success = ();
        type Failure = CleanError;
        #[inline]
        fn into_result(outcome: ::std::result::Result<(), CleanError>) -> ::std::result::Result<CleanResult, ::polywire::Status> {
            match outcome {
                ::std::result::Result::Ok(()) => ::std::result::Result::Ok(CleanResult::Nothing),
                ::std::result::Result::Err(CleanError::Sick(of)) => ::std::result::Result::Ok(CleanResult::Sick(of)),
                ::std::result::Result::Err(CleanError::Status(status)) => ::std::result::Result::Err(status),
            }
        }
        #[inline]
        fn from_result(result: CleanResult) -> ::std::result::Result<(), CleanError> {
            match result {
                CleanResult::Nothing => ::std::result::Result::Ok(()),
                CleanResult::Sick(of) => ::std::result::Result::Err(CleanError::Sick(of)),
            }
        }
    }
    impl<Impl: super::Keeper> ::polywire::thrift::Served<Impl> for Clean {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: CleanArgs) -> impl ::std::future::Future<Output = ::std::result::Result<(), CleanError>> + ::std::marker::Send {
            super::Keeper::clean(service, cx, arguments.what)
        }
    }

    /// `Keeper.call`.
    pub struct Call;

    /// The arguments of `call`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CallArgs {
        pub times: super::Number,
    }
    impl ::polywire::thrift::Value for CallArgs {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut of_times: super::Number = ::std::default::Default::default();
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (1, ::polywire::thrift::Type::I64) => of_times = ::polywire::thrift::Value::read(from)?,
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(Self {
                times: of_times,
            })
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            to.field(1, ::polywire::thrift::Type::I64);
            ::polywire::thrift::Value::write(&self.times, to);
            to.end_struct(outer);
        }
    }

    impl ::polywire::thrift::Method for Call {
        const NAME: &'static str = "call";
        const ONEWAY: bool = true;
        type Args = CallArgs;
        type Result = ::polywire::thrift::Nothing;
        type Success = ();
        type Failure = ::polywire::Status;
        #[inline]
        fn into_result(outcome: ::std::result::Result<(), ::polywire::Status>) -> ::std::result::Result<::polywire::thrift::Nothing, ::polywire::Status> {
            outcome.map(|()| ::polywire::thrift::Nothing)
        }
        #[inline]
        fn from_result(result: ::polywire::thrift::Nothing) -> ::std::result::Result<(), ::polywire::Status> {
            let _ = result;
            ::std::result::Result::Ok(())
        }
    }
    impl<Impl: super::Keeper> ::polywire::thrift::Served<Impl> for Call {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: CallArgs) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send {
            super::Keeper::call(service, cx, arguments.times)
        }
    }

    /// `Keeper.count`.
    pub struct Count;

    impl ::polywire::thrift::Method for Count {
        const NAME: &'static str = "count";
        type Args = ::polywire::thrift::Nothing;
        type Result = ::polywire::thrift::Returned<::std::collections::BTreeMap<::std::string::String, super::Series>>;
        type Success = ::std::collections::BTreeMap<::std::string::String, super::Series>;
        type Failure = ::polywire::Status;
        #[inline]
        fn into_result(outcome: ::std::result::Result<::std::collections::BTreeMap<::std::string::String, super::Series>, ::polywire::Status>) -> ::std::result::Result<::polywire::thrift::Returned<::std::collections::BTreeMap<::std::string::String, super::Series>>, ::polywire::Status> {
            outcome.map(|value| ::polywire::thrift::Returned(::std::option::Option::Some(value)))
        }
        #[inline]
        fn from_result(result: ::polywire::thrift::Returned<::std::collections::BTreeMap<::std::string::String, super::Series>>) -> ::std::result::Result<::std::collections::BTreeMap<::std::string::String, super::Series>, ::polywire::Status> {
            result.take("count")
        }
    }
    impl<Impl: super::Keeper> ::polywire::thrift::Served<Impl> for Count {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: ::polywire::thrift::Nothing) -> impl ::std::future::Future<Output = ::std::result::Result<::std::collections::BTreeMap<::std::string::String, super::Series>, ::polywire::Status>> + ::std::marker::Send {
            let _ = arguments;
            super::Keeper::count(service, cx)
        }
    }

    /// `Keeper.new`.
    pub struct New;

    impl ::polywire::thrift::Method for New {
        const NAME: &'static str = "new";
        type Args = ::polywire::thrift::Nothing;
        type Result = ::polywire::thrift::Nothing;
        type Success = ();
        type Failure = ::polywire::Status;
        #[inline]
        fn into_result(outcome: ::std::result::Result<(), ::polywire::Status>) -> ::std::result::Result<::polywire::thrift::Nothing, ::polywire::Status> {
            outcome.map(|()| ::polywire::thrift::Nothing)
        }
        #[inline]
        fn from_result(result: ::polywire::thrift::Nothing) -> ::std::result::Result<(), ::polywire::Status> {
            let _ = result;
            ::std::result::Result::Ok(())
        }
    }
    impl<Impl: super::Keeper> ::polywire::thrift::Served<Impl> for New {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: ::polywire::thrift::Nothing) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send {
            let _ = arguments;
            super::Keeper::new_(service, cx)
        }
    }
}

/// Keeps animals.
///
/// Calls `Keeper` over a channel.
#[derive(Clone)]
pub struct KeeperClient {
    client: ::polywire::thrift::Client,
}

impl KeeperClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { client: ::polywire::thrift::Client::new(channel) }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `thrift://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// A client for servers with several services: it calls `Keeper:method`, as
    /// Apache's multiplexed protocol does.
    pub fn multiplexed<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { client: ::polywire::thrift::Client::new(channel).multiplexed("Keeper") }
    }

    /// A client with settings of its own.
    pub fn from_client(client: ::polywire::thrift::Client) -> Self {
        Self { client }
    }

    /// Is it alive?
    ///
    /// Method `ping`.
    #[inline]
    pub fn ping(&self) -> ::polywire::thrift::Call<super::zoo::shared::base::Ping> {
        self.client.call::<super::zoo::shared::base::Ping>(&::polywire::thrift::Nothing)
    }

    /// Method `level`.
    #[inline]
    pub fn level(&self, key: i32) -> ::polywire::thrift::Call<super::zoo::shared::base::Level> {
        self.client.call::<super::zoo::shared::base::Level>(&super::zoo::shared::base::LevelArgs { key })
    }

    /// Feeds one.
    ///
    /// Method `feed`.
    #[inline]
    pub fn feed(&self, animal: Animal, cx_: i32, r#type: Choice) -> ::polywire::thrift::Call<keeper::Feed> {
        self.client.call::<keeper::Feed>(&keeper::FeedArgs { animal, cx: cx_, r#type })
    }

    /// Method `clean`.
    #[inline]
    pub fn clean(&self, what: ::std::string::String) -> ::polywire::thrift::Call<keeper::Clean> {
        self.client.call::<keeper::Clean>(&keeper::CleanArgs { what })
    }

    /// Method `call`, which is not answered.
    #[inline]
    pub fn call(&self, times: Number) -> ::polywire::thrift::Call<keeper::Call> {
        self.client.call::<keeper::Call>(&keeper::CallArgs { times })
    }

    /// Method `count`.
    #[inline]
    pub fn count(&self) -> ::polywire::thrift::Call<keeper::Count> {
        self.client.call::<keeper::Count>(&::polywire::thrift::Nothing)
    }

    /// Method `new`.
    #[inline]
    pub fn new_(&self) -> ::polywire::thrift::Call<keeper::New> {
        self.client.call::<keeper::New>(&::polywire::thrift::Nothing)
    }
}

/// Service `nothing`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `nothing`",
    note = "write `impl Nothing for {Self}` with its methods: none"
)]
pub trait Nothing: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::thrift::Service
    where
        Self: ::std::marker::Sized,
    {
        nothing::add_to(::polywire::thrift::Service::new("nothing"), &::std::sync::Arc::new(self))
    }
}

/// The methods of [`Nothing`], each as a type.
pub mod nothing {
    /// Adds all methods.
    pub fn add_to<Impl: super::Nothing>(service: ::polywire::thrift::Service, of: &::std::sync::Arc<Impl>) -> ::polywire::thrift::Service {
        let _ = of;
        service
    }
}

/// Calls `nothing` over a channel.
#[derive(Clone)]
pub struct NothingClient {
    client: ::polywire::thrift::Client,
}

impl NothingClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { client: ::polywire::thrift::Client::new(channel) }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `thrift://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// A client for servers with several services: it calls `nothing:method`, as
    /// Apache's multiplexed protocol does.
    pub fn multiplexed<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { client: ::polywire::thrift::Client::new(channel).multiplexed("nothing") }
    }

    /// A client with settings of its own.
    pub fn from_client(client: ::polywire::thrift::Client) -> Self {
        Self { client }
    }
}

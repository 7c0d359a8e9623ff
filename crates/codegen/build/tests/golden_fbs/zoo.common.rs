// Made by polywire-build from common.fbs; changes are lost.

/// Where something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub x: i8,
    pub at: f64,
    pub z: i16,
}
impl<'a> ::polywire::flatbuffers::Read<'a> for Place {
    const SIZE: usize = 24;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self {
            x: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(0)),
            at: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(8)),
            z: ::polywire::flatbuffers::Read::read(buffer, at.saturating_add(16)),
        }
    }
}
impl ::polywire::flatbuffers::Inline for Place {
    const SIZE: usize = 24;
    const ALIGN: usize = 8;
    #[inline]
    fn put(&self, place: &mut [u8]) {
        ::polywire::flatbuffers::Inline::put(&self.x, &mut place[0..1]);
        ::polywire::flatbuffers::Inline::put(&self.at, &mut place[8..16]);
        ::polywire::flatbuffers::Inline::put(&self.z, &mut place[16..18]);
    }
}
impl ::polywire::flatbuffers::Verifiable for Place {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier.range(at, 24, 8)
    }
}

#[derive(Clone, Copy)]
pub struct Name<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Name`].
pub type NameBuf = ::polywire::flatbuffers::Flat<Name<'static>>;

impl<'a> Name<'a> {
    #[inline]
    pub fn text(&self) -> &'a str {
        self.0.required(4)
    }
}

/// What [`Name::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct NameArgs {
    pub text: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
}
impl ::std::default::Default for NameArgs {
    fn default() -> Self {
        Self {
            text: ::std::option::Option::None,
        }
    }
}

impl Name<'static> {
    /// Builds a table.
    ///
    /// # Panics
    /// If a required field is missing.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &NameArgs,
    ) -> ::polywire::flatbuffers::Offset<Name<'static>> {
        let mut table = builder.start_table::<1, 7>();
        if let ::std::option::Option::Some(value) = args.text { table.push_slot_always(4, value); }
        table.required(4, "text");
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Name<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Name<'static> {
    type View<'a> = Name<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Name<'_> {
        Name(table)
    }
}
impl ::std::fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Name");
        table.field("text", &self.text());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Name<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("text", 4, true)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

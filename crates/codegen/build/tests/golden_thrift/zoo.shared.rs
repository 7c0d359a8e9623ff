// Made by polywire-build from shared.thrift; changes are lost.

pub type Number = i64;

pub const SIZE: i32 = 16;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Level(pub i32);
#[allow(non_upper_case_globals)]
impl Level {
    pub const LOW: Self = Self(1);
    pub const HIGH: Self = Self(2);

    /// The name of this value, if it has one.
    pub fn name(self) -> ::std::option::Option<&'static str> {
        match self {
            Self::LOW => ::std::option::Option::Some("LOW"),
            Self::HIGH => ::std::option::Option::Some("HIGH"),
            _ => ::std::option::Option::None,
        }
    }
}
impl ::std::fmt::Debug for Level {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self.name() {
            ::std::option::Option::Some(name) => f.write_str(name),
            ::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),
        }
    }
}
impl ::polywire::thrift::Value for Level {
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

/// What goes wrong everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Refused {
    pub why: ::std::string::String,
    pub code: ::std::option::Option<i32>,
}
impl ::polywire::thrift::Value for Refused {
    const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
    fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
        let mut of_why: ::std::string::String = ::std::default::Default::default();
        let mut of_code: ::std::option::Option<i32> = ::std::option::Option::None;
        let outer = from.begin_struct()?;
        while let ::std::option::Option::Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, ::polywire::thrift::Type::Binary) => of_why = ::polywire::thrift::Value::read(from)?,
                (2, ::polywire::thrift::Type::I32) => of_code = ::std::option::Option::Some(::polywire::thrift::Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        ::std::result::Result::Ok(Self {
            why: of_why,
            code: of_code,
        })
    }
    fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, ::polywire::thrift::Type::Binary);
        ::polywire::thrift::Value::write(&self.why, to);
        if let ::std::option::Option::Some(value) = &self.code {
            to.field(2, ::polywire::thrift::Type::I32);
            ::polywire::thrift::Value::write(value, to);
        }
        to.end_struct(outer);
    }
}
impl ::std::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::std::fmt::Debug::fmt(self, f)
    }
}
impl ::std::error::Error for Refused {}

/// Service `Base`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `Base`",
    note = "write `impl Base for {Self}` with its methods: `ping`, `level`"
)]
pub trait Base: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// Is it alive?
    ///
    /// Method `ping`.
    fn ping(&self, cx: &::polywire::Context) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send;

    /// Method `level`.
    fn level(&self, cx: &::polywire::Context, key: i32) -> impl ::std::future::Future<Output = ::std::result::Result<Level, base::LevelError>> + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::thrift::Service
    where
        Self: ::std::marker::Sized,
    {
        base::add_to(::polywire::thrift::Service::new("Base"), &::std::sync::Arc::new(self))
    }
}

/// The methods of [`Base`], each as a type.
pub mod base {
    /// Adds all methods.
    pub fn add_to<Impl: super::Base>(service: ::polywire::thrift::Service, of: &::std::sync::Arc<Impl>) -> ::polywire::thrift::Service {
        service
            .with::<Ping, Impl>(of)
            .with::<Level, Impl>(of)
    }

    /// `Base.ping`.
    pub struct Ping;

    impl ::polywire::thrift::Method for Ping {
        const NAME: &'static str = "ping";
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
    impl<Impl: super::Base> ::polywire::thrift::Served<Impl> for Ping {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: ::polywire::thrift::Nothing) -> impl ::std::future::Future<Output = ::std::result::Result<(), ::polywire::Status>> + ::std::marker::Send {
            let _ = arguments;
            super::Base::ping(service, cx)
        }
    }

    /// `Base.level`.
    pub struct Level;

    /// The arguments of `level`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LevelArgs {
        pub key: i32,
    }
    impl ::polywire::thrift::Value for LevelArgs {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut of_key: i32 = ::std::default::Default::default();
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (1, ::polywire::thrift::Type::I32) => of_key = ::polywire::thrift::Value::read(from)?,
                    (_, kind) => from.skip(kind)?,
                }
            }
            from.end_struct(outer);
            ::std::result::Result::Ok(Self {
                key: of_key,
            })
        }
        fn write<W: ::polywire::thrift::Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            to.field(1, ::polywire::thrift::Type::I32);
            ::polywire::thrift::Value::write(&self.key, to);
            to.end_struct(outer);
        }
    }

    /// What `level` answers with.
    #[derive(Clone, Debug, PartialEq)]
    pub enum LevelResult {
        Success(super::Level),
        Refused(super::Refused),
        /// None of these: what a `void` method returns.
        Nothing,
    }
    impl ::polywire::thrift::Value for LevelResult {
        const TYPE: ::polywire::thrift::Type = ::polywire::thrift::Type::Struct;
        fn read<R: ::polywire::thrift::Reader>(from: &mut R) -> ::std::result::Result<Self, ::polywire::thrift::Error> {
            let mut found = Self::Nothing;
            let outer = from.begin_struct()?;
            while let ::std::option::Option::Some((id, kind)) = from.field()? {
                match (id, kind) {
                    (0, ::polywire::thrift::Type::I32) => found = Self::Success(::polywire::thrift::Value::read(from)?),
                    (1, ::polywire::thrift::Type::Struct) => found = Self::Refused(::polywire::thrift::Value::read(from)?),
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
                    to.field(0, ::polywire::thrift::Type::I32);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Refused(value) => {
                    to.field(1, ::polywire::thrift::Type::Struct);
                    ::polywire::thrift::Value::write(value, to);
                }
                Self::Nothing => {}
            }
            to.end_struct(outer);
        }
    }

    /// Why `level` failed: by what it declares, or by anything else.
    #[derive(Clone, Debug)]
    pub enum LevelError {
        Refused(super::Refused),
        /// No answer, or one that the service does not declare.
        Status(::polywire::Status),
    }
    impl ::std::convert::From<::polywire::Status> for LevelError {
        fn from(of: ::polywire::Status) -> Self {
            Self::Status(of)
        }
    }
    impl ::std::convert::From<super::Refused> for LevelError {
        fn from(of: super::Refused) -> Self {
            Self::Refused(of)
        }
    }
    impl ::std::fmt::Display for LevelError {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::Refused(of) => ::std::fmt::Display::fmt(of, f),
                Self::Status(of) => ::std::fmt::Display::fmt(of, f),
            }
        }
    }
    impl ::std::error::Error for LevelError {
        fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)> {
            match self {
                Self::Refused(of) => ::std::error::Error::source(of),
                Self::Status(of) => ::std::error::Error::source(of),
            }
        }
    }

    impl ::polywire::thrift::Method for Level {
        const NAME: &'static str = "level";
        type Args = LevelArgs;
        type Result = LevelResult;
        type Success = super::Level;
        type Failure = LevelError;
        #[inline]
        fn into_result(outcome: ::std::result::Result<super::Level, LevelError>) -> ::std::result::Result<LevelResult, ::polywire::Status> {
            match outcome {
                ::std::result::Result::Ok(value) => ::std::result::Result::Ok(LevelResult::Success(value)),
                ::std::result::Result::Err(LevelError::Refused(of)) => ::std::result::Result::Ok(LevelResult::Refused(of)),
                ::std::result::Result::Err(LevelError::Status(status)) => ::std::result::Result::Err(status),
            }
        }
        #[inline]
        fn from_result(result: LevelResult) -> ::std::result::Result<super::Level, LevelError> {
            match result {
                LevelResult::Success(value) => ::std::result::Result::Ok(value),
                LevelResult::Nothing => ::std::result::Result::Err(LevelError::Status(::polywire::thrift::missing_result("level"))),
                LevelResult::Refused(of) => ::std::result::Result::Err(LevelError::Refused(of)),
            }
        }
    }
    impl<Impl: super::Base> ::polywire::thrift::Served<Impl> for Level {
        #[inline]
        fn call(service: &Impl, cx: &::polywire::Context, arguments: LevelArgs) -> impl ::std::future::Future<Output = ::std::result::Result<super::Level, LevelError>> + ::std::marker::Send {
            super::Base::level(service, cx, arguments.key)
        }
    }
}

/// Calls `Base` over a channel.
#[derive(Clone)]
pub struct BaseClient {
    client: ::polywire::thrift::Client,
}

impl BaseClient {
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

    /// A client for servers with several services: it calls `Base:method`, as
    /// Apache's multiplexed protocol does.
    pub fn multiplexed<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { client: ::polywire::thrift::Client::new(channel).multiplexed("Base") }
    }

    /// A client with settings of its own.
    pub fn from_client(client: ::polywire::thrift::Client) -> Self {
        Self { client }
    }

    /// Is it alive?
    ///
    /// Method `ping`.
    #[inline]
    pub fn ping(&self) -> ::polywire::thrift::Call<base::Ping> {
        self.client.call::<base::Ping>(&::polywire::thrift::Nothing)
    }

    /// Method `level`.
    #[inline]
    pub fn level(&self, key: i32) -> ::polywire::thrift::Call<base::Level> {
        self.client.call::<base::Level>(&base::LevelArgs { key })
    }
}

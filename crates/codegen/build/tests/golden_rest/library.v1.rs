// Made by polywire-build from library.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum Genre {
    GENRE_UNSPECIFIED = 0i32,
    NOVEL = 1i32,
    POEMS = 2i32,
}
pub struct Book {
    pub name: ::std::string::String,
    pub title: ::std::string::String,
    pub pages: i64,
    pub published: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    pub tags: ::std::vec::Vec<::std::string::String>,
    pub genre: ::polywire::EnumValue<Genre>,
}
pub struct GetBookRequest {
    pub name: ::std::string::String,
    pub mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
}
pub struct ListBooksRequest {
    pub parent: ::std::string::String,
    pub page_size: i32,
    pub filter: ::polywire::MessageField<list_books_request::Filter>,
}
pub mod list_books_request {
    pub struct Filter {
        pub genre: ::polywire::EnumValue<super::Genre>,
        pub tags: ::std::vec::Vec<::std::string::String>,
        pub min_pages: ::polywire::MessageField<::polywire::wkt::Int64Value>,
    }
}
pub struct ListBooksResponse {
    pub books: ::std::vec::Vec<Book>,
    pub request: ::polywire::MessageField<ListBooksRequest>,
}
pub struct ListTitlesResponse {
    pub titles: ::std::vec::Vec<::std::string::String>,
    pub next_page_token: ::std::string::String,
}
pub struct CreateBookRequest {
    pub parent: ::std::string::String,
    pub book: ::polywire::MessageField<Book>,
    pub request_id: ::std::string::String,
}
pub struct UpdateBookRequest {
    pub book: ::polywire::MessageField<Book>,
    pub update_mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
}
pub struct MoveBookRequest {
    pub name: ::std::string::String,
    pub shelf: ::std::string::String,
}
pub struct Cover {
    pub name: ::std::string::String,
    pub image: ::polywire::MessageField<::polywire::HttpBody>,
    pub version: i32,
}
pub struct WatchBookRequest {
    pub name: ::std::string::String,
    pub count: i32,
}
pub struct Everything {
    pub f_string: ::std::string::String,
    pub f_int32: i32,
    pub f_int64: i64,
    pub f_uint32: u32,
    pub f_uint64: u64,
    pub f_bool: bool,
    pub f_float: f32,
    pub f_double: f64,
    pub f_bytes: ::std::vec::Vec<u8>,
    pub f_enum: ::polywire::EnumValue<Genre>,
    pub f_time: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    pub f_duration: ::polywire::MessageField<::polywire::wkt::Duration>,
    pub f_mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
    pub f_text: ::polywire::MessageField<::polywire::wkt::StringValue>,
    pub words: ::std::vec::Vec<::std::string::String>,
    pub numbers: ::std::vec::Vec<i32>,
    pub inner: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub counts: ::polywire::Map<::std::string::String, i32>,
    pub maybe: ::std::option::Option<i32>,
    pub choice: ::std::option::Option<__buffa::oneof::everything::Choice>,
}
pub mod everything {
}
pub mod __buffa {
    pub mod oneof {
        pub mod everything {
            pub enum Choice {
                Left(::std::string::String),
                Right(i32),
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("library.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Book, "library.v1.Book", POOL, buffers { one name; one title; each tags; });
::polywire::generated::message!(GetBookRequest, "library.v1.GetBookRequest", POOL, buffers { one name; });
::polywire::generated::message!(ListBooksRequest, "library.v1.ListBooksRequest", POOL, buffers { one parent; one filter; });
::polywire::generated::message!(list_books_request::Filter, "library.v1.ListBooksRequest.Filter", POOL, buffers { each tags; });
::polywire::generated::message!(ListBooksResponse, "library.v1.ListBooksResponse", POOL, buffers { each books; one request; });
::polywire::generated::message!(ListTitlesResponse, "library.v1.ListTitlesResponse", POOL, buffers { each titles; one next_page_token; });
::polywire::generated::message!(CreateBookRequest, "library.v1.CreateBookRequest", POOL, buffers { one parent; one book; one request_id; });
::polywire::generated::message!(UpdateBookRequest, "library.v1.UpdateBookRequest", POOL, buffers { one book; });
::polywire::generated::message!(MoveBookRequest, "library.v1.MoveBookRequest", POOL, buffers { one name; one shelf; });
::polywire::generated::message!(Cover, "library.v1.Cover", POOL, buffers { one name; });
::polywire::generated::message!(WatchBookRequest, "library.v1.WatchBookRequest", POOL, buffers { one name; });
::polywire::generated::message!(Everything, "library.v1.Everything", POOL, buffers { one f_string; one f_bytes; each words; one inner; });

/// Books on shelves, by rules of `google.api.http`.
///
/// Service `library.v1.Library`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `library.v1.Library`",
    note = "write `impl Library for {Self}` with its methods: `get_book`, `list_books`, `list_titles`, `create_book`, `update_book`, `delete_book`, `move_book`, `watch_book`, `echo`, `get_cover`, `set_cover`, `reverse`, `read_book`, `count`"
)]
pub trait Library: Send + Sync + 'static {
    /// Method `GetBook`.
    fn get_book(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `ListBooks`.
    fn list_books(
        &self,
        cx: &::polywire::Context,
        request: ListBooksRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<ListBooksResponse>, ::polywire::Status>> + Send;

    /// Method `ListTitles`.
    fn list_titles(
        &self,
        cx: &::polywire::Context,
        request: ListBooksRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<ListTitlesResponse>, ::polywire::Status>> + Send;

    /// Method `CreateBook`.
    fn create_book(
        &self,
        cx: &::polywire::Context,
        request: CreateBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `UpdateBook`.
    fn update_book(
        &self,
        cx: &::polywire::Context,
        request: UpdateBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `DeleteBook`.
    fn delete_book(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::wkt::Empty>, ::polywire::Status>> + Send;

    /// Method `MoveBook`.
    fn move_book(
        &self,
        cx: &::polywire::Context,
        request: MoveBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `WatchBook`, which answers with a stream. To be written as
    /// `async fn watch_book(…) -> Result<impl Stream<Item = Result<Book, Status>>, Status>`.
    fn watch_book(
        &self,
        cx: &::polywire::Context,
        request: WatchBookRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Book, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: Everything,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Everything>, ::polywire::Status>> + Send;

    /// Its reply is an image, and no JSON.
    ///
    /// Method `GetCover`.
    fn get_cover(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::HttpBody>, ::polywire::Status>> + Send;

    /// Method `SetCover`.
    fn set_cover(
        &self,
        cx: &::polywire::Context,
        request: Cover,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Cover>, ::polywire::Status>> + Send;

    /// Method `Reverse`.
    fn reverse(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::HttpBody,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::HttpBody>, ::polywire::Status>> + Send;

    /// Method `ReadBook`, which answers with a stream. To be written as
    /// `async fn read_book(…) -> Result<impl Stream<Item = Result<::polywire::HttpBody, Status>>, Status>`.
    fn read_book(
        &self,
        cx: &::polywire::Context,
        request: WatchBookRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<::polywire::HttpBody, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// No rule: it is reached by its name alone.
    ///
    /// Method `Count`.
    fn count(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::wkt::Empty,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Everything>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("library.v1.Library", DESCRIPTOR_SET)
            .unary::<library::GetBook<Self>>(&service)
            .unary::<library::ListBooks<Self>>(&service)
            .unary::<library::ListTitles<Self>>(&service)
            .unary::<library::CreateBook<Self>>(&service)
            .unary::<library::UpdateBook<Self>>(&service)
            .unary::<library::DeleteBook<Self>>(&service)
            .unary::<library::MoveBook<Self>>(&service)
            .server_streaming::<library::WatchBook<Self>>(&service)
            .unary::<library::Echo<Self>>(&service)
            .unary::<library::GetCover<Self>>(&service)
            .unary::<library::SetCover<Self>>(&service)
            .unary::<library::Reverse<Self>>(&service)
            .server_streaming::<library::ReadBook<Self>>(&service)
            .unary::<library::Count<Self>>(&service)
    }
}

/// The methods of [`Library`], each as a type.
pub mod library {
    /// `library.v1.Library/GetBook`.
    pub struct GetBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for GetBook<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "GetBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}"),
            ::polywire::HttpRule::new("GET", "/v1/books/{name}"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::get_book(service, cx, request)
        }
    }

    /// `library.v1.Library/ListBooks`.
    pub struct ListBooks<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for ListBooks<Impl> {
        type Service = Impl;
        type Request = super::ListBooksRequest;
        type Response = super::ListBooksResponse;
        const NAME: &'static str = "ListBooks";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/books"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::list_books(service, cx, request)
        }
    }

    /// `library.v1.Library/ListTitles`.
    pub struct ListTitles<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for ListTitles<Impl> {
        type Service = Impl;
        type Request = super::ListBooksRequest;
        type Response = super::ListTitlesResponse;
        const NAME: &'static str = "ListTitles";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/titles").response_body("titles"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::list_titles(service, cx, request)
        }
    }

    /// `library.v1.Library/CreateBook`.
    pub struct CreateBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for CreateBook<Impl> {
        type Service = Impl;
        type Request = super::CreateBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "CreateBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/{parent=shelves/*}/books").body("book"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::create_book(service, cx, request)
        }
    }

    /// `library.v1.Library/UpdateBook`.
    pub struct UpdateBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for UpdateBook<Impl> {
        type Service = Impl;
        type Request = super::UpdateBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "UpdateBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("PATCH", "/v1/{book.name=shelves/*/books/*}").body("book"),
            ::polywire::HttpRule::new("PUT", "/v1/{book.name=shelves/*/books/*}").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::update_book(service, cx, request)
        }
    }

    /// `library.v1.Library/DeleteBook`.
    pub struct DeleteBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for DeleteBook<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = ::polywire::wkt::Empty;
        const NAME: &'static str = "DeleteBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("DELETE", "/v1/{name=shelves/*/books/*}"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::delete_book(service, cx, request)
        }
    }

    /// `library.v1.Library/MoveBook`.
    pub struct MoveBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for MoveBook<Impl> {
        type Service = Impl;
        type Request = super::MoveBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "MoveBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/{name=shelves/*/books/*}:move").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::move_book(service, cx, request)
        }
    }

    /// `library.v1.Library/WatchBook`.
    pub struct WatchBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::ServerStreaming for WatchBook<Impl> {
        type Service = Impl;
        type Request = super::WatchBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "WatchBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:watch").response_body("title"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::Library::watch_book(service, cx, request)
        }
    }

    /// `library.v1.Library/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::Everything;
        type Response = super::Everything;
        const NAME: &'static str = "Echo";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/echo"),
            ::polywire::HttpRule::new("GET", "/v1/echo/{f_int64}/{f_enum}/{f_time}"),
            ::polywire::HttpRule::new("GET", "/v1/files/{f_string=**}"),
            ::polywire::HttpRule::new("POST", "/v1/echo").body("*"),
            ::polywire::HttpRule::new("POST", "/v1/echo/words").body("words"),
            ::polywire::HttpRule::new("REPORT", "/v1/echo"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::echo(service, cx, request)
        }
    }

    /// `library.v1.Library/GetCover`.
    pub struct GetCover<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for GetCover<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "GetCover";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}/cover"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::get_cover(service, cx, request)
        }
    }

    /// `library.v1.Library/SetCover`.
    pub struct SetCover<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for SetCover<Impl> {
        type Service = Impl;
        type Request = super::Cover;
        type Response = super::Cover;
        const NAME: &'static str = "SetCover";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("PUT", "/v1/{name=shelves/*/books/*}/cover").body("image").response_body("image"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::set_cover(service, cx, request)
        }
    }

    /// `library.v1.Library/Reverse`.
    pub struct Reverse<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Reverse<Impl> {
        type Service = Impl;
        type Request = ::polywire::HttpBody;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "Reverse";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/reverse").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::reverse(service, cx, request)
        }
    }

    /// `library.v1.Library/ReadBook`.
    pub struct ReadBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::ServerStreaming for ReadBook<Impl> {
        type Service = Impl;
        type Request = super::WatchBookRequest;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "ReadBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:read"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::Library::read_book(service, cx, request)
        }
    }

    /// `library.v1.Library/Count`.
    pub struct Count<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Count<Impl> {
        type Service = Impl;
        type Request = ::polywire::wkt::Empty;
        type Response = super::Everything;
        const NAME: &'static str = "Count";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::count(service, cx, request)
        }
    }
}

/// Books on shelves, by rules of `google.api.http`.
///
/// Calls `library.v1.Library` over a channel.
#[derive(Clone)]
pub struct LibraryClient {
    channel: ::polywire::Channel,
}

impl LibraryClient {
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

    /// Method `GetBook`.
    #[inline]
    pub fn get_book(&self, request: GetBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}"),
            ::polywire::HttpRule::new("GET", "/v1/books/{name}"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "GetBook").at(0), request, &RULES)
    }

    /// Method `ListBooks`.
    #[inline]
    pub fn list_books(&self, request: ListBooksRequest) -> ::polywire::Call<ListBooksResponse> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/books"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ListBooks").at(1), request, &RULES)
    }

    /// Method `ListTitles`.
    #[inline]
    pub fn list_titles(&self, request: ListBooksRequest) -> ::polywire::Call<ListTitlesResponse> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/titles").response_body("titles"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ListTitles").at(2), request, &RULES)
    }

    /// Method `CreateBook`.
    #[inline]
    pub fn create_book(&self, request: CreateBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/{parent=shelves/*}/books").body("book"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "CreateBook").at(3), request, &RULES)
    }

    /// Method `UpdateBook`.
    #[inline]
    pub fn update_book(&self, request: UpdateBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("PATCH", "/v1/{book.name=shelves/*/books/*}").body("book"),
            ::polywire::HttpRule::new("PUT", "/v1/{book.name=shelves/*/books/*}").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "UpdateBook").at(4), request, &RULES)
    }

    /// Method `DeleteBook`.
    #[inline]
    pub fn delete_book(&self, request: GetBookRequest) -> ::polywire::Call<::polywire::wkt::Empty> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("DELETE", "/v1/{name=shelves/*/books/*}"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "DeleteBook").at(5), request, &RULES)
    }

    /// Method `MoveBook`.
    #[inline]
    pub fn move_book(&self, request: MoveBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/{name=shelves/*/books/*}:move").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "MoveBook").at(6), request, &RULES)
    }

    /// Method `WatchBook`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch_book(&self, request: WatchBookRequest) -> ::polywire::StreamingCall<::polywire::Streaming<Book>> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:watch").response_body("title"),
        ]);
        ::polywire::generated::server_streaming_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "WatchBook").at(7), request, &RULES)
    }

    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: Everything) -> ::polywire::Call<Everything> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/echo"),
            ::polywire::HttpRule::new("GET", "/v1/echo/{f_int64}/{f_enum}/{f_time}"),
            ::polywire::HttpRule::new("GET", "/v1/files/{f_string=**}"),
            ::polywire::HttpRule::new("POST", "/v1/echo").body("*"),
            ::polywire::HttpRule::new("POST", "/v1/echo/words").body("words"),
            ::polywire::HttpRule::new("REPORT", "/v1/echo"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Echo").at(8), request, &RULES)
    }

    /// Its reply is an image, and no JSON.
    ///
    /// Method `GetCover`.
    #[inline]
    pub fn get_cover(&self, request: GetBookRequest) -> ::polywire::Call<::polywire::HttpBody> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}/cover"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "GetCover").at(9), request, &RULES)
    }

    /// Method `SetCover`.
    #[inline]
    pub fn set_cover(&self, request: Cover) -> ::polywire::Call<Cover> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("PUT", "/v1/{name=shelves/*/books/*}/cover").body("image").response_body("image"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "SetCover").at(10), request, &RULES)
    }

    /// Method `Reverse`.
    #[inline]
    pub fn reverse(&self, request: ::polywire::HttpBody) -> ::polywire::Call<::polywire::HttpBody> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/reverse").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Reverse").at(11), request, &RULES)
    }

    /// Method `ReadBook`: awaited, it is the stream of its answers.
    #[inline]
    pub fn read_book(&self, request: WatchBookRequest) -> ::polywire::StreamingCall<::polywire::Streaming<::polywire::HttpBody>> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:read"),
        ]);
        ::polywire::generated::server_streaming_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ReadBook").at(12), request, &RULES)
    }

    /// No rule: it is reached by its name alone.
    ///
    /// Method `Count`.
    #[inline]
    pub fn count(&self, request: ::polywire::wkt::Empty) -> ::polywire::Call<Everything> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Count").at(13), request)
    }
}

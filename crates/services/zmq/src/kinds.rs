//! The typed sockets, one type for each kind, with the methods that the kind supports.

use crate::{Error, Message, Monitor, Options, Request, Socket};
use polywire_protocols::zmtp::Kind;

macro_rules! kind {
    ($(#[$doc:meta])* $name:ident: $($does:ident)*) => {
        $(#[$doc])*
        /// Clones refer to the same socket, which is closed when the last of them is dropped.
        #[derive(Clone, Debug)]
        pub struct $name(Socket);

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl $name {
            pub fn new() -> Self {
                Self::with(&Options::default())
            }

            pub fn with(options: &Options) -> Self {
                $name(Socket::with(Kind::$name, options))
            }

            /// See [`Socket::bind`].
            ///
            /// # Errors
            /// The errors of [`Socket::bind`].
            pub fn bind(&self, address: &str) -> Result<String, Error> {
                self.0.bind(address)
            }

            /// See [`Socket::connect`].
            ///
            /// # Errors
            /// The errors of [`Socket::connect`].
            pub fn connect(&self, address: &str) -> Result<(), Error> {
                self.0.connect(address)
            }

            /// See [`Socket::monitor`].
            pub fn monitor(&self) -> Monitor {
                self.0.monitor()
            }

            /// See [`Socket::close`].
            pub async fn close(self) {
                self.0.close().await;
            }

            /// The same socket, with the methods of all kinds.
            pub fn socket(&self) -> &Socket {
                &self.0
            }

            $(kind!(@$does);)*
        }

        impl AsRef<Socket> for $name {
            fn as_ref(&self) -> &Socket {
                &self.0
            }
        }
    };
    (@send) => {
        /// See [`Socket::send`].
        ///
        /// # Errors
        /// The errors of [`Socket::send`].
        pub async fn send(&self, message: impl Into<Message>) -> Result<(), Error> {
            self.0.send(message).await
        }

        /// See [`Socket::try_send`].
        ///
        /// # Errors
        /// The errors of [`Socket::try_send`].
        pub fn try_send(&self, message: impl Into<Message>) -> Result<(), Error> {
            self.0.try_send(message)
        }
    };
    (@recv) => {
        /// See [`Socket::recv`].
        ///
        /// # Errors
        /// The errors of [`Socket::recv`].
        pub async fn recv(&self) -> Result<Message, Error> {
            self.0.recv().await
        }

        /// See [`Socket::try_recv`].
        ///
        /// # Errors
        /// The errors of [`Socket::try_recv`].
        pub fn try_recv(&self) -> Result<Message, Error> {
            self.0.try_recv()
        }
    };
    (@subscribe) => {
        /// Subscribes to messages that begin with `prefix`; an empty prefix matches all. Subscriptions are
        /// counted: two of them have to be removed twice.
        pub fn subscribe(&self, prefix: impl AsRef<[u8]>) {
            let done = self.0.subscribe(prefix);
            debug_assert!(done.is_ok(), "this kind subscribes");
        }

        /// Removes one subscription to `prefix`.
        pub fn unsubscribe(&self, prefix: impl AsRef<[u8]>) {
            let done = self.0.unsubscribe(prefix);
            debug_assert!(done.is_ok(), "this kind subscribes");
        }
    };
    (@request) => {
        /// See [`Socket::request`].
        ///
        /// # Errors
        /// The errors of [`Socket::request`].
        pub async fn request(&self) -> Result<Request, Error> {
            self.0.request().await
        }
    };
}

kind! {
    /// Sends a request and receives the reply, to each of its peers in turn.
    Req: send recv
}
kind! {
    /// Receives a request, then sends the reply; or use [`Rep::request`] to answer several at a time.
    Rep: send recv request
}
kind! {
    /// Sends to its peers in turn, receives from all of them. To send to a REP, the application adds an empty
    /// frame at the front.
    Dealer: send recv
}
kind! {
    /// Receives from all peers, with the sender's name as the first frame; sends to the peer that the first
    /// frame names.
    Router: send recv
}
kind! {
    /// Sends to all peers that subscribed to a prefix of the first frame.
    Pub: send
}
kind! {
    /// Receives messages that begin with one of its subscriptions.
    Sub: recv subscribe
}
kind! {
    /// A PUB that receives subscriptions as messages: 1 or 0, then the topic.
    XPub: send recv
}
kind! {
    /// A SUB that sends subscriptions, and other messages, as messages.
    XSub: send recv subscribe
}
kind! {
    /// Sends messages to its peers in turn.
    Push: send
}
kind! {
    /// Receives from all its peers in turn.
    Pull: recv
}
kind! {
    /// Talks to exactly one peer.
    Pair: send recv
}

//! The sockets by kind, each with what it can do and nothing else.

use crate::{Error, Message, Monitor, Options, Request, Socket};
use polywire_protocols::zmtp::Kind;

macro_rules! kind {
    ($(#[$doc:meta])* $name:ident: $($does:ident)*) => {
        $(#[$doc])*
        ///
        /// Clones are the same socket; it is closed with the last of them.
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
            /// As there.
            pub fn bind(&self, address: &str) -> Result<String, Error> {
                self.0.bind(address)
            }

            /// See [`Socket::connect`].
            ///
            /// # Errors
            /// As there.
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

            /// The same socket with all methods there are.
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
        /// As there.
        pub async fn send(&self, message: impl Into<Message>) -> Result<(), Error> {
            self.0.send(message).await
        }

        /// See [`Socket::try_send`].
        ///
        /// # Errors
        /// As there.
        pub fn try_send(&self, message: impl Into<Message>) -> Result<(), Error> {
            self.0.try_send(message)
        }
    };
    (@recv) => {
        /// See [`Socket::recv`].
        ///
        /// # Errors
        /// As there.
        pub async fn recv(&self) -> Result<Message, Error> {
            self.0.recv().await
        }

        /// See [`Socket::try_recv`].
        ///
        /// # Errors
        /// As there.
        pub fn try_recv(&self) -> Result<Message, Error> {
            self.0.try_recv()
        }
    };
    (@subscribe) => {
        /// Wants messages that begin with `prefix`, all if it is empty. Counted: two of them need two ends.
        pub fn subscribe(&self, prefix: impl AsRef<[u8]>) {
            let done = self.0.subscribe(prefix);
            debug_assert!(done.is_ok(), "this kind subscribes");
        }

        /// Ends one subscription to `prefix`.
        pub fn unsubscribe(&self, prefix: impl AsRef<[u8]>) {
            let done = self.0.unsubscribe(prefix);
            debug_assert!(done.is_ok(), "this kind subscribes");
        }
    };
    (@request) => {
        /// See [`Socket::request`].
        ///
        /// # Errors
        /// As there.
        pub async fn request(&self) -> Result<Request, Error> {
            self.0.request().await
        }
    };
}

kind! {
    /// Asks and waits for the reply, in turns with each of its peers.
    Req: send recv
}
kind! {
    /// Answers: `recv` a request, `send` the reply; or [`Rep::request`], to answer several at a time.
    Rep: send recv request
}
kind! {
    /// Sends to its peers in turns, receives from all of them. To talk to a REP it puts an empty frame first.
    Dealer: send recv
}
kind! {
    /// Receives from all, the sender's name in front; sends to whom the first frame names.
    Router: send recv
}
kind! {
    /// Sends to all who subscribed to the beginning of the first frame.
    Pub: send
}
kind! {
    /// Receives what it subscribed to.
    Sub: recv subscribe
}
kind! {
    /// A PUB that receives subscriptions: 1 or 0, then the topic.
    XPub: send recv
}
kind! {
    /// A SUB that sends subscriptions as messages, and other messages too.
    XSub: send recv subscribe
}
kind! {
    /// Hands messages to its peers in turns.
    Push: send
}
kind! {
    /// Receives from all its peers in turns.
    Pull: recv
}
kind! {
    /// Talks to exactly one peer.
    Pair: send recv
}

//! Properties that hold for any call, and for any bytes.

use super::*;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status, brpc};
use polywire_machine_testing::{Call, SeenTarget, pass, survives_noise};
use polywire_wire::{Compression, Content, Outcome};
use proptest::prelude::*;
use std::time::Duration;

/// Some names that have fields of their own and some that have not; sometimes a request for a checksum.
fn metadata() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let ids = ["log-id", "x-bd-trace-id", "x-bd-span-id", "x-bd-parent-span-id"];
    let id = (prop::sample::select(ids.to_vec()), any::<u64>());
    let id = id.prop_map(|(name, id)| (name.to_owned(), id.to_string().into_bytes()));
    let free = ("[a-z]{0,40}", prop::collection::vec(any::<u8>(), 0..200));
    let request_id = "[ -~]{1,80}".prop_map(|id| ("x-request-id".to_owned(), id.into_bytes()));
    let checksum = prop::sample::select(vec!["crc32c", "crc32c-with-attachment"]);
    let checksum =
        checksum.prop_map(|kind| (crate::pbrpc::baidu_std::CHECKSUM.to_owned(), kind.as_bytes().to_vec()));
    let field = prop_oneof![2 => id, 3 => free, 1 => request_id, 1 => checksum];
    prop::collection::vec(field, 0..6).prop_map(|mut fields| {
        // A name that has a field of its own can occur once.
        let mut seen = std::collections::HashSet::new();
        fields.retain(|(name, _)| !name.contains('-') || seen.insert(name.clone()));
        fields
    })
}

fn sorted<'a>(fields: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<(String, Vec<u8>)> {
    let mut fields: Vec<_> = fields.into_iter().map(|(n, v)| (n.to_owned(), v.to_vec())).collect();
    fields.sort();
    fields
}

proptest! {
    #[test]
    fn a_call_arrives_as_it_was_made_and_so_does_its_reply(
        (service, method) in ("\\PC{0,90}", "\\PC{0,90}"),
        body in prop::collection::vec(any::<u8>(), 0..3000),
        attachment in prop_oneof![Just(Vec::new()), prop::collection::vec(any::<u8>(), 0..3000)],
        timeout_ms in prop::option::of(1..=i32::MAX as u64),
        content in 0..=3u8,
        compression in 0..=3u8,
        (token, shift) in (any::<u64>(), 0..64u32),
        fields in metadata(),
        trailers in metadata(),
        pieces in prop::collection::vec(1..500usize, 1..4),
    ) {
        let (mut client, mut server) = (client(), server());
        let mut call = Call::new(&service, &method).body(&body).attachment(&attachment);
        call.timeout = timeout_ms.map(Duration::from_millis);
        call.content = Content(content);
        call.compression = Compression(compression);
        fields.iter().for_each(|(name, value)| call.metadata.append(name, value));
        let token = token >> shift;
        let exchange = Exchange { token, slot: token as u32 };
        client.open(exchange, &call).unwrap();

        let mut seen = server.feed_split(client.written(), &pieces);
        prop_assert_eq!(seen.len(), 1);
        let open = seen.remove(0).expect_open();
        prop_assert_eq!(open.exchange.token, token);
        prop_assert_eq!(&open.head.target, &SeenTarget::Method { service, method });
        prop_assert_eq!((open.message(), open.attachment()), (&body[..], &attachment[..]));
        prop_assert_eq!(open.head.timeout, call.timeout);
        prop_assert_eq!((open.head.content, open.head.compression), (call.content, call.compression));
        let fields = open.head.fields.iter().map(|(n, v)| (n.as_str(), &v[..]));
        prop_assert_eq!(sorted(fields), sorted(call.metadata.iter()));

        let mut sent = Metadata::new();
        trailers.iter().for_each(|(name, value)| sent.append(name, value));
        let outcome = Outcome {
            body: IoBuf::copy_from_slice(&open.body),
            attachment: open.head.attachment,
            content: Content(content),
            compression: Compression(compression),
            reply: true,
            trailers: Some(Box::new(sent.clone())),
            ..Outcome::default()
        };
        server.finish(open.exchange, outcome);
        let mut seen = client.feed_split(server.written(), &pieces);
        prop_assert_eq!(seen.len(), 1);
        let (finished, outcome) = seen.remove(0).expect_finish();
        prop_assert_eq!(finished, exchange);
        prop_assert!(outcome.status.is_ok() && outcome.reply);
        prop_assert_eq!(outcome.body, &open.body);
        prop_assert_eq!(outcome.attachment, open.head.attachment);
        prop_assert_eq!((outcome.content.0, outcome.compression.0), (content, compression));
        let trailers = outcome.trailers.iter().map(|(n, v)| (n.as_str(), &v[..]));
        prop_assert_eq!(sorted(trailers), sorted(sent.iter()));
    }

    #[test]
    fn a_failure_arrives_with_its_number_and_text(number in any::<i32>(), text in "\\PC{0,100}") {
        prop_assume!(![0, -1, brpc::ECLOSE].contains(&number));
        let (mut client, mut server) = (client(), server());
        client.open(CALL, &Call::new("s", "m")).unwrap();
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        server.fail(open.exchange, brpc::status(number, text));
        let sent = server.written();
        let (exchange, outcome) = client.feed(sent).poll().expect_finish();
        prop_assert_eq!(exchange, CALL);
        prop_assert_eq!(outcome.status.native(), polywire_call::Native::Brpc(number));
    }
}

#[test]
fn noise_does_no_harm() {
    let examples = EXAMPLES.map(|example| example());
    let examples: Vec<&[u8]> = examples.iter().map(|e| &e[..]).collect();
    survives_noise(server, &examples, 1, 3000);
    survives_noise(client, &examples, 2, 3000);
    survives_noise(guarded, &examples, 3, 1000);
    let refusing = || server().hosted(|h| h.refuse(Status::internal("no")));
    survives_noise(refusing, &examples, 4, 1000);
}

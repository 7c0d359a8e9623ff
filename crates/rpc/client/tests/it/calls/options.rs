//! Options that are wrong.

use polywire_client::{Channel, ChannelError, NoProtocols, Pooling};
use polywire_machine_testing::lab;
use polywire_wire::Limits;
use std::time::Duration;

#[test]
fn options_with_which_nothing_would_work_are_refused() {
    let builder = || Channel::<NoProtocols>::builder("host:1").protocol_set(lab::PROTOCOLS).protocol("lab");
    for (builder, said) in [
        (builder().timeout(Duration::ZERO), "timeout is zero: None lets calls take as long as they do"),
        (builder().connect_timeout(Duration::ZERO), "connect_timeout is zero"),
        (
            builder().pooling(Pooling::default().write_stall(Duration::ZERO)),
            "pooling.write_stall is zero: None is never",
        ),
        (
            builder().pooling(Pooling::default().connections(0)),
            "pooling.connections is zero: one is the least",
        ),
        (builder().pooling(Pooling::default().homes(0)), "pooling.homes is zero: one is the least"),
        (
            builder().limits(Limits::default().max_message(0)),
            "limits: max_message is zero: no reply would be taken",
        ),
    ] {
        let Err(ChannelError::Config(what)) = builder.build() else { panic!("{said} was taken") };
        assert_eq!((what.to_string(), what.value()), (said.to_owned(), Some("0")));
        assert!(said.starts_with(what.option()), "{}", what.option());
    }
}

#[test]
fn options_that_are_wrong_are_named() {
    let lab = || Channel::<NoProtocols>::builder("localhost:1").protocol_set(lab::PROTOCOLS);
    let wrong = |result: Result<Channel, ChannelError>| result.err().expect("wrong").to_string();
    assert_eq!(
        wrong(lab().protocol("nope").build()),
        "unknown protocol \"nope\"; known are lab, also, serial"
    );
    let address =
        Channel::<NoProtocols>::builder("nowhere").protocol_set(lab::PROTOCOLS).protocol("lab").build();
    assert!(wrong(address).starts_with("address \"nowhere\" has no host and port: write host:port"));
}

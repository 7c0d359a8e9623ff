//! Random bytes for every dialect, on both sides.

use super::{KINDS, client, envelope, reply, request, server};
use crate::http;
use polywire_machine_testing::{Call, Side, survives_noise};
use polywire_wire::{Delivery, Extensions, Limits, Origins, ServerSetup};
use std::sync::Arc;

fn requests() -> Vec<Vec<u8>> {
    let body = [envelope(0, "hello"), envelope(1, "zz"), envelope(0, "")].concat();
    let mut goldens: Vec<_> = KINDS
        .iter()
        .map(|(_, _, content_type)| {
            request(content_type, "grpc-encoding: gzip|grpc-timeout: 1S|x-bin: AQ|", &body)
        })
        .collect();
    goldens.push(request("application/grpc-web-text", "", "AAAAAAFNAAAAAAFN"));
    goldens.push(request("application/json", "connect-protocol-version: 1|connect-timeout-ms: 5|", "{}"));
    goldens.push(super::lines("GET /S/M?connect=v1&encoding=json&base64=1&message=e30 HTTP/1.1|Host: x||"));
    goldens
}

#[test]
fn a_server_stands_noise() {
    let goldens = requests();
    let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
    survives_noise(server, &goldens, 21, 1500);
    let tight = Limits::default().exchanges(2).window(8).ahead(1).backlog(16).max_message(6);
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Origins { allowed: vec!["*".into()], ..Origins::default() }));
    let setup = ServerSetup { limits: tight, extensions: Some(&extensions), ..ServerSetup::default() };
    survives_noise(
        || Side::new(&http::PROTOCOL, setup).with_room(64).hosted(|host| host.deliver(Delivery::Messages)),
        &goldens,
        22,
        1500,
    );
}

#[test]
fn a_client_stands_noise() {
    for (seed, (protocol, parameter, content_type)) in (30..).zip(KINDS) {
        let end = match content_type {
            "application/connect+proto" => envelope(2, r#"{"metadata":{"a":["b"]}}"#),
            "application/grpc" => vec![],
            _ => envelope(0x80, "grpc-status: 0\r\nx-bin: AQ\r\n"),
        };
        let body = [envelope(0, "hello"), envelope(1, "zz"), end].concat();
        let trailers = "grpc-status: 9|grpc-message: a%20b|grpc-status-details-bin: CAo|";
        let goldens = [
            reply(content_type, "grpc-encoding: gzip|", &body, trailers),
            super::lines("HTTP/1.1 200 OK|Content-Type: application/grpc|grpc-status: 5|Content-Length: 0||"),
            super::lines(
                "HTTP/1.1 404 X|Content-Type: application/json|Content-Length: 12||{\"code\":\"x\"}",
            ),
        ];
        let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
        for call in [Call::new("S", "M").body("x"), Call::new("S", "M").streamed()] {
            let calling = || {
                let mut side = client(protocol, parameter);
                side.call(&call);
                side
            };
            survives_noise(calling, &goldens, seed, 600);
        }
    }
}

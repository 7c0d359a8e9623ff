//! Callers and servers of different protocols: the message is the same, the frame is not.

use super::*;
use polywire_call::Code;
use polywire_client::Target;

const PLACE: Target = Target::fixed(SERVICE, "Place");

fn echo() -> Method {
    method("Place", |call: Call| async move {
        let tenant = call.cx.metadata().get_str("x-tenant").map(str::to_owned);
        let message =
            format!("{} for {}", String::from_utf8_lossy(&call.body.to_vec()), tenant.unwrap_or_default());
        Ok(ok(message))
    })
}

#[tokio::test(start_paused = true)]
async fn each_protocol_reaches_servers_of_the_others() {
    for front in ["grpc", "baidu_std", "connect", "grpc-web"] {
        for back in ["grpc", "baidu_std", "connect", "grpc-web"] {
            let chain = chain(front, back, echo());
            let reply = chain.channel.call(PLACE, "a lamp").metadata("x-tenant", "acme").await;
            let reply = reply.unwrap_or_else(|status| panic!("{front} to {back}: {status}"));
            assert_eq!(reply.body.to_vec(), b"a lamp for acme", "{front} to {back}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn callers_whose_requests_have_no_fields_are_answered() {
    let reply = chain("sofa_pbrpc", "grpc", echo()).channel.call(PLACE, "a lamp").await;
    assert_eq!(reply.expect("a reply").body.to_vec(), b"a lamp for ");
}

#[tokio::test(start_paused = true)]
async fn a_failure_has_the_same_code_in_each_protocol() {
    for front in ["grpc", "baidu_std", "connect"] {
        for back in ["grpc", "baidu_std", "connect"] {
            let chain =
                chain(front, back, method("Place", |_| async { Err(Status::not_found("no such lamp")) }));
            let status = chain.channel.call(PLACE, "a lamp").await.unwrap_err();
            assert_eq!(
                (status.code(), status.message()),
                (Code::NotFound, "no such lamp"),
                "{front} to {back}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_attachment_goes_on_where_the_other_side_has_a_place_for_it() {
    let swap = || {
        method("Place", |mut call: Call| async move {
            let message = call.body.cut(call.body.len() - call.attachment as usize);
            let (attachment, mut body) = (message, call.body);
            let attached = attachment.len() as u32;
            body.append(attachment);
            Ok(Outcome { attachment: attached, ..ok(body) })
        })
    };
    let chain_of_same = chain("baidu_std", "baidu_std", swap());
    let reply = chain_of_same.channel.call(PLACE, "message").attachment("beside").await.expect("a reply");
    assert_eq!((reply.body.to_vec(), reply.attachment().to_vec()), (b"beside".to_vec(), b"message".to_vec()));
    let to_grpc =
        chain("baidu_std", "grpc", swap()).channel.call(PLACE, "message").attachment("beside").await;
    assert_eq!(to_grpc.unwrap_err().code(), Code::Unimplemented);
    let of_reply = chain("grpc", "baidu_std", swap()).channel.call(PLACE, "message").await;
    assert_eq!(of_reply.unwrap_err().code(), Code::Unimplemented);
}

#[tokio::test(start_paused = true)]
async fn fields_that_steer_a_client_of_http_do_not_reach_it() {
    let place = method("Place", |call: Call| async move {
        let seen = call.cx.metadata();
        Ok(ok(format!("{:?} {:?}", seen.get_str(":path"), seen.get_str("x-forwarded-for"))))
    });
    let chain = chain("baidu_std", "grpc", place);
    let mut call = chain.channel.call(PLACE, "");
    for name in
        [":path", ":method", ":protocol", "content-type", "content-encoding", "x-forwarded-for", "Host"]
    {
        call = call.metadata(name, "/evil");
    }
    let reply = call.await.expect("a reply");
    assert_eq!(reply.body.to_vec(), br#"Some("/shop.v1.Orders/Place") None"#);
}

#[tokio::test(start_paused = true)]
async fn names_that_are_no_names_are_not_relayed() {
    let chain = chain("baidu_std", "grpc", method("Place", |call: Call| async { Ok(ok(call.body)) }));
    for (service, method) in
        [("", "/x"), ("shop.v1.Orders/Place?", "x"), ("a b", "c"), ("shop.v1.Orders", "../Place")]
    {
        let status = chain.channel.call(Target::named(service, method), "").await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented, "{service} {method}: {status}");
        assert!(chain.behind.connections().is_empty(), "{service} {method} was relayed");
    }
}

#[tokio::test(start_paused = true)]
async fn messages_in_json_need_a_schema() {
    let chain = chain("connect", "grpc", method("Place", |call: Call| async { Ok(ok(call.body)) }));
    let status = chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert!(status.message().contains("JSON"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_does_not_fit_a_protocol_of_single_messages() {
    let chain = chain("grpc", "baidu_std", echo());
    let mut stream = chain.channel.stream(PLACE).await.expect("a stream");
    stream.send("one").await.expect("room");
    stream.send("two").await.expect("room");
    stream.finish();
    assert_eq!(stream.next().await.expect("an end").unwrap_err().code(), Code::Unimplemented);
}

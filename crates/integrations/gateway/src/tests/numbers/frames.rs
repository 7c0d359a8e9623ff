//! Frames of foreign software, through the relay and back.

use super::*;

/// hulu_pbrpc.md, example 1: EchoService, 0, "hello" with the attachment "ATTACH".
const HULU_REQUEST: &str = "48 55 4c 55 28 00 00 00 1b 00 00 00 0a 0b 45 63
    68 6f 53 65 72 76 69 63 65 10 00 18 00 20 82 80
    80 80 10 28 7b 60 07 0a 05 68 65 6c 6c 6f 41 54
    54 41 43 48";
const HULU_REPLY: &str = "48 55 4c 55 19 00 00 00 0c 00 00 00 08 00 18 84
    80 80 80 20 20 00 40 07 0a 05 68 65 6c 6c 6f 41
    54 54 41 43 48";
const HULU_FAILURE: &str = "48 55 4c 55 28 00 00 00 28 00 00 00 08 d2 09 12
    1b 5b 31 32 37 2e 30 2e 30 2e 31 3a 39 32 30 31
    5d 5b 45 31 32 33 34 5d 62 6f 6f 6d 18 84 80 80
    80 20 20 00";

/// nova_pbrpc.md, example 1: method 0, log_id 123; its reply is the same.
const NOVA_REQUEST: &str = "00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
    07 00 00 00 0a 05 68 65 6c 6c 6f";

/// public_pbrpc.md, example 1: EchoService, 0, id 4294967298.
const PUBLIC_REQUEST: &str = "00 00 e8 03 7b 00 00 00 5f 5f 70 62 72 70 63 5f
    5f 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
    5c 00 00 00 0a 28 0a 09 31 32 37 2e 30 2e 30 2e
    31 10 01 18 01 22 05 75 74 66 2d 38 32 0e 32 30
    32 36 31 31 32 30 32 30 35 34 30 38 38 7b 12 30
    0a 09 70 62 72 70 63 3d 31 2e 30 12 05 75 74 66
    2d 38 1a 0b 45 63 68 6f 53 65 72 76 69 63 65 20
    00 28 82 80 80 80 10 32 07 0a 05 68 65 6c 6c 6f";
/// The body of its reply. The head before it says who answers, which is not written here.
const PUBLIC_REPLY: &str =
    "12 1a 0a 07 0a 05 68 65 6c 6c 6f 12 09 70 62 72 70 63 3d 31 2e 30 20 82 80 80 80 10";

/// sofa_pbrpc.md, example 1: snappy, "hello".
const SOFA_REQUEST: &str = "53 4f 46 41 26 00 00 00 09 00 00 00 00 00 00 00
    2f 00 00 00 00 00 00 00 08 00 10 82 80 80 80 10
    a2 06 18 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53
    65 72 76 69 63 65 2e 45 63 68 6f e0 12 03 07 18
    0a 05 68 65 6c 6c 6f";
const SOFA_REPLY: &str = "53 4f 46 41 11 00 00 00 07 00 00 00 00 00 00 00
    18 00 00 00 00 00 00 00 08 01 10 82 80 80 80 10
    c0 0c 00 c8 0c 00 e0 12 00 0a 05 68 65 6c 6c 6f";

#[tokio::test(start_paused = true)]
async fn foreign_frames_get_foreign_frames_back() {
    for back in ["hulu_pbrpc", "baidu_std"] {
        let reply = hex(HULU_REPLY);
        let old = Old::new(back, echo_service(), by_list);
        assert_eq!(old.sends(HULU_REQUEST, reply.len()).await, reply, "{back}");
    }
    for back in ["grpc", "baidu_std", "hulu_pbrpc", "public_pbrpc", "nova_pbrpc", "sofa_pbrpc"] {
        let old = Old::new(back, echo_service(), by_schema);
        let reply = hex(NOVA_REQUEST);
        assert_eq!(old.sends(NOVA_REQUEST, reply.len()).await, reply, "{back}");
        let seen = old.sends(PUBLIC_REQUEST, 77).await;
        assert!(seen.ends_with(&hex(PUBLIC_REPLY)), "{back}: {seen:02x?}");
    }
    // gRPC has no name for a block of snappy: the message goes on decompressed.
    let (old, reply) = (Old::new("grpc", echo_service(), by_list), hex(SOFA_REPLY));
    assert_eq!(old.sends(SOFA_REQUEST, reply.len()).await, reply);
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_a_frame_of_hulu_and_the_end_of_a_connection_of_nova() {
    let service = || {
        let echo = method("Echo", |_| async { Err(brpc::status(1234, "[127.0.0.1:9201][E1234]boom")) });
        Service::new(ECHO_SERVICE, &[]).with(echo)
    };
    for back in ["hulu_pbrpc", "baidu_std"] {
        let failure = hex(HULU_FAILURE);
        let old = Old::new(back, service(), by_list);
        assert_eq!(old.sends(HULU_REQUEST, failure.len()).await, failure, "{back}");
    }
    let old = Old::new("grpc", service(), by_list);
    assert_eq!(old.sends(NOVA_REQUEST, 1).await, b"");
}

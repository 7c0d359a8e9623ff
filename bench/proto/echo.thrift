/** brpc's example, which `polywire serve` has: volo generates its side from this file, too. */
namespace rs echo

struct EchoRequest {
  1: required string data
}

struct EchoResponse {
  1: required string data
}

service EchoService {
  EchoResponse Echo(1: EchoRequest request)
}

"""grpcio's server behind `polywire gateway`, called in JSON: `python gateway.py GATEWAY SERVER`, a line for each check.

What is right says grpcio itself: the same call by its own client, in protobuf's own mapping to JSON.
"""

import json
import sys
import urllib.error
import urllib.request

import grpc
from checks import report, same
from google.protobuf import json_format
from stubs import messages, services

LIMIT_S = 20
SERVICE = "grpc.testing.TestService"


class Gateway:
    def __init__(self, address, stub):
        self.url, self.stub = f"http://{address}/{SERVICE}", stub

    def post(self, method, body, **fields):
        """Status, content type and body; as `curl -d` sends it unless the fields say otherwise."""
        request = urllib.request.Request(f"{self.url}/{method}", body.encode(), fields)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as reply:
                return reply.status, reply.headers["content-type"], reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers["content-type"], error.read().decode()

    def unary(self):
        for request in (
            messages.SimpleRequest(response_size=5),
            messages.SimpleRequest(response_size=100_000, payload=messages.Payload(body=bytes(range(256)))),
            messages.SimpleRequest(),
        ):
            reply = self.stub.UnaryCall(request, timeout=LIMIT_S)
            status, kind, body = self.post("UnaryCall", json_format.MessageToJson(request))
            same((200, "application/json"), (status, kind))
            same(reply, json_format.Parse(body, messages.SimpleResponse()))
            same(json_format.MessageToDict(reply), json.loads(body))

    def stream(self):
        wanted = [messages.ResponseParameters(size=size) for size in (1, 1000, 3)]
        request = messages.StreamingOutputCallRequest(response_parameters=wanted)
        replies = [json_format.MessageToDict(reply) for reply in self.stub.StreamingOutputCall(request, timeout=LIMIT_S)]
        status, kind, body = self.post("StreamingOutputCall", json_format.MessageToJson(request))
        same((200, "application/jsonl"), (status, kind))
        same(replies, [json.loads(line) for line in body.splitlines()])

    def failure(self):
        request = '{"responseStatus":{"code":7,"message":"not you"}}'
        status, kind, body = self.post("UnaryCall", request)
        same((403, "application/json"), (status, kind))
        same({"code": 7, "message": "not you", "details": []}, json.loads(body))

    def connect(self):
        fields = {"content-type": "application/json", "connect-protocol-version": "1"}
        same((200, "application/json", '{"payload":{"body":"AAAA"}}'), self.post("UnaryCall", '{"responseSize":3}', **fields))
        status, _, body = self.post("UnaryCall", '{"responseStatus":{"code":7,"message":"not you"}}', **fields)
        same((403, {"code": "permission_denied", "message": "not you"}), (status, json.loads(body)))

    def wrong(self):
        for body in ('{"responseSize":"many"}', '{"responseSize":1', '{"payload":{"body":"!"}}', "[" * 100_000):
            status, _, answer = self.post("UnaryCall", body, **{"content-type": "application/json"})
            same((400, 3), (status, json.loads(answer)["code"]))
        same(404, self.post("Nothing", "{}")[0])


def main(gateway, server):
    with grpc.insecure_channel(server) as channel:
        json_calls = Gateway(gateway, services.TestServiceStub(channel))
        return report(
            {
                "gateway: JSON is what grpcio makes of the reply": json_calls.unary,
                "gateway: a stream of replies as lines": json_calls.stream,
                "gateway: a failure of the server": json_calls.failure,
                "gateway: Connect in JSON": json_calls.connect,
                "gateway: what is no request": json_calls.wrong,
            }
        )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

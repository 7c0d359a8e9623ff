"""grpcio's clients of the standard services: `python standard.py HOST:PORT`, a line for each check."""

import sys

import grpc
from checks import report, same
from google.protobuf import descriptor_pool, message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

LIMIT_S = 20
GREETER = "helloworld.Greeter"
SERVING = health_pb2.HealthCheckResponse.SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class Reflection:
    """grpcio-reflection's database, which asks the server, below a pool of protobuf's own."""

    def __init__(self, channel):
        self.channel = channel
        self.database = ProtoReflectionDescriptorDatabase(channel)
        self.pool = descriptor_pool.DescriptorPool(self.database)

    def services(self):
        listed = set(self.database.get_services())
        missing = {GREETER, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} - listed
        same(set(), missing)

    def call(self):
        method = self.pool.FindServiceByName(GREETER).FindMethodByName("SayHello")
        request, reply = map(message_factory.GetMessageClass, (method.input_type, method.output_type))
        call = self.channel.unary_unary(f"/{GREETER}/SayHello", request.SerializeToString, reply.FromString)
        same("Hello ada", call(request(name="ada"), timeout=LIMIT_S).message)

    def nothing(self):
        try:
            self.pool.FindMessageTypeByName("helloworld.Nobody")
        except KeyError:
            return
        raise AssertionError("a message that nobody has was found")


class Health:
    def __init__(self, channel):
        self.stub = health_pb2_grpc.HealthStub(channel)

    def check(self):
        for service in ("", GREETER):
            same(SERVING, self.stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=LIMIT_S).status)

    def unknown(self):
        try:
            self.stub.Check(health_pb2.HealthCheckRequest(service="no.Such"), timeout=LIMIT_S)
        except grpc.RpcError as error:
            return same(grpc.StatusCode.NOT_FOUND, error.code())
        raise AssertionError("it is healthy")

    def watch(self):
        for service, status in (("", SERVING), ("no.Such", SERVICE_UNKNOWN)):
            watch = self.stub.Watch(health_pb2.HealthCheckRequest(service=service), timeout=LIMIT_S)
            same(status, next(watch).status)
            watch.cancel()


def main(address):
    with grpc.insecure_channel(address) as channel:
        reflection, health = Reflection(channel), Health(channel)
        return report(
            {
                "reflection: services are listed": reflection.services,
                "reflection: a call by descriptors of the server": reflection.call,
                "reflection: what is not there is not found": reflection.nothing,
                "health: Check": health.check,
                "health: Check of a service that is not there": health.unknown,
                "health: Watch": health.watch,
            }
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

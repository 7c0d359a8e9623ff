"""A client of grpcio's with calls that hang: `leaver.py ADDRESS METHOD CALLS`; says nothing, and is killed."""

import sys

import grpc

address, method, calls = sys.argv[1:]
with grpc.insecure_channel(address) as channel:
    hang = channel.unary_unary(method)
    waiting = [hang.future(b"") for _ in range(int(calls))]
    waiting[0].result()

"""jprotobuf-rpc 4.2.1, a second Java implementation, as client and as server over baidu_std."""

from harness import java, tool

NEEDS = [tool("java"), tool("mvn"), java.built]


def run(suite):
    java.run(suite, "jprotobuf")

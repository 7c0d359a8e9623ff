"""brpc-java 3.0.5, Baidu's own implementation for Java, as client and as server over baidu_std."""

from harness import java, tool

NEEDS = [tool("java"), tool("mvn"), java.built]


def run(suite):
    java.run(suite, "brpc-java")

"""What the peers with several redis-server processes have in common."""

import json
import subprocess

from .suite import expect, same


def flush(port):
    """Empties a master, and waits until a replica has heard of it: one that has come back gets nothing for up to a second, and would bring
    what it has back as a master."""
    command = ["redis-cli", "-h", "127.0.0.1", "-p", str(port)]
    said = subprocess.run(command, input="flushall\nwait 1 10000\n", capture_output=True, text=True, timeout=30).stdout
    same(["OK", "1"], said.split(), "flushed, and by so many replicas")


def under_load(program, meanwhile):
    """The line of JSON that a load of interop/rust ends with, `meanwhile` having run from its `ready` on, and what it said on standard error."""
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            same("ready\n", process.stdout.readline())
            meanwhile()
            said, errors = process.communicate(timeout=60)
        except BaseException:
            process.kill()
            raise
    expect(process.returncode == 0, f"the program said {errors}")
    return {**json.loads(said.splitlines()[-1]), "said": errors}

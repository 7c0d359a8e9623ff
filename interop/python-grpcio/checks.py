"""Checks of a program that `Suite.relay` reads: a line for each."""


def same(expected, found):
    if expected != found:
        raise AssertionError(f"expected {expected!r:.300}, found {found!r:.300}")


def report(checks):
    """Runs checks by name; hands back the exit code."""
    failed = False
    for name, check in checks.items():
        try:
            check()
        except Exception as reason:
            failed = True
            print(f"FAIL {name}: {type(reason).__name__}: {' '.join(str(reason).split())[:400]}", flush=True)
        else:
            print(f"pass {name}", flush=True)
    return int(failed)

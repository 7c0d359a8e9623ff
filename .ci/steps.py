"""Runs the steps of `steps.toml`: all that must hold before a change lands.

    .ci/run               the steps whose paths have changed, and those that always run
    .ci/run all           every step; notes the commit in the rows of those that guard paths
    .ci/run fmt clippy    only these
    .ci/run note models   only these; notes the commit as `all` does
    .ci/run --plan        which steps would run now, which would not, and why
    .ci/run --list        names of the steps

A step is a function `step_NAME` of `steps.sh`. One that guards paths is left out while none of them, nor what it guards or its
function, has changed since the commit at which it last passed; when that commit lies too far back, is unknown or is no
ancestor, the step runs. The steps of a stream run in order, the streams run beside each other. On a slow machine, when `bounds.minutes` are over, what
guards paths and passed within the other bounds is postponed to the next run, which says so. What a step prints goes to
`target/ci/NAME.log`, its last lines to the terminal if it fails. After a failure no further step begins.

Exit codes: 0 all passed, 1 a step failed, 2 wrong use.
"""

import dataclasses
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS, COMMANDS = ".ci/steps.toml", ".ci/steps.sh"
LOGS = ROOT / "target/ci"
LAST_LINES = 60
# The closing lines of cargo test and of interop/run.
COUNTED = re.compile(r"\b(\d+) passed[;,] (\d+) failed")


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    stream: str = dataclasses.field(compare=False)
    limit: int = dataclasses.field(compare=False)  # minutes
    nice: int = dataclasses.field(default=0, compare=False)  # how far it stands back behind a step of the other stream
    after: tuple = dataclasses.field(default=(), compare=False)  # steps that must have passed, if they are run at all
    guards: tuple = ()  # pathspecs of git; none: always run
    lines: tuple = ()  # pathspec and regular expression: of these files only changes of lines that match count
    passed: str = dataclasses.field(default="", compare=False)  # the commit at which it last passed


def table(text):
    """Steps by name, in order, of the text of steps.toml."""
    rows = tomllib.loads(text).get("steps", {}).items()
    return {name: Step(name, **{key: frozen(value) for key, value in row.items()}) for name, row in rows}


def frozen(value):
    return tuple(value.items()) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value


def function(name, text):
    """The text of a step's function in that of steps.sh."""
    found = re.search(rf"^step_{re.escape(name.replace('-', '_'))}\(\) *\{{.*?(?:^\}}$|\}}$)", text, re.M | re.S)
    return found and found.group()


class History:
    """What has changed since steps last passed."""

    def __init__(self, root):
        self.root = root
        self.bounds = tomllib.loads((root / STEPS).read_text())["bounds"]
        self.minutes = self.bounds.pop("minutes", None)

    def git(self, *arguments, default=None):
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True)
        if done.returncode and default is None:
            raise SystemExit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
        return default if done.returncode else done.stdout

    def age(self, commit):
        """Commits and days since this one, or None if it is not among the ancestors."""
        if self.git("merge-base", "--is-ancestor", commit or "none", "HEAD", default="no") == "no":
            return None
        made = int(self.git("show", "-s", "--format=%ct", commit))
        return {"commits": int(self.git("rev-list", "--count", f"{commit}..HEAD")), "days": int((time.time() - made) / 86400)}

    def overdue(self, step):
        """Why this step has to run, whatever has changed, or None."""
        if not step.guards:
            return "always"
        age = self.age(step.passed)
        if age is None:
            return f"the commit at which it last passed, {step.passed or 'none'}, is not among the ancestors"
        for unit, most in self.bounds.items():
            if age[unit] > most:
                return f"it last passed {age[unit]} {unit} ago, at most {most} are allowed"
        return None

    def reason(self, step):
        """Why this step has to run, or None."""
        if overdue := self.overdue(step):
            return overdue
        if self.then(step, STEPS, lambda text: table(text).get(step.name)) or self.then(step, COMMANDS, lambda text: function(step.name, text)):
            return "the step itself has changed"
        changed = ["diff", "--name-only", "--no-renames", step.passed]
        found = self.git(*changed, "--", *step.guards)
        found += "".join(self.git(*changed, f"-G{text}", "--", paths) for paths, text in step.lines)
        found += self.git("ls-files", "--others", "--exclude-standard", "--", *step.guards)
        return next((f"{file} has changed" for file in found.splitlines()), None)

    def then(self, step, file, part):
        """Whether a part of a file differs from what it was when the step last passed."""
        try:
            before = part(self.git("show", f"{step.passed}:{file}", default=""))
        except (TypeError, tomllib.TOMLDecodeError):  # of another shape
            return True
        return before != part((self.root / file).read_text())


class Run:
    """Steps that run, and what became of them."""

    def __init__(self, steps, may_wait=(), minutes=None):
        self.steps = steps
        self.may_wait, self.until = may_wait, minutes and time.monotonic() + 60 * minutes
        self.postponed = []
        self.passed = {step.name: threading.Event() for step in steps}
        self.over = threading.Event()  # one has failed, or somebody wants to stop
        self.rows, self.failed, self.running = [], [], {}
        self.lock = threading.Lock()

    def streams(self):
        names = dict.fromkeys(step.stream for step in self.steps)
        threads = [threading.Thread(target=self.stream, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        except KeyboardInterrupt:
            self.over.set()
            for process in list(self.running.values()):
                kill(process)
            raise SystemExit("stopped")

    def stream(self, name):
        for step in self.steps:
            if step.stream != name:
                continue
            for other in step.after:
                while other in self.passed and not self.passed[other].wait(0.2) and not self.over.is_set():
                    pass
            if self.over.is_set():
                return
            if self.until and time.monotonic() > self.until and step.name in self.may_wait:
                say(f"postponed: {step.name}: the time for this run is over; it last passed at {step.passed}")
                self.postponed.append(step.name)
            elif self.run(step):
                self.passed[step.name].set()
            else:
                self.over.set()

    def run(self, step):
        """Whether it passed."""
        say(f"== {step.name}")
        log, began = LOGS / f"{step.name}.log", time.monotonic()
        with log.open("wb") as out:
            command = ["nice", f"-n{step.nice}", "bash", "-euo", "pipefail", "-c", f'source {COMMANDS}; step_{step.name.replace("-", "_")}']
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
            stand_back(process, step.nice)
            with self.lock:
                self.running[step.name] = process
            timer = threading.Timer(step.limit * 60, kill, [process])
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            late = not timer.is_alive()
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            with self.lock:
                del self.running[step.name]
            kill(process)  # what it left behind
        took, processor = time.monotonic() - began, usage.ru_utime + usage.ru_stime
        text = log.read_text(errors="replace")
        counts = [sum(map(int, column)) for column in zip(*COUNTED.findall(text))]
        with self.lock:
            self.rows.append((step.name, took, processor, counts))
            if process.returncode:
                self.failed.append(step.name)
                tail = "\n".join(text.splitlines()[-LAST_LINES:])
                how = f"stopped after its {step.limit} minutes" if late else f"exit code {process.returncode}"
                say(f"{tail}\n== {step.name}: FAILED ({how}) after {took:.0f} s; alone: .ci/run {step.name}")
            else:
                say(f"== {step.name}: ok, {took:.0f} s")
        return not process.returncode


def stand_back(process, nice):
    """Linux shares a processor between sessions before it looks at the niceness within one, and each step is a session."""
    try:
        Path(f"/proc/{process.pid}/autogroup").write_text(str(nice))
    except OSError:  # without groups of sessions niceness is enough
        pass


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def say(text):
    print(text, flush=True)


def main(words):
    steps = table((ROOT / STEPS).read_text())
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if words == ["--list"]:
        print("\n".join(steps))
        return 0
    verb, names = (words[0], words[1:]) if words[:1] in (["all"], ["note"], ["--plan"]) else ("", words)
    unknown = [name for name in names if name not in steps]
    if unknown or names and verb in ("all", "--plan"):
        print(f"unknown step: {', '.join(unknown or names)} (there are: {', '.join(steps)})", file=sys.stderr)
        return 2
    began, left_out, may_wait, minutes = time.monotonic(), [], (), None
    if names or verb == "all":
        chosen = [step for step in steps.values() if step.name in names or verb == "all"]
    else:
        history = History(ROOT)
        chosen, left_out = plan(history, steps.values())
        may_wait, minutes = [step.name for step in chosen if not history.overdue(step)], history.minutes
    if verb == "--plan":
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    run = Run(chosen, may_wait, minutes)
    run.streams()
    report(run, left_out, time.monotonic() - began)
    if verb:
        note(ROOT, [step.name for step in chosen if step.guards and run.passed[step.name].is_set()])
    return 1 if run.failed else 0


def plan(history, steps):
    """Steps that have to run, and names of those that are left out."""
    chosen, left_out = [], []
    for step in steps:
        why = history.reason(step)
        if why:
            chosen.append(step)
        else:
            left_out.append(step.name)
        if step.guards:
            age = history.age(step.passed) or {}
            since = f"nothing that it guards has changed since {step.passed}, {age.get('commits')} commits and {age.get('days')} days ago"
            say(f"run: {step.name}: {why}" if why else f"left out: {step.name}: {since}")
    return chosen, left_out


def report(run, left_out, took):
    say("\n  wall    CPU  step")
    for name, wall, processor, _ in run.rows:
        say(f"{wall:5.0f} s {processor:5.0f} s  {name}")
    for what, names in ("left out", left_out), ("postponed", run.postponed):
        if names:
            say(f"{what}: {', '.join(names)}")
    size = subprocess.run(["du", "-sm", "."], cwd=ROOT, capture_output=True, text=True).stdout.split()
    say(f"{sum(row[2] for row in run.rows):.0f} s of CPU time, {int(size[0]) / 1024:.1f} GiB on the disk")
    say(f"failed: {', '.join(run.failed)}" if run.failed else f"all ok in {took:.0f} s")
    counts = [row[3] for row in run.rows if row[3]]
    if counts:
        say(f"{sum(row[0] for row in counts)} passed, {sum(row[1] for row in counts)} failed")


def note(root, names):
    """Writes the present commit into the rows of these steps."""

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True).stdout.strip()

    if git("status", "--porcelain", "--", ".", f":!{STEPS}"):
        say(f"{STEPS} stays as it is: the working tree differs from its commit")
        return
    commit, text = git("rev-parse", "--short=12", "HEAD"), (root / STEPS).read_text()
    for name in names:
        text = re.sub(rf'(^\[steps\.{re.escape(name)}\]$.*?^passed = ").*?"$', rf'\g<1>{commit}"', text, count=1, flags=re.M | re.S)
    (root / STEPS).write_text(text)
    say(f"{STEPS}: {', '.join(names)} passed at {commit}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Tests of steps.py, and of steps.toml and steps.sh against the tree."""

import contextlib
import io
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import steps

TABLE = """
bounds = { commits = 2, days = 10 }
[steps.always]
stream = "build"
limit = 1
[steps.models]
stream = "build"
limit = 1
guards = ["base"]
passed = "COMMIT"
[steps.features]
stream = "build"
limit = 1
guards = ["*Cargo.toml"]
lines = { "*.rs" = "feature *=" }
passed = "COMMIT"
"""
COMMANDS = "step_always() { true; }\nstep_models() {\n    true\n}\nstep_features() { true; }\n"


class Guards(unittest.TestCase):
    """A repository in which everything has passed at its first commit."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.git("init", "--quiet")
        self.write("base/a.rs", "one\ntwo\n")
        self.write(".ci/steps.toml", TABLE)
        self.write(".ci/steps.sh", COMMANDS)
        self.first = self.commit()
        self.write(".ci/steps.toml", TABLE.replace("COMMIT", self.first))

    def git(self, *arguments):
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        return subprocess.run(["git", *name, *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def write(self, path, text):
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(text)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")

    def run_now(self):
        text = (self.root / ".ci/steps.toml").read_text()
        history = steps.History(self.root)
        return {name: why for name, step in steps.table(text).items() if (why := history.reason(step))}

    def test_what_guards_nothing_runs_always(self):
        self.assertEqual(self.run_now(), {"always": "always"})

    def test_a_guarded_path_that_was_committed_changed_or_added(self):
        self.write("base/a.rs", "other\n")
        self.assertEqual(self.run_now()["models"], "base/a.rs has changed")
        self.commit()
        self.assertEqual(self.run_now()["models"], "base/a.rs has changed")
        self.git("checkout", "--quiet", self.first, "--", "base")
        self.assertNotIn("models", self.run_now())
        self.write("base/new.rs", "")
        self.assertEqual(self.run_now()["models"], "base/new.rs has changed")

    def test_a_guarded_path_that_was_removed(self):
        (self.root / "base/a.rs").unlink()
        self.assertIn("models", self.run_now())

    def test_only_lines_that_match_count(self):
        self.write("base/a.rs", "one\nthree\n")
        self.assertNotIn("features", self.run_now())
        self.write("base/a.rs", 'one\n#[cfg(feature = "x")]\ntwo\n')
        self.assertEqual(self.run_now()["features"], "base/a.rs has changed")

    def test_a_new_manifest_counts(self):
        self.write("deeper/Cargo.toml", "")
        self.assertEqual(self.run_now()["features"], "deeper/Cargo.toml has changed")

    def test_a_step_whose_row_or_function_has_changed(self):
        self.write(".ci/steps.sh", COMMANDS.replace("    true\n", "    false\n"))
        self.assertEqual(self.run_now(), {"always": "always", "models": "the step itself has changed"})
        self.write(".ci/steps.sh", COMMANDS)
        self.write(".ci/steps.toml", TABLE.replace("COMMIT", self.first).replace('"base"', '"base", "other"'))
        self.assertIn("models", self.run_now())

    def test_a_step_runs_when_it_last_passed_too_many_commits_ago(self):
        for _ in range(2):
            self.commit()
        self.assertNotIn("models", self.run_now())
        self.commit()
        self.assertEqual(self.run_now()["models"], "it last passed 3 commits ago, at most 2 are allowed")

    def test_only_what_passed_within_the_bounds_may_wait(self):
        history, rows = steps.History(self.root), self.table()
        self.assertEqual([bool(history.overdue(rows[name])) for name in ("always", "models")], [True, False])
        for _ in range(3):
            self.commit()
        self.assertTrue(history.overdue(rows["models"]))

    def test_a_step_runs_when_it_last_passed_too_many_days_ago(self):
        self.write(".ci/steps.toml", TABLE.replace("COMMIT", self.first).replace("days = 10", "days = -1"))
        self.assertIn("0 days ago", self.run_now()["models"])

    def test_a_step_runs_that_never_passed_or_passed_in_another_history(self):
        self.write(".ci/steps.toml", TABLE.replace("COMMIT", ""))
        self.assertIn("models", self.run_now())
        self.git("checkout", "--quiet", "--orphan", "rewritten")
        self.write(".ci/steps.toml", TABLE.replace("COMMIT", self.first))
        self.commit()
        self.assertIn("is not among the ancestors", self.run_now()["models"])

    def test_everything_runs_in_a_shallow_clone(self):
        self.commit()
        with tempfile.TemporaryDirectory() as other:
            subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{self.root}", other], check=True)
            self.root = Path(other)
            self.assertIn("is not among the ancestors", self.run_now()["models"])

    def test_a_commit_is_noted_in_the_rows_of_what_passed_and_in_a_clean_tree_only(self):
        head = self.commit()
        with contextlib.redirect_stdout(io.StringIO()):
            self.write("base/a.rs", "dirty\n")
            steps.note(self.root, ["features"])
            self.assertNotIn(head[:12], {step.passed for step in self.table().values()})
            self.git("checkout", "--quiet", "--", "base")
            steps.note(self.root, ["features"])
        noted = {name: step.passed for name, step in self.table().items()}
        self.assertEqual(noted, {"always": "", "models": self.first, "features": head[:12]})

    def table(self):
        return steps.table((self.root / ".ci/steps.toml").read_text())


class Running(unittest.TestCase):
    """Steps that run, with functions of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, value in (("ROOT", Path(folder.name)), ("LOGS", Path(folder.name))):
            self.addCleanup(setattr, steps, name, getattr(steps, name))
            setattr(steps, name, value)
        self.addCleanup(setattr, steps, "COMMANDS", steps.COMMANDS)
        steps.COMMANDS = "steps.sh"

    def run_steps(self, functions, *rows):
        (steps.ROOT / "steps.sh").write_text(functions)
        run = steps.Run([steps.Step(*row) for row in rows])
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            run.streams()
        return run, said.getvalue()

    def test_a_failure_shows_its_last_lines_and_no_further_step_begins(self):
        functions = "step_a() { seq 100; false; echo not here; }\nstep_b() { true; }\n"
        run, said = self.run_steps(functions, ("a", "x", 1), ("b", "x", 1))
        self.assertEqual((run.failed, [row[0] for row in run.rows]), (["a"], ["a"]))
        self.assertIn("\n100\n== a: FAILED (exit code 1)", said)
        self.assertNotIn("not here", said)

    def test_a_step_waits_for_one_of_the_other_stream(self):
        functions = "step_a() { sleep 0.3; touch a; }\nstep_b() { test -f a; }\n"
        run, _ = self.run_steps(functions, ("b", "y", 1, 0, ("a",)), ("a", "x", 1))
        self.assertEqual(run.failed, [])

    def test_a_step_does_not_begin_when_the_one_it_waits_for_has_failed(self):
        run, _ = self.run_steps("step_a() { false; }\nstep_b() { true; }\n", ("b", "y", 1, 0, ("a",)), ("a", "x", 1))
        self.assertEqual([row[0] for row in run.rows], ["a"])

    def test_a_step_is_stopped_with_all_that_it_started_when_its_time_is_over(self):
        run, said = self.run_steps("step_a() { (sleep 60; true) & echo $! >child; wait; }\n", ("a", "x", 0.01))
        self.assertEqual(run.failed, ["a"])
        self.assertIn("stopped after its 0.01 minutes", said)
        child = (steps.ROOT / "child").read_text().strip()
        self.assertNotEqual(subprocess.run(["ps", "-o", "stat=", "-p", child], capture_output=True, text=True).stdout.strip()[:1], "S")

    def test_when_the_time_is_over_what_may_wait_is_postponed_and_nothing_else(self):
        (steps.ROOT / "steps.sh").write_text("step_a() { true; }\nstep_b() { true; }\n")
        run = steps.Run([steps.Step("a", "x", 1), steps.Step("b", "x", 1)], may_wait=["a"], minutes=1e-9)
        with contextlib.redirect_stdout(io.StringIO()):
            run.streams()
        self.assertEqual(([row[0] for row in run.rows], run.postponed, run.failed), (["b"], ["a"], []))

    @unittest.skipUnless(Path("/proc/self/autogroup").exists(), "sessions have no groups here")
    def test_a_step_stands_back_as_a_session_and_as_a_process(self):
        text = "step_a() { sleep 0.2; cat /proc/self/autogroup; nice; }\n"
        run, _ = self.run_steps(text, ("a", "x", 1, 7))
        group, niceness = (steps.LOGS / "a.log").read_text().splitlines()
        self.assertTrue(group.endswith("nice 7"), group)
        self.assertGreaterEqual(int(niceness), 7)

    def test_tests_are_counted(self):
        text = 'step_a() { echo "test result: ok. 3 passed; 0 failed; 0 ignored"; echo "4 passed, 1 failed, 2 skipped"; }\n'
        run, _ = self.run_steps(text, ("a", "x", 1))
        self.assertEqual(run.rows[0][3], [7, 1])


class Tree(unittest.TestCase):
    """steps.toml and steps.sh as they are."""

    ROOT = steps.ROOT

    def setUp(self):
        self.table = steps.table((self.ROOT / steps.STEPS).read_text())
        self.commands = (self.ROOT / steps.COMMANDS).read_text()

    def test_each_step_has_a_function_and_each_function_a_step(self):
        self.assertTrue(all(steps.function(name, self.commands) for name in self.table))
        self.assertEqual(len(re.findall(r"^step_\w+\(\)", self.commands, re.M)), len(self.table))

    def test_each_guard_guards_something(self):
        for step in self.table.values():
            for paths in [*step.guards, *(paths for paths, _ in step.lines)]:
                if not paths.startswith(":!"):
                    found = subprocess.run(["git", "ls-files", "--", paths], cwd=self.ROOT, capture_output=True, text=True).stdout
                    self.assertTrue(found, f"{step.name}: {paths}")

    def test_each_fuzz_target_belongs_to_one_step(self):
        named = re.findall(r"(?<=fuzz )[a-z0-9_ ]+(?=;|\n)", self.commands)
        targets = sorted(folder.name for folder in (self.ROOT / "fuzz/seeds").iterdir())
        self.assertEqual(sorted(" ".join(named).split()), targets)

    def test_each_step_waits_for_steps_that_there_are(self):
        self.assertLessEqual({other for step in self.table.values() for other in step.after}, set(self.table))


if __name__ == "__main__":
    unittest.main()

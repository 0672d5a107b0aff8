"""Checks the files of examples/ with the programs that read them: schemas of CI systems, pre-commit, bash.

Exit status: 0 all tests passed; 1 a test failed; 3 a program or package is not installed and no test ran."""

import argparse
import copy
import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--root", type=Path, required=True, help="of the source tree")
OPTIONS.add_argument("--tools", type=Path, required=True, help="the folder with warpcheck")
OPTIONS.add_argument("--scratch", type=Path, required=True, help="a folder, which is emptied")
OPTIONS.add_argument("case")


def schema(name):
    """A schema that the package check-jsonschema contains."""
    folder = OPTIONS.root / ".python" / "check_jsonschema" / "builtin_schemas" / "vendor"
    return json.loads((folder / f"{name}.json").read_text())


def environment():
    return {
        **os.environ,
        "PATH": f"{OPTIONS.tools}:{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(OPTIONS.scratch / "cache"),
        "PRE_COMMIT_HOME": str(OPTIONS.scratch / "pre-commit"),
    }


def run(command, folder, **more):
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment(), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Workflows(unittest.TestCase):
    def setUp(self):
        self.github = yaml.safe_load((OPTIONS.root / "examples/.github/workflows/warpcheck.yml").read_text())
        self.extension = yaml.safe_load((OPTIONS.root / "examples/torch_extension/.github/workflows/tests.yml").read_text())
        self.gitlab = yaml.safe_load((OPTIONS.root / "examples/.gitlab-ci.yml").read_text())

    def errors(self, document, name):
        # YAML 1.1 reads the key `on` as true; GitHub does not.
        document = json.loads(json.dumps({"on" if key is True else key: value for key, value in document.items()}))
        rules = schema(name)
        validator = jsonschema.validators.validator_for(rules)(rules)
        return [error.message for error in validator.iter_errors(document)]

    def test_the_github_workflow_matches_its_schema(self):
        self.assertEqual(self.errors(self.github, "github-workflows"), [])
        wrong = copy.deepcopy(self.github)
        wrong["jobs"]["gate"]["steps"][0]["use"] = "actions/checkout@v4"
        self.assertNotEqual(self.errors(wrong, "github-workflows"), [])
        self.assertEqual(self.errors(self.extension, "github-workflows"), [])

    def test_the_workflow_of_this_repository_runs_its_action(self):
        workflow = yaml.safe_load((OPTIONS.root / ".github/workflows/ci.yml").read_text())
        self.assertEqual(self.errors(workflow, "github-workflows"), [])
        [step] = [step for step in workflow["jobs"]["action"]["steps"] if step["uses"] == "./"]
        action = yaml.safe_load((OPTIONS.root / "action.yml").read_text())
        self.assertLessEqual(set(step["with"]), set(action["inputs"]))
        self.assertTrue((OPTIONS.root / step["with"]["working-directory"] / "warpcheck.toml").exists())

    def test_the_action_matches_its_schema(self):
        action = yaml.safe_load((OPTIONS.root / "action.yml").read_text())
        self.assertEqual(self.errors(action, "github-actions"), [])
        wrong = copy.deepcopy(action)
        del wrong["runs"]["steps"][0]["shell"]
        self.assertNotEqual(self.errors(wrong, "github-actions"), [])

    def test_a_red_gate_stores_the_package(self):
        action = yaml.safe_load((OPTIONS.root / "action.yml").read_text())
        for steps in (action["runs"]["steps"], self.github["jobs"]["gate"]["steps"]):
            names = [step.get("uses") or step["name"] for step in steps]
            # actions/cache itself stores nothing after a failed step.
            self.assertNotIn("actions/cache@v4", names)
            self.assertLess(names.index("actions/cache/save@v4"), names.index("Gate"))
        names = [step.get("uses") or step["name"] for step in self.extension["jobs"]["tests"]["steps"]]
        self.assertLess(names.index("actions/cache/save@v4"), names.index("Test"))
        self.assertEqual(self.gitlab["warpcheck"]["cache"]["when"], "always")

    def test_forks_upload_no_sarif(self):
        action = yaml.safe_load((OPTIONS.root / "action.yml").read_text())
        for steps in (action["runs"]["steps"], self.github["jobs"]["gate"]["steps"]):
            upload = next(step for step in steps if "upload-sarif" in step.get("uses", ""))
            self.assertIn("github.event.pull_request.head.repo.full_name == github.repository", upload["if"])
            self.assertTrue(upload["if"].startswith("always() &&"))

    def test_the_gitlab_pipeline_matches_its_schema(self):
        self.assertEqual(self.errors(self.gitlab, "gitlab-ci"), [])
        wrong = copy.deepcopy(self.gitlab)
        wrong["warpcheck"]["artifacts"]["when"] = "now and then"
        self.assertNotEqual(self.errors(wrong, "gitlab-ci"), [])

    def test_their_commands_pass_and_write_their_reports(self):
        gate = next(step for step in self.github["jobs"]["gate"]["steps"] if step.get("name") == "Gate")
        for number, script in enumerate([gate["run"], "\n".join(self.gitlab["warpcheck"]["script"])]):
            folder = OPTIONS.scratch / f"clone{number}"
            shutil.copytree(OPTIONS.root / "examples", folder)
            # As a runner does: bash exits at the first command that fails.
            done = run(["bash", "-e", "-o", "pipefail", "-c", script], folder, GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("\ngate passed\n", done.stdout)
            self.assertTrue((folder / "reports/warpcheck.xml").stat().st_size > 0)
            self.assertTrue(number == 1 or (folder / "summary.md").stat().st_size > 0)
            self.assertTrue(number == 1 or (folder / "reports/warpcheck.sarif").stat().st_size > 0)
            coverage = self.gitlab["warpcheck"]["coverage"].strip("/")
            self.assertRegex(done.stdout, f"(?m){coverage}")


class Action(unittest.TestCase):
    """scripts/ci-action, in copies of the parts of the tree that it reads."""

    def tree(self, name):
        folder = OPTIONS.scratch / name
        (folder / "scripts").mkdir(parents=True)
        shutil.copy(OPTIONS.root / "scripts/ci-action", folder / "scripts")
        return folder

    def call(self, tree, *words, status=0, **more):
        done = run([str(tree / "scripts/ci-action"), *map(str, words)], OPTIONS.scratch, **more)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout.strip()

    def program(self, folder, name, text):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("#!/bin/bash\n" + text)
        (folder / name).chmod(0o755)

    def test_the_key_names_the_content(self):
        one, two = self.tree("one"), self.tree("two")
        key = self.call(one, "key")
        self.assertRegex(key, r"^warpcheck-[a-z]+-[0-9.]*-[a-z0-9]+-[0-9a-f]{32}$")
        self.assertEqual(key, self.call(two, "key"))
        (two / ".git").mkdir()
        (two / ".git/HEAD").write_text("of a clone, not of a download")
        self.assertEqual(key, self.call(two, "key"))
        (two / "main.cpp").write_text("int main() {}")
        self.assertNotEqual(key, self.call(two, "key"))
        release = self.call(one, "key", WARPCHECK_RELEASE="v0.2.0")
        self.assertTrue(release.endswith("-v0.2.0"))
        self.assertNotEqual(release, self.call(one, "key", WARPCHECK_RELEASE="v0.2.0", WARPCHECK_SHA256="0" * 64))

    def test_a_release_must_have_its_checksum(self):
        tree = self.tree("release")
        self.program(tree / "scripts", "fetch-nvcc", "mkdir -p $1/nvidia/cu13/bin; touch $1/nvidia/cu13/bin/nvcc")
        releases = OPTIONS.scratch / "releases"
        (releases / "v0.2.0").mkdir(parents=True)
        architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
        package = releases / "v0.2.0" / f"warpcheck_0.2.0_{architecture}.deb"
        package.write_bytes(b"a package")
        right = hashlib.sha256(b"a package").hexdigest()
        release = {"WARPCHECK_RELEASE": "v0.2.0", "WARPCHECK_RELEASES": f"file://{releases}"}
        folder = OPTIONS.scratch / "filled"
        output = self.call(tree, "fill", folder, status=3, WARPCHECK_SHA256="0" * 64, **release)
        self.assertIn("the checksum of", output)
        self.assertFalse((folder / "warpcheck.deb").exists())
        self.call(tree, "fill", folder, WARPCHECK_SHA256=right, **release)
        self.assertEqual((folder / "warpcheck.deb").read_bytes(), b"a package")
        release["WARPCHECK_RELEASE"] = "v9.9.9"
        self.assertIn("cannot download", self.call(tree, "fill", OPTIONS.scratch / "no", status=3, **release))

    def test_an_incomplete_folder_is_not_installed(self):
        self.assertIn("no warpcheck.deb", self.call(self.tree("incomplete"), "install", OPTIONS.scratch, status=3))
        self.call(self.tree("usage"), "install", status=2)

    def test_the_gate_writes_its_reports(self):
        folder = OPTIONS.scratch / "gate"
        shutil.copytree(OPTIONS.root / "examples", folder)
        script = str(OPTIONS.root / "scripts/ci-action")
        done = run([script, "gate", "out", ""], folder, GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("gate passed", done.stdout)
        for report in ("out/warpcheck.sarif", "out/warpcheck.xml", "out/warpcheck.html", "summary.md"):
            self.assertGreater((folder / report).stat().st_size, 0)
        self.assertEqual(run([script, "gate", "out", "none.toml"], folder).returncode, 2)


class Hook(unittest.TestCase):
    def git(self, folder, *words):
        identity = ["-c", "user.name=Author of a test", "-c", "user.email=author@example.org"]
        done = run(["git", *identity, *words], folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout.strip()

    def repository(self, name):
        folder = OPTIONS.scratch / name
        folder.mkdir()
        self.git(folder, "init", "--quiet", "--initial-branch=main")
        return folder

    def commit(self, folder):
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--no-verify", "--message", "A state")
        return self.git(folder, "rev-parse", "HEAD")

    def test_it_checks_the_kernels_that_a_commit_changes(self):
        hooks = self.repository("warpcheck")
        shutil.copy(OPTIONS.root / ".pre-commit-hooks.yaml", hooks)
        revision = self.commit(hooks)
        mine = self.repository("mine")
        shutil.copytree(OPTIONS.root / "examples", mine, dirs_exist_ok=True)
        config = mine / ".pre-commit-config.yaml"
        config.write_text(config.read_text().replace("rev: main", f"rev: {revision}"))
        self.commit(mine)
        done = run(["pre-commit", "install"], mine)
        self.assertEqual(done.returncode, 0, done.stdout)

        (mine / "notes.txt").write_text("no kernel\n")
        self.assertIn("Skipped", self.try_to_commit(mine, 0))
        kernel = mine / "kernels/sgemm.cu"
        correct = kernel.read_text()
        kernel.write_text(correct + "// A comment\n")
        self.assertIn("Passed", self.try_to_commit(mine, 0))
        kernel.write_text(correct.replace("row < m && column < n", "row < m"))
        output = self.try_to_commit(mine, 1)
        self.assertIn("Failed", output)
        self.assertIn("error[out-of-bounds]: ", output)
        self.assertNotIn("hgemm", output)

    def try_to_commit(self, folder, status):
        self.git(folder, "add", "--all")
        identity = ["-c", "user.name=Author of a test", "-c", "user.email=author@example.org"]
        done = run(["git", *identity, "commit", "--message", "A change"], folder)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout


def missing():
    if OPTIONS.case == "Hook":
        return [] if shutil.which("pre-commit") else ["pre-commit"]
    if OPTIONS.case == "Action":
        return [name for name in ("curl", "dpkg", "g++") if not shutil.which(name)]
    names = []
    try:
        schema("gitlab-ci")
    except FileNotFoundError:
        names.append("check-jsonschema")
    return names


if __name__ == "__main__":
    OPTIONS = OPTIONS.parse_args()
    sys.path.insert(0, str(OPTIONS.root / ".python"))
    if OPTIONS.case == "Workflows":
        try:
            import jsonschema
            import yaml
        except ImportError as error:
            print(error)
            sys.exit(3)
    if missing():
        print("not installed:", *missing())
        sys.exit(3)
    shutil.rmtree(OPTIONS.scratch, ignore_errors=True)
    OPTIONS.scratch.mkdir(parents=True)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(globals()[OPTIONS.case])
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)

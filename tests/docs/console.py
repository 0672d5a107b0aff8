"""Runs the commands in the `console` blocks of a page. HACKING.md, "Docs", defines their format."""

import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import page as pages

STATUS = re.compile(r"\s# exits with (\d+)$")
PROGRESS = re.compile(r"^warpcheck: \d+:\d\d ")  # printed every 30 s: pages do not show it
NOT_RUN = re.compile(r"^console not run: (.+)$")
FILE = re.compile(r"^\w+ file=(\S+)$")
# A command, which only a `console` block may contain, so that every command is tested.
COMMAND = re.compile(
    r"^(sudo |(\S*/)?(warpcheck|cmake|ctest|cpack|make|git|pip|apt|apt-get|ninja|scripts/\S+)\s)"
)
SYNOPSES = ("text", "yaml")  # synopses, and files of other programs that run a command


@dataclasses.dataclass
class Command:
    line: int  # line number in the page
    text: str
    expected: list[str]
    status: int = 0


@dataclasses.dataclass
class Outcome:
    status: int | None  # None: the session ended before the command
    output: list[str]


def commands_of(block: pages.Block) -> list[Command]:
    """Splits a block into commands, lines `$ ...`, and their expected output. A command that ends
    with a backslash continues on the next line."""
    commands: list[Command] = []
    for number, line in enumerate(block.lines, block.line + 1):
        if commands and commands[-1].text.endswith("\\"):
            commands[-1].text += "\n" + line
        elif line.startswith("$ "):
            commands.append(Command(number, line[2:], []))
        elif commands:
            commands[-1].expected.append(line)
        else:
            raise ValueError(f"{number}: a console block does not begin with '$ ' and a command")
    for command in commands:
        if expected := STATUS.search(command.text):
            command.status = int(expected[1])
    return commands


def line_matches(expected: str, found: str) -> bool:
    """Compares two lines: `...` matches any text, and runs of blanks are equal."""
    parts = [re.escape(" ".join(part.split())) for part in expected.split("...")]
    return re.fullmatch(r"\s*" + ".*".join(parts) + r"\s*", " ".join(found.split())) is not None


def first_missing(expected: list[str], found: list[str]) -> str | None:
    """Returns the first expected line that does not follow its predecessor in `found`; None if all do.
    A line `...` matches any lines. Lines before the first and after the last are ignored."""
    pieces: list[list[str]] = [[]]
    for line in expected:
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(line)
    start = 0
    for piece in filter(None, pieces):
        furthest = 0  # lines of the piece that matched somewhere
        for at in range(start, len(found) + 1):
            count = 0
            while (count < len(piece) and at + count < len(found)
                   and line_matches(piece[count], found[at + count])):
                count += 1
            furthest = max(furthest, count)
            if count == len(piece):
                start = at + count
                break
        else:
            return piece[furthest]
    return None


def shown_lines(output: pathlib.Path) -> list[str]:
    lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if not PROGRESS.match(line)]


def run_session(commands: list[Command], folder: pathlib.Path, preparation: pathlib.Path | None,
                environment: dict[str, str]) -> list[Outcome]:
    """Runs the commands in one bash, in order, so that a `cd` affects the following ones."""
    logs = folder.parent / (folder.name + ".session")
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    script = [f"cd {shlex.quote(str(folder))}"]
    if preparation is not None:
        script.append(f"set -e; . {shlex.quote(str(preparation))}; set +e")
    for number, command in enumerate(commands):
        (logs / f"{number}.sh").write_text(command.text + "\n", encoding="utf-8")
        log = shlex.quote(str(logs / str(number)))
        script.append(f". {log}.sh </dev/null >{log}.out 2>&1; echo $? >{log}.status")
    (logs / "session.sh").write_text("\n".join(script) + "\n", encoding="utf-8")
    ended = subprocess.run(["bash", str(logs / "session.sh")], env=environment, check=False)
    outcomes = []
    for number in range(len(commands)):
        out, status = logs / f"{number}.out", logs / f"{number}.status"
        outcomes.append(Outcome(
            int(status.read_text()) if status.exists() else None,
            shown_lines(out) if out.exists() else
            [f"the session ended with status {ended.returncode}"]))
    return outcomes


def problems_of(commands: list[Command], outcomes: list[Outcome]) -> list[str]:
    problems = []
    for command, outcome in zip(commands, outcomes):
        wrong = None
        if outcome.status is None:
            wrong = "was not reached"
        elif outcome.status != command.status:
            wrong = f"exited with {outcome.status}, expected {command.status}"
        elif missing := first_missing(command.expected, outcome.output):
            wrong = f"did not print this line here: {missing}"
        if wrong is not None:
            shown = "".join(f"\n    | {line}" for line in outcome.output[-60:])
            problems.append(f"{command.line}: `{command.text}` {wrong}{shown}")
    return problems


def read_blocks(page: pages.Page,
                folder: pathlib.Path) -> tuple[list[str], list[str], list[Command]]:
    """Returns the problems of the page's blocks, the commands that must not run, and the commands to
    run. Writes the files that the page shows into the folder."""
    problems: list[str] = []
    not_run: list[str] = []
    commands: list[Command] = []
    for block in page.blocks:
        if block.language == "console":
            skipped = NOT_RUN.match(block.info)
            if not skipped and block.info != "console":
                problems.append(f"{block.line}: expected `console` or `console not run: REASON`, "
                                f"found `{block.info}`")
            try:
                found = commands_of(block)
            except ValueError as error:
                problems.append(str(error))
                continue
            if skipped:
                not_run += [f"{c.line}: `{c.text}` ({skipped[1]})" for c in found]
            else:
                commands += found
            continue
        if block.info == "":
            problems.append(f"{block.line}: a fenced block has no language")
        if block.language == "markdown":
            continue  # an example of a page
        for number, line in enumerate(block.lines, block.line + (block.info is not None)):
            if line.startswith("$ ") or (COMMAND.match(line) and block.language not in SYNOPSES):
                problems.append(f"{number}: a command outside of a console block: {line}")
        if file := FILE.match(block.info or ""):
            target = folder / file[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(block.lines) + "\n", encoding="utf-8")
    return problems, not_run, commands


def environment_for(folder: pathlib.Path, build: pathlib.Path) -> dict[str, str]:
    """Returns the user's environment, with the built command first on PATH, no GPU, and a cache of
    compiled kernels in the build folder."""
    return {
        **os.environ,
        "PATH": f"{build / 'bin'}:{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CACHE_HOME": f"{folder}.cache",
        "WARPCHECK_LIBCUDA": "/nonexistent/libcuda.so.1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "A. Author",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_COMMITTER_NAME": "A. Author",
        "GIT_COMMITTER_EMAIL": "author@example.org",
    }

#!/usr/bin/env python3
"""Measures what declaring tools costs to build, beside the other crates.

For each peer it generates one crate with 1 tool and one with 50, builds the
dependencies once, and then rebuilds only the generated crate. It prints a
Markdown table: CPU seconds of that rebuild, size of the stripped binary, and
what each further tool adds to both.

    python3 build_cost.py                 # all peers
    python3 build_cost.py hand tools-rs   # only these
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATES = HERE / "build_cost"
TOOL_COUNTS = (1, 50)

DEPENDENCIES_LINE = re.compile(r"// dependencies: (.+)")
REPEATED = re.compile(r"^ *// for each tool\n(.*?)^ *// end\n", re.MULTILINE | re.DOTALL)

WORKSPACE_MANIFEST = """\
[workspace]
resolver = "3"
members = ["*"]
exclude = ["target"]

[profile.release]
strip = true
"""

PACKAGE_MANIFEST = """\
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[dependencies]
{dependencies}
"""


class Contestant:
    """One generated crate: a peer with a number of tools."""

    def __init__(self, peer, tool_count, workspace, target_directory):
        self.peer = peer
        self.tool_count = tool_count
        self.name = f"{peer}-{tool_count}"
        self.workspace = workspace
        self.target_directory = target_directory
        self.source = workspace / self.name / "src" / "main.rs"
        self.binary = target_directory / "release" / self.name
        self.cpu_seconds = []

    def write(self, template, dependencies):
        """Writes the crate from the peer's template."""
        self.source.parent.mkdir(parents=True)
        self.source.write_text(expand(template, self.tool_count))
        manifest = PACKAGE_MANIFEST.format(name=self.name, dependencies=dependencies)
        (self.workspace / self.name / "Cargo.toml").write_text(manifest)

    def build(self):
        """Builds the crate and whatever of its dependencies is not there yet."""
        cargo(self, "build", "--release", "--quiet", "--package", self.name)

    def rebuild(self):
        """Measures one build of the crate alone."""
        self.source.touch()
        before = children_cpu_seconds()
        self.build()
        self.cpu_seconds.append(children_cpu_seconds() - before)

    def check(self):
        """Runs the binary: one that does nothing would be small and quick."""
        run = subprocess.run([self.binary], capture_output=True, text=True, check=True)
        listing, *answers = run.stdout.splitlines()
        listed = len(json.loads(listing))
        if listed != self.tool_count:
            sys.exit(f"{self.name} lists {listed} tools")
        if answers and not ("Berlin" in answers[0] and "3" in answers[0]):
            sys.exit(f"{self.name} answers {answers[0]}")

    def crates_in_tree(self):
        """How many crates are built for this one, itself not counted."""
        tree = cargo(
            self, "tree", "--quiet", "--package", self.name,
            "--edges", "normal,build", "--prefix", "none", "--format", "{p}",
        )
        crates = {line.removesuffix(" (*)") for line in tree.splitlines()}
        return len(crates) - 1


def expand(template, tool_count):
    """Repeats each marked block once a tool, with `NUMBER` filled in."""

    def repeat(match):
        return "".join(match[1].replace("NUMBER", f"{number:02}") for number in range(tool_count))

    return REPEATED.sub(repeat, template)


def dependencies_of(template, manifest):
    """The lines for the template's dependencies, as our own manifest has them."""
    lines = []
    for name in DEPENDENCIES_LINE.search(template)[1].split():
        dependency = manifest["dependencies"][name]
        if isinstance(dependency, str):
            dependency = {"version": dependency}
        dependency.pop("optional", None)
        if "path" in dependency:
            dependency["path"] = str((HERE / dependency["path"]).resolve())
        # A JSON string, boolean or list is also a TOML one.
        entries = ", ".join(f"{key} = {json.dumps(value)}" for key, value in sorted(dependency.items()))
        lines.append(f"{name} = {{ {entries} }}")
    return "\n".join(lines)


def prepare(peer, directory, target_directory):
    """Generates a workspace for one peer.

    One each, so that no peer is built with features that another asks for.
    """
    workspace = directory / peer
    workspace.mkdir()
    (workspace / "Cargo.toml").write_text(WORKSPACE_MANIFEST)
    # The same versions as in the dispatch table; cargo drops what is not used.
    shutil.copy(HERE / "Cargo.lock", workspace)
    template = (TEMPLATES / f"{peer}.rs").read_text()
    manifest = tomllib.loads((HERE / "Cargo.toml").read_text())
    dependencies = dependencies_of(template, manifest)
    contestants = [
        Contestant(peer, tool_count, workspace, target_directory) for tool_count in TOOL_COUNTS
    ]
    for contestant in contestants:
        contestant.write(template, dependencies)
    return contestants


def cargo(contestant, *arguments):
    """Runs cargo in the contestant's workspace and returns what it prints."""
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(contestant.target_directory),
        # A compiler cache would answer instead of the compiler.
        "RUSTC_WRAPPER": "",
        "CARGO_INCREMENTAL": "0",
    }
    run = subprocess.run(
        ["cargo", *arguments],
        cwd=contestant.workspace, env=environment, stdout=subprocess.PIPE, text=True,
    )
    if run.returncode != 0:
        sys.exit(f"cargo {arguments[0]} of {contestant.name} failed")
    return run.stdout


def children_cpu_seconds():
    """User and system time of all processes that have ended under this one."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table_row(one, fifty):
    """The line of one peer."""
    further = fifty.tool_count - one.tool_count
    seconds = [min(contestant.cpu_seconds) for contestant in (one, fifty)]
    kilobytes = [contestant.binary.stat().st_size / 1000 for contestant in (one, fifty)]
    return (
        f"| {one.peer} | {seconds[0]:.1f} | {seconds[1]:.1f} "
        f"| {(seconds[1] - seconds[0]) / further:.3f} "
        f"| {kilobytes[0]:.0f} | {kilobytes[1]:.0f} "
        f"| {(kilobytes[1] - kilobytes[0]) / further:.1f} "
        f"| {one.crates_in_tree()} |"
    )


def parse_arguments():
    """Reads the command line."""
    peers = sorted(path.stem for path in TEMPLATES.glob("*.rs"))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"any of: {', '.join(peers)}")
    parser.add_argument(
        "--rounds", type=int, default=2, help="rebuilds of each crate, of which the cheapest counts"
    )
    parsed = parser.parse_args()
    for peer in parsed.peers:
        if peer not in peers:
            parser.error(f"there is no peer {peer}, only {', '.join(peers)}")
    if parsed.rounds < 1:
        parser.error("at least one round is needed")
    parsed.peers = parsed.peers or peers
    return parsed


def main():
    """Generates, builds, measures and prints."""
    parsed = parse_arguments()
    target_directory = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target")).resolve()
    with tempfile.TemporaryDirectory() as directory:
        pairs = [
            prepare(peer, pathlib.Path(directory), target_directory) for peer in parsed.peers
        ]
        contestants = [contestant for pair in pairs for contestant in pair]
        for contestant in contestants:
            print(f"building {contestant.name}", file=sys.stderr)
            contestant.build()
            contestant.check()
        # All peers once, then again: a slow minute of the machine hits them alike.
        for number in range(parsed.rounds):
            for contestant in contestants:
                print(f"round {number + 1}: {contestant.name}", file=sys.stderr)
                contestant.rebuild()
        print("CPU seconds to rebuild the crate, release profile; stripped binary in kB\n")
        print(
            "| crate | s, 1 tool | s, 50 tools | s a further tool "
            "| kB, 1 tool | kB, 50 tools | kB a further tool | crates in tree |"
        )
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for one, fifty in pairs:
            print(table_row(one, fifty), flush=True)


if __name__ == "__main__":
    main()

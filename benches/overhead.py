#!/usr/bin/env python3
"""Measures what a call costs beside the foundation, in one process.

The foundation is the executor as it was before hooks, rules, approvals,
sessions and telemetry. Its sources are taken from this repository's history,
and a crate is built that depends on both, from the templates in `overhead/`.

    python3 overhead.py             # 60 rounds
    python3 overhead.py 200         # 200 rounds
    python3 overhead.py --only-build
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATES = HERE / "overhead"
TARGET = HERE / "target"
FOUNDATION = "b37992a"
OWN_VERSION = re.compile(r'^((?:version = "|tool-[a-z]+ = .*version = "=))0\.1\.0', re.MULTILINE)

MANIFEST = """\
[workspace]

[package]
name = "overhead"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
foundation = {{ package = "tool-core", path = "{foundation}" }}
tool-core = {{ path = "{present}" }}
tool-benches = {{ path = "{benches}", default-features = false }}
schemars = "1"
serde = {{ version = "1", features = ["derive"] }}
serde_json = "1"
tokio = {{ version = "1", features = ["rt-multi-thread", "time"] }}
tracing = {{ version = "0.1", default-features = false, features = ["std"] }}

[profile.release]
debug = "line-tables-only"
"""


def extract(commit, directory):
    """Puts the sources of a commit into a directory, unless they are there."""
    mark = directory / ".commit"
    if mark.exists() and mark.read_text() == commit:
        return
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    archive = subprocess.Popen(
        ["git", "archive", "--format=tar", commit], cwd=HERE.parent, stdout=subprocess.PIPE
    )
    with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
        tar.extractall(directory, filter="data")
    if archive.wait() != 0:
        raise SystemExit(f"git has no commit {commit}: a full clone is needed")
    # Cargo tells two packages of one name in one build apart by their versions.
    manifest = directory / "Cargo.toml"
    manifest.write_text(OWN_VERSION.sub(r"\g<1>0.0.0", manifest.read_text()))
    mark.write_text(commit)


def generate(directory, foundation):
    """Writes the crate that depends on both."""
    source = directory / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(TEMPLATES, source)
    manifest = MANIFEST.format(
        foundation=foundation / "tool-core", present=HERE.parent / "tool-core", benches=HERE
    )
    (directory / "Cargo.toml").write_text(manifest)
    # Both are built with the versions that the other benchmarks use.
    shutil.copyfile(HERE / "Cargo.lock", directory / "Cargo.lock")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rounds", nargs="?", default="60", help="how many samples of each row")
    parser.add_argument("--only-build", action="store_true", help="build and measure nothing")
    arguments = parser.parse_args()

    foundation = TARGET / "foundation"
    project = TARGET / "overhead"
    extract(FOUNDATION, foundation)
    generate(project, foundation)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", project / "target"))
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "--target-dir", target],
        cwd=project,
        check=True,
    )
    if not arguments.only_build:
        subprocess.run([target / "release" / "overhead", arguments.rounds], check=True)


if __name__ == "__main__":
    main()

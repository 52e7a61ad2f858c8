#!/usr/bin/env python3
"""Compares how `files-read_file` reads documents with python-docx, openpyxl, xlrd and pypdf.

For each document: how many words there are in our text and in theirs, how far the two agree (F1 of the words as
multisets), how many of their words we have, and the best time of three, ours with the start of the worker process.
The Python libraries are installed into a virtual environment under the target folder.

    python3 documents.py DIRECTORY              # builds the example in release
    python3 documents.py DIRECTORY --ours PATH  # takes a built `read_documents`
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["python-docx", "openpyxl", "xlrd", "pypdf", "cryptography"]
WORDS = re.compile(r"\w+")


def target():
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))


def enter_environment():
    """Runs this script once more inside the environment that has the libraries."""
    home = target() / "documents-venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    if pathlib.Path(sys.prefix).resolve() != home.resolve():
        os.execv(python, [str(python), *sys.argv])


def build():
    command = ["cargo", "build", "--release", "-p", "tool-builtins", "--example", "read_documents"]
    features = ["--no-default-features", "--features", "office,pdf,formats"]
    subprocess.run(command + features, check=True, cwd=HERE.parent)
    return target() / "release" / "examples" / "read_documents"


def docx(path):
    import docx

    def blocks(parent):
        for block in parent.iter_inner_content():
            if hasattr(block, "rows"):
                for row in block.rows:
                    for cell in row.cells:
                        yield from blocks(cell)
            else:
                yield block.text

    return "\n".join(blocks(docx.Document(path)))


def shown(value):
    """A value as we write it, so that only what is read differs."""
    import datetime

    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return str(value.date())
    return str(value)


def xlsx(path):
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True, read_only=True)
    rows = (row for sheet in book.worksheets for row in sheet.iter_rows(values_only=True))
    return "\n".join("\t".join(shown(value) for value in row if value is not None) for row in rows)


def xls(path):
    import xlrd

    book = xlrd.open_workbook(path)
    lines = []
    for sheet in book.sheets():
        for row in sheet.get_rows():
            values = []
            for cell in row:
                if cell.ctype == xlrd.XL_CELL_DATE:
                    values.append(shown(xlrd.xldate_as_datetime(cell.value, book.datemode)))
                elif cell.ctype == xlrd.XL_CELL_BOOLEAN:
                    values.append(str(bool(cell.value)).upper())
                else:
                    values.append(shown(cell.value))
            lines.append("\t".join(values))
    return "\n".join(lines)


def pdf(path):
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


READERS = {".docx": docx, ".xlsx": xlsx, ".xlsm": xlsx, ".xls": xls, ".pdf": pdf}


def theirs(path):
    reader = READERS.get(path.suffix)
    if reader is None:
        return None, None, "no reader"
    best, text, error = float("inf"), None, None
    for _ in range(3):
        start = time.perf_counter()
        try:
            text = reader(path)
        except Exception as failure:  # what a library throws at a broken file is its own business
            error = type(failure).__name__
        best = min(best, time.perf_counter() - start)
    return text, best, error


def words(text):
    # Page markers are ours, not the document's.
    text = re.sub(r"^--- Page \d+ of \d+ ---$", "", text or "", flags=re.MULTILINE)
    # The target of a link is no text that they give.
    text = re.sub(r"\]\([a-z]+:[^)\s]*\)", "]", text)
    return collections.Counter(WORDS.findall(text.replace("<br>", " ")))


def compare(ours, reference):
    ours, reference = words(ours), words(reference)
    common = sum((ours & reference).values())
    total = sum(ours.values()) + sum(reference.values())
    agreement = 2 * common / total if total else 1.0
    recall = common / sum(reference.values()) if reference else 1.0
    return sum(ours.values()), sum(reference.values()), agreement, recall


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path)
    arguments = parser.parse_args()
    enter_environment()
    program = arguments.ours or build()
    root = arguments.directory.resolve()
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    output = subprocess.run(
        [program, root, *[path.relative_to(root) for path in paths]], check=True, capture_output=True, text=True
    ).stdout
    results = {line["path"]: line for line in map(json.loads, output.splitlines())}

    print("| document | words ours | words theirs | agreement | of their words | ms ours | ms theirs | faster |")
    print("|---|---|---|---|---|---|---|---|")
    sums = collections.defaultdict(lambda: [0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0])
    for path in paths:
        ours = results[str(path.relative_to(root))]
        text, seconds, error = theirs(path)
        row = sums[path.suffix]
        row[0] += 1
        row[1] += ours["text"] is not None
        row[2] += text is not None
        name = path.relative_to(root)
        if ours["text"] is None or text is None:
            said = "read" if ours["text"] is not None else f"refused: {ours['error'].split('`: ')[-1][:60]}"
            other = "read" if text is not None else error
            print(f"| {name} | {said} | {other} | | | {ours['seconds'] * 1000:.1f} | {(seconds or 0) * 1000:.1f} | |")
            continue
        mine, other, agreement, recall = compare(ours["text"], text)
        row[3] += agreement
        row[4] += recall
        row[5] += ours["seconds"]
        row[6] += seconds
        row[7] += 1
        print(
            f"| {name} | {mine} | {other} | {agreement:.3f} | {recall:.3f} | {ours['seconds'] * 1000:.1f} "
            f"| {seconds * 1000:.1f} | {seconds / ours['seconds']:.1f} |"
        )
    print("\n| kind | files | read by us | by them | mean agreement | mean of their words | ms ours | ms theirs | faster |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, (count, mine, other, agreement, recall, ours_seconds, seconds, both) in sorted(sums.items()):
        if both:
            print(
                f"| {kind} | {count} | {mine} | {other} | {agreement / both:.3f} | {recall / both:.3f} "
                f"| {ours_seconds * 1000:.0f} | {seconds * 1000:.0f} | {seconds / ours_seconds:.1f} |"
            )
        else:
            print(f"| {kind} | {count} | {mine} | {other} | | | | | |")


if __name__ == "__main__":
    main()

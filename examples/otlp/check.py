"""Runs the example against a real OpenTelemetry collector and checks what arrives.

The collector is rotel (https://github.com/streamfold/rotel, Apache-2.0), whose
Python package holds the program. It is installed into `target/collector` once,
unless `ROTEL_AGENT` names one that is there. It listens on loopback only,
forwards nothing, and prints what it receives, which is what is checked.
"""

import os
import re
import socket
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = "rotel==0.0.1a15"
# Building the example comes first and may take minutes; the rest does not.
PATIENCE_SECONDS = 30

TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
COMMON = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function"}
FOUND = COMMON | {
    "gen_ai.tool.name": "orders-find_order",
    "gen_ai.tool.description": "Find an order by its number.",
}


def collector():
    """The path of the collector's program."""
    given = os.environ.get("ROTEL_AGENT")
    if given:
        return Path(given)
    home = HERE / "target" / "collector"
    pattern = "lib/python*/site-packages/rotel/rotel-agent"
    if not any(home.glob(pattern)):
        venv.create(home, with_pip=True)
        pip = [home / "bin" / "python", "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, PACKAGE], check=True)
    return next(home.glob(pattern))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, condition):
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {PATIENCE_SECONDS} seconds until {what}")
        time.sleep(0.05)


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def complete(received):
    return received.count("gen_ai.tool.call.id") >= 3 and received.count("\nCount: ") >= 3


def run():
    """What the example printed, and what the collector received."""
    cargo = ["cargo", "run", "--quiet", "--manifest-path", HERE / "Cargo.toml"]
    subprocess.run([*cargo[:1], "build", *cargo[2:]], check=True)
    grpc, http = free_port(), free_port()
    command = [collector(), "start", "--exporter", "blackhole"]
    command += ["--otlp-grpc-endpoint", f"127.0.0.1:{grpc}"]
    command += ["--otlp-http-endpoint", f"127.0.0.1:{http}"]
    command += ["--debug-log", "traces", "--debug-log", "metrics"]
    command += ["--debug-log-verbosity", "detailed"]
    received = []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    reader = threading.Thread(target=lambda: received.extend(process.stdout), daemon=True)
    reader.start()
    try:
        wait_until("the collector listens", lambda: answers(http))
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{http}"}
        printed = subprocess.run(
            cargo, env=os.environ | endpoint, stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        wait_until("spans and durations arrive", lambda: complete("".join(received)))
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        reader.join(PATIENCE_SECONDS)
    return printed.splitlines(), "".join(received)


def attributes(text):
    return dict(re.findall(r"-> ([\w.]+): \w+\((.*)\)$", text, re.MULTILINE))


def sections(received, kind):
    """What was received of one kind; the other may come before, after or between."""
    parts = re.split(r"^Resource(Spans|Metrics) #\d+$", received, flags=re.MULTILINE)
    return [text for name, text in zip(parts[1::2], parts[2::2]) if name == kind]


def spans(received):
    """The spans by the id of their call."""
    found = {}
    for section in sections(received, "Spans"):
        for text in re.split(r"^Span #\d+$", section, flags=re.MULTILINE)[1:]:
            span = dict(re.findall(r"^ *([A-Z][\w ]*?) *: (.*)$", text, re.MULTILINE))
            span["attributes"] = attributes(text)
            found[span["attributes"]["gen_ai.tool.call.id"]] = span
    return found


def check(what, actual, expected):
    if actual != expected:
        sys.exit(f"{what}: expected {expected!r}, got {actual!r}")


def check_span(span, name, status, expected, absent):
    check("name", span["Name"], name)
    check("trace", span["Trace ID"], TRACE)
    check("parent", span["Parent ID"], CALLER)
    check("state", span["TraceState"], "vendor=t61rcWkgMzE")
    check("kind", span["Kind"], "SPAN_KIND_INTERNAL")
    check("status", span["Status code"], f"STATUS_CODE_{status}")
    for key, value in expected.items():
        check(key, span["attributes"].get(key), value)
    for key in absent:
        check(key, span["attributes"].get(key), None)


def main():
    printed, received = run()
    found = spans(received)
    check("calls", sorted(found), ["call_1", "call_2", "call_3"])
    passed_on = f"00-{TRACE}-{found['call_1']['ID']}-01"
    # The tool was given its own span to pass on.
    check("printed", printed[0], passed_on)
    name, result = "execute_tool orders-find_order", "gen_ai.tool.call.result"
    given = "gen_ai.tool.call.arguments"
    expected = FOUND | {given: '{"number":7}', result: passed_on}
    check_span(found["call_1"], name, "UNSET", expected, ["error.type"])
    expected = FOUND | {given: '{"number":404}', "error.type": "timed_out"}
    check_span(found["call_2"], name, "ERROR", expected, [result])
    expected = COMMON | {"gen_ai.tool.name": "orders-cancel_everything", "error.type": "not_found"}
    check_span(found["call_3"], "execute_tool", "ERROR", expected, [result])

    metrics = "".join(sections(received, "Metrics"))
    described = ["Name: gen_ai.execute_tool.duration", "Unit: s", "DataType: Histogram"]
    for line in [*described, "ExplicitBounds #0: 0.01"]:
        if line not in metrics:
            sys.exit(f"no `{line}` in the metrics")
    points = []
    for text in metrics.split("HistogramDataPoints #")[1:]:
        of = attributes(text)
        check("operation", of["gen_ai.operation.name"], "execute_tool")
        count = re.search(r"^Count: (\d+)$", text, re.MULTILINE)[1]
        points.append((of.get("gen_ai.tool.name", ""), of.get("error.type", ""), count))
    # A name that the model made up is no series of its own.
    tool = "orders-find_order"
    expected = [("", "not_found", "1"), (tool, "", "1"), (tool, "timed_out", "1")]
    check("durations", sorted(points), expected)
    print("3 spans with their caller as parent and 3 durations arrived at the collector")


if __name__ == "__main__":
    main()

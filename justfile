# What `.ci/run` calls, one recipe a step. `just` alone lists them.

default:
    @just --list

# The quickstart on a recorded response.
quickstart:
    cargo run -q -p tool-examples --example quickstart

# All tests of all crates: the README's second command.
test:
    cargo test --workspace

# Each example is run by a test; this writes what they print anew.
update-examples:
    UPDATE=1 cargo test -p tool-examples

format:
    cargo fmt --all --check
    cargo fmt --manifest-path benches/Cargo.toml --check
    rustfmt --check --edition 2024 benches/overhead/main.rs
    cargo fmt --manifest-path examples/otlp/Cargo.toml --check

lint:
    cargo clippy --workspace --all-targets -- -D warnings

docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Each feature alone, and none.
features:
    cargo check -p tool-core --no-default-features
    cargo check -p tool-core --no-default-features --features opentelemetry
    cargo check -p tool-core --no-default-features --features cache
    cargo check -p tool-core --no-default-features --features testing
    cargo test -p tool-core --features cache -- hook::cache
    cargo test -p tool-examples --features cache -- cache
    cargo check -p tool-builtins --no-default-features
    cargo check -p tool-builtins --no-default-features --features web
    cargo check -p tool-builtins --no-default-features --features files
    cargo check -p tool-builtins --no-default-features --features command_line
    cargo check -p tool-builtins --no-default-features --features formats
    cargo check -p tool-builtins --no-default-features --features office
    cargo check -p tool-builtins --no-default-features --features pdf
    cargo check -p tool-cli --no-default-features

# Tools of linked crates must be found in an optimised build too.
linkage:
    cargo test --release -p tool-tests --test linkage --test not_linked

# Spans and durations at a real OpenTelemetry collector, which pip installs.
telemetry:
    cargo test --manifest-path examples/otlp/Cargo.toml
    python3 examples/otlp/check.py

# Licences, sources and duplicates; needs cargo-deny.
deny:
    cargo deny check licenses bans sources

# Ours and the alternatives in one run; takes minutes to build.
bench:
    cargo run --release --manifest-path benches/Cargo.toml --bin dispatch
    cargo run --release --manifest-path benches/Cargo.toml --bin catalogue
    cargo run --release --manifest-path benches/Cargo.toml --bin arguments
    cargo run --release --manifest-path benches/Cargo.toml --bin tokens

# A million calls of every kind, each checked, and what is left of them.
bench-stress calls="1000000":
    cargo run --release --manifest-path benches/Cargo.toml --no-default-features --bin stress -- {{calls}}

# What a call costs beside the executor before hooks, rules and telemetry.
bench-overhead rounds="60":
    python3 benches/overhead.py {{rounds}}

# What a further tool costs to build, beside the alternatives.
bench-build:
    python3 benches/build_cost.py

# What continuous integration runs.
ci: quickstart test format lint docs features

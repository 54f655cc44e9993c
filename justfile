# Every recipe is one cargo command; `just` is a convenience.

# Show the recipes.
default:
    @just --list

# Fetch the models of the settings.
setup:
    cargo run --release -- models fetch

# Evaluate the default knowledge base: retrieval, oracle context, end to end.
eval *args:
    cargo run --release -- eval {{args}}

# Compare variants of the settings on the same questions.
ablate *args:
    cargo run --release -- ablate {{args}}

# Answer a question: just ask "What is the past participle of eat?"
ask question *args:
    cargo run --release -- ask {{quote(question)}} {{args}}

# Run the tests.
test *args:
    cargo test --release --workspace {{args}}

# Check format and lints.
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

# Run the benchmarks.
bench *args:
    cargo bench --workspace {{args}}

# Delete caches. `just clean --runs` also deletes stored runs.
clean *args:
    cargo run --release -- clean {{args}}

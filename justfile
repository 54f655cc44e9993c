# Every recipe is one cargo command; `just` is a convenience.

# Show the recipes.
default:
    @just --list

# Fetch the models of the settings.
setup:
    cargo run --release -- models fetch

# The main job: retrieval, oracle context and end to end on the default knowledge base.
eval *args:
    cargo run --release -- eval {{args}}

# What each part of retrieval is worth: a table with a row an arm.
ablate *args:
    cargo run --release -- ablate {{args}}

# Answer a question: just ask "What is the past participle of eat?"
ask question *args:
    cargo run --release -- ask {{quote(question)}} {{args}}

test *args:
    cargo test --release --workspace {{args}}

lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

bench *args:
    cargo bench --workspace {{args}}

# Delete caches; stored runs stay (`just clean --runs` deletes them, too).
clean *args:
    cargo run --release -- clean {{args}}

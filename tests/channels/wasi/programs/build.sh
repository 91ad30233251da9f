#!/bin/sh
# Compiles the programs of the tests, and of the bench, to WebAssembly. Debian: apt install clang lld wasi-libc libclang-rt-14-dev-wasm32
# Newer compilers call the target wasm32-wasip1.
set -e
cd "$(dirname "$0")"
for program in *.c; do
  clang --target=wasm32-wasi -Os -s -Wall -Wextra -o "${program%.c}.wasm" "$program" -Wl,-z,stack-size=65536,--stack-first
done

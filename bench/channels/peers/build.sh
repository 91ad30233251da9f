#!/bin/sh
# Compiles the program of the bench to WebAssembly. Debian: apt install clang lld wasi-libc libclang-rt-14-dev-wasm32
set -e
cd "$(dirname "$0")"
clang --target=wasm32-wasi -O2 -s -Wall -Wextra -o reads.wasm reads.c -Wl,-z,stack-size=65536,--stack-first

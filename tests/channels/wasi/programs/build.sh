#!/bin/sh
# Compiles the programs of the tests, and of the bench, to WebAssembly, and writes down which bytes came of which sources: the tests
# compare those sums, not what a compiler makes, because versions of clang, wasi-libc and wasm-opt differ in bytes.
# Debian 12: apt install clang lld wasi-libc libclang-rt-14-dev-wasm32 binaryen. Newer compilers call the target wasm32-wasip1.
set -e
export LC_ALL=C
cd "$(dirname "$0")"
command -v wasm-opt >/dev/null # clang runs it where it finds it
for program in *.c; do
  clang --target=wasm32-wasi -Os -s -Wall -Wextra -o "${program%.c}.wasm" "$program" -Wl,-z,stack-size=65536,--stack-first
done
for program in *.rs; do # rustup target add wasm32-wasip1
  rustc --target wasm32-wasip1 --edition 2021 -C opt-level=s -C panic=abort -C strip=symbols -C lto \
    -C link-arg=-zstack-size=65536 -o "${program%.rs}.wasm" "$program"
done
sha256sum build.sh *.c *.rs *.wasm | sort -k 2 >SHA256SUMS

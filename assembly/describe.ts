/**
 * What is in a module: its sections, and the sizes of its functions.
 *
 * @module
 */

/** Bytes of code and name of each exported function, largest first. */
export function codeSizes(bytes: Uint8Array): string[] {
  const sizes: number[] = [];
  let { value: count, next: at } = leb(bytes, section(bytes, 10)[0]);
  for (; count > 0; count--) {
    const { value, next } = leb(bytes, at);
    sizes.push(value);
    at = next + value;
  }
  const rows = exportedFunctions(bytes).map(([name, index]) => [sizes[index] ?? 0, name] as const);
  return rows.sort((a, b) => b[0] - a[0]).map(([size, name]) => `${String(size).padStart(6)} ${name}`);
}

/** Names and numbers of the exports, all of which are functions; none is imported. */
function exportedFunctions(bytes: Uint8Array): [name: string, index: number][] {
  const found: [string, number][] = [];
  let { value: count, next: at } = leb(bytes, section(bytes, 7)[0]);
  for (; count > 0; count--) {
    const { value: length, next } = leb(bytes, at);
    const index = leb(bytes, next + length + 1);
    found.push([new TextDecoder().decode(bytes.subarray(next, next + length)), index.value]);
    at = index.next;
  }
  return found;
}

/** First byte of the contents of the section `id`, and the byte after its last; and its header's first byte. */
export function section(bytes: Uint8Array, id: number): [contents: number, end: number, header: number] {
  for (let at = 8; at < bytes.length;) {
    const { value: size, next } = leb(bytes, at + 1);
    if (bytes[at] === id) return [next, next + size, at];
    at = next + size;
  }
  return [bytes.length, bytes.length, bytes.length];
}

/** A number in LEB128 at `at`, and where it ends. */
function leb(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0;; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, next: at };
  }
}

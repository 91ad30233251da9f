/**
 * Chunks that workers have made, as they are sent to the thread that writes them.
 *
 * @module
 */

/** Chunks that have been made. Tasks may have thousands of them, which would be slow to send as objects. */
export interface MadeChunks {
  /**
   * Of each chunk: encoded bytes at its place, 0 if it is left out or is `large`; CRC-32 of the encoded bytes; CRC-32 of its
   * half, 0 if it has none.
   */
  readonly facts: Float64Array;
  /** Numbers and bytes of those that do not fit into their places. */
  readonly large: readonly (readonly [number, Uint8Array])[];
  /** Their halves, if these are in no file. */
  readonly halves?: readonly Uint8Array[];
}

/** Numbers per chunk in {@link MadeChunks}. */
export const FACTS = 3;

/** A chunk with its bytes, which may lie in shared memory; none: it is left out. */
export interface EncodedChunk {
  /** The bytes, or how many of them a worker has written to their place. */
  readonly bytes: Uint8Array | number;
  /** Their CRC-32. */
  readonly checksum: number;
  /** CRC-32 of its half. */
  readonly kept: number;
  /** The bytes of its half, if there is one and it is in no file. */
  readonly half?: Uint8Array;
}

/** The chunks of a task, whose bytes are at `place`, every `room` bytes; without `room` workers have written them. */
export function* chunksIn(
  { facts, large, halves }: MadeChunks,
  place: Uint8Array,
  room: number | undefined,
): Generator<EncodedChunk> {
  const others = new Map(large);
  for (let i = 0; FACTS * i < facts.length; i++) {
    const [size, checksum, kept] = [facts[FACTS * i]!, facts[FACTS * i + 1]!, facts[FACTS * i + 2]!];
    const bytes = room === undefined ? size : others.get(i) ?? place.subarray(i * room, i * room + size);
    const half = halves?.[i];
    yield { bytes, checksum, kept, ...(half ? { half } : {}) };
  }
}

/** Whether all bytes of a chunk are zero. */
export function isZero(bytes: Uint8Array): boolean {
  const whole = bytes.length & ~3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, whole / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  return bytes.subarray(whole).every((byte) => byte === 0);
}

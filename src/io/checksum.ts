/**
 * The checksum of what is written, to find out later whether it is still there.
 *
 * @module
 */

/** The CRC-32 of bytes, which may lie in shared memory. */
export type Checksum = (bytes: Uint8Array) => number;

/** Makes it: that of the runtime is loaded when first needed, so that browsers can import this file. */
export async function checksumOfRuntime(): Promise<Checksum> {
  return (await import("./zlib.ts")).checksum;
}

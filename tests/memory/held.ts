/** Bytes that this file of tests holds: the resident memory of the process is also that of the tests beside it. */
export function held(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

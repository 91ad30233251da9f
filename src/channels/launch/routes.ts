/**
 * The file calls of the members of a launch on one worker.
 *
 * @module
 */

import { fileImports } from "../files/imports.ts";
import { fileCalls } from "../host/route.ts";
import type { RunningMember } from "./member.ts";
import type { LaunchShared } from "./shared.ts";

/** What kernels on one worker import to reach the host. */
export interface HostImports {
  /** The functions for one member. */
  imports(member: RunningMember): Readonly<Record<string, (...args: number[]) => number>>;
  /** Closes files that the kernel has left open, if this worker has opened them. */
  close(): void;
}

const NOTHING: HostImports = { imports: () => ({}), close: () => {} };

/** The imports for a launch; none without a host. */
export function hostImports({ layout, route }: LaunchShared, memory: WebAssembly.Memory): HostImports {
  if (!layout) return NOTHING;
  const calls = fileCalls(route, memory, layout);
  return {
    imports: ({ meeting, group, shared }) =>
      fileImports(memory, layout, calls, { group: meeting, id: group, count: shared.groups }),
    close: () => calls.closeAll(),
  };
}

/**
 * Makes the WebAssembly of a program for one sample type.
 *
 * @module
 */

import { Assembler } from "./assembler.ts";
import type { SampleType } from "../program/call.ts";
import { Emitter } from "./emitter.ts";
import { frameOrder } from "./frame_order.ts";
import { pixelOrder } from "./pixel_order.ts";
import type { Program } from "../program/program.ts";
import { kernelLocals, parameterTypes } from "./segments.ts";

/** The bytes of a module that exports the kernel as `run` and imports a shared or private `env.memory`. */
export function kernelBytes(program: Program, sample: SampleType, shared: boolean): Uint8Array<ArrayBuffer> {
  const code = new Assembler(parameterTypes(program));
  const locals = kernelLocals(code, program);
  const emitter = new Emitter(code, program, sample, {
    data: locals.sample,
    arrays: locals.entries,
    params: locals.params,
    frame: locals.frame,
    row: locals.row,
    col: locals.col,
    never: locals.count,
  });
  emitter.prologue();
  const overPixels = program.reductions.some(({ axis }) => axis === "frame");
  const overFrames = program.reductions.some(({ axis }) => axis === "frames");
  if (!overPixels && (overFrames || emitter.hoists())) pixelOrder(emitter, locals);
  else frameOrder(emitter, locals);
  return code.module(shared);
}

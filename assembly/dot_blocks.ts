/**
 * Writes the inner loops of the mask products, which AssemblyScript has no macros for: blocks of some frames and some
 * masks whose accumulators all stay in registers.
 *
 *   for p: v = samples of each frame; for each mask: w = its weights; each accumulator += v * w
 *
 * V8 has 15 vector registers for us. Two frames and four masks take 8 accumulators, 2 vectors of samples, one of
 * weights, one product, and leave room for the mask that swaps bytes; of all shapes that fit they were the fastest
 * for floats, converted integers and exact products alike (three by three comes close, more accumulators spill).
 * Two steps a turn halve the cost of the loop and leave the order of additions as it is.
 *
 * @module
 */

/** How one kind of products is computed. */
interface Kind {
  /** The first part of the names. */
  readonly name: string;
  /** Samples in a vector of products, as a power of two. */
  readonly log2Step: number;
  /** Bytes of a weight, as a power of two. */
  readonly log2Weight: number;
  /** The loader of samples, in `dot.ts`. */
  readonly load: string;
  /** Adds the lanes of an accumulator to `out`, in `dot.ts`. */
  readonly finish: string;
  /** Products, and their sum. */
  readonly multiply: string;
  /** The sum of two vectors. */
  readonly add: string;
  /** The vector of the samples after the last whole one, in `dot.ts`, and of their weights; none for exact products. */
  readonly rest?: string;
  /** A parameter more, and how it changes a vector of samples. */
  readonly extra?: string;
}

const KINDS: readonly Kind[] = [
  {
    name: "exact",
    log2Step: 3,
    log2Weight: 1,
    load: "exactSamples",
    finish: "addExact",
    multiply: "i32x4.dot_i16x8_s",
    add: "i32x4.add",
    extra: "flip",
  },
  {
    name: "single",
    log2Step: 2,
    log2Weight: 2,
    load: "singleSamples",
    finish: "addSingle",
    multiply: "f32x4.mul",
    add: "f32x4.add",
    rest: "someSingles",
  },
  {
    name: "double",
    log2Step: 1,
    log2Weight: 3,
    load: "doubleSamples",
    finish: "addDouble",
    multiply: "f64x2.mul",
    add: "f64x2.add",
    rest: "someDoubles",
  },
];

/** Frames and masks of the blocks: the best one, then those for what remains. */
const SHAPES: readonly (readonly [frames: number, masks: number])[] = [[2, 4], [1, 4], [4, 1], [1, 1]];

/** The source of `kernels/dot_blocks.ts`. */
export function dotBlocksSource(): string {
  const imported = KINDS.flatMap(({ load, finish, rest }) => [load, finish, ...(rest ? [rest] : [])]);
  const blocks = KINDS.flatMap((kind) => SHAPES.map(([frames, masks]) => blockSource(kind, frames, masks)));
  return [
    `import { ${imported.join(", ")} } from "./dot_lanes";\n`,
    `import { orderOf } from "./vectors";\n`,
    ...blocks,
  ].join("");
}

/** One block: `n` samples, a multiple of the step, then `rest` more. */
function blockSource(kind: Kind, frames: number, masks: number): string {
  const { name, log2Step, finish, rest, extra } = kind;
  const accumulators = pairs(frames, masks);
  return `// @ts-ignore: decorator
@inline export function ${name}${frames}x${masks}<T>(out: usize, outStride: usize, data: usize, frameStride: usize, masks: usize, maskStride: usize, samples: i32, rest: i32, ${
    extra ?? "flip"
  }: v128, be: bool): void {
  const n = <usize>samples, order = orderOf<T>(samples);
  ${times(frames, (f) => `const d${f} = data + ${f} * frameStride; `)}
  ${times(masks, (m) => `const w${m} = masks + ${m} * maskStride; `)}
  ${accumulators.map(([f, m]) => `let a${f}${m} = i32x4.splat(0); `).join("")}
  let i: usize = 0;
  for (; i + ${2 << log2Step} <= n; i += ${2 << log2Step}) {
${step(kind, frames, masks, 0)}${step(kind, frames, masks, 1)}  }
  if (i < n) {
${step(kind, frames, masks, 0)}    i += ${1 << log2Step};
  }
${rest ? `  if (rest) {\n${restStep(kind, frames, masks)}  }\n` : ""}\
${accumulators.map(([f, m]) => `  ${finish}(out + ${f} * outStride, a${f}${m}, ${8 * m});\n`).join("")}}
`;
}

/** One vector of products for each accumulator; `turn` counts steps inside a turn of the loop. */
function step(
  { load, log2Step, log2Weight, multiply, add, extra }: Kind,
  frames: number,
  masks: number,
  turn: number,
) {
  const skip = turn << log2Step;
  return `    {
${
    times(frames, (f) =>
      `      const v${f} = ${load}<T>(d${f} + i * sizeof<T>(), ${skip}, order, ${extra ?? "flip"}, be);\n`)
  }\
${
    times(masks, (m) =>
      `      { const w = v128.load(w${m} + (i << ${log2Weight}), ${skip << log2Weight}); ` +
      times(frames, (f) => `a${f}${m} = ${add}(a${f}${m}, ${multiply}(v${f}, w)); `) + "}\n")
  }    }
`;
}

/** The samples after the last whole vector. */
function restStep({ rest, log2Weight, multiply, add, name }: Kind, frames: number, masks: number): string {
  const weight = name === "single" ? "f32" : "f64";
  return times(frames, (f) => `    const v${f} = ${rest}<T>(d${f} + i * sizeof<T>(), rest, be);\n`) +
    times(masks, (m) =>
      `    { const w = ${rest}<${weight}>(w${m} + (i << ${log2Weight}), rest, false); ` +
      times(frames, (f) => `a${f}${m} = ${add}(a${f}${m}, ${multiply}(v${f}, w)); `) + "}\n");
}

function times(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join("");
}

function pairs(frames: number, masks: number): [number, number][] {
  return Array.from({ length: frames * masks }, (_, i) => [Math.floor(i / masks), i % masks]);
}

/**
 * Writes the networks of medians of 3 × 3 and 5 × 5 samples: minima and maxima in straight code without branches, which
 * AssemblyScript cannot make of a table.
 *
 * Neighbouring windows share their work. Two rows of results are made at a time: the four samples of a column that both
 * rows need are sorted once (`columns5`). Columns of odd and even numbers are merged in pairs (`pair5`); each pair is in two
 * neighbouring pairs of windows. Two pairs are the 20 samples that two neighbouring windows share, of which only the six in
 * the middle can be the median of 25 (`middle5`); each window adds one column of its own. That is 54 minima and maxima per
 * median; a network for single windows with sorted columns has 106.
 *
 * A network that is right for zeros and ones is right for all numbers; `checkNetworks` tries them all.
 *
 * @module
 */

/** One minimum or maximum. */
interface Step {
  readonly name: string;
  readonly of: "lower" | "upper";
  readonly a: string;
  readonly b: string;
}

/** A network while it is put together; values have names. */
class Network {
  readonly steps: Step[] = [];

  lower(a: string, b: string): string {
    return this.#step("lower", a, b);
  }

  upper(a: string, b: string): string {
    return this.#step("upper", a, b);
  }

  /** The lower and the upper of two. */
  pair(a: string, b: string): [string, string] {
    return [this.lower(a, b), this.upper(a, b)];
  }

  /** Merges sorted values: those at even places, those at odd places, then neighbours (Batcher). */
  merge(a: readonly string[], b: readonly string[]): string[] {
    if (a.length === 0) return [...b];
    if (b.length === 0) return [...a];
    if (a.length === 1 && b.length === 1) return this.pair(a[0]!, b[0]!);
    const [evens, odds] = [0, 1].map((odd) => {
      const some = (list: readonly string[]) => list.filter((_, i) => i % 2 === odd);
      return this.merge(some(a), some(b));
    }) as [string[], string[]];
    const sorted = [evens[0]!];
    for (let i = 0; i < Math.max(odds.length, evens.length - 1); i++) {
      const [odd, even] = [odds[i], evens[i + 1]];
      if (odd !== undefined && even !== undefined) sorted.push(...this.pair(odd, even));
      else sorted.push((odd ?? even)!);
    }
    return sorted;
  }

  sort(values: readonly string[]): string[] {
    if (values.length < 2) return [...values];
    const half = values.length >> 1;
    return this.merge(this.sort(values.slice(0, half)), this.sort(values.slice(half)));
  }

  /** Comparators on wires: the lower value goes to the first one. */
  comparators(wires: readonly string[], list: readonly (readonly [number, number])[]): string[] {
    const values = [...wires];
    for (const [a, b] of list) [values[a], values[b]] = this.pair(values[a]!, values[b]!);
    return values;
  }

  /** The value in the middle of sorted values, six and five of them: the least maximum of the ways to cut there. */
  middle(six: readonly string[], five: readonly string[]): string {
    const cuts = five.map((value, i) => this.upper(six[five.length - 1 - i]!, value));
    return cuts.reduce((least, cut) => this.lower(least, cut), six.at(-1)!);
  }

  /** The steps that `outputs` need. */
  needed(outputs: readonly string[]): Step[] {
    const needed = new Set(outputs);
    return this.steps.toReversed().filter(({ name, a, b }) => {
      if (!needed.has(name)) return false;
      needed.add(a).add(b);
      return true;
    }).toReversed();
  }

  #step(of: Step["of"], a: string, b: string): string {
    const name = `${of === "lower" ? "l" : "u"}${this.steps.length}`;
    this.steps.push({ name, of, a, b });
    return name;
  }
}

/** A network, its inputs and its outputs. */
interface Made {
  readonly network: Network;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const names = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);

/** Sorts a column of three. */
function column3(): Made {
  const [network, inputs] = [new Network(), names("w", 3)];
  return { network, inputs, outputs: network.comparators(inputs, [[0, 1], [1, 2], [0, 1]]) };
}

/** The median of three sorted columns, whose samples are numbered row by row. */
function median3(): Made {
  const [network, inputs] = [new Network(), names("w", 9)];
  const sorted = network.comparators(
    inputs,
    [[0, 1], [1, 2], [3, 4], [4, 5], [3, 4], [6, 7], [6, 8], [2, 4], [4, 6], [2, 4]],
  );
  return { network, inputs, outputs: [sorted[4]!] };
}

/** Of six samples of a column: the first five sorted, and the last five. */
function columns5(): Made {
  const [network, inputs] = [new Network(), names("w", 6)];
  const shared = network.sort(inputs.slice(1, 5));
  const outputs = [inputs[0]!, inputs[5]!].flatMap((one) => insert(network, shared, one));
  return { network, inputs, outputs };
}

/** Sorted values with one more. */
function insert(network: Network, sorted: readonly string[], one: string): string[] {
  let rest = one;
  const less = sorted.map((value) => {
    const [low, high] = network.pair(value, rest);
    rest = high;
    return low;
  });
  return [...less, rest];
}

/** Two sorted columns as one list. */
function pair5(): Made {
  const [network, a, b] = [new Network(), names("a", 5), names("b", 5)];
  return { network, inputs: [...a, ...b], outputs: network.merge(a, b) };
}

/** The medians of two windows that share two pairs of columns, and have the columns `e` and `o`. */
function middle5(): Made {
  const [network, a, b] = [new Network(), names("a", 10), names("b", 10)];
  const [even, odd] = [names("e", 5), names("o", 5)];
  const shared = network.merge(a, b).slice(7, 13);
  const outputs = [even, odd].map((own) => network.middle(shared, own));
  return { network, inputs: [...a, ...b, ...even, ...odd], outputs };
}

/** The source of `kernels/views/networks.ts`. */
export function networksSource(): string {
  const rows = (name: string, pitch: string) => (i: number) => `v128.load(${name} + ${i} * ${pitch})`;
  const store = (to: string) => (name: string, i: number) => `  v128.store(${to} + ${i} * pitch, ${name});\n`;
  const inputs = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => rows(name, "pitch")(i));
  const imports = 'import { lower, upper } from "./order";\nimport { interleaved } from "./interleave";\n';
  return imports + [
    body("column3", "to: usize, pitch: usize, data: usize, rowStride: usize", column3(), {
      load: rows("data", "rowStride"),
      end: (names) => names.map(store("to")).join(""),
    }),
    body("median3", "p: usize, pitch: usize", median3(), {
      load: (i) => `v128.load(p + ${Math.floor(i / 3)} * pitch, ${i % 3} * sizeof<T>())`,
      end: ([name]) => `  return ${name};\n`,
      result: "v128",
    }),
    body(
      "columns5",
      `first: usize, second: usize, pitch: usize, ${names("w", 6).map((w) => `${w}: v128`).join(", ")}`,
      columns5(),
      {
        end: (names) =>
          names.slice(0, 5).map(store("first")).concat(names.slice(5).map(store("second"))).join(""),
      },
    ),
    body("pair5", "to: usize, pitch: usize, left: usize, right: usize", pair5(), {
      load: (i) => [...inputs("left", 5), ...inputs("right", 5)][i]!,
      end: (names) => names.map(store("to")).join(""),
    }),
    body(
      "middle5",
      "to: usize, pitch: usize, left: usize, right: usize, even: usize, odd: usize",
      middle5(),
      {
        load: (i) =>
          [...inputs("left", 10), ...inputs("right", 10), ...inputs("even", 5), ...inputs("odd", 5)][i]!,
        end: ([even, odd]) => `  interleaved<T>(to, ${even}, ${odd});\n`,
      },
    ),
  ].join("");
}

/** How a function gets its inputs, and what it does with its outputs. */
interface Ends {
  /** Code for an input; without it, inputs are parameters. */
  readonly load?: (input: number) => string;
  readonly end: (outputs: readonly string[]) => string;
  readonly result?: string;
}

function body(name: string, params: string, made: Made, { load, end, result = "void" }: Ends): string {
  const lines: string[] = [];
  const known = new Set<string>(load ? [] : made.inputs);
  const fetch = (value: string) => {
    const input = made.inputs.indexOf(value);
    if (known.has(value) || input < 0) return value;
    known.add(value);
    lines.push(`  const ${value} = ${load!(input)};\n`);
    return value;
  };
  for (const step of made.network.needed(made.outputs)) {
    const [a, b] = [fetch(step.a), fetch(step.b)];
    lines.push(`  const ${step.name} = ${step.of}<T>(${a}, ${b});\n`);
  }
  return `
// @ts-ignore: decorator
@inline export function ${name}<T>(${params}): ${result} {
${lines.join("")}${end(made.outputs)}}
`;
}

/** Fails where a network is wrong for any samples of zeros and ones. */
export function checkNetworks(): void {
  checkColumns();
  for (let ones = 0; ones < 4 ** 3; ones++) {
    const counts = digits(ones, 4, 3);
    const samples = Array.from({ length: 9 }, (_, i) => Math.floor(i / 3) >= 3 - counts[i % 3]! ? 1 : 0);
    equal("median3", evaluate(median3(), samples), [sum(counts) > 4 ? 1 : 0]);
  }
  for (let ones = 0; ones < 6 ** 2; ones++) {
    const [a, b] = digits(ones, 6, 2) as [number, number];
    equal("pair5", evaluate(pair5(), [...sorted(5, a), ...sorted(5, b)]), sorted(10, a + b));
  }
  const made = middle5();
  for (let ones = 0; ones < 11 ** 2 * 6 ** 2; ones++) {
    const [even, odd] = digits(ones, 6, 2) as [number, number];
    const [a, b] = digits(Math.floor(ones / 36), 11, 2) as [number, number];
    const samples = [...sorted(10, a), ...sorted(10, b), ...sorted(5, even), ...sorted(5, odd)];
    equal("middle5", evaluate(made, samples), [even, odd].map((own) => a + b + own > 12 ? 1 : 0));
  }
}

function checkColumns(): void {
  for (let bits = 0; bits < 1 << 3; bits++) {
    const column = digits(bits, 2, 3);
    equal("column3", evaluate(column3(), column), sorted(3, sum(column)));
  }
  for (let bits = 0; bits < 1 << 6; bits++) {
    const column = digits(bits, 2, 6);
    const expected = [column.slice(0, 5), column.slice(1)].flatMap((five) => sorted(5, sum(five)));
    equal("columns5", evaluate(columns5(), column), expected);
  }
}

const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
const digits = (number: number, base: number, count: number) =>
  Array.from({ length: count }, (_, i) => Math.floor(number / base ** i) % base);
/** `count` sorted values, of which so many are ones. */
const sorted = (count: number, ones: number) =>
  Array.from({ length: count }, (_, i) => i >= count - ones ? 1 : 0);

function equal(name: string, found: readonly number[], expected: readonly number[]): void {
  if (found.some((value, i) => value !== expected[i])) throw new Error(`${name}: ${found}, not ${expected}`);
}

function evaluate({ network, inputs, outputs }: Made, samples: readonly number[]): number[] {
  const values = new Map(inputs.map((name, i) => [name, samples[i]!]));
  for (const { name, of, a, b } of network.needed(outputs)) {
    const [x, y] = [values.get(a)!, values.get(b)!];
    values.set(name, of === "lower" ? Math.min(x, y) : Math.max(x, y));
  }
  return outputs.map((name) => values.get(name)!);
}

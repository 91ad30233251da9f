/**
 * Short methods for building formulas in a graph: numbers may be used in place of values.
 *
 * @module
 */

import type { Graph, Value } from "./graph.ts";
import type { OperationName } from "./operations.ts";
import { bitsOf, type FloatFacts } from "./precision.ts";

/** A value, or a number that becomes a constant. */
export type Term = Value | number;

/** Formulas over one graph. */
export class Algebra {
  /** Facts of the type of its numbers. */
  readonly facts: FloatFacts;

  /** Formulas over `graph`. */
  constructor(readonly graph: Graph) {
    this.facts = graph.facts;
  }

  /** Any operation. */
  op(name: OperationName, ...terms: Term[]): Value {
    return this.graph.op(name, ...terms.map((term) => this.value(term)));
  }

  /** A term as a value. */
  value(term: Term): Value {
    return typeof term === "number" ? this.graph.constant(term) : term;
  }

  /** `a + b + …`, from left to right. */
  add(first: Term, ...others: Term[]): Value {
    return others.reduce<Value>((sum, term) => this.op("add", sum, term), this.value(first));
  }

  /** `a - b`. */
  sub(a: Term, b: Term): Value {
    return this.op("sub", a, b);
  }

  /** `a · b · …`, from left to right. */
  mul(first: Term, ...others: Term[]): Value {
    return others.reduce<Value>((product, term) => this.op("mul", product, term), this.value(first));
  }

  /** `a / b`. */
  div(a: Term, b: Term): Value {
    return this.op("div", a, b);
  }

  /** `a` where the condition holds, `b` elsewhere. */
  select(test: Value, a: Term, b: Term): Value {
    return this.op("select", test, a, b);
  }

  /** `c[0] + x (c[1] + x (c[2] + …))`. */
  polynomial(x: Value, coefficients: readonly number[]): Value {
    const [last, ...rest] = [...coefficients].reverse();
    return rest.reduce<Value>((sum, c) => this.add(this.mul(sum, x), c), this.value(last!));
  }

  /** The bits of a number, as a known integer. */
  bits(value: number): Value {
    return this.graph.mask(bitsOf(value, this.facts.name));
  }

  /** The magnitude of one number with the sign of another. */
  withSign(size: Value, sign: Value): Value {
    const top = this.graph.mask(1n << BigInt(this.facts.bits - 1));
    const signBit = this.op("iand", this.op("bits", sign), top);
    return this.op("unbits", this.op("ior", this.op("bits", this.op("abs", size)), signBit));
  }

  /**
   * `x · 2^n` for integers n between −3/2 and 3/2 of the range of exponents, in two steps, so that overflow and
   * subnormal results are rounded only once.
   */
  scale(x: Value, n: Value): Value {
    const half = this.op("floor", this.mul(n, 0.5));
    return this.mul(x, this.#powerOfTwo(half), this.#powerOfTwo(this.sub(n, half)));
  }

  /**
   * `2^n` for exponents of normal numbers: n + bias is put into the low bits of the mantissa, and then shifted to the
   * exponent.
   */
  #powerOfTwo(n: Value): Value {
    const { mantissa, bias } = this.facts;
    const placed = this.op("bits", this.add(n, 1.5 * 2 ** mantissa + bias));
    return this.op("unbits", this.graph.shift("shl", placed, mantissa));
  }
}

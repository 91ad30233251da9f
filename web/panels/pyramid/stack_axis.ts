/**
 * The dimensions of a stack of images.
 *
 * @module
 */

/** A dimension of a stack. */
export interface StackAxis {
  /** Its label, such as `c`. */
  readonly label: string;
  /** Positions along it. */
  readonly size: number;
  /** What stands at a position, such as the name of a channel or a depth with its unit. */
  at(position: number): string;
}

/** The position along a dimension: inside of it, whatever an address says. */
export function positionIn(
  stack: Readonly<Record<string, number>>,
  { label, size }: Omit<StackAxis, "at">,
): number {
  return Math.min(stack[label] ?? 0, size - 1);
}

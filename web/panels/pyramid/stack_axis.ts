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
  /** Where its positions are, in its unit; absent: nobody knows. */
  readonly place?: { readonly offset: number; readonly scale: number; readonly unit: string };
  /** What stands at a position, such as the name of a channel or a depth with its unit. */
  at(position: number): string;
}

/** The position along a dimension: inside of it, whatever an address says. */
export function positionIn(
  stack: Readonly<Record<string, number>>,
  { label, size }: Pick<StackAxis, "label" | "size">,
): number {
  return Math.min(stack[label] ?? 0, size - 1);
}

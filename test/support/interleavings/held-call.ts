/** A call of a port that is carried out, answered or failed when the explorer says so. */
export interface HeldCall {
  readonly name: string;
  /** What it has changed and will answer; undefined: nothing yet. */
  done: { readonly answer: unknown } | undefined;
  /** Takes effect now. */
  carryOut(): unknown;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

/** A call to be decided later, and what its caller gets. */
export function heldCall<T>(
  name: string,
  carryOut: () => T,
): { readonly call: HeldCall; readonly promise: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const call: HeldCall = {
    name,
    done: undefined,
    carryOut,
    answer: (value) => resolve(value as T),
    fail: reject,
  };
  return { call, promise };
}

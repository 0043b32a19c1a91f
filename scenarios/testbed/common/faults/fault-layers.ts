/**
 * Values that several independent faults set for the same key. Each fault adds and removes its own value; the
 * effective value follows from all values of the key.
 */
export class FaultLayers<Value> {
  readonly #values = new Map<string, { readonly value: Value }[]>();
  readonly #apply: (key: string, values: readonly Value[]) => void;

  /**
   * `apply` is called with all values of a key, in the order in which they were added, whenever they change.
   */
  constructor(apply: (key: string, values: readonly Value[]) => void) {
    this.#apply = apply;
  }

  /** Adds a value to these keys; the returned function removes it. */
  add(keys: readonly string[], value: Value): () => void {
    const own = { value };
    for (const key of keys) {
      const of = this.#values.get(key);
      if (of === undefined) this.#values.set(key, [own]);
      else of.push(own);
      this.#update(key);
    }
    return () => {
      for (const key of keys) {
        const of = this.#values.get(key);
        const at = of?.indexOf(own) ?? -1;
        if (of === undefined || at < 0) continue;
        of.splice(at, 1);
        this.#update(key);
      }
    };
  }

  /** All values of a key. */
  valuesOf(key: string): readonly Value[] {
    return (this.#values.get(key) ?? []).map(({ value }) => value);
  }

  /** Whether a key has any value. */
  isActive(key: string): boolean {
    return (this.#values.get(key)?.length ?? 0) > 0;
  }

  #update(key: string): void {
    this.#apply(key, this.valuesOf(key));
  }
}

/** The value that was added last; undefined when there is none. */
export function latestOf<Value>(values: readonly Value[]): Value | undefined {
  return values.at(-1);
}

/**
 * The worst value by `order` (best first) among those added since the best one was last added: adding the
 * best value cancels those before it.
 */
export function worstOf<Value>(values: readonly Value[], order: readonly Value[]): Value | undefined {
  const [best] = order;
  const since = values.slice(best === undefined ? 0 : values.lastIndexOf(best) + 1);
  if (since.length === 0) return values.length === 0 ? undefined : best;
  return since.reduce((worst, one) => (order.indexOf(one) > order.indexOf(worst) ? one : worst));
}

/**
 * What lies over something, laid by several who know nothing of one another: each lays and takes back its own, and what
 * is in force follows from all that lies there.
 */
export class Layers<Value> {
  readonly #laid = new Map<string, { readonly value: Value }[]>();
  readonly #apply: (key: string, values: readonly Value[]) => void;

  /** `apply` is told all values that lie over a key, in the order in which they were laid, whenever that has changed. */
  constructor(apply: (key: string, values: readonly Value[]) => void) {
    this.#apply = apply;
  }

  /** Lays a value over these keys; the returned function takes it back. */
  lay(keys: readonly string[], value: Value): () => void {
    const own = { value };
    for (const key of keys) {
      const of = this.#laid.get(key);
      if (of === undefined) this.#laid.set(key, [own]);
      else of.push(own);
      this.#changed(key);
    }
    return () => {
      for (const key of keys) {
        const of = this.#laid.get(key);
        const at = of?.indexOf(own) ?? -1;
        if (of === undefined || at < 0) continue;
        of.splice(at, 1);
        this.#changed(key);
      }
    };
  }

  /** All values that lie over a key. */
  over(key: string): readonly Value[] {
    return (this.#laid.get(key) ?? []).map(({ value }) => value);
  }

  /** Whether anything lies over a key. */
  isOver(key: string): boolean {
    return (this.#laid.get(key)?.length ?? 0) > 0;
  }

  #changed(key: string): void {
    this.#apply(key, this.over(key));
  }
}

/** The last one of a list that was laid; undefined where nothing lies there. */
export function topOf<Value>(values: readonly Value[]): Value | undefined {
  return values.at(-1);
}

/**
 * The worst, by its place in `order` (the best first), of what was laid since the best one was laid for the last time:
 * who lays the best means to lift what lies below.
 */
export function worstOf<Value>(values: readonly Value[], order: readonly Value[]): Value | undefined {
  const [best] = order;
  const since = values.slice(best === undefined ? 0 : values.lastIndexOf(best) + 1);
  if (since.length === 0) return values.length === 0 ? undefined : best;
  return since.reduce((worst, one) => (order.indexOf(one) > order.indexOf(worst) ? one : worst));
}

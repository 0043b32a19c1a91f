import { findPlace, printPlace, valueAt, withValueAt } from '../language/document/place.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import {
  betweenVaried,
  type DocumentPlace,
  type Variation,
  type VariedValues,
} from '../language/vary/vary.ts';

/** How the passing document that a failing one is compared with differs from it. */
export interface PassingVariant {
  /** Paths in the failing document, with the values that the file has there. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The seeds with which it passes, each on its own. */
  readonly seeds: readonly number[];
  /** Its steps are also in the order of the file. */
  readonly isReordered: boolean;
}

interface BaselineOrigin {
  /**
   * The place of a drawn value in the document, the file's value for it, and the values that may be drawn.
   */
  readonly values: readonly {
    /** The path as `vary` names it. */
    readonly path: string;
    readonly place: DocumentPlace;
    readonly value: unknown;
    readonly varied: VariedValues;
  }[];
  /** The seed of the file, and further ones with which it passes. */
  readonly seeds: readonly [number, ...number[]];
  /** The file also passes with the drawn seed, so that the seed alone is not the cause. */
  readonly passesWithDrawn: boolean;
  /** The index of each step in the file. */
  readonly ranks: readonly number[];
}

type List = 'steps' | 'fleet';

/**
 * The counterpart of a failing document without the drawn values: the file as it is, made smaller in the same
 * way. It must still pass. Otherwise shrinking could remove what makes an expectation possible at all, and
 * the smaller document would fail because of that.
 */
export class Baseline {
  readonly #origin: BaselineOrigin;

  private constructor(origin: BaselineOrigin) {
    this.#origin = origin;
  }

  /** The baseline of a document from whose `vary` values are drawn. */
  static of(document: ScenarioDocument, vary: readonly Variation[], seed: number): Baseline {
    const values = vary.flatMap(({ path, values: varied }) => {
      const found = findPlace(document, path);
      return found.ok ? [{ path, place: found.value, value: valueAt(document, found.value), varied }] : [];
    });
    const ranks = listOf(document, 'steps').map((_, index) => index);
    return new Baseline({ values, seeds: [seed], passesWithDrawn: false, ranks });
  }

  /** The same with further seeds with which the file passes: with a single one it may pass by chance. */
  withSeeds(more: readonly number[]): Baseline {
    const { seeds, ...rest } = this.#origin;
    return new Baseline({ ...rest, seeds: [...seeds, ...more] });
  }

  /**
   * The same for a file that also passes with the drawn seed. Without this a smaller document could keep
   * failing because of its seed alone, with every other value as in the file.
   */
  withDrawnSeed(): Baseline {
    return new Baseline({ ...this.#origin, passesWithDrawn: true });
  }

  /** The document with the values of the file, once with each seed. */
  withoutDraw(document: ScenarioDocument): readonly ScenarioDocument[] {
    const { values, ranks } = this.#origin;
    const back = values.reduce<unknown>(
      (changed, { place, value }) => withValueAt(changed, place, value),
      document,
    ) as ScenarioDocument;
    return this.#seedsFor(document).map((seed) => ({
      ...back,
      steps: inOrder(listOf(back, 'steps'), ranks),
      seed,
    }));
  }

  /**
   * Documents with fewer drawn changes: with the file's seed, its order, or a value nearer to the file's. A value
   * that is too short and one that is too long may both fail, for different causes, so no value is skipped.
   */
  *closer(document: ScenarioDocument): Iterable<ScenarioDocument> {
    const {
      values,
      seeds: [seed],
      ranks,
    } = this.#origin;
    if (document['seed'] !== seed) yield { ...document, seed };
    if (isReordered(ranks)) yield { ...document, steps: inOrder(listOf(document, 'steps'), ranks) };
    for (const { place, value, varied } of values) {
      for (const nearer of betweenVaried(varied, value, valueAt(document, place)))
        yield withValueAt(document, place, nearer) as ScenarioDocument;
    }
  }

  /** Whether the drawn values are the same in both documents or removed, whatever else differs. */
  isKept(before: ScenarioDocument, changed: ScenarioDocument): boolean {
    const after = this.after(before, changed);
    if (after === undefined) return false;
    const then = new Map(
      this.#origin.values.map(({ path, place }) => [path, JSON.stringify(valueAt(before, place))]),
    );
    return after.#origin.values.every(
      ({ path, place }) => JSON.stringify(valueAt(changed, place)) === then.get(path),
    );
  }

  /**
   * The baseline for a document that was derived by removing, reordering or changing steps and groups. Undefined when
   * the steps or groups cannot be matched.
   */
  after(before: ScenarioDocument, changed: ScenarioDocument): Baseline | undefined {
    const steps = origins(listOf(before, 'steps'), listOf(changed, 'steps'));
    const fleet = origins(listOf(before, 'fleet'), listOf(changed, 'fleet'));
    if (steps === undefined || fleet === undefined) return undefined;
    const { values, seeds, passesWithDrawn, ranks } = this.#origin;
    return new Baseline({
      seeds,
      passesWithDrawn,
      values: values.flatMap((one) => {
        const place = moved(one.place, { steps, fleet });
        return place === undefined || valueAt(changed, place) === undefined ? [] : [{ ...one, place }];
      }),
      ranks: steps.map((from) => ranks[from] ?? from),
    });
  }

  /** The document of comparison, for the report. */
  passingVariant(document: ScenarioDocument): PassingVariant {
    const { values, ranks } = this.#origin;
    return {
      values: Object.fromEntries(values.map(({ place, value }) => [printPlace(place), value])),
      seeds: this.#seedsFor(document),
      isReordered: isReordered(ranks),
    };
  }

  /** Whether the document has the file's seed instead of the drawn one. */
  #seedsFor({ seed: own }: ScenarioDocument): readonly number[] {
    const { seeds, passesWithDrawn } = this.#origin;
    return passesWithDrawn && typeof own === 'number' && !seeds.includes(own) ? [...seeds, own] : seeds;
  }
}

/** The previous index of each item: that of the same object, or else of the item at the same index. */
function origins(before: readonly unknown[], changed: readonly unknown[]): readonly number[] | undefined {
  const found = changed.map((item, index) => {
    const at = before.indexOf(item);
    return at < 0 && before.length === changed.length ? index : at;
  });
  return found.includes(-1) ? undefined : found;
}

/** The place after the change; undefined when it was removed. */
function moved(
  place: DocumentPlace,
  from: Readonly<Record<List, readonly number[]>>,
): DocumentPlace | undefined {
  const [list, index, ...rest] = place;
  if ((list !== 'steps' && list !== 'fleet') || typeof index !== 'number') return place;
  const to = from[list].indexOf(index);
  return to < 0 ? undefined : [list, to, ...rest];
}

function inOrder(steps: readonly unknown[], ranks: readonly number[]): readonly unknown[] {
  return steps
    .map((step, index) => ({ step, rank: ranks[index] ?? index }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ step }) => step);
}

function isReordered(ranks: readonly number[]): boolean {
  return ranks.some((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0));
}

function listOf(document: ScenarioDocument, list: List): readonly unknown[] {
  return document[list] as readonly unknown[];
}

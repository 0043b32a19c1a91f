import { findPlace, printPlace, valueAt, withValueAt } from '../language/place.ts';
import type { Document } from '../language/problem.ts';
import { betweenVaried, type Place, type Variation, type VariedValues } from '../language/vary.ts';

/** What of a failing document is as it was before the draw in the one that it is compared with. */
export interface Compared {
  /** Places of the failing document, with the values of the file. */
  readonly values: Readonly<Record<string, unknown>>;
  /** It passes with each. */
  readonly seeds: readonly number[];
  /** The steps are in the order of the file, too. */
  readonly isReordered: boolean;
}

interface Origin {
  /** Where a drawn value stands now, what stood there before the draw, and what may stand there. */
  readonly values: readonly {
    /** As `vary` names it. */
    readonly path: string;
    readonly place: Place;
    readonly value: unknown;
    readonly varied: VariedValues;
  }[];
  /** Of the file, and others with which it passes, too. */
  readonly seeds: readonly [number, ...number[]];
  /** The file passes with the seed that was drawn, too, so that the seed alone is not what fails. */
  readonly passesWithDrawn: boolean;
  /** For each step its place in the file. */
  readonly ranks: readonly number[];
}

type List = 'steps' | 'fleet';

/**
 * What a failing document is like without what was drawn for it: the file as it stands, made smaller in the same way.
 * That must go on to pass. Otherwise what makes an expectation possible at all could be taken away, and the smaller
 * document would fail for that.
 */
export class Contrast {
  readonly #origin: Origin;

  private constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Of a document of which `vary` is to be drawn. */
  static of(document: Document, vary: readonly Variation[], seed: number): Contrast {
    const values = vary.flatMap(({ path, values: varied }) => {
      const found = findPlace(document, path);
      return found.ok ? [{ path, place: found.value, value: valueAt(document, found.value), varied }] : [];
    });
    const ranks = listOf(document, 'steps').map((_, index) => index);
    return new Contrast({ values, seeds: [seed], passesWithDrawn: false, ranks });
  }

  /** The same, and the file passes with these seeds, too: with one alone it may pass by chance. */
  alsoWith(more: readonly number[]): Contrast {
    const { seeds, ...rest } = this.#origin;
    return new Contrast({ ...rest, seeds: [...seeds, ...more] });
  }

  /**
   * The same, and the file passes with the seed that was drawn. Without this a smaller document could go on to fail by
   * its seed alone, with every other value as the file has it.
   */
  alsoWithDrawn(): Contrast {
    return new Contrast({ ...this.#origin, passesWithDrawn: true });
  }

  /** The document without what was drawn, with each of the seeds. */
  unbroken(document: Document): readonly Document[] {
    const { values, ranks } = this.#origin;
    const back = values.reduce<unknown>(
      (changed, { place, value }) => withValueAt(changed, place, value),
      document,
    ) as Document;
    return this.#seedsFor(document).map((seed) => ({
      ...back,
      steps: inOrder(listOf(back, 'steps'), ranks),
      seed,
    }));
  }

  /**
   * The document with less of what was drawn: with the seed of the file, its order, or a value that is nearer to that of
   * the file. A value that is too short and one that is too long may both fail, for two causes: none is passed over.
   */
  *closer(document: Document): Iterable<Document> {
    const {
      values,
      seeds: [seed],
      ranks,
    } = this.#origin;
    if (document['seed'] !== seed) yield { ...document, seed };
    if (isReordered(ranks)) yield { ...document, steps: inOrder(listOf(document, 'steps'), ranks) };
    for (const { place, value, varied } of values) {
      for (const nearer of betweenVaried(varied, value, valueAt(document, place)))
        yield withValueAt(document, place, nearer) as Document;
    }
  }

  /** Whether what was drawn is the same in both, or gone: whatever else is different. */
  isKept(before: Document, changed: Document): boolean {
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
   * The same for a document that was made of another by leaving steps and groups out, putting them in another order, or
   * changing something within one. Undefined where nobody can tell which step or group came of which.
   */
  after(before: Document, changed: Document): Contrast | undefined {
    const steps = origins(listOf(before, 'steps'), listOf(changed, 'steps'));
    const fleet = origins(listOf(before, 'fleet'), listOf(changed, 'fleet'));
    if (steps === undefined || fleet === undefined) return undefined;
    const { values, seeds, passesWithDrawn, ranks } = this.#origin;
    return new Contrast({
      seeds,
      passesWithDrawn,
      values: values.flatMap((one) => {
        const place = moved(one.place, { steps, fleet });
        return place === undefined || valueAt(changed, place) === undefined ? [] : [{ ...one, place }];
      }),
      ranks: steps.map((from) => ranks[from] ?? from),
    });
  }

  /** What is compared with the document, for people. */
  compared(document: Document): Compared {
    const { values, ranks } = this.#origin;
    return {
      values: Object.fromEntries(values.map(({ place, value }) => [printPlace(place), value])),
      seeds: this.#seedsFor(document),
      isReordered: isReordered(ranks),
    };
  }

  /** The seed of the document is that of the file, or the one that was drawn. */
  #seedsFor({ seed: own }: Document): readonly number[] {
    const { seeds, passesWithDrawn } = this.#origin;
    return passesWithDrawn && typeof own === 'number' && !seeds.includes(own) ? [...seeds, own] : seeds;
  }
}

/** For each item the index that it had before: it is the same object, or it stands where it stood. */
function origins(before: readonly unknown[], changed: readonly unknown[]): readonly number[] | undefined {
  const found = changed.map((item, index) => {
    const at = before.indexOf(item);
    return at < 0 && before.length === changed.length ? index : at;
  });
  return found.includes(-1) ? undefined : found;
}

/** The place behind the change; undefined where it is gone. */
function moved(place: Place, from: Readonly<Record<List, readonly number[]>>): Place | undefined {
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

function listOf(document: Document, list: List): readonly unknown[] {
  return document[list] as readonly unknown[];
}

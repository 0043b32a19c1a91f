import { type RouteFault, routeFault } from './points.ts';
import { cellText, numberIn, shownText, wordForNothing } from './text.ts';

/** A repaired defect of a file: the first place, the reason, and how many other places have it too. */
export interface Remark extends RouteFault {
  readonly others: number;
}

/** The highest share of unreadable values with which a file is still read. */
const MOST_UNREADABLE = 0.1;

/** Values of one kind: how many the file has, and how many of them cannot be read. */
interface ReadCount {
  seen: number;
  unreadable: number;
  /** Of the first unreadable one. */
  place: string;
  reason: string;
  consequence: string;
}

/** Collects remarks about a file: one of each kind, with the first place. */
export class Remarks {
  readonly #byKind = new Map<string, { place: string; reason: string; others: number }>();
  readonly #counts = new Map<string, ReadCount>();

  /** `kind`: what counts as the same; `place` and `reason` are called only the first time. */
  add(kind: string, place: () => string, reason: () => string): void {
    const known = this.#byKind.get(kind);
    if (known !== undefined) known.others += 1;
    else this.#byKind.set(kind, { place: place(), reason: reason(), others: 0 });
  }

  /** Counts a value of that kind, readable or not. */
  seen(kind: string): void {
    this.#count(kind).seen += 1;
  }

  /**
   * Counts a value of that kind as unreadable. `reason` is a sentence (`has a speed that cannot be read: x is no
   * number.`), `consequence` states the treatment: `it is left out`.
   */
  unreadable(kind: string, place: () => string, reason: () => string, consequence: string): void {
    const count = this.#count(kind);
    count.unreadable += 1;
    if (count.unreadable > 1) return;
    count.place = place();
    count.reason = reason();
    count.consequence = consequence;
  }

  /**
   * A fault where more than a tenth of the values of one kind cannot be read. Otherwise the unreadable ones become one
   * remark of each kind. Called once, after the last value.
   */
  unreadableFault(): { readonly fault: RouteFault } | undefined {
    for (const [kind, { seen, unreadable, place, reason, consequence }] of this.#counts) {
      if (unreadable === 0) continue;
      if (unreadable > seen * MOST_UNREADABLE)
        return routeFault(
          place,
          unreadable === 1 ? reason : `${reason} The same is true of ${unreadable - 1} more of ${seen}.`,
        );
      const remark = `${reason.replace(/\.$/, '')}; ${consequence}.`;
      this.#byKind.set(`unreadable ${kind}`, { place, reason: remark, others: unreadable - 1 });
    }
    return undefined;
  }

  list(): readonly Remark[] {
    return [...this.#byKind.values()];
  }

  #count(kind: string): ReadCount {
    const known = this.#counts.get(kind);
    if (known !== undefined) return known;
    const count = { seen: 0, unreadable: 0, place: '', reason: '', consequence: '' };
    this.#counts.set(kind, count);
    return count;
  }
}

/** The altitude of a point in metres; undefined: it has none, or one that cannot be read, which is counted. */
export function readAltitude(raw: unknown, remarks: Remarks, placeOf: () => string): number | undefined {
  const text = cellText(raw);
  if (text === undefined) {
    const word = wordForNothing(raw);
    if (word !== undefined)
      remarks.add('nothing altitude', placeOf, () => `has ${word} in place of an altitude: left out.`);
    return undefined;
  }
  remarks.seen('altitude');
  const altitudeM = numberIn(text);
  if (altitudeM !== undefined) return altitudeM;
  const reason = () => `has an altitude that is no number: ${shownText(text)}.`;
  remarks.unreadable('altitude', placeOf, reason, 'it is left out');
  return undefined;
}

/** A fault or remark as a sentence about its file: `trip.csv, line 12, has no time: left out.` */
export function placedSentence(
  file: string,
  { place, reason }: { readonly place: string; readonly reason: string },
): string {
  return `${file}${place === '' ? '' : `, ${place},`} ${reason}`;
}

/** A remark of a file, with how many others there are. */
export function remarkSentence(file: string, remark: Remark): string {
  const sentence = placedSentence(file, remark);
  if (remark.others === 0) return sentence;
  return `${sentence.replace(/\.$/, '')} (and ${remark.others} more).`;
}

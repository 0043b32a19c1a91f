import { FATES, type Fate, type Hop, type LedgerFinding, WRONG_FATES } from './finding.ts';
import { limits } from './limits.ts';

export type FateCounts = Readonly<Record<Fate, number>>;

/** The outcome of all records and messages, in numbers and examples. */
export interface LedgerReport {
  /** When the sources were read. */
  readonly atMs: number;
  /** The installation did not run then, and had stopped at this time; absent: it ran. */
  readonly stoppedMs?: number | undefined;
  /** Stored records, their messages that arrived, and all arrivals, including repeats and other messages. */
  readonly records: number;
  readonly delivered: number;
  readonly arrivals: number;
  /** False: no queue was read, and records were followed to the outbox only. */
  readonly hasMessages: boolean;
  readonly counts: FateCounts;
  readonly vehicles: readonly VehicleAccount[];
  readonly cases: readonly LedgerCase[];
  /** Lines of the messages file that could not be read. */
  readonly unreadableLines: number;
  /** Nothing forbidden happened. */
  readonly isRight: boolean;
}

export interface VehicleAccount {
  /** Undefined: the box is in no vehicle record. */
  readonly vehicleId: string | undefined;
  readonly boxId: string | undefined;
  readonly records: number;
  readonly delivered: number;
  readonly counts: FateCounts;
}

/** One outcome at one hop: its count and examples. */
export interface LedgerCase {
  readonly fate: Fate;
  readonly hop: Hop;
  readonly count: number;
  readonly examples: readonly LedgerFinding[];
}

const NONE = Object.fromEntries(Object.keys(FATES).map((fate) => [fate, 0])) as Record<Fate, number>;

/** Collects findings: a few examples of each kind, and counts for each vehicle. */
export class LedgerAccount {
  readonly #counts = { ...NONE };
  readonly #cases = new Map<string, { fate: Fate; hop: Hop; count: number; examples: LedgerFinding[] }>();
  readonly #vehicles = new Map<
    string,
    {
      vehicleId: string | undefined;
      boxId: string | undefined;
      records: number;
      delivered: number;
      counts: Record<Fate, number>;
    }
  >();
  #records = 0;
  #delivered = 0;

  /** Begins a box. Earlier and later findings about its vehicle are added to it. */
  box(boxId: string, vehicleId: string | undefined, records: number, delivered: number): void {
    const account = this.#of(vehicleId ?? boxId);
    account.boxId = boxId;
    account.vehicleId = vehicleId;
    account.records += records;
    account.delivered += delivered;
    this.#records += records;
    this.#delivered += delivered;
  }

  add(finding: LedgerFinding): void {
    const { fate, hop, count } = finding;
    this.#counts[fate] += count;
    const name = `${fate}/${hop}`;
    const known = this.#cases.get(name) ?? { fate, hop, count: 0, examples: [] };
    this.#cases.set(name, known);
    known.count += count;
    if (known.examples.length < limits.examples) known.examples.push(finding);
    const who = finding.vehicleId ?? finding.boxId;
    if (who !== undefined) this.#of(who).counts[fate] += count;
  }

  #of(who: string) {
    let account = this.#vehicles.get(who);
    if (account === undefined) {
      account = { vehicleId: who, boxId: undefined, records: 0, delivered: 0, counts: { ...NONE } };
      this.#vehicles.set(who, account);
    }
    return account;
  }

  report(
    read: Pick<LedgerReport, 'atMs' | 'stoppedMs' | 'arrivals' | 'hasMessages' | 'unreadableLines'>,
  ): LedgerReport {
    const order = Object.keys(FATES);
    return {
      ...read,
      records: this.#records,
      delivered: this.#delivered,
      counts: this.#counts,
      vehicles: [...this.#vehicles.values()],
      cases: [...this.#cases.values()].toSorted((a, b) => order.indexOf(a.fate) - order.indexOf(b.fate)),
      isRight: WRONG_FATES.every((fate) => this.#counts[fate] === 0),
    };
  }
}

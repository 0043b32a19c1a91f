import type {
  OutcomeChange,
  OutcomeHistory,
  OutcomeKind,
} from '../../../../judge/evidence/outcome-history.ts';
import { testbedLimits } from '../../../limits.ts';
import type { Row, RowChange } from './row-changes.ts';

/** Outcomes that an answer of the box still replaces: nobody waits for it any more, and it may have happened. */
const NOT_FINAL: ReadonlySet<unknown> = new Set(['open', 'unknown', 'withdrawn']);

/** What became of a row that must not change so; undefined: it may. */
type Judge = (before: Row, after: Row) => string | undefined;

/**
 * The changes of commands, of vehicles of bulk jobs and of configurations in the store, row by row. It judges each change
 * when it happens, and keeps only those of settled ones.
 */
export class OutcomeRecording {
  readonly #nowMs: () => number;
  readonly #counts: Record<OutcomeKind, number> = { command: 0, item: 0, configuration: 0 };
  readonly #changed: OutcomeChange[] = [];
  /** What each revision of each box has set, by `box id/name@revision`. */
  readonly #set = new Map<string, Map<string, string>>();
  readonly #judges: Readonly<Record<OutcomeKind, Judge>> = {
    command: judgeCommand,
    item: judgeItem,
    configuration: (before, after) => this.#judgeConfiguration(before, after),
  };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  history(): OutcomeHistory {
    return { counts: this.#counts, changed: this.#changed };
  }

  /** These rows were written, in this order, and committed. */
  committed(changes: readonly RowChange[]): void {
    for (const { kind, before, after } of changes) {
      this.#counts[kind] += 1;
      if (kind === 'configuration' && after === undefined) this.#set.delete(String(before?.['box_id']));
      if (before === undefined || after === undefined) continue;
      const what = this.#judges[kind](before, after);
      if (what !== undefined) this.#note(kind, after, what);
    }
  }

  /** Within one epoch of the box: a wiped flash ends all that it had confirmed. */
  #judgeConfiguration(before: Row, after: Row): string | undefined {
    const boxId = String(after['box_id']);
    if (number(after, 'handed_out') < number(before, 'handed_out'))
      return `revision ${after['handed_out']} is handed out after ${before['handed_out']}`;
    if (before['epoch'] !== after['epoch']) {
      this.#set.delete(boxId);
      return undefined;
    }
    for (const name of ['revision', 'decided', 'calibrated'] as const)
      if (number(after, name) < number(before, name))
        return `${name} was ${before[name]}, and is ${after[name]}`;
    const isSame = ['revision', 'decided'].every((name) => before[name] === after[name]);
    if (isSame && before['features'] !== after['features'])
      return `revision ${after['revision']} was ${before['features']}, and is ${after['features']}`;
    return this.#judgeFeatures(boxId, after);
  }

  /** What a revision has set for a feature stays so, as long as it is in force. */
  #judgeFeatures(boxId: string, after: Row): string | undefined {
    const known = this.#set.get(boxId) ?? new Map<string, string>();
    this.#set.set(boxId, known);
    const features = JSON.parse(String(after['features'])) as Readonly<
      Record<string, { readonly revision: number; readonly parameters: unknown }>
    >;
    for (const [name, { revision, parameters }] of Object.entries(features)) {
      const key = `${name}@${revision}`;
      const text = JSON.stringify(parameters);
      const before = known.get(key);
      if (before !== undefined && before !== text)
        return `${name} of revision ${revision} was ${before}, and is ${text}`;
      known.set(key, text);
    }
    return undefined;
  }

  #note(kind: OutcomeKind, row: Row, what: string): void {
    if (this.#changed.length >= testbedLimits.changedOutcomes) return;
    const of = String(row['vehicle_id'] ?? row['box_id']);
    this.#changed.push({ kind, atMs: this.#nowMs(), text: `${nameOf(kind, row)}: ${what}`, of });
  }
}

function judgeCommand(before: Row, after: Row): string | undefined {
  const [from, to] = [before['outcome'], after['outcome']];
  if (!NOT_FINAL.has(from)) return `it was ${said(before)}, and is ${said(after)}`;
  if (before['configuration'] !== after['configuration']) return 'its configuration has changed';
  // Only an answer ends what was given up.
  if (from !== 'open' && NOT_FINAL.has(to)) return `it was ${said(before)}, and is ${said(after)}`;
  return undefined;
}

function judgeItem(before: Row, after: Row): string | undefined {
  if (before['status'] === 'pending') return undefined;
  const text = (row: Row): string =>
    [row['status'], row['reason'], row['detail']].filter((part) => part !== '').join(', ');
  return `it was ${text(before)}, and is ${text(after)}`;
}

function said(row: Row): string {
  const { outcome, settled_ms: settledMs, error, status, state } = row as Readonly<Record<string, unknown>>;
  return JSON.stringify({ outcome, settledMs, error, status, state });
}

function nameOf(kind: OutcomeKind, row: Row): string {
  switch (kind) {
    case 'command':
      return `request ${row['request_id']} of vehicle ${row['vehicle_id']}`;
    case 'item':
      return `job ${row['job_id']}, vehicle ${row['vehicle_id']}`;
    case 'configuration':
      return `box ${row['box_id']}`;
    default:
      return kind satisfies never;
  }
}

function number(row: Row, name: string): number {
  return Number(row[name]);
}

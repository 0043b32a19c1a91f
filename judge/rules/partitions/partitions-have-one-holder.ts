import type { Fact } from '../../evidence/fact.ts';
import type { PartitionEvent } from '../../evidence/partition-history.ts';
import type { Checker } from '../check.ts';
import { Findings, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';
import { judgePassedOn } from './passed-on-shares.ts';

/**
 * If several backends share the partitions: each batch names a lease for each partition that it writes about, and is
 * stored under the fencing number that is in force at that moment, each message is published by the backend that has
 * that number, these numbers rise, and no partition is without a holder that serves it for longer than it may take to
 * find another, apart from the time in which faults leave no possible holder. And a backend that stays releases only
 * partitions beyond its share.
 */
export const partitionsHaveOneHolder: Checker = ({ evidence, facts, testbed }) => {
  const findings = new Findings();
  const history = evidence.partitions();
  if (history === undefined) return Promise.resolve(nothingCompared('one backend serves all partitions'));
  judgeNumbers(history.events, findings);
  judgePassedOn(history.shares ?? [], testbed.time.nowMs(), findings);
  const excuses = excusedSpans(facts, history.backends);
  for (const { partition, fromMs, toMs } of history.gaps) {
    const aloneMs = toMs - fromMs - coveredMs(excuses, fromMs, toMs);
    if (aloneMs > limits.unservedMs)
      findings.add(
        'a partition that nobody served',
        `partition ${partition} for ${Math.round((toMs - fromMs) / 1_000)} s, ${Math.round(aloneMs / 1_000)} s of them without a cause`,
        { atMs: toMs },
      );
  }
  const { events, isWhole } = history;
  return Promise.resolve(
    findings.result(
      [[events.length, 'move or batch', 'moves and batches']],
      isWhole ? '' : '; not all were held',
    ),
  );
};

function judgeNumbers(events: readonly PartitionEvent[], findings: Findings): void {
  const inForce = new Map<number, number>();
  for (const { what, atMs, partition, fence } of events) {
    const known = inForce.get(partition);
    const text = `partition ${partition} under ${fence}, and ${known} was in force`;
    if (what === 'taken') {
      if (known !== undefined && fence <= known) findings.add('a number that did not rise', text, { atMs });
      inForce.set(partition, fence);
    } else if (what === 'committed' && fence === 0)
      findings.add(
        'a batch without a lease',
        `it writes about boxes of partition ${partition} and names no lease for it; ${known ?? 'none'} was in force`,
        { atMs },
      );
    else if (known !== undefined && fence !== known)
      findings.add(
        what === 'published'
          ? 'a message of somebody who is no holder'
          : 'a batch of somebody who is no holder',
        text,
        { atMs },
      );
  }
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Without these no backend can serve: the store with the leases, and the broker. Afterwards backends reconnect. */
const NEEDED_BY_ALL: Readonly<Record<string, number>> = {
  'store full': limits.unservedMs,
  'store slow': limits.unservedMs,
  'store down': limits.unservedMs,
  'store commit-unknown': limits.unservedMs,
  'broker restart': limits.reconnectMs,
  'broker no-majority': limits.reconnectMs,
  'backend cut': limits.reconnectMs,
};
/** Faults of one backend: its partitions need another holder from its begin, and are rebalanced at its end. */
const OF_ONE: ReadonlySet<string> = new Set(['backend pause', 'backend cut_off']);

/** The backends that can serve nothing at a moment of the run. */
class Unable {
  readonly #backends: number;
  readonly #down = new Set<number>();
  readonly #hindered: number[] = [];

  constructor(backends: number) {
    this.#backends = backends;
  }

  get areAll(): boolean {
    return new Set([...this.#down, ...this.#hindered]).size >= this.#backends;
  }

  /** `reason` names the backend unless it concerns all. */
  serviceIs(state: 'up' | 'down', reason: string): void {
    const named = /\(backend (\d+)\)/.exec(reason)?.[1];
    const numbers =
      named === undefined ? Array.from({ length: this.#backends }, (_, index) => index + 1) : [Number(named)];
    for (const number of numbers) {
      if (state === 'down') this.#down.add(number);
      else this.#down.delete(number);
    }
  }

  fault(detail: string, phase: 'begins' | 'ends' | 'happens'): void {
    const which = Number(/"which":(\d+)/.exec(detail)?.[1] ?? 1);
    if (phase === 'begins') this.#hindered.push(which);
    else if (this.#hindered.includes(which)) this.#hindered.splice(this.#hindered.indexOf(which), 1);
  }
}

/** The spans, joined and rising, in which a partition may lack a holder. */
function excusedSpans(facts: readonly Fact[], backends: number): readonly Span[] {
  const spans: Span[] = [];
  /** The beginnings of ongoing faults: the same one may be active twice. */
  const begun = new Map<string, number[]>();
  const unable = new Unable(backends);
  let nobodyMs: number | undefined;
  const endMs = facts.at(-1)?.atMs ?? 0;
  for (const fact of facts) {
    const { atMs } = fact;
    if (fact.kind === 'service') unable.serviceIs(fact.state, fact.reason);
    else if (fact.kind !== 'fault') continue;
    else {
      const { name, detail, phase } = fact;
      const key = `${name} ${detail}`;
      const afterMs = NEEDED_BY_ALL[name];
      if (afterMs !== undefined) {
        const starts = begun.get(key) ?? [];
        begun.set(key, starts);
        if (phase === 'begins') starts.push(atMs);
        else
          spans.push({
            fromMs: (phase === 'ends' ? starts.shift() : undefined) ?? atMs,
            toMs: atMs + afterMs,
          });
      }
      if (!OF_ONE.has(name)) continue;
      unable.fault(detail, phase);
    }
    spans.push({ fromMs: atMs, toMs: atMs + limits.unservedMs });
    if (unable.areAll) nobodyMs ??= atMs;
    else if (nobodyMs !== undefined) {
      spans.push({ fromMs: nobodyMs, toMs: atMs + limits.reconnectMs });
      nobodyMs = undefined;
    }
  }
  for (const fromMs of [...[...begun.values()].flat(), ...(nobodyMs === undefined ? [] : [nobodyMs])])
    spans.push({ fromMs, toMs: endMs + limits.unservedMs });
  return joined(spans);
}

function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = result.at(-1);
    if (last === undefined || span.fromMs > last.toMs) result.push(span);
    else result[result.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
  }
  return result;
}

function coveredMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)),
    0,
  );
}

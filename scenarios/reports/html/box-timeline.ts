import type { Fact, FactKind, VehicleNumber } from '../../../judge/evidence/fact.ts';
import { runLimits } from '../../limits.ts';
import type { RunOutcome } from '../../run/outcome.ts';
import { isKeptLongest } from '../../run/record.ts';
import { factText, faultWords } from '../fact-text.ts';
import { stepText } from '../step-text.ts';

/** A time span, in milliseconds from the beginning of the scenario. */
export interface TimelineSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /**
   * For connectivity its state; for a call `2xx` to `5xx`, `none` or `open`; for the service `up` or `down`.
   */
  readonly look: string;
  readonly name: string;
  readonly title: string;
}

export interface TimelineMark {
  readonly atMs: number;
  readonly look: string;
  readonly title: string;
}

/** The data of the picture of one box, or of the service and the whole run. */
export interface BoxTimeline {
  readonly faults: TimelineSpan[];
  readonly steps: TimelineSpan[];
  readonly states: TimelineSpan[];
  readonly heldRecords: { readonly atMs: number; readonly held: number }[];
  readonly calls: TimelineSpan[];
  readonly messages: TimelineMark[];
  readonly acts: TimelineMark[];
  readonly verdicts: TimelineMark[];
  /** From when on all facts are kept: some earlier ones were dropped. */
  readonly knownFromMs: number;
}

/** Used instead of a vehicle's number for facts without a vehicle. */
export const WHOLE = 0;

/** Builds the timelines of these vehicles and of the whole run in one pass over the facts. */
export function boxTimelinesOf(
  outcome: RunOutcome,
  vehicles: readonly VehicleNumber[],
): ReadonlyMap<VehicleNumber, BoxTimeline> {
  const timelines = new Map(
    [WHOLE, ...vehicles].map((number) => [number, emptyTimeline(knownFrom(outcome, number))]),
  );
  const open = new Map<string, OpenSpan>();
  const endMs = outcome.endMs - outcome.startMs;
  const close = (key: string, atMs: number, more: Partial<TimelineSpan> = {}): boolean => {
    const span = open.get(key);
    if (span === undefined) return false;
    open.delete(key);
    const { into, ...begun } = span;
    into.push({ ...begun, ...more, toMs: Math.max(begun.fromMs, atMs) });
    return true;
  };
  for (const fact of outcome.facts) {
    const atMs = fact.atMs - outcome.startMs;
    const numbers = concerned(fact).filter((number) => timelines.has(number));
    if (numbers.length === 0) continue;
    const title = factText(fact, outcome);
    for (const number of numbers) {
      const timeline = timelines.get(number);
      if (timeline !== undefined) addFact(fact, { atMs, title, timeline, number, outcome, open, close });
    }
  }
  for (const key of [...open.keys()]) close(key, endMs);
  return timelines;
}

interface OpenSpan extends Omit<TimelineSpan, 'toMs'> {
  readonly into: TimelineSpan[];
}

interface DrawContext {
  readonly atMs: number;
  readonly title: string;
  readonly timeline: BoxTimeline;
  readonly number: VehicleNumber;
  readonly outcome: RunOutcome;
  readonly open: Map<string, OpenSpan>;
  close(key: string, atMs: number, more?: Partial<TimelineSpan>): boolean;
}

function addFact(fact: Fact, { atMs, title, timeline, number, outcome, open, close }: DrawContext): void {
  const begin = (key: string, into: TimelineSpan[], look: string, name: string): void => {
    close(key, atMs);
    open.set(key, { into, fromMs: atMs, look, name, title });
  };
  switch (fact.kind) {
    case 'connectivity':
      begin(`band ${number}`, timeline.states, fact.state, fact.state);
      return;
    case 'service':
      begin(`band ${number}`, timeline.states, fact.state, `service ${fact.state}`);
      return;
    case 'journal':
      timeline.heldRecords.push({ atMs, held: fact.held });
      return;
    case 'fault': {
      const key = `fault ${number} ${fact.name} ${fact.vehicles.join()}`;
      const name = faultWords(fact).join(' ');
      if (fact.phase === 'begins') begin(key, timeline.faults, 'lasting', name);
      else if (fact.phase !== 'ends' || !close(key, atMs))
        timeline.faults.push({ fromMs: atMs, toMs: atMs, look: 'moment', name, title });
      return;
    }
    case 'step': {
      const key = `step ${fact.step}`;
      // A picture has little room: its title has the line.
      const { stepLines: _, ...scenario } = outcome.scenario;
      if (fact.phase === 'begins') begin(key, timeline.steps, 'step', stepText(scenario, fact.step));
      else close(key, atMs);
      return;
    }
    case 'call':
      begin(`call ${number} ${fact.call}`, timeline.calls, 'open', fact.what);
      return;
    case 'answer': {
      const look = fact.status === 0 ? 'none' : `${Math.floor(fact.status / 100)}xx`;
      const key = `call ${number} ${fact.call}`;
      const status = fact.status === 0 ? 'no answer' : `${fact.status}`;
      const asked = open.get(key);
      if (asked === undefined)
        timeline.calls.push({
          fromMs: Math.max(0, atMs - fact.tookMs),
          toMs: atMs,
          look,
          name: status,
          title,
        });
      else close(key, atMs, { look, name: `${asked.name} ${status}`, title: `${asked.title} — ${title}` });
      return;
    }
    case 'message':
      timeline.messages.push({ atMs, look: 'message', title });
      return;
    case 'act':
      timeline.acts.push({ atMs, look: fact.refusal === undefined ? 'act' : 'refused', title });
      return;
    case 'expectation':
      timeline.verdicts.push({ atMs, look: fact.isMet ? 'met' : 'unmet', title });
      return;
    case 'finding':
      timeline.verdicts.push({ atMs, look: 'unmet', title });
      return;
    default:
      fact satisfies never;
  }
}

/** The timelines in which a fact is drawn. */
function concerned(fact: FactKind): readonly VehicleNumber[] {
  switch (fact.kind) {
    case 'fault':
      return fact.vehicles.length === 0 ? [WHOLE] : fact.vehicles;
    case 'service':
    case 'step':
      return [WHOLE];
    case 'finding':
      return [fact.finding.vehicle ?? WHOLE];
    default:
      return [fact.vehicle ?? WHOLE];
  }
}

/** Older facts are dropped together, so the facts of all such vehicles begin at the same time. */
function knownFrom({ facts, factsDropped, startMs, endMs }: RunOutcome, number: VehicleNumber): number {
  if (factsDropped === 0) return 0;
  const isFirst = number <= runLimits.threadVehicles;
  const oldest = facts.find((fact) => isFirst || !isKeptLongest(fact));
  return (oldest?.atMs ?? endMs) - startMs;
}

function emptyTimeline(knownFromMs: number): BoxTimeline {
  return {
    faults: [],
    steps: [],
    states: [],
    heldRecords: [],
    calls: [],
    messages: [],
    acts: [],
    verdicts: [],
    knownFromMs,
  };
}

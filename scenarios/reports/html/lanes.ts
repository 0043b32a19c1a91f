import type { Fact, FactKind, VehicleNumber } from '../../run/fact.ts';
import { limits as runLimits } from '../../run/limits.ts';
import type { Outcome } from '../../run/outcome.ts';
import { isOfThread } from '../../run/record.ts';
import { factText, faultWords } from '../fact-text.ts';
import { stepText } from '../step-text.ts';

/** Something that lasts, in milliseconds from the beginning of the scenario. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Of connectivity its state, of an answer `2xx` to `5xx`, `none` or `open`, of the service `up` or `down`. */
  readonly look: string;
  readonly name: string;
  readonly title: string;
}

export interface Mark {
  readonly atMs: number;
  readonly look: string;
  readonly title: string;
}

/** What is drawn of one box, or of the service and the run as a whole. */
export interface Lanes {
  readonly faults: Stretch[];
  readonly steps: Stretch[];
  readonly band: Stretch[];
  readonly depth: { readonly atMs: number; readonly held: number }[];
  readonly calls: Stretch[];
  readonly messages: Mark[];
  readonly acts: Mark[];
  readonly marks: Mark[];
  /** From when on everything is known: before it some of what happened was let go of. */
  readonly knownFromMs: number;
}

/** In place of a vehicle's number: what concerns none. */
export const WHOLE = 0;

/** The lanes of these vehicles and of the whole, in one walk over the facts. */
export function lanesOf(
  outcome: Outcome,
  vehicles: readonly VehicleNumber[],
): ReadonlyMap<VehicleNumber, Lanes> {
  const lanes = new Map(
    [WHOLE, ...vehicles].map((number) => [number, emptyLanes(knownFrom(outcome, number))]),
  );
  const open = new Map<string, OpenStretch>();
  const endMs = outcome.endMs - outcome.startMs;
  const close = (key: string, atMs: number, more: Partial<Stretch> = {}): boolean => {
    const stretch = open.get(key);
    if (stretch === undefined) return false;
    open.delete(key);
    const { into, ...begun } = stretch;
    into.push({ ...begun, ...more, toMs: Math.max(begun.fromMs, atMs) });
    return true;
  };
  for (const fact of outcome.facts) {
    const atMs = fact.atMs - outcome.startMs;
    const numbers = concerned(fact).filter((number) => lanes.has(number));
    if (numbers.length === 0) continue;
    const title = factText(fact, outcome);
    for (const number of numbers) {
      const of = lanes.get(number);
      if (of !== undefined) draw(fact, { atMs, title, of, number, outcome, open, close });
    }
  }
  for (const key of [...open.keys()]) close(key, endMs);
  return lanes;
}

interface OpenStretch extends Omit<Stretch, 'toMs'> {
  readonly into: Stretch[];
}

interface Pen {
  readonly atMs: number;
  readonly title: string;
  readonly of: Lanes;
  readonly number: VehicleNumber;
  readonly outcome: Outcome;
  readonly open: Map<string, OpenStretch>;
  close(key: string, atMs: number, more?: Partial<Stretch>): boolean;
}

function draw(fact: Fact, { atMs, title, of, number, outcome, open, close }: Pen): void {
  const begin = (key: string, into: Stretch[], look: string, name: string): void => {
    close(key, atMs);
    open.set(key, { into, fromMs: atMs, look, name, title });
  };
  switch (fact.kind) {
    case 'connectivity':
      begin(`band ${number}`, of.band, fact.state, fact.state);
      return;
    case 'service':
      begin(`band ${number}`, of.band, fact.state, `service ${fact.state}`);
      return;
    case 'journal':
      of.depth.push({ atMs, held: fact.held });
      return;
    case 'fault': {
      const key = `fault ${number} ${fact.name} ${fact.vehicles.join()}`;
      const name = faultWords(fact).join(' ');
      if (fact.phase === 'begins') begin(key, of.faults, 'lasting', name);
      else if (fact.phase !== 'ends' || !close(key, atMs))
        of.faults.push({ fromMs: atMs, toMs: atMs, look: 'moment', name, title });
      return;
    }
    case 'step': {
      const key = `step ${fact.step}`;
      if (fact.phase === 'begins') begin(key, of.steps, 'step', stepText(outcome.scenario, fact.step));
      else close(key, atMs);
      return;
    }
    case 'call':
      begin(`call ${number} ${fact.call}`, of.calls, 'open', fact.what);
      return;
    case 'answer': {
      const look = fact.status === 0 ? 'none' : `${Math.floor(fact.status / 100)}xx`;
      const key = `call ${number} ${fact.call}`;
      const status = fact.status === 0 ? 'no answer' : `${fact.status}`;
      const asked = open.get(key);
      if (asked === undefined)
        of.calls.push({ fromMs: Math.max(0, atMs - fact.tookMs), toMs: atMs, look, name: status, title });
      else close(key, atMs, { look, name: `${asked.name} ${status}`, title: `${asked.title} — ${title}` });
      return;
    }
    case 'message':
      of.messages.push({ atMs, look: 'message', title });
      return;
    case 'act':
      of.acts.push({ atMs, look: fact.refusal === undefined ? 'act' : 'refused', title });
      return;
    case 'expectation':
      of.marks.push({ atMs, look: fact.isMet ? 'met' : 'unmet', title });
      return;
    case 'finding':
      of.marks.push({ atMs, look: 'unmet', title });
      return;
    default:
      fact satisfies never;
  }
}

/** In whose lanes a fact is drawn. */
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

/** The older facts are let go of together: what is left of one vehicle begins where it begins of all like it. */
function knownFrom({ facts, factsDropped, startMs, endMs }: Outcome, number: VehicleNumber): number {
  if (factsDropped === 0) return 0;
  const isFirst = number <= runLimits.threadVehicles;
  const oldest = facts.find((fact) => isFirst || !isOfThread(fact));
  return (oldest?.atMs ?? endMs) - startMs;
}

function emptyLanes(knownFromMs: number): Lanes {
  return {
    faults: [],
    steps: [],
    band: [],
    depth: [],
    calls: [],
    messages: [],
    acts: [],
    marks: [],
    knownFromMs,
  };
}

import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { Step } from '../language/document/scenario.ts';
import type { WordTable } from '../language/document/word-row.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { WEATHER } from '../language/steps/weather.ts';
import type { ApiAnswer } from '../testbed/port/testbed.ts';
import type { AwaitedResult } from './await-expectation.ts';
import type { StepResult } from './step-actions.ts';

/** When a fault was active; toMs undefined while it lasts. */
export interface FaultSpan {
  readonly fromMs: number;
  toMs: number | undefined;
}

/** One round of a step. */
export interface Round {
  /** From 1. */
  readonly number: number;
  readonly vehicles: readonly SimulatedVehicle[];
  readonly beganMs: number;
  done: StepResult | undefined;
}

/** The result of one expectation for one vehicle, in one round. */
export interface RoundResult {
  readonly expectation: number;
  readonly isNever: boolean;
  readonly vehicle: SimulatedVehicle | undefined;
  readonly round: number;
  readonly result: AwaitedResult;
}

/** A step during the run. */
export class StepRun {
  readonly step: Step;
  readonly index: number;
  /** Resolves when the step has ended. */
  readonly over = Promise.withResolvers<void>();
  vehicles: readonly SimulatedVehicle[] = [];
  /** Of all rounds. */
  readonly spans: FaultSpan[] = [];
  /** The latest answers, by the vehicle's number; 0 for a call about no vehicle. */
  readonly answers = new Map<number, ApiAnswer>();
  jobId: string | undefined;

  constructor(step: Step, index: number) {
    this.step = step;
    this.index = index;
  }

  /** Other steps see this result of a round's action. */
  finish(round: Round, done: StepResult): void {
    round.done = done;
    for (const [vehicle, answer] of done.answers) this.answers.set(vehicle, answer);
    this.jobId = done.jobId ?? this.jobId;
  }
}

/**
 * The results of all rounds as one of each expectation and vehicle: the first failed one, else the last. They are in
 * the order in which the first of each came.
 */
export function overRounds(results: readonly RoundResult[], rounds: number): readonly RoundResult[] {
  const groups = Map.groupBy(results, ({ expectation, isNever, vehicle }) =>
    [expectation, isNever, vehicle?.number].join(' '),
  );
  return [...groups.values()].flatMap((of) => {
    const told = of.find(({ result: { result } }) => result === 'failed') ?? of.at(-1);
    if (told === undefined) return [];
    const { result, round } = told;
    return [{ ...told, result: { ...result, text: `${result.text} (round ${round} of ${rounds})` } }];
  });
}

/** Whether its action lasts until its `for` ends, or the run. */
export function isLasting(does: Step['does']): boolean {
  if (does?.kind === 'weather') return WEATHER[does.weather.name].lasts === true;
  if (does?.kind !== 'break') return false;
  const rows: WordTable = BREAKS[does.break.part];
  return rows[does.break.name]?.lasts === true;
}

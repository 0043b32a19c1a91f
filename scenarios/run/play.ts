import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import { failed, type Verdict } from '../../judge/verdict.ts';
import { sleep } from '../../world/time/time.ts';
import { roundsOf, type Scenario, type Step } from '../language/document/scenario.ts';
import { alreadyTrueIn } from '../language/expectations/already-true.ts';
import type { Expectation } from '../language/expectations/expectations.ts';
import { isOneRequest } from '../language/steps/request.ts';
import { runLimits } from '../limits.ts';
import type { Testbed, UndoFault } from '../testbed/port/testbed.ts';
import { type AwaitedResult, awaitMet, awaitNever, doneBy } from './await-expectation.ts';
import { chosenVehicles } from './chosen-vehicles.ts';
import {
  type ExpectationContext,
  type ExpectationResult,
  isPerVehicle,
  judgeExpectation,
} from './judge-expectation.ts';
import { lastChangeText } from './last-change/last-change.ts';
import { type ExpectationOutcome, expectationText } from './outcome.ts';
import type { RunRecord } from './record.ts';
import { refusedCalls } from './refused-calls.ts';
import { performStep, RunMemory } from './step-actions.ts';
import { type FaultSpan, isLasting, overRounds, type Round, type RoundResult, StepRun } from './step-run.ts';
import { awaitTrigger, isBeforeItsFrame, neverCame } from './trigger.ts';

type StepTrigger = NonNullable<Step['trigger']>;

/** The results of all steps. */
export interface StepResults {
  readonly startMs: number;
  readonly expectations: readonly ExpectationOutcome[];
}

/**
 * Plays all steps of a scenario in a started testbed, and ends at the end the faults that are still active. Rejects with
 * `RunStuck` when an answer never comes.
 */
export async function playSteps(
  scenario: Scenario,
  testbed: Testbed,
  record: RunRecord,
): Promise<StepResults> {
  return new Player(scenario, testbed, record).play();
}

/** One run of the steps of a scenario: a step waits for its start, acts in one or more rounds, and is judged in each. */
class Player {
  readonly #scenario: Scenario;
  readonly #testbed: Testbed;
  readonly #record: RunRecord;
  readonly #startMs: number;
  readonly #memory = new RunMemory();
  readonly #stepRuns: readonly StepRun[];
  readonly #labelled: ReadonlyMap<string, StepRun>;
  /** The vehicles that steps chose, by the label of the step. */
  readonly #chosen = new Map<string, readonly SimulatedVehicle[]>();
  /** The functions that end active faults. */
  readonly #activeFaults = new Set<() => Promise<void>>();
  /** When weather or a break last began or ended. */
  #faultMs = Number.NEGATIVE_INFINITY;
  /** Failures so far, by step and expectation. */
  readonly #failures = new Map<string, number>();

  constructor(scenario: Scenario, testbed: Testbed, record: RunRecord) {
    this.#scenario = scenario;
    this.#testbed = testbed;
    this.#record = record;
    this.#startMs = testbed.time.nowMs();
    record.beganMs = this.#startMs;
    this.#stepRuns = scenario.steps.map((step, index) => new StepRun(step, index));
    this.#labelled = new Map(
      this.#stepRuns.flatMap((one) => (one.step.label === undefined ? [] : [[one.step.label, one]])),
    );
  }

  async play(): Promise<StepResults> {
    await Promise.all(this.#stepRuns.map((stepRun) => this.#playStep(stepRun)));
    const { durationMs = 0 } = this.#scenario.limits;
    await this.#sleepUntil(this.#startMs + durationMs);
    for (const end of [...this.#activeFaults]) await end();
    return { startMs: this.#startMs, expectations: this.#record.expectations };
  }

  // A step, from its start to its end

  async #playStep(stepRun: StepRun): Promise<void> {
    const { step, index } = stepRun;
    await this.#waitForStart(stepRun);
    const { vehicles, random } = this.#testbed;
    stepRun.vehicles = chosenVehicles(step.on, vehicles, this.#chosen, random, step.label ?? `${index}`);
    if (step.label !== undefined) this.#chosen.set(step.label, stepRun.vehicles);
    this.#record.note({ kind: 'step', step: index, phase: 'begins' });
    for (const { text } of alreadyTrueIn(step)) this.#warn(stepRun, { text });
    if (selectsNothing(stepRun)) this.#warn(stepRun, { text: 'it selects no vehicle, and does nothing' });
    await (step.trigger === undefined
      ? this.#doStep(stepRun, stepRun.vehicles)
      : this.#doTriggered(stepRun, step.trigger));
    this.#record.note({ kind: 'step', step: index, phase: 'ends' });
    stepRun.over.resolve();
  }

  async #waitForStart({ step: { when }, index }: StepRun): Promise<void> {
    if ('atMs' in when) return this.#sleepUntil(this.#startMs + when.atMs);
    if ('after' in when) await this.#labelled.get(when.after)?.over.promise;
    else await Promise.all(this.#stepRuns.slice(0, index).map(({ over }) => over.promise));
    if (when.delayMs > 0) await sleep(this.#testbed.time, when.delayMs);
    return undefined;
  }

  #sleepUntil(atMs: number): Promise<void> {
    const { time } = this.#testbed;
    return sleep(time, Math.max(0, atMs - time.nowMs()));
  }

  /** Waits for the trigger of a step: for each vehicle separately, or once for all. */
  async #doTriggered(stepRun: StepRun, trigger: StepTrigger): Promise<void> {
    const { vehicles } = stepRun;
    if (trigger.of === 'any') await this.#doAfter(stepRun, trigger, this.#testbed.vehicles, vehicles);
    else await Promise.all(vehicles.map((vehicle) => this.#doAfter(stepRun, trigger, [vehicle], [vehicle])));
  }

  /** Waits until the trigger happens to one of these vehicles, then does the step with the others. */
  async #doAfter(
    stepRun: StepRun,
    trigger: StepTrigger,
    whose: readonly SimulatedVehicle[],
    about: readonly SimulatedVehicle[],
  ): Promise<void> {
    let doing: Promise<void> | undefined;
    const happened = (): void => {
      if (isBeforeItsFrame(stepRun.step)) doing = this.#doStep(stepRun, about);
    };
    const hasCome = await awaitTrigger(
      trigger,
      whose,
      { testbed: this.#testbed, record: this.#record },
      happened,
    );
    if (!hasCome) {
      this.#recordMissedTrigger(stepRun, trigger, about);
      return;
    }
    if (trigger.delayMs > 0) await sleep(this.#testbed.time, trigger.delayMs);
    await (doing ?? this.#doStep(stepRun, about));
  }

  /** Everything that the step expects has failed; what must never be has not happened. */
  #recordMissedTrigger(stepRun: StepRun, trigger: StepTrigger, about: readonly SimulatedVehicle[]): void {
    const text = neverCame(trigger);
    const [first] = trigger.of === 'same' ? about : [];
    this.#warn(stepRun, { ...(first === undefined ? {} : { vehicle: first.number }), text });
    for (const [expectation, one] of stepRun.step.expect.entries()) {
      const missed = { ...failed(`${one.kind}: ${text}`), atMs: this.#testbed.time.nowMs() };
      for (const vehicle of this.#judgedVehicles(stepRun, about, one))
        this.#recordResult(stepRun, { expectation, isNever: false, vehicle, result: missed });
    }
  }

  // The rounds of a step

  /** Each round begins at its time, whether or not the one before it is over. */
  async #doStep(stepRun: StepRun, vehicles: readonly SimulatedVehicle[]): Promise<void> {
    const { time } = this.#testbed;
    const { repeat } = stepRun.step;
    const report = (result: RoundResult): void => this.#recordResult(stepRun, result);
    if (repeat === undefined) {
      await this.#doRound(stepRun, vehicles, 1, report);
      return;
    }
    const fromMs = time.nowMs();
    const rounds = roundsOf(repeat);
    const results: RoundResult[] = [];
    await Promise.all(
      Array.from({ length: rounds }, async (_, at) => {
        const beginMs = fromMs + at * repeat.everyMs;
        if (at > 0) await sleep(time, beginMs - time.nowMs());
        await this.#doRound(stepRun, vehicles, at + 1, (one) => results.push(one));
      }),
    );
    overRounds(results, rounds).forEach(report);
  }

  async #doRound(
    stepRun: StepRun,
    vehicles: readonly SimulatedVehicle[],
    number: number,
    report: (result: RoundResult) => void,
  ): Promise<void> {
    const { step } = stepRun;
    const round: Round = { number, vehicles, beganMs: this.#testbed.time.nowMs(), done: undefined };
    this.#noteFault(step);
    const doing = performStep(step, vehicles, this.#testbed, this.#memory, this.#record).then((done) => {
      this.#noteFault(step);
      stepRun.finish(round, done);
      for (const [vehicle, refusal] of done.refusals)
        this.#warn(stepRun, { vehicle, text: `refused: ${refusal}` });
      for (const warning of [...done.warnings, ...refusedCalls(step, this.#scenario, done.answers)])
        this.#warn(stepRun, warning);
    });
    const acting = doing.then(() => this.#keepUntilOver(stepRun, round.done?.undo));
    await Promise.all([acting, ...this.#judgeRound(stepRun, round, doing, report)]);
  }

  /** A fault with a `for` ends after it; without one it is active until the end of the run. */
  async #keepUntilOver(stepRun: StepRun, undo: UndoFault | undefined): Promise<void> {
    if (undo === undefined) return;
    const { time } = this.#testbed;
    const span: FaultSpan = { fromMs: time.nowMs(), toMs: undefined };
    stepRun.spans.push(span);
    const takeBack = async (): Promise<void> => {
      const missed = await undo();
      if (missed !== undefined) this.#warn(stepRun, { text: missed });
    };
    // A fault that is over immediately knows immediately whether it had an effect.
    if (!isLasting(stepRun.step.does)) await takeBack();
    const end = async (): Promise<void> => {
      if (!this.#activeFaults.delete(end)) return;
      await takeBack();
      this.#noteFault(stepRun.step);
      span.toMs = time.nowMs();
    };
    this.#activeFaults.add(end);
    if (stepRun.step.forMs === undefined) return;
    await sleep(time, stepRun.step.forMs);
    await end();
  }

  #noteFault({ does }: Step): void {
    if (does?.kind === 'weather' || does?.kind === 'break') this.#faultMs = this.#testbed.time.nowMs();
  }

  // Expectations of a round

  #judgeRound(
    stepRun: StepRun,
    round: Round,
    doing: Promise<void>,
    report: (result: RoundResult) => void,
  ): readonly Promise<void>[] {
    const { time } = this.#testbed;
    const { expect, never, withinMs } = stepRun.step;
    const deadlineMs = round.beganMs + withinMs;
    return [
      ...expect.map((one) => ({ one, isNever: false })),
      ...never.map((one) => ({ one, isNever: true })),
    ].flatMap(({ one, isNever }, expectation) => {
      const about = { expectation, isNever, round: round.number };
      const judged = this.#judgedVehicles(stepRun, round.vehicles, one);
      if (judged.length === 0 && !isNever) {
        // Without vehicles every expectation would hold, so an empty selection must fail.
        const text = `${one.kind}: the step selects no vehicle`;
        report({ ...about, vehicle: undefined, result: { ...failed(text), atMs: time.nowMs() } });
      }
      return judged.map(async (vehicle) => {
        const judge = (): Promise<ExpectationResult> =>
          judgeExpectation(
            this.#memory.answers.fill(one, vehicle?.number),
            vehicle,
            this.#contextOf(stepRun, round),
          );
        const wait = isNever ? awaitNever : awaitMet;
        if (!isNever && mayHoldBefore(one)) await this.#actedOn(deadlineMs, doing);
        const leftMs = Math.max(0, deadlineMs - time.nowMs());
        report({ ...about, vehicle, result: await wait(time, leftMs, judge) });
      });
    });
  }

  /** An answer to a call about no vehicle is expected once, however many vehicles the step selects. */
  #judgedVehicles(
    stepRun: StepRun,
    vehicles: readonly SimulatedVehicle[],
    expectation: Expectation,
  ): readonly (SimulatedVehicle | undefined)[] {
    if (!isPerVehicle(expectation)) return [undefined];
    if (expectation.kind === 'answer' || expectation.kind === 'took') {
      const { does } = (expectation.kind === 'answer' && expectation.of !== undefined
        ? this.#labelled.get(expectation.of)?.step
        : stepRun.step) ?? { does: undefined };
      if (does?.kind === 'call' && isOneRequest(does.call)) return [undefined];
    }
    return vehicles;
  }

  /**
   * Resolves when the step's action is done and a fault had time to take effect, so that earlier states do not count; at
   * the deadline at the latest.
   */
  async #actedOn(deadlineMs: number, doing: Promise<void>): Promise<void> {
    const { time } = this.#testbed;
    await doneBy(time, deadlineMs, doing);
    const firstMs = Math.min(this.#faultMs + runLimits.noticeMs, deadlineMs);
    if (time.nowMs() < firstMs) await sleep(time, firstMs - time.nowMs());
  }

  #contextOf(stepRun: StepRun, round: Round): ExpectationContext {
    const { time } = this.#testbed;
    return {
      testbed: this.#testbed,
      answerOf: (label, vehicle) => {
        const answers = label === undefined ? round.done?.answers : this.#labelled.get(label)?.answers;
        return answers?.get(vehicle?.number ?? 0) ?? answers?.get(0);
      },
      outcomeOf: (vehicle) => round.done?.outcomes.get(vehicle.number),
      messages: (vehicle) => this.#record.messages(vehicle.vehicleId, this.#messagesFromMs(stepRun, round)),
      spansOf: (label) =>
        this.#stepRuns
          .filter((one) => isNamed(one, label))
          .flatMap(({ spans }) => spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? time.nowMs() }))),
      jobId: (label) => (label === undefined ? this.#memory.jobId : this.#labelled.get(label)?.jobId),
    };
  }

  /**
   * Messages that the step's own action causes, or that come while it waits. For an expectation about a
   * fault, also those since the fault began, which may have arrived before this step began.
   */
  #messagesFromMs(stepRun: StepRun, round: Round): number {
    const about = [...stepRun.step.expect, ...stepRun.step.never].flatMap((one) =>
      one.kind === 'message' && one.with?.occurred_during !== undefined ? [one.with.occurred_during] : [],
    );
    const starts = this.#stepRuns.flatMap((one) => {
      const [first] = one.spans;
      return first !== undefined && about.some((label) => isNamed(one, label)) ? [first.fromMs] : [];
    });
    return Math.min(round.beganMs, ...starts);
  }

  // Additions to the record

  #recordResult(
    { step, index }: StepRun,
    { expectation, isNever, vehicle, result }: Omit<RoundResult, 'round'>,
  ): void {
    const lastChange = isNever ? undefined : this.#lastChange(index, expectation, vehicle, result);
    const findings = lastChange === undefined ? [] : [{ text: lastChange }];
    const verdict: Verdict = { result: result.result, text: result.text, findings };
    const about = { step: index, expectation, ...(vehicle === undefined ? {} : { vehicle: vehicle.number }) };
    const isMet = verdict.result === 'passed';
    this.#record.note({ kind: 'expectation', ...about, isMet, text: expectationText(verdict) });
    const label = step.label === undefined ? {} : { label: step.label };
    this.#record.judged({ ...about, ...label, isNever, atMs: result.atMs, ...verdict });
  }

  /** Since when a failed value has been so: of a large fleet only for the first failures of each expectation. */
  #lastChange(
    step: number,
    expectation: number,
    vehicle: SimulatedVehicle | undefined,
    { result, atMs, looked }: AwaitedResult,
  ): string | undefined {
    if (result === 'passed' || looked === undefined || vehicle === undefined) return undefined;
    const of = `${step} ${expectation}`;
    const before = this.#failures.get(of) ?? 0;
    this.#failures.set(of, before + 1);
    if (before >= runLimits.changesPerExpectation) return undefined;
    return lastChangeText(looked, vehicle, {
      testbed: this.#testbed,
      facts: this.#record.facts,
      isCut: this.#record.dropped > 0,
      startMs: this.#startMs,
      atMs,
    });
  }

  #warn(
    { step: { label }, index }: StepRun,
    what: { readonly vehicle?: number; readonly text: string },
  ): void {
    this.#record.warn({ step: index, ...(label === undefined ? {} : { label }), ...what });
  }
}

/** Whether an expectation means a step by this word: its label, `weather` or `break`. */
function isNamed({ step }: StepRun, word: string): boolean {
  return step.label === word || step.does?.kind === word;
}

/** Whether it would act on vehicles, and there is none. */
function selectsNothing({ step: { does }, vehicles }: StepRun): boolean {
  if (vehicles.length > 0 || does === undefined) return false;
  if (does.kind === 'break') return does.break.part === 'box';
  if (does.kind === 'weather')
    return !/^amqp-/.test(String(Reflect.get(Object(does.weather.settings), 'message') ?? ''));
  return does.kind === 'vehicle' || !isOneRequest(does.call);
}

/** Whether it could hold without the step's action: an answer or a new message cannot. */
function mayHoldBefore({ kind }: Expectation): boolean {
  return kind !== 'answer' && kind !== 'took' && kind !== 'phone' && kind !== 'message';
}

import { sleep } from '../../world/time/time.ts';
import { roundsOf, type Scenario, type Step } from '../language/document/scenario.ts';
import type { Expectation } from '../language/expectations/expectations.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { Testbed, UndoFault } from '../testbed/port/testbed.ts';
import { type AwaitedResult, awaitMet, awaitNever, doneBy } from './await.ts';
import { chosenVehicles } from './chosen-vehicles.ts';
import { type ExpectationContext, type ExpectationResult, isPerVehicle, judgeExpectation } from './judge.ts';
import { lastChangeText } from './last-change/last-change.ts';
import { limits } from './limits.ts';
import { type ExpectationOutcome, expectationText } from './outcome.ts';
import type { RunRecord } from './record.ts';
import { refusedCalls } from './refused-calls.ts';
import { performStep, RunMemory } from './step-actions.ts';
import { type FaultSpan, isLasting, overRounds, type Round, type RoundResult, StepRun } from './step-run.ts';
import { awaitTrigger, isBeforeItsFrame, neverCame } from './trigger.ts';

/** The results of all steps. */
export interface StepResults {
  readonly startMs: number;
  readonly expectations: readonly ExpectationOutcome[];
}

/**
 * Plays all steps of a scenario in a started testbed, and undoes at the end what still lasts. Rejects with
 * `RunStuck` when an answer never comes.
 */
export async function playSteps(
  scenario: Scenario,
  testbed: Testbed,
  record: RunRecord,
): Promise<StepResults> {
  const { time } = testbed;
  const startMs = time.nowMs();
  record.beganMs = startMs;
  const memory = new RunMemory();
  const chosen = new Map<string, readonly SimulatedVehicle[]>();
  const openFaults = new Set<() => Promise<void>>();
  const stepRuns = scenario.steps.map((step, index) => new StepRun(step, index));
  const labelled = new Map(
    stepRuns.flatMap((one) => (one.step.label === undefined ? [] : [[one.step.label, one]])),
  );

  const waitForStart = async ({ step: { when }, index }: StepRun): Promise<void> => {
    if ('atMs' in when) return sleep(time, Math.max(0, startMs + when.atMs - time.nowMs()));
    if ('after' in when) await labelled.get(when.after)?.over.promise;
    else await Promise.all(stepRuns.slice(0, index).map(({ over }) => over.promise));
    if (when.delayMs > 0) await sleep(time, when.delayMs);
    return undefined;
  };

  /** When weather or a break last began or ended. */
  let faultMs = Number.NEGATIVE_INFINITY;
  const noteFault = ({ does }: Step): void => {
    if (does?.kind === 'weather' || does?.kind === 'break') faultMs = time.nowMs();
  };

  const perform = async (stepRun: StepRun): Promise<void> => {
    const { step, index } = stepRun;
    await waitForStart(stepRun);
    stepRun.vehicles = chosenVehicles(
      step.on,
      testbed.vehicles,
      chosen,
      testbed.random,
      step.label ?? `${index}`,
    );
    if (step.label !== undefined) chosen.set(step.label, stepRun.vehicles);
    record.note({ kind: 'step', step: index, phase: 'begins' });
    if (selectsNothing(stepRun)) warn(stepRun, { text: 'it selects no vehicle, and does nothing' });
    await (step.trigger === undefined
      ? doStep(stepRun, stepRun.vehicles)
      : doTriggered(stepRun, step.trigger));
    record.note({ kind: 'step', step: index, phase: 'ends' });
    stepRun.over.resolve();
  };

  /** Waits for what the step begins with: for each vehicle by itself, or once for all. */
  const doTriggered = async (stepRun: StepRun, trigger: NonNullable<Step['trigger']>): Promise<void> => {
    const { vehicles } = stepRun;
    const doAfter = async (
      whose: readonly SimulatedVehicle[],
      about: readonly SimulatedVehicle[],
    ): Promise<void> => {
      let doing: Promise<void> | undefined;
      const happened = (): void => {
        if (isBeforeItsFrame(stepRun.step)) doing = doStep(stepRun, about);
      };
      if (!(await awaitTrigger(trigger, whose, { testbed, record }, happened))) {
        const text = neverCame(trigger);
        const [vehicle] = trigger.of === 'same' ? about : [];
        warn(stepRun, { ...(vehicle === undefined ? {} : { vehicle: vehicle.number }), text });
        for (const [expectation, one] of stepRun.step.expect.entries()) {
          const missed = { isMet: false, text: `${one.kind}: ${text}`, atMs: time.nowMs() };
          for (const vehicle of vehiclesOf(stepRun, about, one))
            recordResult(stepRun, expectation, false, vehicle, missed);
        }
        return;
      }
      if (trigger.delayMs > 0) await sleep(time, trigger.delayMs);
      await (doing ?? doStep(stepRun, about));
    };
    if (trigger.of === 'any') await doAfter(testbed.vehicles, vehicles);
    else await Promise.all(vehicles.map((vehicle) => doAfter([vehicle], [vehicle])));
  };

  /** All rounds of a step. Each begins at its time, whether or not the one before it is over. */
  const doStep = async (stepRun: StepRun, vehicles: readonly SimulatedVehicle[]): Promise<void> => {
    const { repeat } = stepRun.step;
    if (repeat === undefined) {
      await doRound(stepRun, vehicles, 1, tell(stepRun));
      return;
    }
    const fromMs = time.nowMs();
    const rounds = roundsOf(repeat);
    const results: RoundResult[] = [];
    await Promise.all(
      Array.from({ length: rounds }, async (_, at) => {
        const beginMs = fromMs + at * repeat.everyMs;
        if (at > 0) await sleep(time, beginMs - time.nowMs());
        await doRound(stepRun, vehicles, at + 1, (one) => results.push(one));
      }),
    );
    overRounds(results, rounds).forEach(tell(stepRun));
  };

  const doRound = async (
    stepRun: StepRun,
    vehicles: readonly SimulatedVehicle[],
    number: number,
    report: (result: RoundResult) => void,
  ): Promise<void> => {
    const { step } = stepRun;
    const round: Round = { number, vehicles, beganMs: time.nowMs(), done: undefined };
    noteFault(step);
    const doing = performStep(step, vehicles, testbed, memory, record).then((done) => {
      noteFault(step);
      stepRun.finish(round, done);
      for (const [vehicle, refusal] of done.refusals) warn(stepRun, { vehicle, text: `refused: ${refusal}` });
      for (const warning of [...done.warnings, ...refusedCalls(step, scenario, done.answers)])
        warn(stepRun, warning);
    });
    const acting = doing.then(() => keepUntilOver(stepRun, round.done?.undo));
    await Promise.all([acting, ...watchAll(stepRun, round, doing, report)]);
  };

  /** A fault with a `for` ends after it; without one it lasts until the end of the run. */
  const keepUntilOver = async (stepRun: StepRun, undo: UndoFault | undefined): Promise<void> => {
    if (undo === undefined) return;
    const span: FaultSpan = { fromMs: time.nowMs(), toMs: undefined };
    stepRun.spans.push(span);
    const takeBack = async (): Promise<void> => {
      const missed = await undo();
      if (missed !== undefined) warn(stepRun, { text: missed });
    };
    // What is over as soon as it has happened can say at once whether it changed anything.
    if (!isLasting(stepRun.step.does)) await takeBack();
    const end = async (): Promise<void> => {
      if (!openFaults.delete(end)) return;
      await takeBack();
      noteFault(stepRun.step);
      span.toMs = time.nowMs();
    };
    openFaults.add(end);
    if (stepRun.step.forMs === undefined) return;
    await sleep(time, stepRun.step.forMs);
    await end();
  };

  const warn = (
    { step: { label }, index }: StepRun,
    what: { readonly vehicle?: number; readonly text: string },
  ): void => {
    record.warn({ step: index, ...(label === undefined ? {} : { label }), ...what });
  };

  const contextOf = (stepRun: StepRun, round: Round): ExpectationContext => ({
    testbed,
    answerOf: (label, vehicle) => {
      const answers = label === undefined ? round.done?.answers : labelled.get(label)?.answers;
      return answers?.get(vehicle?.number ?? 0) ?? answers?.get(0);
    },
    outcomeOf: (vehicle) => round.done?.outcomes.get(vehicle.number),
    messages: (vehicle) => record.messages(vehicle.vehicleId, messagesFromMs(stepRun, round)),
    spansOf: (label) =>
      stepRuns
        .filter(({ step }) => step.label === label || step.does?.kind === label)
        .flatMap(({ spans }) => spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? time.nowMs() }))),
    jobId: (label) => (label === undefined ? memory.jobId : labelled.get(label)?.jobId),
  });

  /**
   * Messages that the step's own action causes, or that come while it waits. For an expectation about a
   * fault, also those since the fault began, which may have arrived before this step began.
   */
  const messagesFromMs = (stepRun: StepRun, round: Round): number => {
    const about = [...stepRun.step.expect, ...stepRun.step.never].flatMap((one) =>
      one.kind === 'message' && one.with?.occurred_during !== undefined ? [one.with.occurred_during] : [],
    );
    const starts = stepRuns.flatMap(({ step, spans: [first] }) =>
      first !== undefined && about.some((label) => step.label === label || step.does?.kind === label)
        ? [first.fromMs]
        : [],
    );
    return Math.min(round.beganMs, ...starts);
  };

  /**
   * Judged only after the step's action is done and a fault had time to take effect, so that earlier states
   * do not count. The deadline is `withinMs` after the beginning of the step nevertheless.
   */
  const whenDone = async (deadlineMs: number, doing: Promise<void>): Promise<void> => {
    await doneBy(time, deadlineMs, doing);
    const firstMs = Math.min(faultMs + limits.noticeMs, deadlineMs);
    if (time.nowMs() < firstMs) await sleep(time, firstMs - time.nowMs());
  };

  const watchAll = (
    stepRun: StepRun,
    round: Round,
    doing: Promise<void>,
    report: (result: RoundResult) => void,
  ): readonly Promise<void>[] => {
    const { expect, never, withinMs } = stepRun.step;
    const deadlineMs = round.beganMs + withinMs;
    return [
      ...expect.map((one) => ({ one, isNever: false })),
      ...never.map((one) => ({ one, isNever: true })),
    ].flatMap(({ one, isNever }, expectation) => {
      const about = { expectation, isNever, round: round.number };
      const chosen = vehiclesOf(stepRun, round.vehicles, one);
      if (chosen.length === 0 && !isNever) {
        // Without vehicles every expectation would hold, so an empty selection must fail.
        const text = `${one.kind}: the step selects no vehicle`;
        report({ ...about, vehicle: undefined, result: { isMet: false, text, atMs: time.nowMs() } });
      }
      return chosen.map(async (vehicle) => {
        const look = (): Promise<ExpectationResult> =>
          judgeExpectation(memory.answers.fill(one, vehicle?.number), vehicle, contextOf(stepRun, round));
        const wait = isNever ? awaitNever : awaitMet;
        if (!isNever && mayHoldBefore(one)) await whenDone(deadlineMs, doing);
        const leftMs = Math.max(0, deadlineMs - time.nowMs());
        report({ ...about, vehicle, result: await wait(time, leftMs, look) });
      });
    });
  };

  /** The answer to a call about no vehicle is expected once, however many vehicles the step selects. */
  const vehiclesOf = (
    stepRun: StepRun,
    vehicles: readonly SimulatedVehicle[],
    expectation: Step['expect'][number],
  ): readonly (SimulatedVehicle | undefined)[] => {
    if (!isPerVehicle(expectation)) return [undefined];
    if (expectation.kind === 'answer' || expectation.kind === 'took') {
      const { does } = (expectation.kind === 'answer' && expectation.of !== undefined
        ? labelled.get(expectation.of)?.step
        : stepRun.step) ?? { does: undefined };
      if (does?.kind === 'call' && isOnce(does.call)) return [undefined];
    }
    return vehicles;
  };

  const tell =
    (stepRun: StepRun) =>
    ({ expectation, isNever, vehicle, result }: RoundResult): void =>
      recordResult(stepRun, expectation, isNever, vehicle, result);

  /** Failures so far, by step and expectation: of a large fleet only for the first ones it is looked back. */
  const failures = new Map<string, number>();
  const isEarlyFailure = (step: number, expectation: number): boolean => {
    const of = `${step} ${expectation}`;
    const before = failures.get(of) ?? 0;
    failures.set(of, before + 1);
    return before < limits.changesPerExpectation;
  };

  const recordResult = (
    { step, index }: StepRun,
    expectation: number,
    isNever: boolean,
    vehicle: SimulatedVehicle | undefined,
    { isMet, text: judged, atMs, looked }: AwaitedResult,
  ): void => {
    const lastChange =
      isMet || isNever || looked === undefined || vehicle === undefined || !isEarlyFailure(index, expectation)
        ? undefined
        : lastChangeText(looked, vehicle, {
            testbed,
            facts: record.facts,
            isCut: record.dropped > 0,
            startMs,
            atMs,
          });
    const told = { text: judged, ...(lastChange === undefined ? {} : { lastChange }) };
    const about = vehicle === undefined ? {} : { vehicle: vehicle.number };
    const text = expectationText(told);
    record.note({ kind: 'expectation', step: index, expectation, ...about, isMet, text });
    record.judged({
      step: index,
      ...(step.label === undefined ? {} : { label: step.label }),
      expectation,
      isNever,
      ...about,
      isMet,
      atMs,
      ...told,
    });
  };

  await Promise.all(stepRuns.map(perform));
  const { durationMs = 0 } = scenario.limits;
  await sleep(time, Math.max(0, startMs + durationMs - time.nowMs()));
  for (const end of [...openFaults]) await end();
  return { startMs, expectations: record.expectations };
}

/** Whether it would do something to vehicles, and there is none. */
function selectsNothing({ step: { does }, vehicles }: StepRun): boolean {
  if (vehicles.length > 0 || does === undefined) return false;
  if (does.kind === 'break') return does.break.part === 'box';
  if (does.kind === 'weather')
    return !/^amqp-/.test(String(Reflect.get(Object(does.weather.settings), 'message') ?? ''));
  return does.kind === 'vehicle' || !isOnce(does.call);
}

/** Whether it could hold without the step's action: an answer or a new message cannot. */
function mayHoldBefore({ kind }: Expectation): boolean {
  return kind !== 'answer' && kind !== 'took' && kind !== 'phone' && kind !== 'message';
}

/** Whether a call is a single request, whatever the step selects. */
function isOnce(call: Extract<Step['does'], { readonly kind: 'call' }>['call']): boolean {
  switch (call.name) {
    case 'bulk':
    case 'token':
    case 'subscribe':
    case 'unsubscribe':
      return true;
    case 'get':
      return !/\{(?:vehicle|box)\}/.test(call.settings);
    case 'request':
      return !/\{(?:vehicle|box)\}/.test(call.settings.path);
    default:
      return false;
  }
}

import { sleep } from '../../world/time/time.ts';
import type { Scenario, Step } from '../language/document/scenario.ts';
import type { Expectation } from '../language/expectations/expectations.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { Testbed, UndoFault } from '../testbed/port/testbed.ts';
import { type AwaitedResult, awaitMet, awaitNever, doneBy } from './await.ts';
import { chosenVehicles } from './chosen-vehicles.ts';
import { type ExpectationContext, type ExpectationResult, isPerVehicle, judgeExpectation } from './judge.ts';
import { limits } from './limits.ts';
import type { ExpectationOutcome } from './outcome.ts';
import type { RunRecord } from './record.ts';
import { performStep, RunMemory, type StepResult } from './step-actions.ts';

/** The results of all steps. */
export interface StepResults {
  readonly startMs: number;
  readonly expectations: readonly ExpectationOutcome[];
}

/** A step during the run. */
interface StepRun {
  readonly step: Step;
  readonly index: number;
  /** Resolves when the step has ended. */
  readonly over: PromiseWithResolvers<void>;
  vehicles: readonly SimulatedVehicle[];
  beganMs: number;
  done: StepResult | undefined;
  /** When its fault was in force: undefined before it begins; endMs undefined while it lasts. */
  span: { readonly fromMs: number; toMs: number | undefined } | undefined;
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
  const stepRuns = scenario.steps.map(
    (step, index): StepRun => ({
      step,
      index,
      over: Promise.withResolvers<void>(),
      vehicles: [],
      beganMs: 0,
      done: undefined,
      span: undefined,
    }),
  );
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
    stepRun.beganMs = time.nowMs();
    stepRun.vehicles = chosenVehicles(
      step.on,
      testbed.vehicles,
      chosen,
      testbed.random,
      step.label ?? `${index}`,
    );
    if (step.label !== undefined) chosen.set(step.label, stepRun.vehicles);
    record.note({ kind: 'step', step: index, phase: 'begins' });
    noteFault(step);
    if (selectsNothing(stepRun)) warn(stepRun, { text: 'it selects no vehicle, and does nothing' });
    const doing = performStep(step, stepRun.vehicles, testbed, memory, record).then((done) => {
      noteFault(step);
      stepRun.done = done;
      for (const [vehicle, refusal] of done.refusals) warn(stepRun, { vehicle, text: `refused: ${refusal}` });
    });
    const acting = doing.then(() => keepUntilOver(stepRun, stepRun.done?.undo));
    await Promise.all([acting, ...watchAll(stepRun, doing)]);
    record.note({ kind: 'step', step: index, phase: 'ends' });
    stepRun.over.resolve();
  };

  /** A fault with a `for` ends after it; without one it lasts until the end of the run. */
  const keepUntilOver = async (stepRun: StepRun, undo: UndoFault | undefined): Promise<void> => {
    if (undo === undefined) return;
    const span = { fromMs: time.nowMs(), toMs: undefined as number | undefined };
    stepRun.span = span;
    const end = async (): Promise<void> => {
      if (!openFaults.delete(end)) return;
      const missed = await undo();
      if (missed !== undefined) warn(stepRun, { text: missed });
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

  const contextOf = (stepRun: StepRun): ExpectationContext => ({
    testbed,
    answerOf: (label, vehicle) => {
      const of = label === undefined ? stepRun : labelled.get(label);
      return of?.done?.answers.get(vehicle?.number ?? 0) ?? of?.done?.answers.get(0);
    },
    outcomeOf: (vehicle) => stepRun.done?.outcomes.get(vehicle.number),
    messages: (vehicle) => record.messages(vehicle.vehicleId, messagesFromMs(stepRun)),
    spansOf: (label) =>
      stepRuns
        .filter(({ step }) => step.label === label || step.does?.kind === label)
        .flatMap(({ span }) =>
          span === undefined ? [] : [{ fromMs: span.fromMs, toMs: span.toMs ?? time.nowMs() }],
        ),
    jobId: (label) => (label === undefined ? memory.jobId : labelled.get(label)?.done?.jobId),
  });

  /**
   * Messages that the step's own action causes, or that come while it waits. For an expectation about a
   * fault, also those since the fault began, which may have arrived before this step began.
   */
  const messagesFromMs = (stepRun: StepRun): number => {
    const about = [...stepRun.step.expect, ...stepRun.step.never].flatMap((one) =>
      one.kind === 'message' && one.with?.occurred_during !== undefined ? [one.with.occurred_during] : [],
    );
    const starts = stepRuns.flatMap(({ step, span }) =>
      span !== undefined && about.some((label) => step.label === label || step.does?.kind === label)
        ? [span.fromMs]
        : [],
    );
    return Math.min(stepRun.beganMs, ...starts);
  };

  /**
   * Judged only after the step's action is done and a fault had time to take effect, so that earlier states
   * do not count. The deadline is `withinMs` after the beginning of the step nevertheless.
   */
  const whenDone = async ({ beganMs, step: { withinMs } }: StepRun, doing: Promise<void>): Promise<void> => {
    const deadlineMs = beganMs + withinMs;
    await doneBy(time, deadlineMs, doing);
    const firstMs = Math.min(faultMs + limits.noticeMs, deadlineMs);
    if (time.nowMs() < firstMs) await sleep(time, firstMs - time.nowMs());
  };

  const watchAll = (stepRun: StepRun, doing: Promise<void>): readonly Promise<void>[] => {
    const { expect, never } = stepRun.step;
    return [
      ...expect.map((one) => ({ one, isNever: false })),
      ...never.map((one) => ({ one, isNever: true })),
    ].flatMap(({ one, isNever }, expectation) => {
      const chosen = vehiclesOf(stepRun, one);
      if (chosen.length === 0 && !isNever) {
        // Without vehicles every expectation would hold, so an empty selection must fail.
        const text = `${one.kind}: the step selects no vehicle`;
        recordResult(stepRun, expectation, isNever, undefined, { isMet: false, text, atMs: time.nowMs() });
      }
      return chosen.map(async (vehicle) => {
        const look = (): Promise<ExpectationResult> => judgeExpectation(one, vehicle, contextOf(stepRun));
        const wait = isNever ? awaitNever : awaitMet;
        if (!isNever && mayHoldBefore(one)) await whenDone(stepRun, doing);
        const leftMs = Math.max(0, stepRun.beganMs + stepRun.step.withinMs - time.nowMs());
        recordResult(stepRun, expectation, isNever, vehicle, await wait(time, leftMs, look));
      });
    });
  };

  /** The answer to a call about no vehicle is expected once, however many vehicles the step selects. */
  const vehiclesOf = (
    stepRun: StepRun,
    expectation: Step['expect'][number],
  ): readonly (SimulatedVehicle | undefined)[] => {
    if (!isPerVehicle(expectation)) return [undefined];
    if (expectation.kind === 'answer' || expectation.kind === 'took') {
      const { does } = (expectation.kind === 'answer' && expectation.of !== undefined
        ? labelled.get(expectation.of)?.step
        : stepRun.step) ?? { does: undefined };
      if (does?.kind === 'call' && isOnce(does.call)) return [undefined];
    }
    return stepRun.vehicles;
  };

  const recordResult = (
    { step, index }: StepRun,
    expectation: number,
    isNever: boolean,
    vehicle: SimulatedVehicle | undefined,
    { isMet, text, atMs }: AwaitedResult,
  ): void => {
    const about = vehicle === undefined ? {} : { vehicle: vehicle.number };
    record.note({ kind: 'expectation', step: index, expectation, ...about, isMet, text });
    record.judged({
      step: index,
      ...(step.label === undefined ? {} : { label: step.label }),
      expectation,
      isNever,
      ...about,
      isMet,
      atMs,
      text,
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

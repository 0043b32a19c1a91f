import type { Operation } from '../../contract/operation.ts';
import { valueAt } from '../../world/json.ts';
import { causeLimits } from '../limits.ts';
import type { CallerTokens } from './caller-tokens.ts';
import type { CandidateVehicle, Cause, CauseStep } from './cause.ts';
import type { CauseContext } from './cause-context.ts';
import {
  bodyOf,
  type CauseAnswer,
  type CausePorts,
  type CauseRequest,
  isSuccess,
  jsonRequest,
  StepRefused,
} from './cause-ports.ts';
import { fill, fillAll, type PlaceholderValues, valuesOf } from './placeholder-values.ts';
import { prepare } from './request.ts';
import { STANDING } from './steps.ts';

/** A step that was performed or is still to be performed. */
export interface PerformedStep {
  readonly about: string;
  readonly request: CauseRequest;
  /** It is repeated until its answer matches, and does nothing else. */
  readonly isWaiting: boolean;
}

export interface RequestAndAnswer {
  readonly request: CauseRequest;
  readonly answer: CauseAnswer;
}

/** A cause that is active until it is undone. */
export interface ActiveCause {
  readonly performed: readonly PerformedStep[];
  /** The steps that will undo it. */
  readonly undoing: readonly PerformedStep[];
  /** Sends the request of an operation; with a type, repeats it until that type is returned or the time is over. */
  ask(operation: Operation, type?: string): Promise<RequestAndAnswer>;
  /** `now`: without waiting until its effect is over. */
  undo(how?: 'now'): Promise<void>;
  /** Requests are repeated until it is undone. */
  readonly isRepeating: boolean;
}

export interface CauseParts {
  readonly ports: CausePorts;
  readonly context: CauseContext;
  readonly callers: CallerTokens;
  /** Called with what each wait is for, before it begins: `Waits until it moves, up to 90 s.` */
  readonly onWait?: (text: string) => void;
  /** The cause is there already: the vehicle is not brought to a standstill first, which it might not answer. */
  readonly isPresent?: boolean;
}

/**
 * Brings a cause about with a vehicle, for these operations. Rejects with `StepRefused` where a step is refused,
 * after undoing the steps before it.
 */
export async function bringAbout(
  parts: CauseParts,
  cause: Cause,
  vehicle: CandidateVehicle | undefined,
  operations: readonly Operation[],
): Promise<ActiveCause> {
  const { ports, callers } = parts;
  let values = valuesOf(parts.context, vehicle);
  let isUndone = false;
  const made: PerformedStep[] = [];
  const held: Promise<void>[] = [];
  const isDue = ({ when }: CauseStep): boolean =>
    when === undefined || vehicle === undefined || when(vehicle, operations);

  const requestNow = (step: CauseStep) => requestOf(callers, step, values);
  const madeOf = async (step: CauseStep): Promise<PerformedStep> => ({
    about: step.about,
    request: await requestNow(step),
    isWaiting: step.until !== undefined,
  });

  const awaited = (step: CauseStep): Promise<CauseAnswer> => {
    if (step.until !== undefined) parts.onWait?.(waitText(step.about, causeLimits.stepMs));
    return repeat(parts, step, () => requestNow(step));
  };

  async function make(step: CauseStep): Promise<void> {
    made.push(await madeOf(step));
    if (step.isRepeatedUntilUndone === true) {
      held.push(
        repeatUntilUndone(
          parts,
          () => requestNow(step),
          () => isUndone,
        ),
      );
      await ports.pause(causeLimits.showPauseMs);
      return;
    }
    const answer = await awaited(step);
    const { keep: keeps } = step;
    if (keeps !== undefined)
      values = { ...values, [keeps.name]: String(valueAt(bodyOf(answer), ...keeps.from.split('.'))) };
  }

  async function undo(how?: 'now'): Promise<void> {
    isUndone = true;
    const due = cause.undoSteps.filter((step) => isDue(step) && (how !== 'now' || step.until === undefined));
    for (const step of due) await awaited(step);
    await Promise.all(held);
  }

  try {
    const steps =
      parts.isPresent === true ? cause.steps.filter((step) => !STANDING.includes(step)) : cause.steps;
    for (const step of steps.filter(isDue)) await make(step);
  } catch (error) {
    // The first failure counts; a step that was not performed cannot be undone either, nor does waiting for it help.
    await undo('now').catch(() => undefined);
    throw error;
  }

  return {
    performed: made,
    undoing: await Promise.all(cause.undoSteps.filter(isDue).map(madeOf)),
    isRepeating: held.length > 0,
    async ask(operation, type) {
      const { request, caller } = prepare(operation, cause, values);
      if (cause.isSlow === true) parts.onWait?.(SLOW_ANSWER);
      const untilMs = ports.nowMs() + causeLimits.showMs;
      for (;;) {
        const authorization = await callers.authorization(caller);
        const whole =
          authorization === undefined
            ? request
            : { ...request, headers: { ...request.headers, authorization } };
        const isOver = () => type === undefined || ports.nowMs() >= untilMs;
        // A server may close a connection while a request is on its way (RFC 9112 §9.3.1): that is no answer yet.
        const answer = await ports.call(whole).catch((error: unknown) => {
          if (isOver()) throw error;
        });
        if (answer !== undefined) {
          callers.answered(caller, answer);
          if (isOver() || valueAt(bodyOf(answer), 'type') === type) return { request: whole, answer };
        }
        await ports.pause(causeLimits.showPauseMs);
      }
    },
    undo,
  };
}

const SLOW_ANSWER = 'Waits for the answer: the service gives the box its full time.';

/** `Waits until it moves.` as `Waits until it moves, up to 90 s.` */
function waitText(about: string, mostMs: number): string {
  return `${about.replace(/\.$/, '')}, up to ${Math.round(mostMs / 1_000)} s.`;
}

async function requestOf(
  callers: CallerTokens,
  step: CauseStep,
  values: PlaceholderValues,
): Promise<CauseRequest> {
  const path = fill(step.path, values);
  const body = step.body === undefined ? undefined : fillAll(step.body, values);
  if (step.on === 'simulator') return jsonRequest('simulator', step.method, path, body);
  const authorization = (await callers.authorization('owner')) ?? '';
  return jsonRequest('api', step.method, path, body, { authorization });
}

/** Calls once, or until the answer is as the step expects. The token may differ each time. */
async function repeat(
  { ports, callers }: CauseParts,
  step: CauseStep,
  next: () => Promise<CauseRequest>,
): Promise<CauseAnswer> {
  const { until } = step;
  const untilMs = ports.nowMs() + causeLimits.stepMs;
  for (;;) {
    const request = await next();
    const answer = await ports.call(request);
    callers.answered('owner', answer);
    const isRight =
      until === undefined
        ? isSuccess(answer) || step.mayBeRefused === true
        : until({ status: answer.status, body: bodyOf(answer) });
    if (isRight) return answer;
    if (until === undefined || ports.nowMs() >= untilMs)
      throw new StepRefused(
        `${step.about} It did not come to that: ${request.method} ${request.path} answered ${answer.status} ${answer.text}`,
      );
    await ports.pause(causeLimits.stepPauseMs);
  }
}

/** Repeats the call, so that nearly always one is under way. */
async function repeatUntilUndone(
  { ports, callers }: CauseParts,
  next: () => Promise<CauseRequest>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    try {
      const answer = await ports.call(await next());
      callers.answered('owner', answer);
      // A call that is refused immediately does not wait.
      if (answer.status === 409) await ports.pause(causeLimits.stepPauseMs);
    } catch {
      // The server is down: the requests made meanwhile will show why.
      return;
    }
  }
}

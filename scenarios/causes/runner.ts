import { type Answer, bodyOf, jsonRequest, type Line, NotDone, type Request } from './call.ts';
import type { Callers } from './callers.ts';
import type { Candidate, Cause, Step } from './cause.ts';
import { limits } from './limits.ts';
import type { Operation } from './operations.ts';
import { prepare } from './request.ts';
import type { Scene } from './scene.ts';
import { at } from './steps.ts';
import { fill, fillAll, type Values, valuesOf } from './values.ts';

/** A step as it was made, or as it is to be made. */
export interface Made {
  readonly says: string;
  readonly request: Request;
  /** It is called until its answer is so, and does nothing else. */
  readonly isWaiting: boolean;
}

export interface Asked {
  readonly request: Request;
  readonly answer: Answer;
}

/** A cause that is there until it is undone. */
export interface Brought {
  readonly made: readonly Made[];
  /** What undoing it will do. */
  readonly undoing: readonly Made[];
  /** Makes the request of an operation; where a type is given, again and again until it shows or the time is over. */
  ask(operation: Operation, type?: string): Promise<Asked>;
  undo(): Promise<void>;
  /** Something is sent again and again until it is undone. */
  readonly isHolding: boolean;
}

export interface RunnerParts {
  readonly line: Line;
  readonly scene: Scene;
  readonly callers: Callers;
}

/**
 * Brings a cause about with a vehicle, for these operations. Rejects with `NotDone` where a step is refused; what was
 * done until then is undone.
 */
export async function bring(
  parts: RunnerParts,
  cause: Cause,
  vehicle: Candidate | undefined,
  operations: readonly Operation[],
): Promise<Brought> {
  const { line, callers } = parts;
  let values = valuesOf(parts.scene, vehicle);
  let isUndone = false;
  const made: Made[] = [];
  const held: Promise<void>[] = [];
  const isDue = ({ when }: Step): boolean =>
    when === undefined || vehicle === undefined || when(vehicle, operations);

  const requestNow = (step: Step) => requestOf(callers, step, values);
  const madeOf = async (step: Step): Promise<Made> => ({
    says: step.says,
    request: await requestNow(step),
    isWaiting: step.until !== undefined,
  });

  async function make(step: Step): Promise<void> {
    made.push(await madeOf(step));
    if (step.isHeld === true) {
      held.push(
        hold(
          parts,
          () => requestNow(step),
          () => isUndone,
        ),
      );
      await line.pause(limits.showPauseMs);
      return;
    }
    const answer = await repeat(parts, step, () => requestNow(step));
    const { keeps } = step;
    if (keeps !== undefined)
      values = { ...values, [keeps.name]: String(at(bodyOf(answer), ...keeps.from.split('.'))) };
  }

  async function undo(): Promise<void> {
    isUndone = true;
    for (const step of cause.undo.filter(isDue)) await repeat(parts, step, () => requestNow(step));
    await Promise.all(held);
  }

  try {
    for (const step of cause.bring.filter(isDue)) await make(step);
  } catch (error) {
    // The first failure is the one that counts; what was not done cannot be undone either.
    await undo().catch(() => undefined);
    throw error;
  }

  return {
    made,
    undoing: await Promise.all(cause.undo.filter(isDue).map(madeOf)),
    isHolding: held.length > 0,
    async ask(operation, type) {
      const { request, caller } = prepare(operation, cause, values);
      const untilMs = line.nowMs() + limits.showMs;
      for (;;) {
        const authorization = await callers.authorization(caller);
        const whole =
          authorization === undefined
            ? request
            : { ...request, headers: { ...request.headers, authorization } };
        const answer = await line.call(whole);
        callers.answered(caller, answer);
        const isShown = type === undefined || at(bodyOf(answer), 'type') === type;
        if (isShown || line.nowMs() >= untilMs) return { request: whole, answer };
        await line.pause(limits.showPauseMs);
      }
    },
    undo,
  };
}

async function requestOf(callers: Callers, step: Step, values: Values): Promise<Request> {
  const path = fill(step.path, values);
  const body = step.body === undefined ? undefined : fillAll(step.body, values);
  if (step.on === 'simulator') return jsonRequest('simulator', step.method, path, body);
  const authorization = (await callers.authorization('owner')) ?? '';
  return jsonRequest('api', step.method, path, body, { authorization });
}

/** Calls once, or until the answer is as the step wants it. The token may be another one each time. */
async function repeat(
  { line, callers }: RunnerParts,
  step: Step,
  next: () => Promise<Request>,
): Promise<Answer> {
  const { until } = step;
  const untilMs = line.nowMs() + limits.stepMs;
  for (;;) {
    const request = await next();
    const answer = await line.call(request);
    callers.answered('owner', answer);
    const isRight =
      until === undefined
        ? answer.status < 300 || step.mayBeRefused === true
        : until({ status: answer.status, body: bodyOf(answer) });
    if (isRight) return answer;
    if (until === undefined || line.nowMs() >= untilMs)
      throw new NotDone(
        `${step.says} It did not come to that: ${request.method} ${request.path} answered ${answer.status} ${answer.text}`,
      );
    await line.pause(limits.stepPauseMs);
  }
}

/** Calls again and again, so that there is nearly always one under way. */
async function hold(
  { line, callers }: RunnerParts,
  next: () => Promise<Request>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    try {
      const answer = await line.call(await next());
      callers.answered('owner', answer);
      // Whoever was refused at once waits for nothing.
      if (answer.status === 409) await line.pause(limits.stepPauseMs);
    } catch {
      // Nobody answers any more: what is asked meanwhile will tell.
      return;
    }
  }
}

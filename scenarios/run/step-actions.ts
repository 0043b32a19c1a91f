import { BULK_PATH } from '../../contract/operation.ts';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { Step } from '../language/document/scenario.ts';
import type { ScenarioCall } from '../language/steps/calls.ts';
import { nameOf, type PlannedRequest, type RememberedValues, requestsOf } from '../language/steps/request.ts';
import { runLimits } from '../limits.ts';
import type { ApiAnswer, Testbed, UndoFault } from '../testbed/port/testbed.ts';
import type { RunRecord } from './record.ts';
import { RememberedAnswers } from './remembered.ts';
import { layInPlace } from './weather-in-place.ts';

/** Something is awaited, but nothing more can happen in the world. */
export class RunStuck extends Error {
  override readonly name = 'RunStuck';
}

/** The results of a step's action. */
export interface StepResult {
  /** By the vehicle's number; 0 for a call about no vehicle. */
  readonly answers: ReadonlyMap<number, ApiAnswer>;
  readonly outcomes: ReadonlyMap<number, unknown>;
  /** Why acts were not possible, by the vehicle's number. */
  readonly refusals: ReadonlyMap<number, string>;
  /** What else deviates from the step, with the vehicle, if it has one. */
  readonly warnings: readonly { readonly vehicle?: number; readonly text: string }[];
  /** Undoes a fault; undefined: nothing lasts. */
  readonly undo?: UndoFault;
  readonly jobId?: string;
}

/** The values that calls keep for later ones. */
export class RunMemory implements RememberedValues {
  readonly tokens = new Map<string, string>();
  readonly subscriptions = new Map<string, string>();
  readonly answers = new RememberedAnswers();
  jobId: string | undefined;
  #calls = 0;

  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }
}

/** Performs a step's action. Resolves when calls are answered and faults are applied. */
export async function performStep(
  step: Step,
  vehicles: readonly SimulatedVehicle[],
  testbed: Testbed,
  memory: RunMemory,
  record: RunRecord,
): Promise<StepResult> {
  const { does } = step;
  if (does === undefined) return nothing;
  switch (does.kind) {
    case 'vehicle': {
      const outcomes = new Map<number, unknown>();
      const refusals = new Map<number, string>();
      const warnings: StepResult['warnings'][number][] = [];
      for (const vehicle of vehicles) {
        const { refusal, outcome, unchanged } = await testbed.act(vehicle, does.act);
        if (unchanged !== undefined) warnings.push({ vehicle: vehicle.number, text: unchanged });
        outcomes.set(vehicle.number, refusal ?? outcome);
        if (refusal !== undefined) refusals.set(vehicle.number, refusal);
        record.note({
          kind: 'act',
          vehicle: vehicle.number,
          name: does.act.name,
          ...(refusal === undefined ? {} : { refusal }),
        });
      }
      return { ...nothing, outcomes, refusals, warnings };
    }
    case 'weather':
      return {
        ...nothing,
        undo: await (step.place === undefined
          ? testbed.weather(does.weather, vehicles)
          : layInPlace(testbed, does.weather, vehicles, step.place)),
      };
    case 'break':
      return { ...nothing, undo: await testbed.break(does.break, vehicles, step.forMs !== undefined) };
    case 'call':
      return makeCalls(does.call, vehicles, testbed, memory, record);
    default:
      return does satisfies never;
  }
}

const nothing: StepResult = { answers: new Map(), outcomes: new Map(), refusals: new Map(), warnings: [] };

async function makeCalls(
  call: ScenarioCall,
  vehicles: readonly SimulatedVehicle[],
  testbed: Testbed,
  memory: RunMemory,
  record: RunRecord,
): Promise<StepResult> {
  if (call.name === 'token') {
    const { token = '', answer } = await testbed.token(call.as ?? 'owner');
    memory.tokens.set(call.settings, token);
    return {
      ...nothing,
      answers: new Map([[0, answer]]),
      warnings: keepParts(call, undefined, answer, memory),
    };
  }
  const answers = new Map<number, ApiAnswer>();
  const warnings: StepResult['warnings'][number][] = [];
  const waiting = [...requestsOf(call, vehicles, memory, testbed)];
  const what = nameOf(call);
  const work = async (): Promise<void> => {
    for (let planned = waiting.shift(); planned !== undefined; planned = waiting.shift()) {
      const answer = await makeCall(planned, what, testbed, memory, record);
      const number = planned.vehicle?.number ?? 0;
      const before = answers.get(number);
      // Of several answers about one vehicle a failed one is kept.
      if (before === undefined || before.status < 400) answers.set(number, answer);
      remember(call, planned, answer, testbed, memory);
      warnings.push(...keepParts(call, planned.vehicle, answer, memory));
    }
  };
  await Promise.all(Array.from({ length: Math.min(runLimits.callsAtOnce, waiting.length) }, work));
  return {
    ...nothing,
    answers,
    warnings,
    ...(call.name === 'bulk' && memory.jobId !== undefined ? { jobId: memory.jobId } : {}),
  };
}

async function makeCall(
  { vehicle, request }: PlannedRequest<SimulatedVehicle>,
  what: string,
  testbed: Testbed,
  memory: RunMemory,
  record: RunRecord,
): Promise<ApiAnswer> {
  const call = memory.nextCall();
  const about = vehicle === undefined ? {} : { vehicle: vehicle.number };
  record.note({ kind: 'call', call, ...about, what, as: request.as });
  const answer = await withinPatience(testbed, `${request.method} ${request.path}`, testbed.ask(request));
  const { type, detail } = problemOf(answer.body);
  record.note({
    kind: 'answer',
    call,
    ...about,
    status: answer.status,
    ...(type === undefined ? {} : { problem: type }),
    ...(detail === undefined ? {} : { detail }),
    tookMs: answer.tookMs,
  });
  return answer;
}

/** Bounds the wait for an answer, so that a missing one does not block the run. */
async function withinPatience(
  testbed: Testbed,
  what: string,
  answer: Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const { time } = testbed;
  return new Promise((resolve, reject) => {
    const takeBack = time.alarm(time.nowMs() + runLimits.patienceMs, () => {
      reject(new RunStuck(`${what} was not answered within ${runLimits.patienceMs / 60_000} min.`));
    });
    answer.then((given) => {
      takeBack();
      resolve(given);
    }, reject);
  });
}

/** Keeps what later steps refer to. */
function remember(
  call: ScenarioCall,
  { vehicle }: PlannedRequest<SimulatedVehicle>,
  answer: ApiAnswer,
  testbed: Testbed,
  memory: RunMemory,
): void {
  if (answer.status < 200 || answer.status >= 300) return;
  const { id } = problemOf(answer.body);
  switch (call.name) {
    case 'bulk':
      memory.jobId = id;
      break;
    case 'subscribe':
      if (id !== undefined) memory.subscriptions.set(call.settings.name, id);
      break;
    case 'onboard':
      if (vehicle !== undefined && id !== undefined) testbed.setVehicleId(vehicle, id);
      break;
    case 'offboard':
      if (vehicle !== undefined) testbed.setVehicleId(vehicle, '');
      break;
    case 'request':
      if (call.settings.method === 'POST' && call.settings.path === BULK_PATH) memory.jobId = id;
      break;
    default:
      break;
  }
}

/** Keeps the parts of the answer that the call names; returns the missing ones. */
function keepParts(
  { remember: parts = {} }: ScenarioCall,
  vehicle: SimulatedVehicle | undefined,
  answer: ApiAnswer,
  { answers }: RunMemory,
): StepResult['warnings'] {
  return Object.entries(parts).flatMap(([name, path]) => {
    const text = answers.keep(name, path, vehicle?.number ?? 0, answer);
    return text === undefined
      ? []
      : [{ ...(vehicle === undefined ? {} : { vehicle: vehicle.number }), text }];
  });
}

function problemOf(body: unknown): {
  readonly id?: string;
  readonly type?: string;
  readonly detail?: string;
} {
  if (typeof body !== 'object' || body === null) return {};
  const { id, type, detail } = body as Readonly<Record<string, unknown>>;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
  };
}

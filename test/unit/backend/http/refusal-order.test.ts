import { describe, expect, test } from 'vitest';
import type { BoxChange } from '../../../../backend/store/port/ingest-store.ts';
import { writeState } from '../../../../backend/store/port/state-text.ts';
import type { NewVehicle } from '../../../../backend/store/port/vehicle-store.ts';
import {
  BOX_ID,
  CONNECTED_BOX,
  EVERY_PERMISSION,
  jsonObjectOf,
  openTestService,
  type RequestOptions,
} from '../../../support/http/test-service.ts';

/** A request under construction: each fault changes a part of it. */
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly vehicle: Partial<NewVehicle>;
  readonly box: Omit<BoxChange, 'boxId' | 'version'>;
  readonly permissions: readonly string[] | 'none' | 'wrong';
  readonly init: RequestOptions;
  readonly hasOpenCommand: boolean;
}

interface Fault {
  readonly problem: string;
  readonly status: number;
  /** Faults of the same part cannot be combined. */
  readonly part: string;
  readonly spoil: (attempt: Attempt, nowMs: number) => Partial<Attempt>;
}

/** In order of precedence. */
const FAULTS: readonly Fault[] = [
  { problem: 'method-not-allowed', status: 405, part: 'method', spoil: () => ({ method: 'PUT' }) },
  {
    problem: 'unsupported-media-type',
    status: 415,
    part: 'type',
    spoil: ({ init }) => ({ init: { body: '{}', ...init, headers: { 'content-type': 'text/plain' } } }),
  },
  {
    problem: 'payload-too-large',
    status: 413,
    part: 'body',
    spoil: ({ init }) => ({
      init: { headers: { 'content-type': 'application/json' }, ...init, body: ' '.repeat(70_000) },
    }),
  },
  { problem: 'missing-credentials', status: 401, part: 'token', spoil: () => ({ permissions: 'none' }) },
  { problem: 'invalid-credentials', status: 401, part: 'token', spoil: () => ({ permissions: 'wrong' }) },
  { problem: 'forbidden-resource', status: 403, part: 'token', spoil: () => ({ permissions: ['vehicles'] }) },
  {
    problem: 'missing-permissions',
    status: 403,
    part: 'token',
    spoil: () => ({ permissions: ['connectivity-commands'] }),
  },
  {
    problem: 'validation-error',
    status: 400,
    part: 'query',
    spoil: ({ path }) => ({ path: `${path}?force=1` }),
  },
  {
    problem: 'resource-not-found',
    status: 404,
    part: 'id',
    spoil: ({ path }) => ({ path: path.replace('VEH01', 'VEH02') }),
  },
  {
    problem: 'conflicting-setup-status',
    status: 409,
    part: 'setup',
    spoil: ({ vehicle }) => ({ vehicle: { ...vehicle, setupStatus: 'RUNNING' } }),
  },
  {
    problem: 'command-not-supported',
    status: 409,
    part: 'model',
    spoil: ({ vehicle }) => ({ vehicle: { ...vehicle, model: 'a-model-without-commands' } }),
  },
  {
    problem: 'conflicting-resource',
    status: 409,
    part: 'ready',
    spoil: ({ box }, nowMs) => ({ box: { ...box, notReadyUntilMs: nowMs + 60_000 } }),
  },
  {
    problem: 'conflicting-command',
    status: 409,
    part: 'open-command',
    spoil: () => ({ hasOpenCommand: true }),
  },
  {
    problem: 'conflicting-state',
    status: 409,
    part: 'speed',
    spoil: ({ box }, timestampMs) => ({
      box: {
        ...box,
        stateText: writeState({ speed_in_kph: { timestampMs, value: 50, epoch: 1, sequence: 1 } }),
      },
    }),
  },
  {
    problem: 'no-connection',
    status: 504,
    part: 'connection',
    spoil: ({ box }) => ({ box: { ...box, connection: { counter: 1, open: false } } }),
  },
];

async function attempt(faults: readonly Fault[]): Promise<Response> {
  const stage = await openTestService();
  const right: Attempt = {
    method: 'POST',
    path: '/vehicles/VEH01/commands/lock-central-lock',
    vehicle: {},
    box: CONNECTED_BOX,
    permissions: EVERY_PERMISSION,
    init: {},
    hasOpenCommand: false,
  };
  let plan = right;
  for (const fault of faults) plan = { ...plan, ...fault.spoil(plan, stage.loop.nowMs) };
  await stage.addVehicle(plan.vehicle, plan.box);
  if (plan.hasOpenCommand)
    await stage.store.commands.open({
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      vehicleId: 'VEH01',
      boxId: BOX_ID,
      flowId: 'flow',
      command: 'ble-reset',
      openedMs: stage.loop.nowMs,
      expiresMs: stage.loop.nowMs + 20_000,
    });
  stage.box = () => ({ outcome: 'done', state: {} });
  const { permissions } = plan;
  const token =
    permissions === 'none' ? undefined : permissions === 'wrong' ? 'a.b.c' : await stage.token(permissions);
  const answer = await stage.ask(plan.method, plan.path, { ...plan.init, token });
  expect(stage.sent.length).toBe(faults.length === 0 ? 1 : 0);
  return answer;
}

describe('the order of refusals', () => {
  test('a valid request is carried out', async () => {
    expect((await attempt([])).status).toBe(200);
  });

  test.each(FAULTS)('$problem alone is answered with $status', async (fault) => {
    const answer = await attempt([fault]);
    expect(answer.status).toBe(fault.status);
    expect(await jsonObjectOf(answer)).toMatchObject({
      type: expect.stringMatching(new RegExp(`^/problems/(vehicle/)?${fault.problem}$`)),
      flow_id: answer.headers.get('x-service-flow-id'),
    });
  });

  const pairs = FAULTS.flatMap((first, at) =>
    FAULTS.slice(at + 1)
      .filter((second) => second.part !== first.part)
      .map((second) => ({ first, second, name: `${first.problem} wins over ${second.problem}` })),
  );
  test.each(pairs)('$name', async ({ first, second }) => {
    const answer = await attempt([first, second]);
    expect(await jsonObjectOf(answer)).toMatchObject({ type: expect.stringContaining(first.problem) });
  });
});

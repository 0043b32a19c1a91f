import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnsweredCall, RecordedFrame } from '../../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import { Findings } from '../../../../judge/rules/findings.ts';
import { judgeWaitingSetups } from '../../../../judge/rules/waiting-setups.ts';
import {
  anyRightRecordings,
  type RunRecordings,
  START_MS,
  ulidOf,
  type VehicleRecording,
} from '../../../support/checkers/any-recordings.ts';
import { scopeOf } from '../../../support/checkers/checker-scope.ts';

const LOOKED_MS = START_MS + 200_000;

/** The first vehicle is onboarded so long before an answer tells that it waits; its box has been ready since the beginning. */
async function foundIn(
  history: RunRecordings,
  {
    afterMs,
    facts = [],
    frames = [],
  }: { afterMs: number; facts?: readonly Fact[]; frames?: RecordedFrame[] },
): Promise<readonly string[]> {
  const told = history.vehicles[0] as VehicleRecording;
  const { vehicle } = told;
  told.frames = frames;
  history.facts = [
    { kind: 'connectivity', vehicle: vehicle.number, state: 'ready', atMs: START_MS },
    ...facts,
  ];
  const orderedMs = LOOKED_MS - afterMs;
  const id = vehicle.vehicleId;
  const call = { vehicle, as: 'owner', body: { id, setup_status: 'PENDING' } };
  const calls: readonly AnsweredCall[] = [
    {
      ...call,
      call: 1,
      method: 'POST',
      path: '/vehicles',
      status: 201,
      askedMs: orderedMs,
      answeredMs: orderedMs + 5,
    },
    {
      ...call,
      call: 2,
      method: 'GET',
      path: `/vehicles/${id}`,
      status: 200,
      askedMs: LOOKED_MS,
      answeredMs: LOOKED_MS + 5,
    },
  ];
  const findings = new Findings();
  await judgeWaitingSetups(scopeOf(history), calls, findings);
  return findings.result([]).findings.map(({ text }) => text);
}

async function ofAny(check: (history: RunRecordings) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(anyRightRecordings, check), { numRuns: 10 });
}

const crash = (agoMs: number): readonly Fact[] => [
  { kind: 'service', state: 'down', reason: 'it crashed (backend 1)', atMs: LOOKED_MS - agoMs },
  {
    kind: 'fault',
    name: 'backend crash',
    detail: '{}',
    vehicles: [],
    phase: 'begins',
    atMs: LOOKED_MS - agoMs,
  },
];

test('a vehicle that waits for its set-up though its box is ready is found, a while after a backend died', async () => {
  await ofAny(async (history) => {
    expect(await foundIn(history, { afterMs: 60_000 })).toHaveLength(1);
    const [text] = await foundIn(history, { afterMs: 100_000, facts: crash(50_000) });
    expect(text).toContain('a setup that does not begin: the answer to call 2 told PENDING');
  });
});

test('one that was just ordered, or whose backend has just died, may wait', async () => {
  await ofAny(async (history) => {
    expect(await foundIn(history, { afterMs: 30_000 })).toEqual([]);
    expect(await foundIn(history, { afterMs: 100_000, facts: crash(30_000) })).toEqual([]);
  });
});

test('one that may have been begun in vain is not judged, nor one that something else keeps from it', async () => {
  await ofAny(async (history) => {
    expect(await foundIn(history, { afterMs: 180_000 })).toEqual([]);
    const slow = { kind: 'fault', name: 'store slow', detail: '{"by":2000}', vehicles: [] } as const;
    const atMs = LOOKED_MS - 90_000;
    expect(
      await foundIn(history, { afterMs: 100_000, facts: [{ ...slow, phase: 'happens', atMs }] }),
    ).toEqual([]);
    const frames = [begun(LOOKED_MS - 60_000)];
    expect(await foundIn(history, { afterMs: 100_000, frames })).toEqual([]);
  });
});

function begun(atMs: number): RecordedFrame {
  const requestId = ulidOf(940_000);
  return {
    atMs,
    direction: 'down',
    epoch: 0,
    sequence: 0,
    clockMs: atMs,
    message: { kind: 'command', requestId, command: 'begin-setup', expiresMs: atMs + 180_000 },
  } as unknown as RecordedFrame;
}

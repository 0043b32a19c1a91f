import { describe, expect, test } from 'vitest';
import type { ClockError, RecordedFrame } from '../../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../../judge/evidence/simulated-vehicle.ts';
import { judgeReplies } from '../../../../judge/rules/commands/late-and-repeated.ts';
import { Findings } from '../../../../judge/rules/findings.ts';
import { EPOCH, START_MS, ulidOf } from '../../../support/checkers/any-recordings.ts';

const AT_MS = START_MS + 60_000;
const vehicle = { number: 1, vehicleId: 'A', boxId: 'b' } as unknown as SimulatedVehicle;

/** What is found where a command with four seconds left is answered `expired` at once. */
async function found(clocks: readonly ClockError[]): Promise<number> {
  const requestId = ulidOf(1);
  const command = { kind: 'command', command: 'ble-reset', requestId, expiresMs: AT_MS + 4_000 } as const;
  const reply = { kind: 'reply', requestId, outcome: 'expired', error: '' } as const;
  const frames: readonly RecordedFrame[] = [
    { atMs: AT_MS, direction: 'down', epoch: EPOCH, sequence: 0, clockMs: AT_MS, message: command },
    { atMs: AT_MS, direction: 'up', epoch: EPOCH, sequence: 7, clockMs: AT_MS, message: reply },
  ];
  const findings = new Findings();
  async function* pages() {
    yield await Promise.resolve(frames);
  }
  await judgeReplies(vehicle, pages(), clocks, findings);
  return findings.result([]).findings.length;
}

describe('a command that is answered expired with time left', () => {
  const clock = (fromMs: number, latestAheadMs: number | undefined) => ({
    fromMs,
    errorMs: 0,
    latestAheadMs,
  });

  test('is a finding where the box knew the time', async () => {
    expect(await found([clock(START_MS, 100)])).toBe(1);
  });

  test.each([
    ['did not know it well enough', [clock(START_MS, 9_000)]],
    ['came to know it in the step that answered', [clock(START_MS, 9_000), clock(AT_MS, 80)]],
    ['did not know it', [clock(START_MS, undefined)]],
    ['has no record of then', [clock(AT_MS + 1, 80)]],
  ])('is none where the box %s', async (_, clocks) => {
    expect(await found(clocks)).toBe(0);
  });
});

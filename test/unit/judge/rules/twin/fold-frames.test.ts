import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translateNamed } from '../../../../../backend/vehicles/translation/translate.ts';
import type { Evidence, RecordedFrame } from '../../../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../../../judge/evidence/simulated-vehicle.ts';
import { type FoldSettings, foldFrames } from '../../../../../judge/rules/twin/fold-frames.ts';

const T = 1_767_592_800_000;
const PLAYER = {
  number: 1,
  model: 'petrol-compact',
  vehicleId: 'VEH01',
  boxId: 'b',
} as unknown as SimulatedVehicle;
const TERMS: FoldSettings = { isBookedAt: () => false, isSetUp: true };

function report(sequence: number, change: Partial<RecordedFrame> = {}): RecordedFrame {
  const signals = { modem: { csq: sequence % 32, network: 26201 } };
  const clockMs = T + sequence * 1_000;
  const message = { kind: 'report', cause: 'time', signals } as const;
  return { atMs: clockMs, direction: 'up', epoch: 5, sequence, clockMs, message, ...change };
}

async function foldOf(
  frames: readonly RecordedFrame[],
  terms = TERMS,
  unstored: readonly number[] = [],
  property = 'cellular_signal_quality',
  vehicleOfRequest: string | undefined = undefined,
) {
  const evidence = {
    propertiesOf: translateNamed,
    vehicleOfRequest: () => Promise.resolve(vehicleOfRequest),
    async *frames() {
      yield frames;
    },
    async *records() {
      for (const { epoch, sequence, clockMs, direction } of frames) {
        if (direction === 'down' || unstored.includes(sequence)) continue;
        yield [{ key: `b/${epoch}/${sequence}`, storedMs: Math.max(T, clockMs) + 500 }];
      }
    },
  } as unknown as Evidence;
  const { state } = await foldFrames(evidence, PLAYER, terms);
  return state.get(property);
}

describe('the fold of the frames on the wire', () => {
  test('gives the latest record by sequence, in whatever order they arrived', async () => {
    const frames = Array.from({ length: 8 }, (_, index) => report(index + 1));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(frames, { minLength: 1 }), async (shuffled) => {
        const last = Math.max(...shuffled.map(({ sequence }) => sequence));
        expect((await foldOf(shuffled))?.key).toBe(`b/5/${last}`);
      }),
      { numRuns: 20 },
    );
  });

  test('leaves out records that the service has not stored, and none for its clock', async () => {
    expect((await foldOf([report(1), report(2)], TERMS, [2]))?.key).toBe('b/5/1');
    expect((await foldOf([report(1), report(2, { clockMs: T - 7_200_000 })]))?.key).toBe('b/5/2');
  });

  test('prefers a later epoch over an earlier one, however low its sequences', async () => {
    expect((await foldOf([report(7), report(1, { epoch: 2 })]))?.key).toBe('b/2/1');
  });

  test('uses the time of receipt if the clock of the box is not set or ahead', async () => {
    expect((await foldOf([report(1, { clockMs: 0 })]))?.timestampMs).toBe(T + 500);
    expect((await foldOf([report(1)]))?.timestampMs).toBe(T + 1_000);
  });

  test('has what is booked only from records that came while it was, and leaves open what nobody knows', async () => {
    const codes = (sequence: number) =>
      report(sequence, { message: { kind: 'report', cause: 'time', signals: { troubleCodes: [sequence] } } });
    // Booked from the second record on; the third came while it changed.
    const isBookedAt = (atMs: number) =>
      atMs < T + 2_000 ? false : atMs > T + 3_000 && atMs < T + 4_000 ? undefined : true;
    const fold = (count: number) =>
      foldOf(
        [1, 2, 3, 4].slice(0, count).map(codes),
        { isBookedAt, isSetUp: true },
        [],
        'diagnostic_trouble_codes',
      );
    expect(await fold(1)).toBeUndefined();
    expect(await fold(2)).toMatchObject({ key: 'b/5/2', value: ['P0002'] });
    expect(await fold(3)).toMatchObject({ key: 'b/5/3', isOpen: true });
    expect(await fold(4)).not.toHaveProperty('isOpen');
  });

  test('begins after the setup of the current vehicle of the box', async () => {
    const down = (message: RecordedFrame['message']) => ({
      ...report(0),
      direction: 'down' as const,
      message,
    });
    const order = down({ kind: 'command', requestId: 'R', command: 'begin-setup', expiresMs: T });
    const done = {
      ...report(2),
      message: { kind: 'reply', requestId: 'R', outcome: 'done', error: '' } as const,
    };
    expect(await foldOf([report(1), order, done])).toBeUndefined();
    expect((await foldOf([report(1), order, done, report(3)]))?.key).toBe('b/5/3');
  });

  test('takes no setup of another vehicle that the box was in for that of this one', async () => {
    const message = { kind: 'command', requestId: 'R', command: 'begin-setup', expiresMs: T } as const;
    const order = { ...report(0, { clockMs: 0 }), direction: 'down' as const, message };
    const done = {
      ...report(2),
      message: { kind: 'reply', requestId: 'R', outcome: 'done', error: '' } as const,
    };
    const foldFor = (vehicleId: string) =>
      foldOf([report(1), order, done], TERMS, [], 'cellular_signal_quality', vehicleId);
    expect(await foldFor(PLAYER.vehicleId)).toBeUndefined();
    expect((await foldFor('VEH00'))?.key).toBe('b/5/1');
  });

  test('is empty while the vehicle is not set up, whatever its box reported for the previous one', async () => {
    expect(
      await foldOf([report(1), report(2, { clockMs: 0 })], { ...TERMS, isSetUp: false }),
    ).toBeUndefined();
  });
});

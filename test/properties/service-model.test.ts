import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_RECORDINGS } from '../../judge/recordings.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import { openVirtualTestbed } from '../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import { VehicleOracle } from '../support/backend/service-model.ts';
import { anyMoves, type RealService, type ServiceModel } from '../support/backend/service-moves.ts';

const FIRMWARE = [2, 31] as const;

/** Two parked cars, the second with its box on the shelf. */
function twoCars(seed: number) {
  const like = {
    model: 'petrol-compact',
    firmware: FIRMWARE.join('.'),
    sim: 'meridian',
    driving: false,
    features: 'none',
  };
  const checked = readDocument({
    name: 'model',
    about: 'What the model is compared with.',
    seed,
    fleet: [
      { as: 'parked', ...like },
      { as: 'shelved', ...like, on_shelf: true },
    ],
    steps: [{ park: {} }],
    always: [],
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.scenario;
}

/** Long enough for everything to be known. */
const BEGIN_MS = 7 * 60_000;

describe('the service compared with a small model', () => {
  test('answers as the model predicts, whatever clients, networks and workshops do', async () => {
    const seen: RealService['seen'] = new Map();
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), anyMoves, async (seed, commands) => {
        const testbed = openVirtualTestbed(twoCars(seed), { recordings: NO_RECORDINGS });
        const { virtualWorld: world } = testbed;
        try {
          await runInSandbox(world, () =>
            world.run(async () => {
              await testbed.start();
              const startMs = testbed.time.nowMs();
              await sleep(testbed.time, BEGIN_MS);
              const model: ServiceModel = [true, false].map(
                (isThere) => new VehicleOracle(startMs, FIRMWARE, isThere),
              );
              await fc.asyncModelRun(() => ({ model, real: { testbed, dark: new Map(), seen } }), commands);
            }),
          );
        } finally {
          await testbed.close();
        }
      }),
      { numRuns: 40 },
    );
    // A model that allows everything would prove nothing: these answers must have occurred.
    expect([...seen.keys()].sort()).toEqual(
      expect.arrayContaining([
        '200',
        '204',
        '401 missing-credentials',
        '404 resource-not-found',
        '504 no-connection',
      ]),
    );
  });
});

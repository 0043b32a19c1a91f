import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../scenarios/language/read.ts';
import { NO_BOOK } from '../../scenarios/run/books.ts';
import { openVirtualTheatre } from '../../scenarios/virtual/theatre.ts';
import { sleep } from '../../world/time.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';
import { VehicleModel } from './service-model.ts';
import { type Model, moves, type Real } from './service-moves.ts';

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

describe('the service against a short model of it', () => {
  test('answers as the model says, whatever clients, networks and workshops do', async () => {
    const seen: Real['seen'] = new Map();
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), moves, async (seed, commands) => {
        const theatre = openVirtualTheatre(twoCars(seed), { books: NO_BOOK });
        const { virtualWorld: world } = theatre;
        try {
          await runInSandbox(world, () =>
            world.run(async () => {
              await theatre.raise();
              const startMs = theatre.time.nowMs();
              await sleep(theatre.time, BEGIN_MS);
              const model: Model = [true, false].map(
                (isThere) => new VehicleModel(startMs, FIRMWARE, isThere),
              );
              await fc.asyncModelRun(() => ({ model, real: { theatre, dark: new Map(), seen } }), commands);
            }),
          );
        } finally {
          await theatre.close();
        }
      }),
      { numRuns: 40 },
    );
    // A model that allows everything would be met by anything: what matters has come to pass.
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

import { expect, test } from 'vitest';
import { modelKnowledge } from '../../../../backend/model-knowledge.ts';
import { northwind } from '../../../../backend/third-party/northwind.ts';
import { translateReading } from '../../../../backend/third-party/translate.ts';
import { planCars } from '../../../../simulator/maker-cloud/car-plan.ts';
import { startMakerCloud } from '../../../../simulator/maker-cloud/cloud.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { runInSandbox } from '../../../../world/sandbox/virtual-sandbox.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const KEY = 'the-key';
// The second one is parked.
const cars = planCars(seededRandom(4), 2, ['electric-estate', 'electric-scooter']);
const SCOOTER = cars[1]?.carId ?? '';

interface Answer {
  readonly state?: { readonly takenAt: string; readonly reading: Readonly<Record<string, unknown>> };
  readonly fault?: { readonly code: string };
}

function on(body: (act: (action: string) => Promise<Answer>) => Promise<void>) {
  const world = openVirtualWorld({ seed: 9 });
  return runInSandbox(world, () =>
    world.run(async () => {
      const cloud = await startMakerCloud(world.instance('simulator'), {
        name: 'northwind',
        apiKey: KEY,
        cars,
      });
      const act = async (action: string): Promise<Answer> => {
        const response = await cloud.app.request(`/cars/${SCOOTER}/actions`, {
          method: 'POST',
          headers: { 'x-api-key': KEY },
          body: JSON.stringify({ action }),
        });
        return (await response.json()) as Answer;
      };
      await body(act);
      await cloud.stop();
    }),
  );
}

test('a scooter secures and releases its top case and its battery, and has no doors to lock', () =>
  on(async (act) => {
    expect((await act('BIN_RELEASE')).state?.reading['bin']).toEqual({ lid: 'SHUT', bolt: 'RELEASED' });
    expect((await act('BIN_SECURE')).state?.reading).toMatchObject({
      bin: { lid: 'SHUT', bolt: 'SECURED' },
      doors: null,
      lock: null,
    });
    expect((await act('SEAT_RELEASE')).fault).toBeUndefined();
    expect((await act('DOORS_SECURE')).fault?.code).toBe('PART_STUCK');
  }));

test('a scooter reports only properties of its capabilities, and has no commands for missing parts', () =>
  on(async (act) => {
    const { takenAt = '', reading = {} } = (await act('BIN_SECURE')).state ?? {};
    const translated = translateReading(northwind.rows, reading, Date.parse(takenAt));
    if (!translated.ok) throw new Error(translated.fault);
    const told = Object.keys(translated.value).map((name) => name.toUpperCase());
    expect(modelKnowledge.capabilitiesOf('electric-scooter')).toEqual(expect.arrayContaining(told));
    expect(told).toContain('TOP_CASE_LOCK');
    expect(told).not.toContain('DOORS_STATUS');
    expect(modelKnowledge.commandCapabilitiesOf('electric-scooter')).toEqual([
      'DRAW_ATTENTION',
      'LOCK_TOP_CASE',
      'UNLOCK_BATTERY_COMPARTMENT',
      'UNLOCK_TOP_CASE',
    ]);
    expect(modelKnowledge.commandCapabilitiesOf('electric-estate')).not.toContain('LOCK_TOP_CASE');
  }));

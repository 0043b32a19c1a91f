import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { type Deed, drivenScene } from '../support/drivers/driven-scene.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Below this share of energy a vehicle is charged or refuelled. */
const LOW_PERCENT = 25;
/** Until a vehicle stands, is locked and returned, with refused calls in between. */
const RETURNED_MS = 8 * MINUTE_MS;

const anyClient = fc.record({
  afterMs: fc.integer({ min: 500, max: 20 * MINUTE_MS }),
  place: fc.nat(7),
  what: fc.constantFrom('command', 'rental', 'control', 'request', 'request', 'request'),
});

/** What a vehicle must be like for what its drivers do to it. */
function expectDue({ id, what, detail, truth, rental, refusal }: Deed): void {
  const number = (name: string) => Number(truth[name]);
  const at = `${what} ${detail} ${id} of ${truth['model']}`;
  const isParked =
    truth['ignitionOn'] === false && number('speedKph') === 0 && truth['driverWish'] === 'rest';
  if (what === 'operate') {
    const model = MODELS.get(String(truth['model']));
    const isPlugIn = model?.body.hybrid !== undefined;
    const ofBattery = number(isPlugIn ? 'hybridChargePercent' : 'energyPercent');
    const least = detail === 'refuel' ? number('energyPercent') : ofBattery;
    expect(['refuel', 'charge', 'battery'], at).toContain(detail);
    // Both batteries are swapped if the vehicle needs it: the first one fills half of the store.
    expect(least, at).toBeLessThan(detail === 'battery' ? LOW_PERCENT / 2 + 50 : LOW_PERCENT);
    expect([isParked, rental, refusal], at).toEqual([true, 'NOT_IN_RENTAL', undefined]);
  }
  if (what === 'drive') {
    expect([isParked, rental], at).toEqual([true, 'IN_RENTAL']);
    expect([truth['drivingEnabled'], truth['locked'] !== true], at).toEqual([true, true]);
    expect(number('energyPercent') > 0 || number('hybridChargePercent') > 0, at).toBe(true);
  }
  if (what === 'park') expect(truth['driverWish'], at).toBe('drive');
  if (what === 'return') expect(isParked, at).toBe(true);
}

describe("a fleet's drivers", () => {
  test('do only what a vehicle needs, leave to clients what they use, and park and return every other one', async () => {
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.array(anyClient, { maxLength: 8 }),
        fc.constantFrom(0, 0, 12),
        async (seed, clients, failsIn) => {
          let calls = 0;
          const fails = () => {
            calls += 1;
            return failsIn > 0 && calls % failsIn === 0 ? [503, 504, 409][calls % 3] : undefined;
          };
          const scene = drivenScene(seed, 8, fails);
          const usedFromMs = new Map<string, number>();
          const holds = new Map<string, readonly [fromMs: number, untilMs: number][]>();
          const due = clients.toSorted((one, other) => one.afterMs - other.afterMs);
          const endMs = scene.nowMs() + 60 * MINUTE_MS;
          const beganMs = scene.nowMs();
          while (scene.nowMs() < endMs) {
            const next = due[0];
            const nextMs = next === undefined ? endMs : beganMs + 2 * next.afterMs;
            await scene.pass(Math.max(Math.min(MINUTE_MS, nextMs - scene.nowMs()), 1));
            if (next !== undefined && scene.nowMs() >= nextMs) {
              due.shift();
              const id = scene.fleet[next.place]?.vehicleId ?? '';
              if (next.what === 'request') {
                const held = Promise.withResolvers<void>();
                const fromMs = scene.nowMs();
                void scene.turns.ofClient(id, () => held.promise);
                await scene.pass(6 * MINUTE_MS);
                holds.set(id, [...(holds.get(id) ?? []), [fromMs, scene.nowMs()]]);
                held.resolve();
                await scene.pass(1);
              } else if (next.what === 'command') {
                const path = `/vehicles/${id}/commands/lock-central-lock`;
                scene.drivers.answered({ method: 'POST', path, status: 200 });
              } else if (next.what === 'control') {
                const path = `/boxes/box-${next.place}/park`;
                scene.drivers.controlled({ method: 'POST', path, status: 200 });
              } else scene.setRental(id, scene.rentalOf(id) === 'IN_RENTAL' ? 'NOT_IN_RENTAL' : 'IN_RENTAL');
              if (next.what !== 'request' && !usedFromMs.has(id)) usedFromMs.set(id, scene.nowMs());
            }
            for (const { vehicleId, plan } of scene.fleet) {
              const { kind, fromMs } = plan.at(scene.nowMs());
              const isLate = kind !== 'trip' && scene.nowMs() - Math.max(fromMs, beganMs) > RETURNED_MS;
              const wasHeld = (holds.get(vehicleId) ?? []).some(
                ([, untilMs]) => scene.nowMs() - untilMs < RETURNED_MS,
              );
              if (!isLate || wasHeld || usedFromMs.has(vehicleId)) continue;
              const { driverWish, ignitionOn, drivingEnabled } = scene.truthOf(vehicleId);
              expect([driverWish, ignitionOn, drivingEnabled, scene.rentalOf(vehicleId)], vehicleId).toEqual([
                'rest',
                false,
                false,
                'NOT_IN_RENTAL',
              ]);
            }
          }
          for (const deed of scene.deeds) {
            done.set(deed.what, (done.get(deed.what) ?? 0) + 1);
            const usedMs = usedFromMs.get(deed.id) ?? Number.POSITIVE_INFINITY;
            const isUsed = deed.atMs > usedMs && deed.atMs < usedMs + DAY_MS;
            expect(
              isUsed,
              `${deed.what} ${deed.detail} ${deed.id} ${deed.atMs - usedMs} ms after a client`,
            ).toBe(false);
            const isHeld = (holds.get(deed.id) ?? []).some(
              ([fromMs, untilMs]) => deed.atMs > fromMs + 5_000 && deed.atMs < untilMs,
            );
            expect(isHeld, `${deed.what} ${deed.id} while a client has it`).toBe(false);
            expectDue(deed);
          }
          // In the middle of a call.
          const rents = () => scene.deeds.filter(({ what }) => what === 'rent').length;
          for (const known = rents(); rents() === known && scene.nowMs() < endMs + 30 * MINUTE_MS; )
            await scene.pass(500);
          scene.drivers.end();
          // What they have begun to call is answered.
          await scene.pass(20_000);
          const count = scene.deeds.length;
          await scene.pass(30 * MINUTE_MS);
          expect(scene.deeds.slice(count)).toEqual([]);
        },
      ),
      { numRuns: 6 },
    );
    for (const what of ['drive', 'park', 'operate', 'rent', 'return', 'command'])
      expect(done.get(what), what).toBeGreaterThan(3);
  });
});

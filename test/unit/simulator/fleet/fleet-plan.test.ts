import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../../../protocol/models/models.ts';
import { BOX_ID } from '../../../../protocol/topics.ts';
import { SIM_PROVIDER_NAMES } from '../../../../simulator/box-plan.ts';
import { luhnDigit, planFleet, vinCheckDigit } from '../../../../simulator/fleet/fleet-plan.ts';
import { ROUTES } from '../../../../simulator/routes/routes.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';

const seeds = fc.integer();

describe('the plan of a fleet', () => {
  test('contains in a small fleet firmware just below and from 2.24, every model and both generations', () => {
    const plans = planFleet(seededRandom(1), 13);
    const minors = plans.map((plan) => plan.firmware[1]);
    expect(minors).toContain(23);
    expect(minors.some((minor) => minor >= 24)).toBe(true);
    expect(new Set(plans.slice(0, 6).map((plan) => plan.generation))).toEqual(new Set([1, 2]));
    expect(new Set(plans.map((plan) => plan.model))).toEqual(new Set(MODELS.keys()));
    expect(new Set(plans.map((plan) => plan.generation))).toEqual(new Set([1, 2]));
    expect(plans[0]).toMatchObject({ model: 'petrol-compact', firmware: [2, 24], driving: true });
    expect(plans[5]).toMatchObject({ model: 'electric-moped', driving: false });
    const [charged] = planFleet(seededRandom(1), 15).slice(-1);
    expect(charged).toMatchObject({ model: 'electric-city-car', driving: false });
  });

  test('begins a larger fleet with the boxes of a smaller one, and is the same for the same seed', () => {
    fc.assert(
      fc.property(seeds, fc.nat(30), fc.nat(30), (seed, a, b) => {
        const [few, many] = [Math.min(a, b), Math.max(a, b)];
        const plans = planFleet(seededRandom(seed), many);
        expect(plans.length).toBe(many);
        expect(planFleet(seededRandom(seed), few)).toEqual(plans.slice(0, few));
      }),
      { numRuns: 30 },
    );
  });

  test('gives valid unique ids, and VINs with a valid check digit', () => {
    const plans = planFleet(seededRandom(7), 3_000);
    for (const plan of plans) {
      expect(plan.boxId).toMatch(BOX_ID);
      expect(plan.vehicleId).toMatch(/^[A-Z0-9]{5}$/);
      expect(plan.secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(plan.vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
      expect(plan.vin.charAt(8)).toBe(vinCheckDigit(plan.vin));
      expect(plan.licensePlate).toMatch(/^B-[A-Z]{2} \d{4}$/);
      expect(plan.firmware[0]).toBe(2);
      expect(plan.firmware[1] >= 10 && plan.firmware[1] <= 40).toBe(true);
      expect(MODELS.has(plan.model) && ROUTES.has(plan.route)).toBe(true);
      expect(plan.startFraction >= 0 && plan.startFraction < 1).toBe(true);
    }
    for (const name of ['boxId', 'vehicleId', 'secret', 'vin', 'licensePlate'] as const) {
      expect(new Set(plans.map((plan) => plan[name])).size).toBe(plans.length);
    }
    expect(new Set(plans.map((plan) => plan.sim.iccid)).size).toBe(plans.length);
    for (const moped of ['electric-moped', 'scooter'])
      expect(plans.filter((plan) => plan.model === moped).length).toBeGreaterThan(150);
    expect(plans.filter((plan) => plan.driving).length).toBeGreaterThan(2_000);
    expect(plans.some((plan) => !plan.driving)).toBe(true);
  });

  test('differs between seeds', () => {
    const [a] = planFleet(seededRandom(1), 1);
    const [b] = planFleet(seededRandom(2), 1);
    expect(a?.boxId).not.toBe(b?.boxId);
    expect(a?.secret).not.toBe(b?.secret);
  });

  test('gives each box a card with a check digit, of a random provider; the first three of one each', () => {
    const plans = planFleet(seededRandom(7), 600);
    for (const { sim } of plans) {
      expect(sim.iccid).toMatch(/^89\d{17}$/);
      expect(sim.iccid.at(-1)).toBe(luhnDigit(sim.iccid.slice(0, -1)));
    }
    const providers = plans.map((plan) => plan.sim.provider);
    expect(providers.slice(0, 3)).toEqual(['meridian', 'harbour', 'tundra']);
    for (const name of SIM_PROVIDER_NAMES)
      expect(providers.filter((one) => one === name).length).toBeGreaterThan(150);
    expect(luhnDigit('7992739871')).toBe('3');
  });

  test('computes the check digit of published examples', () => {
    expect(vinCheckDigit('11111111111111111')).toBe('1');
    expect(vinCheckDigit('1M8GDM9AXKP042788')).toBe('X');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import STORED_MESSAGES from '../../../../../backend/events/asyncapi-examples.json' with { type: 'json' };
import EXAMPLES from '../../../../../backend/http/openapi/openapi-examples.json' with { type: 'json' };
import { MAKER_MODELS } from '../../../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../../../protocol/models/models.ts';
import { readDocument } from '../../../../../scenarios/language/document/read.ts';
import { factsOf } from '../../../../../simulator/box/box-facts.ts';
import { boxSnapshotOf } from '../../../../../simulator/box/box-snapshot.ts';
import { newBox } from '../../../../../simulator/firmware/core/boot.ts';
import { planFleet } from '../../../../../simulator/fleet/fleet-plan.ts';
import { makeVehicle } from '../../../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';

const GET = 'call: { get: "/vehicles/{vehicle}" }';

describe('what can be is read:', () => {
  it.each([
    '{ never: { truth: { maneuver: null } } }',
    '{ never: { truth: { chargingMinutesLeft: { below: 3 } } } }',
    '{ never: { truth: { chargingMinutesLeft: unavailable } } }',
    '{ never: { truth: { sensors: { speedKph: failed } } } }',
    '{ never: { truth: { route: { like: berlin } } } }',
    '{ never: { belief: { network: Home } } }',
    '{ never: { belief: { temperatureC: { one_of: [null, 3] } } } }',
    '{ never: { belief: { update: null } } }',
    '{ never: { belief: { update: { outcome: corrupt } } } }',
    '{ never: { belief: { seen: { locked: { not: true } } } } }',
    '{ never: { belief: { session: { like: ing$ } } } }',
    '{ never: { state: { central_lock: { present: false } } } }',
    '{ never: { state: { box_cardholder_cards: { card_1: PRESENT } } } }',
    '{ never: { message: VehicleStateReceived, with: { queue: { like: -own$ } } } }',
    `{ ${GET}, never: { body: { detail: { like: x } } } }`,
    `{ ${GET}, never: { body: { life_status: { value: { one_of: [ONLINE, OFFLINE] } } } } }`,
    `{ ${GET}, never: { body: { present: true } } }`,
    '{ call: { get: "/vehicles/{vehicle}/nothing/of/the/kind" }, never: { body: { whatever: 1 } } }',
    '{ call: { get: /health }, never: { body: { whatever: 1 } } }',
    '{ call: { get: "/vehicles" }, never: { body: { items: { 0: { id: "A" } } } } }',
    '{ call: { get: "/vehicles" }, never: { body: { items: [{ life_status: { value: OFFLINE } }] } } }',
    '{ call: { get: "/vehicles", as: nobody }, never: { body: { status: 401 } } }',
    '{ call: { token: early }, never: { body: { whatever: 1 } } }',
    '{ call: { share: partner }, expect: { status: [200, 202, 204] } }',
    '{ call: { get: /vehicles }, never: { status: [409, 504] } }',
    '{ call: { get: /health }, never: { status: 299 } }',
    '{ call: { command: ble-reset }, never: { body: { detail: x } } }',
  ])('%s', (step) => {
    expect(faultsOf(parse(step) as object)).toEqual([]);
  });

  it.each([
    { status: '{kept}' },
    { status: [200, '{kept}'], problem: '{kept}', body: { items: '{kept}' } },
    { life_status: '{kept}', setup_status: '{kept}', connected: '{kept}', phone: '{kept}' },
    { bulk: { status: '{kept}', failed: '{kept}', applied: { at_least: '{kept}' } } },
    { feature: 'tracking', is: '{kept}', parameters: { time_interval_in_seconds: '{kept}' } },
    { journal: { at_most: '{kept}' } },
    { message: 'SmokeDetected', count: '{kept}', with: { fleet: '{kept}', queue: '{kept}' } },
    { truth: { locked: '{kept}', speedKph: { below: '{kept}' }, engine: { one_of: ['off', '{kept}'] } } },
    { belief: { firmware: 'firmware {kept}', session: { like: '{kept}' }, sim: 'susp{kept}' } },
    { state: { central_lock: { not: '{kept}' } } },
    { vehicle: { life_status: '{kept}' } },
  ])('a value that a call remembers, in place of any: %j', (never) => {
    const call = { get: '/vehicles/{vehicle}', remember: { kept: 'body.id' } };
    const steps = [
      { call },
      'phone' in never ? { bluetooth: { action: 'lock' }, never } : { call: { get: '/vehicles' }, never },
    ];
    const checked = readDocument(
      JSON.parse(JSON.stringify({ name: 'try', about: 'A try.', fleet: [{}], steps })),
    );
    expect(checked.ok ? [] : checked.faults).toEqual([]);
  });

  it('all that a vehicle of any model truly is, and a box believes', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom(...MODELS.keys(), ...MAKER_MODELS.keys()),
        fc.boolean(),
        fc.nat(86_400_000),
        (seed, model, driving, laterMs) => {
          const random = seededRandom(seed);
          const plans = planFleet(random, 4);
          for (const plan of plans) {
            const vehicle = makeVehicle({ ...plan, model, driving }, random, 0);
            vehicle.advance(laterMs);
            const expected = [
              { truth: JSON.parse(JSON.stringify(vehicle.truth())) as unknown },
              {
                belief: JSON.parse(
                  JSON.stringify(boxSnapshotOf(newBox(factsOf(plan, random)), laterMs)),
                ) as unknown,
              },
            ];
            const group = MAKER_MODELS.has(model) ? { maker: 'northwind', model } : { model };
            expect(faultsOf({ never: expected }, group)).toEqual([]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(Object.entries(EXAMPLES))('what the reference has as examples of %s', (operation, { answers }) => {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replaceAll(/\{\w+\}/g, 'any');
    for (const [status, byType] of Object.entries(answers))
      for (const body of Object.values(byType)) {
        const call = { request: { method, path } };
        expect(faultsOf({ call, never: { body } })).toEqual([]);
        expect(faultsOf({ call, never: { status: Number(status), body } })).toEqual([]);
      }
  });

  it.each(STORED_MESSAGES.map((one) => [one.name, one]))('an example of %s', (name, { payload }) => {
    expect(faultsOf({ never: { message: name, with: { body: payload } } })).toEqual([]);
  });
});

function faultsOf(step: object, group: object = {}) {
  const checked = readDocument({ name: 'try', about: 'A try.', fleet: [group], steps: [step] });
  return checked.ok ? [] : checked.faults;
}

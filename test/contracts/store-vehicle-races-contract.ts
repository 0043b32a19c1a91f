import { describe, expect, test } from 'vitest';
import type { CreatedVehicle, StockUnit, VehicleStore } from '../../backend/store/port/vehicle-store.ts';
import { BOX_ID, newVehicle, OTHER_BOX_ID, START_MS, type TestStore } from '../support/store/store-rows.ts';

function unit(change: Partial<StockUnit> = {}): StockUnit {
  return {
    boxId: BOX_ID,
    fleetId: 'FLEET1',
    boxSecretHash: 'hash',
    generation: 2,
    sim: undefined,
    ...change,
  };
}

function created(change: Partial<CreatedVehicle> = {}): CreatedVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    telematics: { boxId: BOX_ID },
    model: 'petrol-compact',
    setupStatus: 'PENDING',
    masterData: {},
    customFields: {},
    tags: [],
    atMs: START_MS,
    ...change,
  };
}

const ON_OTHER_BOX = { telematics: { boxId: OTHER_BOX_ID } };
const MAKER_LINK = { name: 'northwind', vehicleId: 'NW-1' };
const AT_MAKER = { telematics: { maker: MAKER_LINK } };
const SAME_VIN = { masterData: { vin: 'WVWZZZ1JZXW000001' } };

type Call = (vehicles: VehicleStore) => Promise<unknown>;
const create =
  (change: Partial<CreatedVehicle> = {}): Call =>
  (vehicles) =>
    vehicles.create(created(change));
const save =
  (change: Parameters<typeof newVehicle>[0] = {}): Call =>
  (vehicles) =>
    vehicles.save(newVehicle(change));

/** Two calls, and what they may come to, in any order of the two outcomes. */
const FROM_STOCK: readonly [
  what: string,
  one: Call,
  other: Call,
  outcomes: readonly (readonly string[])[],
][] = [
  ['create the same id', create(), create(ON_OTHER_BOX), [['created', 'id-taken']]],
  ['create for the same box', create(), create({ id: 'VEH02' }), [['created', 'unit-taken']]],
  [
    "create for the same maker's vehicle",
    create(AT_MAKER),
    create({ ...AT_MAKER, id: 'VEH02' }),
    [['created', 'maker-vehicle-taken']],
  ],
  [
    'create with the same VIN',
    create(SAME_VIN),
    create({ ...SAME_VIN, ...ON_OTHER_BOX, id: 'VEH02' }),
    [['created', 'vin-taken']],
  ],
  ['save with the same box', save(), save({ id: 'VEH02' }), [['BoxTaken', 'undefined']]],
  ['save the same id', save(), save({ boxId: OTHER_BOX_ID }), [['undefined', 'undefined']]],
  [
    'save and create for the same box',
    save(),
    create({ id: 'VEH02' }),
    [
      ['BoxTaken', 'created'],
      ['undefined', 'unit-taken'],
    ],
  ],
  [
    'create, and take the box into the stock of another fleet',
    create(),
    (vehicles) => vehicles.saveUnit(unit({ fleetId: 'FLEET2' })),
    [
      ['created', 'undefined'],
      ['undefined', 'unit-unknown'],
    ],
  ],
  [
    "create, and take the maker's vehicle into the stock of another fleet",
    create(AT_MAKER),
    (vehicles) => vehicles.saveMakerUnit({ link: MAKER_LINK, fleetId: 'FLEET2' }),
    [
      ['created', 'undefined'],
      ['maker-vehicle-unknown', 'undefined'],
    ],
  ],
];

const OF_A_VEHICLE: typeof FROM_STOCK = [
  [
    'change the same revision',
    (vehicles) => vehicles.change('VEH01', { tags: ['a'] }, 1, START_MS),
    (vehicles) => vehicles.change('VEH01', { tags: ['b'] }, 1, START_MS),
    [['modified', 'object']],
  ],
  [
    'remove and share',
    (vehicles) => vehicles.remove('VEH01'),
    (vehicles) => vehicles.change('VEH01', { sharedWith: 'FLEET2' }, undefined, START_MS),
    [
      ['missing', 'removed'],
      ['object', 'shared'],
    ],
  ],
  [
    'remove',
    (vehicles) => vehicles.remove('VEH01'),
    (vehicles) => vehicles.remove('VEH01'),
    [['missing', 'removed']],
  ],
];

/** The outcomes of two calls at once, as words in order. */
async function together(vehicles: VehicleStore, one: Call, other: Call): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled([one(vehicles), other(vehicles)]);
  return outcomes.map(wordOf).sort();
}

function wordOf(outcome: PromiseSettledResult<unknown>): string {
  if (outcome.status === 'rejected') return (outcome.reason as Error).name;
  return typeof outcome.value === 'object' ? 'object' : String(outcome.value);
}

/** Calls for the same vehicle or box that are under way at once come to what they would one after the other. */
export function vehicleRacesContract(stage: TestStore): void {
  describe('two calls at once', () => {
    test.each(FROM_STOCK)('%s', async (_what, one, other, allowed) => {
      const { vehicles } = stage.store;
      await vehicles.saveUnit(unit());
      await vehicles.saveUnit(unit({ boxId: OTHER_BOX_ID }));
      await vehicles.saveMakerUnit({ link: MAKER_LINK, fleetId: 'FLEET1' });
      expect(allowed).toContainEqual(await together(vehicles, one, other));
    });

    test.each(OF_A_VEHICLE)('%s', async (_what, one, other, allowed) => {
      const { vehicles } = stage.store;
      await vehicles.save(newVehicle());
      expect(allowed).toContainEqual(await together(vehicles, one, other));
    });

    test('save the same box anew: it is there once', async () => {
      const { vehicles } = stage.store;
      await Promise.all([vehicles.saveUnit(unit()), vehicles.saveUnit(unit({ fleetId: 'FLEET2' }))]);
      expect(['FLEET1', 'FLEET2']).toContain((await vehicles.findUnit(BOX_ID))?.fleetId);
    });

    test('change several things of a vehicle: each is kept', async () => {
      const { vehicles } = stage.store;
      await vehicles.save(newVehicle());
      const changes = [
        { tags: ['later'] },
        { operationStatus: 'GARAGE' },
        { rentalStatus: 'IN_RENTAL' },
        { maintenance: true },
        { sharedWith: 'FLEET2' },
      ] as const;
      await Promise.all(changes.map((change) => vehicles.change('VEH01', change, undefined, START_MS)));
      expect(await vehicles.find('VEH01')).toMatchObject({
        tags: ['later'],
        operationStatus: { value: 'GARAGE' },
        rentalStatus: { value: 'IN_RENTAL' },
        maintenance: true,
        sharedWith: 'FLEET2',
        revision: 1 + changes.length,
      });
    });

    test('give two vehicles the same VIN: one gets it', async () => {
      const { vehicles } = stage.store;
      await vehicles.save(newVehicle());
      await vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID, masterData: {} }));
      const vin = { masterData: { vin: 'WVWZZZ1JZXW000002' } };
      const change =
        (id: string): Call =>
        () =>
          vehicles.change(id, vin, undefined, START_MS);
      expect(await together(vehicles, change('VEH01'), change('VEH02'))).toEqual(['object', 'vin-taken']);
    });
  });
}

import { expect, test } from 'vitest';
import { makeVehicleFilter } from '../../../../console/page/fleet/vehicle-filter.ts';
import { type FleetVehicle, rowOf, vehicleOf } from '../../../../console/stream/fleet-changes.ts';

const vehicle: FleetVehicle = {
  boxId: '0787010120a9dc28',
  vehicleId: '02B9S',
  model: 'petrol-compact',
  licensePlate: 'B-GD 5426',
  firmware: '2.28',
  latitude: 52.5,
  longitude: 13.3,
  headingDegrees: 90,
  speedKph: 0,
  ignitionOn: false,
  hasCoverage: true,
  connectivity: 'offline',
  heldRecords: 3,
};

test.each(['', '02b9', 'petrol offline', 'b-gd', '2.28 parked', 'journal', 'backlog'])(
  'a vehicle fits %j',
  (find) => {
    expect(makeVehicleFilter(find)(vehicle)).toBe(true);
  },
);

test.each(['moving', 'electric', 'petrol ready', 'offline moving'])('a vehicle does not fit %j', (find) => {
  expect(makeVehicleFilter(find)(vehicle)).toBe(false);
});

test('a vehicle comes out of its row as it went in', () => {
  expect(vehicleOf(rowOf(vehicle))).toEqual(vehicle);
  expect(
    vehicleOf(rowOf({ ...vehicle, ignitionOn: true, hasCoverage: false, vehicleId: null })),
  ).toMatchObject({
    ignitionOn: true,
    hasCoverage: false,
    vehicleId: null,
  });
});

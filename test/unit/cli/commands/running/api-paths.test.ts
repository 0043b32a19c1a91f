import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestPaths, vehiclePathText } from '../../../../../cli/commands/running/api-paths.ts';
import { OPERATIONS } from '../../../../../contract/operations.ts';

const PATHS = [...new Set(OPERATIONS.map(({ path }) => path))];

test.each([
  ['/vehicels', ['/vehicles']],
  ['/vehicels?limit=2', ['/vehicles']],
  ['/vehicles/77B5C/commands/unlock-central-lok', ['/vehicles/77B5C/commands/unlock-central-lock']],
  ['/vehicles/77B5C/comands/draw-atention', ['/vehicles/77B5C/commands/draw-attention']],
  [
    '/vehicles/77B5C/commands/unlok',
    [
      '/vehicles/77B5C/commands/unlock-central-lock',
      '/vehicles/77B5C/commands/unlock-and-enable-driving',
      '/vehicles/77B5C/commands/unlock-top-case',
      '/vehicles/77B5C/commands/unlock-battery-compartment',
    ],
  ],
  ['/vehicles/NOBODY', []],
  ['/nonsense', []],
  ['/vehicles/77B5C/commands/draw-attention/now', []],
])('for %s the paths %j are proposed', (given, wanted) => {
  expect([...nearestPaths(given, PATHS)].sort()).toEqual([...wanted].sort());
});

test('a path that the API has, whatever is in its parameters, needs no other', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), fc.stringMatching(/^[A-Z0-9]{5}$/), (path, id) => {
      expect(nearestPaths(path.replaceAll(/\{[^}]+\}/g, id), PATHS)).toEqual([]);
    }),
  );
});

test('a path below a vehicle that the API does not have leads to its state and to what it has', () => {
  expect(vehiclePathText('/vehicles/8B13V/state', PATHS)).toContain(
    'The state of the vehicle is latest_vehicle_state of /vehicles/8B13V. Below that the API has ',
  );
  for (const path of ['/vehicles/8B13V', '/vehicles/8B13V/sharing?a=b', '/nonsense/of/all', '/'])
    expect(vehiclePathText(path, PATHS)).toBeUndefined();
});

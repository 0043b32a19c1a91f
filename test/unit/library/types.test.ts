import { describe, expect, test } from 'vitest';
import { faultTypes, serviceTypes, simulatorTypes } from '../../support/library/written-types.ts';

/** Users compile against these types, and editors show their comments: they are files, and equal what the tables give. */
describe('the types of the test library follow the tables:', () => {
  const { acts, snapshots } = simulatorTypes();
  const { messages, vehicleState } = serviceTypes();
  const { weather, breaks } = faultTypes();

  test.each([
    ['acts.ts', acts],
    ['snapshots.ts', snapshots],
    ['messages.ts', messages],
    ['vehicle-state.ts', vehicleState],
    ['weather.ts', weather],
    ['breaks.ts', breaks],
  ])('%s', async (name, written) => {
    await expect(written).toMatchFileSnapshot(`../../../library/types/${name}`);
  });
});

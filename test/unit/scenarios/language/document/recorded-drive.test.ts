import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../../../scenarios/language/document/read.ts';
import { groupSchema } from '../../../../../scenarios/language/document/schema.ts';
import { toDocument } from '../../../../../scenarios/language/document/to-document.ts';
import { generateDocument } from '../../../../../scenarios/language/vary/generate.ts';
import { parsedScenario } from '../../../../support/simulation/play-scenario.ts';

const documentWith = (group: object) => ({
  name: 'drive',
  about: 'A recorded drive.',
  fleet: [group],
  steps: [{ at: '1s', park: {} }],
});

/** What is wrong, with its place. */
function faultsOf(group: object): readonly string[] {
  const read = readDocument(documentWith(group));
  return read.ok ? [] : read.faults.map(({ place, message }) => `${place.join('.')}: ${message}`);
}

describe('recorded_drive of a group', () => {
  test('is read, and written as it was', () => {
    const scenario = parsedScenario(documentWith({ recorded_drive: 'drives/a.gpx', driving: false }));
    expect(scenario.fleet[0]).toMatchObject({ recordedDrive: 'drives/a.gpx', isDriving: false });
    const written = toDocument(scenario);
    expect(written['fleet']).toEqual([{ count: 1, recorded_drive: 'drives/a.gpx', driving: false }]);
    expect(parsedScenario(written)).toEqual(scenario);
  });

  test('goes with neither a route nor a vehicle without a box', () => {
    expect(faultsOf({ recorded_drive: 'a.csv', route: 'berlin-west' })).toEqual([
      'fleet.0.route: A recorded drive has its own way.',
    ]);
    expect(faultsOf({ recorded_drive: 'a.csv', maker: 'northwind' })).toEqual([
      'fleet.0.recorded_drive: A vehicle of a maker has no box, and so no recorded_drive.',
    ]);
    expect(faultsOf({ recorded_drive: '' })).toHaveLength(1);
  });

  test('is in no scenario that is drawn: no file stands beside it', () => {
    expect(Object.keys(groupSchema.shape)).toContain('recorded_drive');
    let drawn = 0;
    const source = { whole: (least: number, most: number) => least + (drawn++ % (most - least + 1)) };
    for (let count = 0; count < 50; count += 1)
      expect(JSON.stringify(generateDocument(source, 'drawn'))).not.toContain('recorded_drive');
  });
});

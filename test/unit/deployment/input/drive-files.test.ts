import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { replaying } from '../../../../deployment/demo/demo-plans.ts';
import { readDriveFiles } from '../../../../deployment/input/drive-files.ts';
import { CommandError } from '../../../../deployment/shared/command-error.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { csvOf } from '../../../support/vehicles/drive-file.ts';

describe('recorded drives of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-drive-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const sound = csvOf(Array.from({ length: 20 }, (_, second) => [second, 10 * second]));
  const trip = file('trip.csv', sound);
  const points = [0, 1].map(
    (minute) => `<trkpt lat="52.00${minute}" lon="13"><time>08:1${minute}:00</time></trkpt>`,
  );
  const track = file('track.gpx', `<gpx><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
  const columns = (text: string): string => file('columns.yaml', text);
  const refusalOf = async (files: readonly string[], columnsFile?: string): Promise<string> => {
    try {
      await readDriveFiles({ files, columnsFile });
    } catch (error) {
      expect(error).toBeInstanceOf(CommandError);
      return error instanceof Error ? error.message : '';
    }
    return 'no refusal';
  };

  test('are called as their files are, with a number where a route is called so', async () => {
    const copy = file('copy.csv', sound);
    const { routes, remarks } = await readDriveFiles({ files: [trip, copy], columnsFile: undefined }, [
      'trip.csv',
    ]);
    expect(routes.map(({ name }) => name)).toEqual(['trip.csv (2)', 'copy.csv']);
    expect(remarks).toContain(
      `${copy}, line 2, is under way at 36 km/h: the drive begins with that speed at once.`,
    );
  });

  test('are refused with file, place and reason', async () => {
    const broken = file('broken.csv', 'time,lat,lon\n1,52,13\n2,north,13');
    expect(await refusalOf([broken])).toBe(
      `The recorded drive ${broken}, line 3, has a latitude that cannot be read: north is no number.`,
    );
    expect(await refusalOf([join(folder, 'none.gpx')])).toContain('none.gpx does not exist.');
    expect(await refusalOf([folder])).toContain('is a directory, not a regular file.');
    expect(await refusalOf([trip, join(folder, '.', 'trip.csv')])).toContain('is given twice.');
  });

  test('are refused where a mapping file does not fit', async () => {
    expect(await refusalOf([], columns('speed: v'))).toContain('Give both or neither.');
    expect(await refusalOf([trip], columns('sped: v'))).toContain(
      'sped: a drive has no such column. It has: time,',
    );
    expect(await refusalOf([trip], columns('speed: { column: v, unit: furlongs }'))).toContain(
      "speed: it takes a column's name, or {column, unit} with one of the units kmh,",
    );
    expect(await refusalOf([trip], columns("time: { column: v, format: 'DD' }"))).toContain(
      'time.format: it takes a format such as DD/MM/YYYY HH:mm:ss',
    );
    expect(await refusalOf([trip], columns("time: { column: v, unit: s, format: 'HH:mm' }"))).toContain(
      'time: it takes a unit or a format, and not both',
    );
    expect(await refusalOf([trip], columns('- speed'))).toContain('it has to be one map');
    expect(await refusalOf([trip], columns('speed: [v'))).toContain('cannot be used: Flow sequence');
    expect(await refusalOf([trip], columns('speed: v'))).toContain('has no column v of the mapping.');
    expect(await refusalOf([track], columns('speed: v'))).toContain('is of CSV files');
  });

  test('are taken by the first vehicles in order, which drive from the start; more drives than vehicles are refused', () => {
    const plans = planFleet(seededRandom(1), 3);
    const [first, second, third] = replaying(plans, ['a.gpx', 'b.csv']);
    expect(first).toMatchObject({ route: 'a.gpx', startFraction: 0, driving: true });
    expect(second).toMatchObject({ route: 'b.csv', startFraction: 0, driving: true });
    expect(third).toBe(plans[2]);
    expect(() => replaying(plans, ['a', 'b', 'c', 'd'])).toThrow(
      /There are 4 recorded drives, and --vehicles is 3/,
    );
  });
});

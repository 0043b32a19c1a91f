import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../support/run/external-services.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';
import { latitudeAt } from '../support/vehicles/drive-file.ts';

const truth = z.looseObject({
  route: z.string(),
  latitude: z.number(),
  speedKph: z.number(),
  mileageKm: z.number(),
  ignitionOn: z.boolean(),
});
const boxPage = z.looseObject({
  items: z.array(z.looseObject({ vehicleId: z.string().nullable(), driving: z.boolean(), truth })),
});

describe('boxtwin up --drive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-drives-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string) => join(folder, name);
  const rows = Array.from({ length: 120 }, (_, second) => `${second},${latitudeAt(12 * second)},13,1234.5`);
  writeFileSync(place('trip.csv'), ['time,lat,lon,odo', ...rows].join('\n'));

  test('has the first vehicle replay the file from the beginning, seen on control API and console', async () => {
    const up = await UpProcess.start([
      '--vehicles',
      '3',
      '--data',
      place('data'),
      '--drive',
      place('trip.csv'),
      ...(await UpProcess.ownPorts()),
    ]);
    try {
      const replaying = async () => {
        const { items } = boxPage.parse(await (await fetch(`${up.ready.simulator_url}/boxes`)).json());
        const found = items.filter(({ truth: { route } }) => route === 'trip.csv');
        expect(found).toHaveLength(1);
        return found[0]?.truth ?? expect.fail('nobody replays');
      };
      // What the banner would say is on stderr beside the one line of JSON.
      expect(up.errors).toBe(
        `boxtwin: ${place('trip.csv')}, line 2, is under way at 43 km/h: the drive begins with that speed at once.\n`,
      );
      const first = await replaying();
      let later = first;
      await waitUntil(async () => {
        later = await replaying();
        return later.latitude > first.latitude;
      });
      expect(later).toMatchObject({ ignitionOn: true });
      expect(later.speedKph).toBeCloseTo(43.2, 0);
      // Mileage and place grow by the same way.
      expect((later.mileageKm - 1234.5) * 1_000).toBeCloseTo((later.latitude - 52) * 111_194.93, 0);
      const page = await fetch(`${up.ready.console_url}/`);
      const cookie = page.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      const streets = await (
        await fetch(`${up.ready.console_url}/console/streets`, { headers: { cookie } })
      ).text();
      expect(streets).toContain('"trip.csv"');
    } finally {
      await up.end('SIGTERM');
    }
  }, 120_000);

  test('refuses a drive that is given twice, whatever the path, with exit code 2 and before anything starts', async () => {
    const here = relative(process.cwd(), place('trip.csv'));
    const args = ['up', '--data', place('new'), '--drive', place('trip.csv'), '--drive', here];
    const { code, errors } = await runCommand(args);
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(`${here} is given twice.`) });
    expect(existsSync(place('new'))).toBe(false);
  });
});

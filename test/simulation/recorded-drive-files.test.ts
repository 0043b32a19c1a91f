import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readLinkFiles } from '../../deployment/input/scenario-link-files.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { itemsOf, playAndInspect } from '../support/simulation/play-scenario.ts';
import { DRIVE_FILES, DRIVEN_FILES } from '../support/vehicles/drive-file-cases.ts';

const scenarioFile = fileURLToPath(new URL('drive-speed-unit.yaml', DRIVE_FILES));
const scenario = readFileSync(scenarioFile, 'utf8');

const stateMessage = z.object({
  data: z.object({
    vehicle_state: z.object({
      speed_in_kph: z.object({ timestamp: z.iso.datetime(), value: z.number() }).optional(),
    }),
  }),
});

test.each(Object.keys(DRIVEN_FILES))(
  'a vehicle drives %s at 36 km/h in truth, and the service says so',
  async (name) => {
    const text = scenario.replace('csv-gpslogger-ms.csv', name);
    const reading = readScenario(text, scenarioFile);
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { readFile, problems } = readLinkFiles(reading.scenario, reading.document, text, scenarioFile);
    expect(problems).toEqual([]);
    await playAndInspect(
      text.replace('{ above: 30 }', '{ above: 35, below: 37 }'),
      async (evidence, testbed) => {
        expect(Number(testbed.vehicles[0]?.box?.truth()['speedKph'])).toBeCloseTo(36, 0);
        const messages = await itemsOf(evidence.messages('VehicleState_v1-own'));
        const speeds = messages.flatMap(
          ({ body }) => stateMessage.parse(body).data.vehicle_state.speed_in_kph?.value ?? [],
        );
        // It waits at first.
        expect(speeds.filter((speed) => speed > 0).length).toBeGreaterThan(0);
        for (const speed of speeds.filter((one) => one > 0)) expect(Math.abs(speed - 36)).toBeLessThan(1.5);
      },
      { readFile },
    );
  },
);

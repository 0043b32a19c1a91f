import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModels } from '../../deployment/models/model-directory.ts';
import { proposalText } from '../../deployment/models/proposal/proposal-text.ts';
import { runScenario } from '../../library/scenario.ts';
import { smallVan } from '../support/models/small-van.ts';
import { playAndInspect } from '../support/simulation/play-scenario.ts';

/** A van that stands, is opened, driven and left, with every checker and with faults on its way. */
const TRIP = `
name: van-of-a-dbc-file
about: A vehicle of a model that was made of a DBC file tells what its signals say.
seed: 3
fleet: [{ as: vans, model: small-van, count: 2, driving: false, features: demo, maintenance: true }]
steps:
  - { at: 1m, call: { command: unlock-and-enable-driving }, expect: { status: [200, 204] } }
  - { at: 2m, drive: }
  - { at: 6m, weather: { coverage: none }, for: 5m }
  - { at: 14m, park: }
  - { at: 16m, call: { command: lock-and-disable-driving }, expect: { status: [200, 204] } }
  - { at: 17m, call: { command: request-vehicle-state }, expect: { status: 200 } }
always: [all]
`;

const FAILING = `
name: van-that-is-no-moped
about: An expectation that is not met.
fleet: [{ model: small-van }]
steps: [{ at: 10s, call: { command: request-vehicle-state }, expect: { status: 404 } }]
always: []
`;

describe('a vehicle of a model that was made of a DBC file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-dbc-'));
    mkdirSync(join(folder, 'models'));
    writeFileSync(join(folder, 'models', 'small-van.yaml'), proposalText(smallVan(), 'small-van.dbc'));
    loadModels(join(folder, 'models'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('tells what its signals say, signed and Motorola ones among them, and every checker finds it true', async () => {
    const { states, findings } = await playAndInspect(TRIP, async (evidence, testbed, found) => ({
      states: await Promise.all(testbed.vehicles.map((vehicle) => evidence.twin(vehicle))),
      findings: found,
    }));
    expect(findings).toEqual([]);
    expect(states.length).toBe(2);
    for (const { latest_vehicle_state: state } of states)
      expect(state).toMatchObject({
        central_lock: { value: 'LOCKED' },
        doors_status: { value: 'CLOSED' },
        gearshift_position: { value: 'PARK' },
        speed_in_kph: { value: 0 },
        mileage_in_kilometers: { value: expect.any(Number) },
        onboard_voltage_in_volts: { value: expect.any(Number) },
        service_due_in_kilometers: { value: expect.any(Number) },
      });
  });

  test('runs from a program of the user, and the report of a failure says how to have it again', async () => {
    const models = join(folder, 'models');
    const { verdict, report } = await runScenario(FAILING, { models });
    expect(verdict).toBe('failed');
    expect(report).toContain(` --models ${models}`);
  });
});

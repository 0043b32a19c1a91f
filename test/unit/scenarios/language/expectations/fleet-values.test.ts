import { describe, expect, it } from 'vitest';
import { saidIn } from '../../../../support/scenarios/said-in.ts';

describe('what no vehicle of the fleet can have is an error, with the models that have it,', () => {
  it.each<[string, string, string]>([
    [
      '{ model: petrol-compact }',
      '{ never: { truth: { topCaseOpen: true } } }',
      '5:38 `truth.topCaseOpen` is never true: no petrol-compact has it. | Models that have it: electric-moped, scooter, electric-scooter.',
    ],
    [
      '{ model: petrol-compact }',
      '{ never: { truth: { topCaseOpen: { not: true } } } }',
      '5:45 `truth.topCaseOpen` is never true: no petrol-compact has it. | Models that have it: electric-moped, scooter, electric-scooter.',
    ],
    [
      '{ model: petrol-compact }, { model: estate }',
      '{ never: { truth: { mechanics: { top_case: jammed } } } }',
      '5:48 `truth.mechanics.top_case` is never "jammed": no vehicle of this fleet has it (petrol-compact, estate). | Models that have it: electric-moped, scooter, electric-scooter.',
    ],
    [
      '{ model: petrol-compact }',
      '{ never: { truth: { levels: { adblue: { below: 3 } } } } }',
      '5:52 `truth.levels.adblue` is never below 3: no petrol-compact has it. | Models that have it: diesel-van, cargo-van.',
    ],
    [
      '{ model: petrol-compact }',
      '{ never: { truth: { model: petrol-compakt } } }',
      '5:32 `truth.model` is never "petrol-compakt": it is petrol-compact. | Did you mean petrol-compact?',
    ],
    [
      '{ maker: northwind }',
      '{ never: { truth: { model: estate } } }',
      '5:32 `truth.model` is never "estate": it is electric-estate or electric-scooter.',
    ],
    [
      '{ model: petrol-compact }',
      '{ never: { state: { drive_batteries: { port_1: { level_in_percent: 50 } } } } }',
      '5:42 `state.drive_batteries` is never {"port_1":{"level_in_percent":50}}: no petrol-compact has it. | Models that have it: electric-moped, plug-in-hybrid, electric-estate, electric-scooter.',
    ],
    [
      '{ model: scooter }',
      '{ never: { message: VehicleStateReceived, with: { state: { central_lock: LOCKED } } } }',
      '5:78 `with.state.central_lock` is never "LOCKED": no scooter has it. | Models that have it: petrol-compact, ',
    ],
    [
      '{ recorded_drive: drives/here.csv }',
      '{ never: { truth: { route: drives/her.csv } } }',
      '5:32 `truth.route` is never "drives/her.csv": it is berlin-west, berlin-east, hamburg-alster, karlsruhe-hills, munich-leopold or drives/here.csv. | Did you mean drives/here.csv?',
    ],
  ])('in a fleet of %s: %s', (fleet, step, said) => {
    const [first = ''] = saidIn(fleet, step);
    expect(first.startsWith(said) ? said : first).toBe(said);
  });

  it.each<[string, string, ...string[]]>([
    [
      'a model that a group names',
      '{ model: petrol-compact }, { model: scooter }',
      '{ never: { truth: { topCaseOpen: true } } }',
    ],
    [
      'any model of a group that names none',
      '{ model: petrol-compact }, {}',
      '{ never: { truth: { topCaseOpen: true } } }',
    ],
    [
      'the route of a file that the fleet names',
      '{ recorded_drive: drives/here.csv }',
      '{ never: { truth: { route: drives/here.csv } } }',
    ],
    [
      'a firmware that a step puts in',
      '{}',
      '{ firmware: { version: "9.99" }, expect: { belief: { firmware: "9.99" } } }',
    ],
    [
      'that the service never tells what no vehicle has',
      '{ model: petrol-compact }',
      '{ never: { state: { drive_batteries: { present: true } } } }',
    ],
    [
      'what another model has, where a request may onboard one',
      '{ model: petrol-compact }',
      '{ call: { request: { method: POST, path: /vehicles, body: {} } } }',
      '{ never: { state: { drive_batteries: { port_1: { level_in_percent: 50 } } } } }',
    ],
  ])('but not %s', (_what, fleet, ...steps) => {
    expect(saidIn(fleet, ...steps)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { CHECKER_NAMES } from '../../judge/checkers.ts';
import { ALL_FRAME_KINDS } from '../../judge/recordings.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import {
  failuresOf,
  itemsOf,
  parsedScenario,
  playAndInspect,
  playScenario,
} from '../support/simulation/play-scenario.ts';

const TUNNEL = `
name: tunnel
about: Three cars lose coverage in a tunnel; what they recorded arrives afterwards.
seed: 7
fleet:
  - { count: 3, model: petrol-compact, firmware: "2.31" }
steps:
  - { at: 0s, drive: { route: city-loop } }
  - { at: 2m, weather: { coverage: none }, for: 90s }
  - at: 2m30s
    call: { command: unlock-central-lock }
    expect: { status: 504, problem: /problems/vehicle/no-connection }
  - { within: 60s, expect: { message: VehicleStateReceived, with: { occurred_during: weather } } }
`;

const ROUGH = `
name: rough
about: Everything happens at once, and the next thing before that is over.
seed: 3
fleet:
  - { count: 3, model: petrol-compact, driving: true }
  - { count: 1, maker: northwind, as: cars }
steps:
  - { at: 10s, weather: { half_open: {} }, on: { box: 1 }, for: 90s }
  - { at: 20s, weather: { cut: {} }, on: { box: 2 } }
  - { at: 30s, break: { backend: { crash: {} } }, for: 20s }
  - { at: 40s, break: { broker: { restart: { sessions: lost } } }, for: 30s }
  - { at: 50s, weather: { stall: {} }, on: { box: 3 }, for: 30s }
  - { at: 60s, break: { exchange: { down: {} } }, for: 40s }
  - { at: 70s, break: { box: { brown-out: {} } }, on: { box: 2 } }
  - { at: 2m30s, within: 5m, expect: { connected: true, journal: empty }, on: fleet-0 }
`;

describe('a scenario in the virtual testbed', () => {
  test('is run to its end: commands without coverage are answered, and records from that time arrive afterwards', async () => {
    const outcome = await playScenario(TUNNEL);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed', world: 'virtual', seed: 7 });
    expect(outcome.expectations).toHaveLength(6);
    const ofFirst = outcome.facts.flatMap((fact) =>
      fact.kind === 'connectivity' && fact.vehicle === 1 && fact.atMs >= outcome.startMs ? [fact.state] : [],
    );
    expect(ofFirst).toEqual(['offline', 'connecting', 'connected', 'ready']);
  });

  test('does the same in a second run, and with another run in parallel', async () => {
    const alone = await playScenario(TUNNEL);
    const [beside, rough] = await Promise.all([playScenario(TUNNEL), playScenario(ROUGH)]);
    expect(beside.hash).toBe(alone.hash);
    expect((await playScenario(ROUGH)).hash).toBe(rough.hash);
    expect((await playScenario(TUNNEL, { seed: 8 })).hash).not.toBe(alone.hash);
  });

  test('recovers when everything breaks at once', async () => {
    const outcome = await playScenario(ROUGH);
    expect(failuresOf(outcome)).toEqual([]);
    const service = outcome.facts.flatMap((fact) => (fact.kind === 'service' ? [fact.state] : []));
    expect(service).toEqual(['up', 'down', 'up']);
    const faults = outcome.facts.flatMap((fact) =>
      fact.kind === 'fault' ? [`${fact.name} ${fact.phase}`] : [],
    );
    expect(faults).toContain('weather half_open ends');
    expect(faults).toContain('box brown-out happens');
  });

  test('a fault stays in force until the last of two overlapping ones ends', async () => {
    const outcome = await playScenario(`
name: overlap
about: Two outages of one network overlap.
fleet: [{ model: petrol-compact, driving: false, features: none }]
steps:
  - { at: 10s, weather: { coverage: none }, for: 60s }
  - { at: 40s, weather: { coverage: none }, for: 60s }
  - { at: 40s, never: { connected: true }, within: 59s }
  - { at: 1m40s, expect: { connected: true }, within: 30s }
`);
    expect(failuresOf(outcome)).toEqual([]);
  });

  test('ends as crashed with the reason if it throws, and does not affect the next run', async () => {
    const [step] = parsedScenario(TUNNEL).steps;
    const broken = { ...parsedScenario(TUNNEL), steps: [{ ...step, does: undefined, on: 'nobody' }] };
    const outcome = await runVirtual(broken as never);
    expect(outcome.verdict).toBe('crashed');
    expect(outcome.reason).toMatch(/TypeError/);
    expect((await playScenario(TUNNEL)).verdict).toBe('passed');
  });

  test('passes on an error of the gate: that is no crash of the world', async () => {
    const enough = new Error('enough');
    const gate = () => {
      throw enough;
    };
    await expect(playScenario(TUNNEL, { gate })).rejects.toBe(enough);
  });
});

describe('network faults', () => {
  test('of every kind begin, overlap and end, and nothing is lost', async () => {
    const outcome = await playScenario(
      `
name: all-weather
about: Every word of weather within minutes.
fleet: [{ count: 4, model: petrol-compact, driving: true }]
steps:
  - { at: 5s, weather: { latency: { base: 300ms, jitter: 500ms } }, for: 2m }
  - { at: 10s, weather: { bandwidth: { up: 9600bit/s } }, for: 2m }
  - { at: 15s, weather: { reset_peer: { after: 20s } }, on: { box: 1 }, for: 60s }
  - { at: 20s, weather: { slow_close: { delay: 20s } }, for: 60s }
  - { at: 25s, weather: { limit_data: { after: 2kB } }, on: { box: 2 }, for: 60s }
  - { at: 30s, weather: { session_lost: {} }, on: { box: 3 } }
  - { at: 40s, weather: { take_over: {} }, on: { box: 4 } }
  - { at: 50s, weather: { coverage: poor }, for: 60s }
  - { at: 55s, weather: { signal: 9 }, on: { box: 1 }, for: 60s }
  - { at: 60s, weather: { sim: suspended }, on: { box: 3 }, for: 20s }
  - { at: 65s, weather: { trace: { file: slow.mahi } }, on: { box: 4 }, for: 60s }
  - { at: 2m30s, weather: { roaming: { gap: 10s } }, on: { box: 2 }, for: 20s }
  - { at: 3m, weather: { lose: { message: receipt, count: 2 } } }
  - { at: 3m10s, weather: { lose: { message: puback, connection: cut } } }
  - { at: 3m20s, weather: { delay: { message: receipt, by: 5s } } }
  - { at: 3m30s, weather: { lose: { message: amqp-confirm } } }
  - { at: 4m, on: { box: 1 }, weather: { lose: { message: command-reply } } }
  - { at: 4m1s, on: { box: 1 }, call: { command: request-system-status }, expect: { status: 504 }, within: 40s }
  - { at: 6m, expect: { connected: true }, within: 60s }
always: all
`,
      { readFile: (file) => (file === 'slow.mahi' ? '100\n400\n900\n' : undefined) },
    );
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
    expect(outcome.checkers).toHaveLength(CHECKER_NAMES.length);
  });
});

describe('breaks', () => {
  test('of service, store, brokers and boxes are undone, and nothing is lost', async () => {
    const outcome = await playScenario(`
name: all-breaks
about: Every part breaks within minutes.
fleet: [{ count: 4, model: petrol-compact, driving: true }]
steps:
  - { at: 5s, break: { store: { slow: { by: 300ms } } }, for: 60s }
  - { at: 20s, break: { store: { full: {} } }, for: 20s }
  - { at: 30s, break: { store: { down: {} } }, for: 20s }
  - { at: 80s, break: { exchange: { nack: {} } }, for: 20s }
  - { at: 90s, break: { exchange: { blocked: {} } }, for: 20s }
  - { at: 2m, break: { backend: { crash: { point: after-receive } } }, for: 20s }
  - { at: 3m, break: { backend: { crash: { point: after-commit } } }, for: 30s }
  - { at: 4m, break: { backend: { crash: { point: after-publish } } }, for: 30s }
  - { at: 5m, break: { backend: { crash: { point: before-mark } } }, for: 30s }
  - { at: 5m10s, break: { backend: { restart: {} } } }
  - { at: 6m, on: { box: 1 }, break: { box: { watchdog: {} } } }
  - { at: 6m, on: { box: 2 }, break: { box: { reset: { reason: USER } } } }
  - { at: 6m, on: { box: 3 }, break: { box: { flash-full: {} } }, for: 30s }
  - { at: 6m, on: { box: 4 }, break: { box: { hang: {} } }, for: 30s }
  - { at: 6m30s, on: { box: 2 }, break: { box: { gnss-lost: {} } }, for: 30s }
  - { at: 6m40s, on: { box: 2 }, break: { box: { clock-jump: { by: -2h } } } }
  - { at: 7m, on: { box: 4 }, break: { box: { wipe: {} } } }
  - { at: 7m, on: { box: 1 }, break: { box: { power-loss: {} } }, for: 20s }
  - { at: 8m, within: 5m, expect: { connected: true } }
always: all
`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
    const deaths = outcome.facts.flatMap((fact) =>
      fact.kind === 'service' && fact.state === 'down' ? [fact.reason] : [],
    );
    expect(deaths).toEqual([
      'it crashed: after-receive',
      'it crashed: after-commit',
      'it crashed: after-publish',
      'it crashed: before-mark',
    ]);
  });
});

describe('the fleet of a scenario', () => {
  const of = (fleet: string) =>
    playAndInspect(
      `name: planned\nabout: Only raised.\nfleet:\n${fleet}\nsteps: [{ at: 1s, park: {} }]`,
      async (_, { vehicles }) =>
        vehicles.map(({ boxId, model, vehicleId, group }) => ({
          boxId,
          model,
          vehicleId,
          firmware: group.firmware,
        })),
    );

  test('has the same vehicles whatever groups follow, and whatever is configured for others', async () => {
    const [first, second] = await of('  - { count: 2, features: none }');
    const [, same, third] = await of(
      '  - { model: electric-moped, firmware: "2.40", features: none }\n  - { features: none }\n  - { maker: northwind }',
    );
    expect(same).toEqual(second);
    expect(third).toMatchObject({ boxId: undefined, model: 'electric-estate' });
    expect(first?.boxId).not.toBe(second?.boxId);
  });

  test('can be two fleets that see only their own vehicles until one is shared', async () => {
    const outcome = await playScenario(`
name: two-fleets
about: A car of one fleet is shared with the other.
fleet:
  - { as: ours, model: petrol-compact, driving: true }
  - { as: theirs, fleet: partner, model: petrol-compact, driving: true }
clients:
  - { name: reader, fleet: own, permissions: [vehicles.ro] }
steps:
  - { at: 1s, call: { get: "/vehicles/{vehicle}" }, on: ours, expect: { status: 200 } }
  - { at: 1s, call: { get: "/vehicles/{vehicle}", as: partner }, on: ours, expect: { status: 404 } }
  - { at: 1s, call: { get: "/vehicles/{vehicle}", as: partner }, on: theirs, expect: { status: 200 } }
  - { at: 1s, call: { get: "/vehicles/{vehicle}", as: nobody }, on: ours, expect: { status: 401 } }
  - { at: 1s, call: { get: "/vehicles/{vehicle}", as: forged }, on: ours, expect: { status: 401 } }
  - { at: 1s, call: { get: "/vehicles/{vehicle}", as: reader }, on: ours, expect: { status: 200 } }
  - { at: 1s, call: { command: draw-attention, as: reader }, on: ours, expect: { status: 403 } }
  - { at: 2s, call: { share: partner }, on: ours, expect: { status: 200 } }
  - { delay: 1s, call: { get: "/vehicles/{vehicle}", as: partner }, on: ours, expect: { status: 200 } }
`);
    expect(failuresOf(outcome)).toEqual([]);
  });

  test('can be onboarded from the shelf, opened by phone, and polled from its maker', async () => {
    const outcome = await playScenario(`
name: many-sorts
about: A box of the shelf, a car that a phone opens, and one with its maker's telematics.
fleet:
  - { as: shelf, on_shelf: true, model: petrol-compact, firmware: "2.30", driving: true }
  - { as: phone, model: petrol-compact, firmware: "2.40", driving: false, features: { box-settings: { ble_enabled: true } } }
  - { as: cars, maker: northwind, driving: false }
steps:
  - { at: 5s, on: shelf, call: { onboard: {} }, expect: { status: 201 } }
  - { on: shelf, within: 5m, expect: { setup_status: SUCCEEDED } }
  - { at: 10s, on: phone, bluetooth: { action: unlock }, expect: { phone: done } }
  - { at: 20s, on: phone, bluetooth: { action: unlock, token: expired }, expect: { phone: refused } }
  - { at: 30s, on: phone, bluetooth: { action: unlock, token: forged }, expect: { phone: refused } }
  - { at: 40s, on: phone, bluetooth: { action: lock, token: used-up }, expect: { phone: refused } }
  - { at: 40s, on: cars, call: { command: draw-attention }, expect: { status: 200 } }
  - { at: 50s, break: { maker: { outage: { manner: error } } }, for: 30s }
  - { at: 60s, on: cars, call: { command: draw-attention }, expect: { status: 502 } }
  - { at: 2m, on: cars, call: { command: draw-attention }, expect: { status: 200 } }
`);
    expect(failuresOf(outcome)).toEqual([]);
  });
});

describe('the evidence of a run', () => {
  test('comes from the recordings of each side, and they agree', async () => {
    const seen = await playAndInspect(
      `
name: evidence
about: A command, a bulk job and some reports.
fleet: [{ count: 2, model: petrol-compact, driving: false }]
steps:
  - { at: 1s, call: { command: unlock-and-enable-driving }, expect: { status: 200 } }
  - { at: 20s, call: { bulk: { driving-events: {} } } }
  - { within: 2m, expect: { bulk: { status: COMPLETED, applied: 2 } } }
  - { drive: {} }
  - { delay: 2m, expect: { journal: { below: 5 } } }
`,
      async (evidence, { vehicles }) => {
        const [vehicle] = vehicles;
        if (vehicle === undefined) throw new Error('There is no player.');
        const [queue] = await evidence.queues();
        return {
          frames: await itemsOf(evidence.frames(vehicle, ALL_FRAME_KINDS)),
          records: await itemsOf(evidence.records(vehicle)),
          ever: await evidence.everStored(vehicle),
          journal: await evidence.journal(vehicle),
          messages: await itemsOf(evidence.messages(queue?.name ?? '')),
          acted: await evidence.outputActions(vehicle),
          calls: await evidence.calls(),
          jobs: await evidence.jobs(),
          twin: await evidence.twin(vehicle),
          levels: await evidence.levels(),
          pending: await evidence.pending(),
          unbooked: evidence.unrecorded(),
          vehicleId: vehicle.vehicleId,
        };
      },
    );
    const sent = new Set(
      seen.frames.filter(({ direction }) => direction === 'up').map(({ sequence }) => sequence),
    );
    expect(seen.records.length).toBeGreaterThan(8);
    expect(seen.records.length).toBe(seen.ever.records);
    for (const { sequence } of seen.records) expect(sent).toContain(sequence);
    expect(seen.journal?.epoch).toBe(seen.records[0]?.epoch);
    const told = new Set(seen.messages.map(({ messageId }) => messageId));
    const inQueue = seen.records.flatMap(({ messageIds }) => messageIds).filter((id) => told.has(id));
    expect(inQueue.length).toBeGreaterThan(5);
    expect(seen.acted.map(({ command }) => command)).toEqual(['unlock-and-enable-driving']);
    const request = seen.frames.find(({ message }) => message.kind === 'command')?.message;
    expect(request).toMatchObject({ requestId: seen.acted[0]?.requestId });
    expect(seen.calls[0]).toMatchObject({ as: 'owner', method: 'POST', status: 200 });
    expect(seen.calls[0]?.token?.endsMs).toBeGreaterThan(seen.calls[0]?.askedMs ?? 0);
    expect(seen.jobs).toMatchObject([
      { status: 'COMPLETED', items: [{ status: 'APPLIED' }, { status: 'APPLIED' }] },
    ]);
    expect(Object.keys(seen.twin['latest_vehicle_state'] as object).length).toBeGreaterThan(5);
    for (const { name, most, bound } of seen.levels) expect(most, name).toBeLessThanOrEqual(bound);
    expect(seen.pending.filter(({ what }) => what !== 'the journal of the box')).toEqual([]);
    expect(seen.unbooked).toEqual({ frames: 0, calls: 0 });
  });
});

describe('the planted bug', () => {
  const lost = (plantedBug: boolean) =>
    playAndInspect(
      `
name: bug
about: A car records in a tunnel.
fleet: [{ model: petrol-compact, driving: true }]
steps:
  - { at: 1m, weather: { coverage: none }, for: 2m }
  - { at: 5m, expect: { connected: true } }
`,
      async (evidence, { vehicles: [vehicle] }) => {
        if (vehicle === undefined) throw new Error('There is no player.');
        const stored = (await itemsOf(evidence.records(vehicle))).map(({ sequence }) => sequence);
        return Math.max(...stored) - stored.length;
      },
      { plantedBug },
    );

  test('loses the records that a box held when it reconnected, and none without the bug', async () => {
    expect(await lost(false)).toBe(0);
    expect(await lost(true)).toBeGreaterThan(0);
  });
});

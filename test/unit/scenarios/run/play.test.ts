import { describe, expect, test } from 'vitest';
import type { Deed } from '../../../../scenarios/language/scenario.ts';
import { RunStuck } from '../../../../scenarios/run/deeds.ts';
import { FakeTheatre, play, START, step } from './fake-theatre.ts';

const dark = (does = 'coverage') =>
  ({ kind: 'weather', weather: { name: does, settings: 'none' } }) as unknown as Deed;
const command = (settings = 'lock-central-lock') =>
  ({ kind: 'call', call: { name: 'command', settings } }) as unknown as Deed;
const get = (settings: string) => ({ kind: 'call', call: { name: 'get', settings } }) as Deed;
const connected = { kind: 'connected', connected: true } as const;
const drive = { kind: 'vehicle', act: { name: 'drive', settings: {} } } as unknown as Deed;

describe('when a step begins', () => {
  test('at its time, behind a labelled step, or behind all that stand before it', async () => {
    const theatre = new FakeTheatre(1);
    await play(theatre, [
      step({ when: { atMs: 60_000 }, does: dark(), forMs: 90_000, label: 'tunnel' }),
      step({ when: { atMs: 5_000 }, does: command() }),
      step({ when: { after: 'tunnel', delayMs: 10_000 }, does: drive }),
      step({ when: { afterAll: true, delayMs: 1_000 }, does: get('/vehicles') }),
    ]);
    expect(theatre.done).toEqual([
      '5 POST /vehicles/VEH01/commands/lock-central-lock',
      '60 coverage over 1',
      '150 coverage ends',
      '160 drive of 1',
      '161 GET /vehicles',
    ]);
  });

  test('not before the expectations of the one before it have come to hold', async () => {
    const theatre = new FakeTheatre(1);
    theatre.time.alarm(START + 7_000, () => {
      theatre.isLocked = false;
    });
    const { expectations } = await play(theatre, [
      step({ expect: [{ kind: 'truth', truth: { locked: false } }] }),
      step({ when: { afterAll: true, delayMs: 0 }, does: drive }),
    ]);
    expect(expectations).toMatchObject([{ isMet: true, vehicle: 1 }]);
    const [at = 0] = theatre.done.map((line) => Number(line.split(' ')[0]));
    expect(at).toBeGreaterThanOrEqual(7);
    expect(at).toBeLessThan(7.5);
  });
});

describe('what lasts', () => {
  test('holds nobody up without a `for`, and ends with the run', async () => {
    const theatre = new FakeTheatre(1);
    await play(
      theatre,
      [step({ does: dark() }), step({ when: { afterAll: true, delayMs: 0 }, does: drive })],
      120_000,
    );
    expect(theatre.done).toEqual(['0 coverage over 1', '0 drive of 1', '120 coverage ends']);
  });

  test('is in force for the time that a message tells of', async () => {
    const theatre = new FakeTheatre(1);
    const told = (atMs: number) => ({
      atMs: START + 200_000,
      vehicleId: 'VEH01',
      name: 'VehicleStateReceived',
      messageId: `M${atMs}`,
      body: {
        data: {
          vehicle_state: { speed_in_kph: { timestamp: new Date(START + atMs).toISOString(), value: 1 } },
        },
      },
    });
    theatre.time.alarm(START + 200_000, () => {
      theatre.seen(told(30_000));
      theatre.seen(told(90_000));
      theatre.seen(told(90_000));
    });
    const message = {
      kind: 'message',
      message: 'VehicleStateReceived',
      with: { occurred_during: 'weather' },
    } as const;
    const { expectations } = await play(theatre, [
      step({ when: { atMs: 60_000 }, does: dark(), forMs: 60_000 }),
      step({ when: { afterAll: true, delayMs: 0 }, expect: [{ ...message, count: 1 }], withinMs: 300_000 }),
    ]);
    expect(expectations).toMatchObject([{ isMet: true }]);
    expect(expectations[0]?.text).toMatch(/^1 message .* 3 of that name came$/);
  });
});

describe('expectations', () => {
  test('are told for every vehicle, with what was there instead', async () => {
    const theatre = new FakeTheatre(3);
    theatre.answer = ({ path }) => ({ status: path.includes('VEH02') ? 504 : 200, tookMs: 2_000 });
    const { expectations } = await play(theatre, [
      step({ does: command(), expect: [{ kind: 'answer', status: 200 }], withinMs: 10_000 }),
    ]);
    const byVehicle = expectations.toSorted((a, b) => (a.vehicle ?? 0) - (b.vehicle ?? 0));
    expect(byVehicle.map(({ isMet }) => isMet)).toEqual([true, false, true]);
    // An answer that has come stays as it is: nobody waits for another one.
    expect(byVehicle[1]).toMatchObject({ vehicle: 2, atMs: START + 2_000 });
    expect(byVehicle[1]?.text).toContain('answer.status is 504, expected 200');
  });

  test('to a call about no vehicle are looked for once, its time included', async () => {
    const theatre = new FakeTheatre(3);
    theatre.answer = () => ({ tookMs: 1_500 });
    const { expectations } = await play(theatre, [
      step({
        does: get('/vehicles'),
        expect: [
          { kind: 'answer', status: 200 },
          { kind: 'took', took: { at_most: 1_000 } },
        ],
      }),
    ]);
    expect(expectations.map(({ isMet, vehicle }) => [isMet, vehicle])).toEqual([
      [true, undefined],
      [false, undefined],
    ]);
    expect(expectations[1]?.text).toContain('took 1500 ms');
  });

  test('of a vehicle are looked at when the call is answered: what was so before is not what came of it', async () => {
    const theatre = new FakeTheatre(1);
    theatre.answer = () => ({ tookMs: 2_000 });
    theatre.time.alarm(START + 1_000, () => {
      theatre.isLocked = false;
    });
    const locked = { kind: 'truth', truth: { locked: true } } as const;
    const { expectations } = await play(theatre, [
      step({ does: command('unlock-central-lock'), expect: [locked], withinMs: 10_000 }),
    ]);
    expect(expectations).toMatchObject([{ isMet: false, atMs: START + 10_000 }]);
  });

  test('of a vehicle are looked at in the end, where the call is not answered in their time', async () => {
    const theatre = new FakeTheatre(1);
    theatre.answer = () => ({ tookMs: 60_000 });
    const locked = { kind: 'truth', truth: { locked: true } } as const;
    const { expectations } = await play(theatre, [
      step({ does: command(), expect: [locked], withinMs: 10_000 }),
    ]);
    expect(expectations).toMatchObject([{ isMet: true, atMs: START + 10_000 }]);
  });

  test.each([
    ['the step that lays it', [step({ does: dark('reset_peer'), expect: [connected] })]],
    [
      'the step behind it',
      [
        step({ does: dark('reset_peer') }),
        step({ when: { afterAll: true, delayMs: 0 }, expect: [connected] }),
      ],
    ],
  ])('of a vehicle in %s wait until weather may have been noticed', async (_, steps) => {
    const theatre = new FakeTheatre(1);
    // It takes a moment until the box learns that its connection is gone, and another until it has a new one.
    theatre.time.alarm(START + 40, () => {
      theatre.isConnected = false;
    });
    theatre.time.alarm(START + 1_500, () => {
      theatre.isConnected = true;
    });
    const { expectations } = await play(theatre, steps);
    const [{ isMet, atMs } = { isMet: false, atMs: 0 }] = expectations;
    expect(isMet).toBe(true);
    expect(atMs).toBeGreaterThanOrEqual(START + 1_500);
  });

  test('of a step that selects no vehicle are not met', async () => {
    const { expectations } = await play(new FakeTheatre(2), [
      step({ on: { pick: { box: 3 } }, expect: [{ kind: 'connected', connected: true }] }),
    ]);
    expect(expectations).toMatchObject([{ isMet: false, text: 'connected: the step selects no vehicle' }]);
  });

  test('that must never hold are watched until their time is over', async () => {
    const theatre = new FakeTheatre(1);
    theatre.time.alarm(START + 20_000, () => {
      theatre.isLocked = false;
    });
    const never = [{ kind: 'truth', truth: { locked: false } }] as const;
    const short = await play(theatre, [step({ never, withinMs: 10_000 })]);
    expect(short.expectations).toMatchObject([{ isMet: true, isNever: true, atMs: START + 10_000 }]);
    const long = await play(theatre, [step({ never, withinMs: 60_000 })]);
    expect(long.expectations).toMatchObject([{ isMet: false }]);
    expect(long.expectations[0]?.text).toMatch(/^was never to be: /);
  });
});

describe('an answer that never comes', () => {
  test('gets the run stuck, with the request by its name', async () => {
    const theatre = new FakeTheatre(1);
    theatre.answer = () => ({ tookMs: 10 * 3_600_000 });
    const failure = play(theatre, [step({ does: command() })]);
    await expect(failure).rejects.toThrow(RunStuck);
    await expect(failure).rejects.toThrow(/POST \/vehicles\/VEH01\/commands\/lock-central-lock/);
  });
});

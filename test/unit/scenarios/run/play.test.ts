import { describe, expect, test } from 'vitest';
import type { StepAction } from '../../../../scenarios/language/document/scenario.ts';
import { RunStuck } from '../../../../scenarios/run/step-actions.ts';
import { FakeTestbed, playOn, START_MS, stepWith } from '../../../support/scenarios/fake-testbed.ts';

const dark = (does = 'coverage') =>
  ({ kind: 'weather', weather: { name: does, settings: 'none' } }) as unknown as StepAction;
const command = (settings = 'lock-central-lock') =>
  ({ kind: 'call', call: { name: 'command', settings } }) as unknown as StepAction;
const get = (settings: string) => ({ kind: 'call', call: { name: 'get', settings } }) as StepAction;
const connected = { kind: 'connected', connected: true } as const;
const drive = { kind: 'vehicle', act: { name: 'drive', settings: {} } } as unknown as StepAction;

describe('when a step begins', () => {
  test('at its time, after a labelled step, or after all steps before it', async () => {
    const testbed = new FakeTestbed(1);
    await playOn(testbed, [
      stepWith({ when: { atMs: 60_000 }, does: dark(), forMs: 90_000, label: 'tunnel' }),
      stepWith({ when: { atMs: 5_000 }, does: command() }),
      stepWith({ when: { after: 'tunnel', delayMs: 10_000 }, does: drive }),
      stepWith({ when: { afterAll: true, delayMs: 1_000 }, does: get('/vehicles') }),
    ]);
    expect(testbed.done).toEqual([
      '5 POST /vehicles/VEH01/commands/lock-central-lock',
      '60 coverage over 1',
      '150 coverage ends',
      '160 drive of 1',
      '161 GET /vehicles',
    ]);
  });

  test('not before the expectations of the previous step hold', async () => {
    const testbed = new FakeTestbed(1);
    testbed.time.alarm(START_MS + 7_000, () => {
      testbed.isLocked = false;
    });
    const { expectations } = await playOn(testbed, [
      stepWith({ expect: [{ kind: 'truth', truth: { locked: false } }] }),
      stepWith({ when: { afterAll: true, delayMs: 0 }, does: drive }),
    ]);
    expect(expectations).toMatchObject([{ result: 'passed', vehicle: 1 }]);
    const [at = 0] = testbed.done.map((line) => Number(line.split(' ')[0]));
    expect(at).toBeGreaterThanOrEqual(7);
    expect(at).toBeLessThan(7.5);
  });
});

describe('a step that does not do what it says is told of', () => {
  test('where an act is refused, by vehicle', async () => {
    const testbed = new FakeTestbed(2);
    testbed.refusals = { drive: 'It is locked.' };
    const { warnings } = await playOn(testbed, [
      stepWith({ when: { atMs: 5_000 }, does: drive, label: 'away' }),
    ]);
    expect(warnings).toEqual([
      { step: 0, label: 'away', vehicle: 1, atMs: START_MS + 5_000, text: 'refused: It is locked.' },
      { step: 0, label: 'away', vehicle: 2, atMs: START_MS + 5_000, text: 'refused: It is locked.' },
    ]);
  });

  test('where a fault had no effect, once it is over', async () => {
    const testbed = new FakeTestbed(1);
    testbed.missed = 'none came';
    const { warnings } = await playOn(testbed, [stepWith({ does: dark(), forMs: 90_000 })]);
    expect(warnings).toEqual([{ step: 0, atMs: START_MS + 90_000, text: 'none came' }]);
  });

  test('where it selects no vehicle', async () => {
    const testbed = new FakeTestbed(0);
    const { warnings } = await playOn(testbed, [
      stepWith({ does: drive }),
      stepWith({ does: get('/vehicles') }),
    ]);
    expect(warnings).toMatchObject([{ step: 0, text: 'it selects no vehicle, and does nothing' }]);
  });

  test('and of no other', async () => {
    const { warnings } = await playOn(new FakeTestbed(1), [
      stepWith({ does: dark() }),
      stepWith({ does: drive }),
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('a lasting fault', () => {
  test('does not delay other steps without a `for`, and ends with the run', async () => {
    const testbed = new FakeTestbed(1);
    await playOn(
      testbed,
      [stepWith({ does: dark() }), stepWith({ when: { afterAll: true, delayMs: 0 }, does: drive })],
      120_000,
    );
    expect(testbed.done).toEqual(['0 coverage over 1', '0 drive of 1', '120 coverage ends']);
  });

  test('is in force for the time that the message gives', async () => {
    const testbed = new FakeTestbed(1);
    const told = (atMs: number) => ({
      atMs: START_MS + 200_000,
      vehicleId: 'VEH01',
      name: 'VehicleStateReceived',
      messageId: `M${atMs}`,
      queue: 'VehicleState_v1-own',
      body: {
        data: {
          vehicle_state: { speed_in_kph: { timestamp: new Date(START_MS + atMs).toISOString(), value: 1 } },
        },
      },
    });
    testbed.time.alarm(START_MS + 200_000, () => {
      testbed.seen(told(30_000));
      testbed.seen(told(90_000));
      testbed.seen(told(90_000));
    });
    const message = {
      kind: 'message',
      message: 'VehicleStateReceived',
      with: { occurred_during: 'weather' },
    } as const;
    const { expectations } = await playOn(testbed, [
      stepWith({ when: { atMs: 60_000 }, does: dark(), forMs: 60_000 }),
      stepWith({
        when: { afterAll: true, delayMs: 0 },
        expect: [{ ...message, count: 1 }],
        withinMs: 300_000,
      }),
    ]);
    expect(expectations).toMatchObject([{ result: 'passed' }]);
    expect(expectations[0]?.text).toMatch(/^1 message .* 3 of that name came$/);
  });
});

describe('expectations', () => {
  test('are reported for every vehicle, with the actual value', async () => {
    const testbed = new FakeTestbed(3);
    testbed.answer = ({ path }) => ({ status: path.includes('VEH02') ? 504 : 200, tookMs: 2_000 });
    const { expectations } = await playOn(testbed, [
      stepWith({ does: command(), expect: [{ kind: 'answer', status: 200 }], withinMs: 10_000 }),
    ]);
    const byVehicle = expectations.toSorted((a, b) => (a.vehicle ?? 0) - (b.vehicle ?? 0));
    expect(byVehicle.map(({ result }) => result)).toEqual(['passed', 'failed', 'passed']);
    // An answer that has come stays as it is: nobody waits for another one.
    expect(byVehicle[1]).toMatchObject({ vehicle: 2, atMs: START_MS + 2_000 });
    expect(byVehicle[1]?.text).toContain('answer.status is 504, expected 200');
  });

  test('of a call without a vehicle are evaluated once, including its duration', async () => {
    const testbed = new FakeTestbed(3);
    testbed.answer = () => ({ tookMs: 1_500 });
    const { expectations } = await playOn(testbed, [
      stepWith({
        does: get('/vehicles'),
        expect: [
          { kind: 'answer', status: 200 },
          { kind: 'took', took: { at_most: 1_000 } },
        ],
      }),
    ]);
    expect(expectations.map(({ result, vehicle }) => [result, vehicle])).toEqual([
      ['passed', undefined],
      ['failed', undefined],
    ]);
    expect(expectations[1]?.text).toContain('took 1500 ms');
  });

  test('of a vehicle are evaluated when the call is answered: an earlier state does not count', async () => {
    const testbed = new FakeTestbed(1);
    testbed.answer = () => ({ tookMs: 2_000 });
    testbed.time.alarm(START_MS + 1_000, () => {
      testbed.isLocked = false;
    });
    const locked = { kind: 'truth', truth: { locked: true } } as const;
    const { expectations } = await playOn(testbed, [
      stepWith({ does: command('unlock-central-lock'), expect: [locked], withinMs: 10_000 }),
    ]);
    expect(expectations).toMatchObject([{ result: 'failed', atMs: START_MS + 10_000 }]);
  });

  test('of a vehicle are evaluated at the end if the call is not answered in time', async () => {
    const testbed = new FakeTestbed(1);
    testbed.answer = () => ({ tookMs: 60_000 });
    const locked = { kind: 'truth', truth: { locked: true } } as const;
    const { expectations } = await playOn(testbed, [
      stepWith({ does: command(), expect: [locked], withinMs: 10_000 }),
    ]);
    expect(expectations).toMatchObject([{ result: 'passed', atMs: START_MS + 10_000 }]);
  });

  test.each([
    ['the step that lays it', [stepWith({ does: dark('reset_peer'), expect: [connected] })]],
    [
      'the step behind it',
      [
        stepWith({ does: dark('reset_peer') }),
        stepWith({ when: { afterAll: true, delayMs: 0 }, expect: [connected] }),
      ],
    ],
  ])('of a vehicle in %s wait until weather may have been noticed', async (_, steps) => {
    const testbed = new FakeTestbed(1);
    // It takes a moment until the box learns that its connection is gone, and another until it has a new one.
    testbed.time.alarm(START_MS + 40, () => {
      testbed.isConnected = false;
    });
    testbed.time.alarm(START_MS + 1_500, () => {
      testbed.isConnected = true;
    });
    const { expectations } = await playOn(testbed, steps);
    const [{ result, atMs } = { result: 'failed', atMs: 0 }] = expectations;
    expect(result).toBe('passed');
    expect(atMs).toBeGreaterThanOrEqual(START_MS + 1_500);
  });

  test('of a step that selects no vehicle are not met', async () => {
    const { expectations } = await playOn(new FakeTestbed(2), [
      stepWith({ on: { pick: { box: 3 } }, expect: [{ kind: 'connected', connected: true }] }),
    ]);
    expect(expectations).toMatchObject([
      { result: 'failed', text: 'connected: the step selects no vehicle' },
    ]);
  });

  test('that must never hold are watched until their time is over', async () => {
    const testbed = new FakeTestbed(1);
    testbed.time.alarm(START_MS + 20_000, () => {
      testbed.isLocked = false;
    });
    const never = [{ kind: 'truth', truth: { locked: false } }] as const;
    const short = await playOn(testbed, [stepWith({ never, withinMs: 10_000 })]);
    expect(short.expectations).toMatchObject([{ result: 'passed', isNever: true, atMs: START_MS + 10_000 }]);
    const long = await playOn(testbed, [stepWith({ never, withinMs: 60_000 })]);
    expect(long.expectations).toMatchObject([{ result: 'failed' }]);
    expect(long.expectations[0]?.text).toMatch(/^was never to be: /);
  });
});

describe('an answer that never arrives', () => {
  test('makes the run stuck, with the name of the request', async () => {
    const testbed = new FakeTestbed(1);
    testbed.answer = () => ({ tookMs: 10 * 3_600_000 });
    const failure = playOn(testbed, [stepWith({ does: command() })]);
    await expect(failure).rejects.toThrow(RunStuck);
    await expect(failure).rejects.toThrow(/POST \/vehicles\/VEH01\/commands\/lock-central-lock/);
  });
});

describe('what a call remembers', () => {
  const asked = (settings: string, remember?: Readonly<Record<string, string>>) =>
    ({
      kind: 'call',
      call: { name: 'get', settings, ...(remember === undefined ? {} : { remember }) },
    }) as StepAction;
  const next = { afterAll: true, delayMs: 0 } as const;

  test('stands in later paths, for each vehicle its own', async () => {
    const testbed = new FakeTestbed(2);
    testbed.answer = ({ path }) => ({ body: { of: path.slice(-1) }, headers: { etag: '"7"' } });
    await playOn(testbed, [
      stepWith({ does: asked('/vehicles/{vehicle}', { part: 'body.of', tag: 'headers.etag' }) }),
      stepWith({ when: next, does: asked('/vehicles/{vehicle}/x/{part}/{tag}/{other}') }),
      stepWith({ when: next, does: asked('/fleet/{part}') }),
    ]);
    expect(testbed.done.slice(2).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'GET /vehicles/VEH01/x/1/"7"/{other}',
      'GET /vehicles/VEH02/x/2/"7"/{other}',
      'GET /fleet/2',
    ]);
  });

  test('is expected as the number that it is', async () => {
    const testbed = new FakeTestbed(1);
    const counts = [3, 3, 4];
    testbed.answer = () => ({ body: { count: counts.shift() } });
    const same = [{ kind: 'answer', body: { count: '{before}' } }] as const;
    const { expectations } = await playOn(testbed, [
      stepWith({ does: asked('/vehicles', { before: 'body.count' }) }),
      stepWith({ when: next, does: asked('/vehicles'), expect: same }),
      stepWith({ when: next, does: asked('/vehicles'), expect: same }),
    ]);
    expect(expectations.map(({ result }) => result)).toEqual(['passed', 'failed']);
  });

  test('is warned of where the answer has no such part', async () => {
    const testbed = new FakeTestbed(1);
    testbed.answer = () => ({ body: { id: 'x' } });
    const { warnings } = await playOn(testbed, [stepWith({ does: asked('/vehicles', { a: 'body.name' }) })]);
    expect(warnings).toMatchObject([{ step: 0, text: 'it keeps no a. body has no name: there are id.' }]);
  });
});

import { describe, expect, test } from 'vitest';
import type { StepAction } from '../../../../scenarios/language/document/scenario.ts';
import type { Trigger } from '../../../../scenarios/language/steps/triggers.ts';
import { FakeTestbed, playOn, START_MS, stepWith } from '../../../support/scenarios/fake-testbed.ts';

const dark = { kind: 'weather', weather: { name: 'coverage', settings: 'none' } } as StepAction;
const get = (settings: string) => ({ kind: 'call', call: { name: 'get', settings } }) as StepAction;
const drive = { kind: 'vehicle', act: { name: 'drive', settings: {} } } as unknown as StepAction;
const triggerOf = (more: Partial<Trigger & { readonly delayMs: number }>) =>
  ({ name: 'frame', settings: 'reply', of: 'same', withinMs: 60_000, delayMs: 0, ...more }) as Trigger & {
    readonly delayMs: number;
  };

describe('a step that is repeated', () => {
  test('is done as long as its time is not over, and others wait for its last round', async () => {
    const testbed = new FakeTestbed(1);
    await playOn(testbed, [
      stepWith({ label: 'holes', does: dark, forMs: 3_000, repeat: { everyMs: 10_000, forMs: 30_000 } }),
      stepWith({ when: { after: 'holes', delayMs: 0 }, does: drive }),
    ]);
    expect(testbed.done).toEqual([
      '0 coverage over 1',
      '3 coverage ends',
      '10 coverage over 1',
      '13 coverage ends',
      '20 coverage over 1',
      '23 coverage ends',
      '23 drive of 1',
    ]);
  });

  test('begins each round at its time, whether or not the one before it is answered', async () => {
    const testbed = new FakeTestbed(1);
    testbed.answer = () => ({ tookMs: 25_000 });
    await playOn(testbed, [
      stepWith({ does: get('/vehicles'), repeat: { everyMs: 10_000, times: 3 } }),
      stepWith({ when: { afterAll: true, delayMs: 0 }, does: drive }),
    ]);
    expect(testbed.done).toEqual([
      '0 GET /vehicles',
      '10 GET /vehicles',
      '20 GET /vehicles',
      '45 drive of 1',
    ]);
  });

  test('has one result of each expectation: that of the first round in which it is wrong', async () => {
    const testbed = new FakeTestbed(2);
    const statuses = [200, 200, 200, 503, 500, 200];
    testbed.answer = () => ({ status: statuses.shift() ?? 200 });
    const { expectations } = await playOn(testbed, [
      stepWith({
        does: get('/vehicles/{vehicle}'),
        repeat: { everyMs: 10_000, times: 3 },
        expect: [{ kind: 'answer', status: 200 }],
      }),
    ]);
    expect(expectations).toMatchObject([
      { vehicle: 1, result: 'failed', atMs: START_MS + 20_100 },
      { vehicle: 2, result: 'failed', atMs: START_MS + 10_100 },
    ]);
    expect(expectations.map(({ text }) => text)).toEqual([
      expect.stringMatching(/status is 500, expected 200.*\(round 3 of 3\)$/),
      expect.stringMatching(/status is 503, expected 200.*\(round 2 of 3\)$/),
    ]);
  });
});

describe('a step with a trigger', () => {
  const happen = (testbed: FakeTestbed, atS: number, what: string): void => {
    testbed.time.alarm(START_MS + atS * 1_000, () => {
      for (const happened of [...(testbed.waiting.get(what) ?? [])]) happened();
    });
  };

  test('is done to each vehicle when its own frame comes, and once', async () => {
    const testbed = new FakeTestbed(2);
    happen(testbed, 2, 'reply of 1');
    for (const atS of [5, 9]) happen(testbed, atS, 'reply of 2');
    happen(testbed, 6, 'reply of 1');
    await playOn(testbed, [
      stepWith({ when: { atMs: 3_000 }, trigger: triggerOf({ delayMs: 500 }), does: dark, forMs: 4_000 }),
    ]);
    expect(testbed.done).toEqual([
      '5.5 coverage over 2',
      '6.5 coverage over 1',
      '9.5 coverage ends',
      '10.5 coverage ends',
    ]);
  });

  test('lays what picks messages before the frame goes on its way, and anything else after', async () => {
    const testbed = new FakeTestbed(1);
    const seen: (readonly string[])[] = [];
    for (const atS of [2, 4])
      testbed.time.alarm(START_MS + atS * 1_000, () => {
        for (const happened of [...(testbed.waiting.get('reply of 1') ?? [])]) happened();
        // Here the frame goes on its way.
        seen.push([...testbed.done]);
      });
    const lose = {
      name: 'lose',
      settings: { message: 'command-reply', count: 1, connection: 'kept' },
    } as const;
    await playOn(testbed, [
      stepWith({ trigger: triggerOf({}), does: { kind: 'weather', weather: lose } }),
      stepWith({ when: { atMs: 3_000 }, trigger: triggerOf({}), does: dark }),
    ]);
    expect(seen).toEqual([['2 lose over 1'], ['2 lose over 1']]);
    expect(testbed.done).toContain('4 coverage over 1');
  });

  test('of any vehicle, or at a point of the backend, is done once to all that it selects', async () => {
    const testbed = new FakeTestbed(2);
    happen(testbed, 2, 'reply of 1 2');
    happen(testbed, 3, 'after-commit');
    await playOn(testbed, [
      stepWith({ trigger: triggerOf({ of: 'any' }), does: dark }),
      stepWith({
        trigger: triggerOf({ name: 'point', settings: 'after-commit', of: 'any' }),
        on: { pick: { box: 2 } },
        does: drive,
        repeat: { everyMs: 1_000, times: 2 },
      }),
    ]);
    expect(testbed.done).toEqual(['2 coverage over 1 2', '3 drive of 2', '4 drive of 2', '4 coverage ends']);
  });

  test('that never comes is warned of, and its expectations are not met', async () => {
    const testbed = new FakeTestbed(2);
    happen(testbed, 2, 'reply of 1');
    const { expectations, warnings } = await playOn(testbed, [
      stepWith({ trigger: triggerOf({}), does: drive, expect: [{ kind: 'connected', connected: true }] }),
    ]);
    const text = 'it never began: no frame reply came within 60 s';
    expect(testbed.done).toEqual(['2 drive of 1']);
    expect(warnings).toEqual([{ step: 0, vehicle: 2, atMs: START_MS + 60_000, text }]);
    expect(expectations).toMatchObject([
      { vehicle: 1, result: 'passed' },
      { vehicle: 2, result: 'failed', text: `connected: ${text}` },
    ]);
  });
});

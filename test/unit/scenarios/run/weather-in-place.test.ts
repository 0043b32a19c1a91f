import { expect, test } from 'vitest';
import type { StepAction } from '../../../../scenarios/language/document/scenario.ts';
import { FakeTestbed, playOn, START_MS, stepWith } from '../../../support/scenarios/fake-testbed.ts';

const dark = { kind: 'weather', weather: { name: 'coverage', settings: 'none' } } as StepAction;
const place = { around: { latitude: 52.52, longitude: 13.4 }, radiusM: 400 };

/** A testbed whose vehicle with this number is in the place from one second to another. */
function driving(stays: Readonly<Record<number, readonly [number, number]>>): FakeTestbed {
  const testbed = new FakeTestbed(3);
  testbed.truthOf = ({ number }) => {
    const [fromS, toS] = stays[number] ?? [Number.POSITIVE_INFINITY, 0];
    const nowS = (testbed.time.nowMs() - START_MS) / 1_000;
    return { latitude: nowS >= fromS && nowS < toS ? 52.521 : 52.6, longitude: 13.4 };
  };
  return testbed;
}

test('who drives in gets the weather, who drives out is rid of it, and its end takes it from all', async () => {
  const testbed = driving({ 1: [0, 20], 2: [5, 100] });
  const { warnings } = await playOn(testbed, [stepWith({ does: dark, place, forMs: 60_000 })]);
  expect(testbed.done).toEqual([
    '0 coverage over 1',
    '5 coverage over 2',
    '20 coverage ends',
    '60 coverage ends',
  ]);
  expect(warnings).toEqual([]);
});

test('a place that nobody comes to is warned of', async () => {
  const { warnings } = await playOn(driving({}), [stepWith({ does: dark, place, forMs: 60_000 })]);
  expect(warnings).toMatchObject([{ text: 'no vehicle came into the place while it lasted' }]);
});

test('nothing goes on behind the end of the run', async () => {
  const testbed = driving({ 1: [70, 80] });
  await playOn(testbed, [stepWith({ does: dark, place })], 60_000);
  await testbed.loop.runWhile(new Promise<void>((over) => testbed.time.alarm(START_MS + 90_000, over)));
  expect(testbed.done).toEqual([]);
});

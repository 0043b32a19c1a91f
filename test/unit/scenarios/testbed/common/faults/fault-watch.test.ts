import { expect, test } from 'vitest';
import { BREAKS } from '../../../../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../../../../scenarios/language/steps/weather.ts';
import { FaultWatch } from '../../../../../../scenarios/testbed/common/faults/fault-watch.ts';
import { asked, laid, type Met } from '../../../../../../scenarios/testbed/common/faults/struck.ts';
import {
  BREAK_STRUCK,
  WEATHER_STRUCK,
} from '../../../../../../scenarios/testbed/common/faults/struck-rows.ts';
import type { WatchedFault } from '../../../../../../scenarios/testbed/port/watched-fault.ts';
import { openVirtualTestbed } from '../../../../../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../../../../../world/sandbox/virtual-sandbox.ts';
import { parsedScenario } from '../../../../../support/simulation/play-scenario.ts';

function lying(met: () => Met): FaultWatch {
  const watch = new FaultWatch();
  expect(watch.strike).toBe('being-laid');
  watch.lies(laid(met, 'nothing came', () => undefined));
  return watch;
}

function isTakenBack(watch: FaultWatch, meanwhile: () => void = () => undefined): void {
  watch.ends();
  meanwhile();
  watch.isTakenBack();
}

test('a fault has struck as it was laid, or since, or not yet', () => {
  let met: Met = 3;
  expect(lying(() => met).strike).toBe('as-laid');
  met = 0;
  const waiting = lying(() => met);
  expect(waiting.strike).toBe('not-yet');
  met = 1;
  expect(waiting.strike).toBe('since');
  met = 0;
  expect(waiting.strike).toBe('since');
});

test('a fault of which nobody can know, or not at once, strikes as it is laid', () => {
  expect(lying(() => ({ unknown: 'It is far away.' })).strike).toBe('as-laid');
  const watch = new FaultWatch();
  watch.lies(
    asked(
      () => Promise.resolve(false),
      'nothing came',
      () => undefined,
    ),
  );
  expect(watch.strike).toBe('as-laid');
});

test('what only the end of a fault tells may have been at any time, and nobody asks behind it', () => {
  let hasStruck = false;
  const strike = (): void => {
    hasStruck = true;
  };
  const atEnd = lying(() => hasStruck);
  isTakenBack(atEnd, strike);
  expect([atEnd.strike, atEnd.isOver]).toEqual(['as-laid', true]);

  hasStruck = false;
  const never = lying(() => hasStruck);
  isTakenBack(never);
  strike();
  expect([never.strike, never.isOver]).toEqual(['not-yet', true]);

  hasStruck = false;
  const unseen = lying(() => hasStruck);
  strike();
  isTakenBack(unseen);
  expect(unseen.strike).toBe('since');
});

const NOBODY_THERE = `
name: nobody
about: Nothing of it is ever started.
backends: 2
fleet: [{ model: petrol-compact, firmware: "2.31" }]
steps: [{ at: 1s, call: { get: /vehicles } }]
`;

type Word = readonly [part: string, name: string];

const WORDS: readonly Word[] = [
  ...Object.keys(WEATHER_STRUCK).map((name): Word => ['weather', name]),
  ...Object.entries(BREAK_STRUCK).flatMap(([part, rows]) =>
    Object.keys(rows).map((name): Word => [part, name]),
  ),
];

test.each(WORDS)('%s %s tells at any time whether it has struck, or why it cannot', async (part, name) => {
  const testbed = openVirtualTestbed(parsedScenario(NOBODY_THERE));
  const seen: WatchedFault[] = [];
  testbed.watchFaults((fault) => seen.push(fault));
  const rows: Readonly<Record<string, Readonly<Record<string, { readonly example: unknown }>>>> = {
    weather: WEATHER,
    ...BREAKS,
  };
  const step = {
    at: '1s',
    [part === 'weather' ? 'weather' : 'break']: exampleOf(part, name, rows[part]?.[name]),
  };
  const { does } = parsedScenario({
    ...{ name: 'one', about: 'One word.', backends: 2, fleet: [{ model: 'petrol-compact' }] },
    ...{ steps: [step], always: [] },
  }).steps[0] ?? { does: undefined };
  const { virtualWorld: world, vehicles } = testbed;
  const missed = await runInSandbox(world, () =>
    world.run(async () => {
      if (does?.kind === 'weather') return (await testbed.weather(does.weather, vehicles))();
      if (does?.kind === 'break') return (await testbed.break(does.break, vehicles, true))();
      throw new Error('It is neither.');
    }),
  );
  await testbed.close();
  // Of a blocked exchange the store would have to be asked.
  const isTold = missed !== undefined && `${part} ${name}` !== 'exchange blocked';
  expect(seen.map(({ strike }) => strike)).toEqual([isTold ? 'not-yet' : 'as-laid']);
});

function exampleOf(part: string, name: string, row: { readonly example: unknown } | undefined): unknown {
  const word = { [name]: row?.example };
  return part === 'weather' ? word : { [part]: word };
}

import { expect, test } from 'vitest';
import { BREAKS } from '../../../../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../../../../scenarios/language/steps/weather.ts';
import {
  activeFault,
  type Effect,
  queried,
} from '../../../../../../scenarios/testbed/common/faults/active-fault.ts';
import {
  BREAK_EFFECTS,
  WEATHER_EFFECTS,
} from '../../../../../../scenarios/testbed/common/faults/effect-rows.ts';
import { FaultWatch } from '../../../../../../scenarios/testbed/common/faults/fault-watch.ts';
import type { WatchedFault } from '../../../../../../scenarios/testbed/port/watched-fault.ts';
import { openVirtualTestbed } from '../../../../../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../../../../../world/sandbox/virtual-sandbox.ts';
import { parsedScenario } from '../../../../../support/simulation/play-scenario.ts';

function watching(effect: () => Effect): FaultWatch {
  const watch = new FaultWatch();
  expect(watch.effect).toBe('applying');
  watch.applied(activeFault(effect, 'nothing came', () => undefined));
  return watch;
}

function remove(watch: FaultWatch, meanwhile: () => void = () => undefined): void {
  watch.removing();
  meanwhile();
  watch.removed();
}

test('a fault has had an immediate effect, or a later one, or none yet', () => {
  let effect: Effect = 3;
  expect(watching(() => effect).effect).toBe('immediate');
  effect = 0;
  const waiting = watching(() => effect);
  expect(waiting.effect).toBe('not-yet');
  effect = 1;
  expect(waiting.effect).toBe('since');
  effect = 0;
  expect(waiting.effect).toBe('since');
});

test('a fault of which nobody can know, or not at once, counts as having an immediate effect', () => {
  expect(watching(() => ({ unknown: 'It is far away.' })).effect).toBe('immediate');
  const watch = new FaultWatch();
  watch.applied(
    queried(
      () => Promise.resolve(false),
      'nothing came',
      () => undefined,
    ),
  );
  expect(watch.effect).toBe('immediate');
});

test('what only the end of a fault tells may have been at any time, and nobody asks behind it', () => {
  let hadEffect = false;
  const effect = (): void => {
    hadEffect = true;
  };
  const atEnd = watching(() => hadEffect);
  remove(atEnd, effect);
  expect([atEnd.effect, atEnd.isOver]).toEqual(['immediate', true]);

  hadEffect = false;
  const never = watching(() => hadEffect);
  remove(never);
  effect();
  expect([never.effect, never.isOver]).toEqual(['not-yet', true]);

  hadEffect = false;
  const unseen = watching(() => hadEffect);
  effect();
  remove(unseen);
  expect(unseen.effect).toBe('since');
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
  ...Object.keys(WEATHER_EFFECTS).map((name): Word => ['weather', name]),
  ...Object.entries(BREAK_EFFECTS).flatMap(([part, rows]) =>
    Object.keys(rows).map((name): Word => [part, name]),
  ),
];

test.each(WORDS)(
  '%s %s says at any time whether it has had an effect, or why it cannot',
  async (part, name) => {
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
      name: 'one',
      about: 'One word.',
      backends: 2,
      fleet: [{ model: 'petrol-compact' }],
      steps: [step],
      always: [],
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
    expect(seen.map(({ effect }) => effect)).toEqual([isTold ? 'not-yet' : 'immediate']);
  },
);

function exampleOf(part: string, name: string, row: { readonly example: unknown } | undefined): unknown {
  const word = { [name]: row?.example };
  return part === 'weather' ? word : { [part]: word };
}

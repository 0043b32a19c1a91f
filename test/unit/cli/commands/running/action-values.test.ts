import { describe, expect, test } from 'vitest';
import { actionText, missingValues, valuesOf } from '../../../../../cli/commands/running/action-values.ts';
import { type Action, actionsOf } from '../../../../../cli/commands/running/actions.ts';
import { withActionHelp } from '../../../../../cli/commands/running/running-commands.ts';
import { BREAKS } from '../../../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../../../scenarios/language/steps/weather.ts';
import { describedActions } from '../../../../../simulator/control/action.ts';
import { BOX_ACTIONS } from '../../../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../../../simulator/control/maker-actions.ts';

const weather = Object.entries(WEATHER).map(([name, { does, example }]) => ({
  of: 'weather',
  name,
  does,
  isOfBoxes: true,
  lasts: true,
  example: { weather: { [name]: example } },
}));
const breaks = Object.entries(BREAKS).flatMap(([of, table]) =>
  Object.entries(table).map(([name, { does, example }]) => ({
    of,
    name,
    does,
    isOfBoxes: of === 'box',
    lasts: true,
    example: { break: { [of]: { [name]: example } } },
  })),
);
const actions = actionsOf({
  acts: describedActions(BOX_ACTIONS, (name) => `/boxes/{id}/${name}`) as Record<string, { does: string }>,
  makers: describedActions(MAKER_ACTIONS, (name) => `POST /maker-vehicles/{id}/${name}`),
  faults: [...weather, ...breaks],
});

function named(name: string): Action {
  const action = actions.find((one) => one.name === name);
  if (action === undefined) throw new Error(`There is no ${name}.`);
  return action;
}

describe('the values of an action', () => {
  test.each([
    ['coverage', ['none, poor or good']],
    ['signal', ['a whole number from 0 to 31']],
    [
      'latency',
      [
        'a span of time, such as 90s, 2m30s or 12h',
        'a span of time, such as 90s, 2m30s or 12h, by default 0s',
      ],
    ],
    ['doors', ['true or false']],
    ['gear', ['PARK, REVERSE, NEUTRAL, DRIVE or SPORT or null']],
    ['broker.restart', ['kept or lost, by default kept']],
    ['sleep', ['true or false']],
    ['park', []],
  ])('of %s are %j', (name, allowed) => {
    expect(valuesOf(named(name)).map((value) => value.allowed)).toEqual(allowed);
  });

  test('are known of every action, whose text has them and its example', () => {
    for (const action of actions) {
      const text = actionText(action, 'V');
      expect(text).toContain(action.does);
      expect(text).toMatch(/^Example: boxtwin do (V|all) /m);
      expect(text).not.toContain('undefined');
      for (const { key } of valuesOf(action)) if (key !== undefined) expect(text).toContain(`  ${key}`);
    }
  });

  test('are listed where one is missing, and not where none is needed', () => {
    expect(missingValues(named('coverage'), 'V')).toMatch(
      /^"coverage" needs a value: none, poor or good\.\n\ncoverage: Radio/,
    );
    expect(missingValues(named('belts'), 'V')).toMatch(/^"belts" needs seat and fastened\./);
    for (const name of ['drive', 'park', 'refuel', 'broker.restart', 'hang'])
      expect(missingValues(named(name), 'V')).toBeUndefined();
  });
});

test.each([
  ['do V coverage --help', 'do V coverage --describe'],
  ['do --data d V coverage -h', 'do --data d V coverage --describe'],
  ['do V --help', 'do V --help'],
  ['do --data d V --help', 'do --data d V --help'],
  ['up a b --help', 'up a b --help'],
])('"%s" is read as "%s"', (line, read) => {
  expect(withActionHelp(line.split(' ')).join(' ')).toBe(read);
});

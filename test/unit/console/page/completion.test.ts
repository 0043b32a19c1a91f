import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionAt } from '../../../../console/page/scenarios/completion.ts';
import { schemaWords } from '../../../../console/page/scenarios/schema-words.ts';
import { scenarioJsonSchema } from '../../../../scenarios/language/document/json-schema.ts';
import { WEATHER } from '../../../../scenarios/language/steps/weather.ts';

const schema = schemaWords(scenarioJsonSchema());
const offered = (before: string) => completionAt(before, schema).words.map(({ name }) => name);

describe('the words that are offered while a scenario is written', () => {
  test.each([
    ['', 'steps'],
    ['na', 'name'],
    ['fleet:\n  - { ', 'model'],
    ['fleet:\n  - { count: 1, mod', 'firmware'],
    ['steps:\n  - ', 'weather'],
    ['steps:\n  - at: 1m\n    ', 'expect'],
    ['steps:\n  - { at: 1m, weather: { ', 'coverage'],
    ['steps:\n  - { at: 1m, weather: { coverage: ', 'none'],
    ['steps:\n  - { at: 1m, call: { command: ', 'unlock-central-lock'],
    ['always: [', 'nothing-lost'],
    ['always: [nothing-lost, ', 'order-per-box'],
  ])('behind %j there is %s', (before, word) => {
    expect(offered(before)).toContain(word);
  });

  test('every word of the weather is offered, with what it does', () => {
    const { words } = completionAt('steps:\n  - { at: 1m, weather: { ', schema);
    expect(words.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(WEATHER)));
    expect(words.find(({ name }) => name === 'coverage')?.description).toContain('Radio coverage');
  });

  test('any text whatever has a place', () => {
    fc.assert(
      fc.property(fc.string(), (before) => {
        const { from } = completionAt(before, schema);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from).toBeLessThanOrEqual(before.length);
      }),
    );
  });
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import STORED_MESSAGES from '../../backend/events/asyncapi-examples.json' with { type: 'json' };
import STORED from '../../backend/http/openapi-examples.json' with { type: 'json' };
import { openStage } from '../unit/backend/http/stage.ts';
import { isAlike } from './alike.ts';
import { closedSchema, type Schema } from './closed-schema.ts';
import { record } from './recording.ts';
import { reader } from './undescribed.ts';

type Node = Readonly<Record<string, unknown>>;
type Entry = readonly [key: string, value: unknown];

/** An entry a line: what changes is seen, and two changes seldom meet. */
function written(brackets: readonly [string, string], lines: readonly string[]): string {
  return `${brackets[0]}\n${lines.join(',\n')}\n${brackets[1]}\n`;
}

/** What was recorded now; where what is stored says the same, that: a number that is another one changes nothing. */
function settled(now: readonly Entry[], stored: ReadonlyMap<string, unknown>): readonly Entry[] {
  return now.map(([key, value]) => [key, isAlike(value, stored.get(key)) ? stored.get(key) : value]);
}

describe('the examples of the reference', () => {
  let recorded: Awaited<ReturnType<typeof record>>;
  let read: ReturnType<typeof reader>;

  beforeAll(async () => {
    recorded = await record();
    const stage = await openStage();
    read = reader((await (await stage.ask('GET', '/openapi.json')).json()) as Node);
  });

  test('are what a client and the service have said to one another (-u records them anew)', async () => {
    const entries = settled(Object.entries(recorded.recording), new Map(Object.entries(STORED)));
    const lines = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    await expect(written(['{', '}'], lines)).toMatchFileSnapshot('../../backend/http/openapi-examples.json');
  });

  test('are what a consumer took out of the queues (-u records them anew)', async () => {
    const keyed = (messages: readonly { readonly name: string }[]) =>
      messages.map((message, index) => [`${index} ${message.name}`, message] as const);
    const entries = settled(keyed(recorded.messages), new Map(keyed(STORED_MESSAGES)));
    const lines = entries.map(([, value]) => JSON.stringify(value));
    await expect(written(['[', ']'], lines)).toMatchFileSnapshot(
      '../../backend/events/asyncapi-examples.json',
    );
  });

  test('stand with every body and every answer of a success that has one', () => {
    const contents = read.operations.flatMap(read.contents);
    expect(contents.length).toBeGreaterThan(50);
    expect(contents.filter(({ content }) => content['example'] === undefined).map(({ at }) => at)).toEqual(
      [],
    );
  });

  test('fit their schemas, and have nothing that these do not name', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('hex', /^(0x)?[0-9a-fA-F]+$/);
    const find = (reference: string): Schema => read.resolved({ $ref: reference });
    for (const { at, content } of read.operations.flatMap(read.contents)) {
      const isValid = ajv.compile(closedSchema(content['schema'] as Schema, find));
      isValid(content['example']);
      expect(isValid.errors ?? [], at).toEqual([]);
    }
  });
});

describe('two examples are alike', () => {
  test.each([
    [{ a: 1, at: '2026-01-05T06:01:00Z' }, { a: 2.5, at: '2027-11-05T06:01:59Z' }, true],
    [{ lock: 'LOCKED' }, { lock: 'UNLOCKED' }, false],
    [{ id: '77B5C' }, { id: '1POND' }, true],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: 1, b: 1 }, { b: 1, a: 1 }, false],
    [{ a: true }, { a: false }, false],
    [{ a: null }, { a: 1 }, false],
    [[1, 2], [3], false],
    ['value="abc1">Go on', 'value="xyz9">Go on', true],
    ['value="abc1">Go on', 'value="xyz9">Stop', false],
  ])('%j and %j: %s', (one, other, isSame) => {
    expect(isAlike(one, other)).toBe(isSame);
  });
});

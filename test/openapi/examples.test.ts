import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import STORED_MESSAGES from '../../backend/events/asyncapi-examples.json' with { type: 'json' };
import STORED from '../../backend/http/openapi/openapi-examples.json' with { type: 'json' };
import { closedSchema, type JsonSchema } from '../../judge/certify/closed-schema.ts';
import { openTestService } from '../support/http/test-service.ts';
import { recordExamples } from '../support/openapi/record-examples.ts';
import { documentReader } from '../support/openapi/undescribed-parts.ts';

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
  let recorded: Awaited<ReturnType<typeof recordExamples>>;
  let read: ReturnType<typeof documentReader>;

  beforeAll(async () => {
    recorded = await recordExamples();
    const stage = await openTestService();
    read = documentReader((await (await stage.ask('GET', '/openapi.json')).json()) as Node);
  });

  test('are what a client and the service have said to one another (-u records them anew)', async () => {
    const entries = settled(Object.entries(recorded.recording), new Map(Object.entries(STORED)));
    const lines = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    await expect(written(['{', '}'], lines)).toMatchFileSnapshot(
      '../../backend/http/openapi/openapi-examples.json',
    );
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
    const find = (reference: string): JsonSchema => read.resolved({ $ref: reference });
    for (const { at, content } of read.operations.flatMap(read.contents)) {
      const isValid = ajv.compile(closedSchema(content['schema'] as JsonSchema, find));
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

/** What differs from run to run: numbers, times, ids, tokens. */
const OF_CHANCE = /[\w.+/=~-]{20,}|[\w.+/=~-]*\d[\w.+/=~-]*/g;

/**
 * Whether two values say the same but for numbers, times, ids and tokens: the same names in the same order, the same
 * words, lists as long.
 */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return true;
  if (typeof one === 'string' && typeof other === 'string') return masked(one) === masked(other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((part, index) => isAlike(part, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return names.join() === Object.keys(other).join() && names.every((name) => isAlike(one[name], other[name]));
}

function masked(text: string): string {
  return text.replaceAll(OF_CHANCE, '#');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { ApiOperation, JsonBody } from '../support/http/operations.ts';
import {
  expectRefused,
  type FilledService,
  openFilledService,
} from '../support/http/service-at-every-path.ts';
import { anyCharacter } from '../support/run/any-character.ts';

type Place = readonly (string | number)[];

/** Every path in a JSON value, the whole first. */
function placesOf(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, one]) => placesOf(one, [...at, name]))];
}

/** JSON text of the value with `text` in place of the value at a path; the text need not be JSON. */
function replaced(value: unknown, place: Place, text: string): string {
  const [name, ...rest] = place;
  if (name === undefined) return text;
  if (Array.isArray(value))
    return `[${value.map((one, index) => (String(index) === name ? replaced(one, rest, text) : JSON.stringify(one))).join(',')}]`;
  return `{${Object.entries(value as object)
    .map(
      ([key, one]) =>
        `${JSON.stringify(key)}:${key === name ? replaced(one, rest, text) : JSON.stringify(one)}`,
    )
    .join(',')}}`;
}

const deep = (open: string, close: string) =>
  fc.integer({ min: 100, max: 6_000 }).map((depth) => open.repeat(depth) + close.repeat(depth));

/** JSON that is rarely valid at any path. */
const strangeJson = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e400', '-1e400', '1e-400', '9007199254740993'],
    ...['""', '"1"', '"NaN"', '"Infinity"', '"true"', '"\\u0000"', '"\\ud800"', '"../.."', '"\' OR 1=1 --"'],
    ...[
      '[]',
      '{}',
      '[{}]',
      '[null]',
      '{"":0}',
      '{"toString":1}',
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{}}',
    ],
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.json(),
  fc.string({ unit: anyCharacter, maxLength: 400 }).map((text) => JSON.stringify(text)),
  fc.integer({ min: 300, max: 5_000 }).map((length) => `"${'x'.repeat(length)}"`),
  deep('[', ']'),
  deep('{"a":', '}').map((text) => text.replace('}', '0}')),
);
/** Text that is not JSON. */
const noJson = fc.constantFrom(
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '0x10',
    '01',
    '+1',
    '.5',
    '1.',
    '-',
    "'x'",
    '"\t"',
    '"\\x"',
  ],
  ...['', ',', '[', '{', '"', '[1,]', '{"a":1,}', '{a:1}', '/* */ 1', 'nul', 'True', '\u0000'],
);
/** Names that no object has, or every object. */
const strangeName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    'ID',
    '$where',
  ),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.integer({ min: 1_000, max: 10_000 }).map((length) => 'x'.repeat(length)),
);

/** JSON texts with one fault: a wrong value, an extra property, a missing one, a duplicate one. */
function anyWrongJson({ right, allows }: JsonBody): fc.Arbitrary<string> {
  const places = placesOf(right);
  const place = fc.constantFrom(...places);
  const objects = places.filter((one) => isObject(at(right, one)));
  const object = fc.constantFrom(...objects);
  const added = fc
    .tuple(object, strangeName, strangeJson)
    .map(([where, name, value]) => replaced(right, where, withMember(at(right, where), name, value)));
  const twice = fc
    .tuple(fc.constantFrom(...Object.keys(right as object)), strangeJson)
    .map(([name, value]) => withMember(right, name, value));
  const less = place.filter((one) => one.length > 0).map((one) => JSON.stringify(without(right, one)));
  return fc
    .oneof(
      fc.tuple(place, strangeJson).map(([where, text]) => replaced(right, where, text)),
      added,
      twice,
      less,
      strangeJson,
    )
    .filter((text) => !allows(JSON.parse(text)));
}

/** Bodies for operations that take none: JSON with content. */
const anyUnexpectedBody = fc
  .oneof(
    strangeJson,
    strangeName.map((name) => `{${JSON.stringify(name)}:1}`),
  )
  .filter((text) => text !== '{}' && !/^\s*\{\s*\}\s*$/.test(text));

/** Bytes that are not JSON, made from a valid body. */
function anyBrokenJson(right: unknown): fc.Arbitrary<Uint8Array> {
  const text = JSON.stringify(right);
  const bytes = new TextEncoder().encode(text);
  const places = placesOf(right);
  return fc.oneof(
    fc.integer({ min: 1, max: text.length - 1 }).map((length) => bytes.slice(0, length)),
    fc
      .constantFrom(',', '}', 'x', '{}', '\u0000', '\u00a0')
      .map((end) => new TextEncoder().encode(text + end)),
    fc
      .tuple(fc.constantFrom(...places), noJson)
      .map(([where, value]) => new TextEncoder().encode(replaced(right, where, value)))
      .filter((made) => made.byteLength > 0),
    fc
      .constantFrom(' ', '\n\t', '\u0000', '\ufeff', '<a/>', 'a=b')
      .map((other) => new TextEncoder().encode(other)),
    fc
      .tuple(
        fc.integer({ min: 1, max: bytes.byteLength - 1 }),
        // Not UTF-8: no first byte, cut off, overlong, a surrogate, beyond Unicode.
        fc.constantFrom([0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80]),
      )
      .map(([index, insert]) =>
        Uint8Array.from([...bytes.slice(0, index), ...insert, ...bytes.slice(index)]),
      ),
    fc
      .constantFrom('utf16le' as const, 'latin1' as const)
      .map((encoding) =>
        Uint8Array.from(Buffer.from(encoding === 'latin1' ? `{"\u00e4":1}` : text, encoding)),
      ),
    fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .filter((some) => !isJson(some))
      .map((some) => Uint8Array.from(some)),
  );
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: unknown, place: Place): unknown {
  const [name, ...rest] = place;
  return name === undefined ? value : at((value as Record<string, unknown>)[name], rest);
}

/** The object's text with one more member at the end, whatever its name. */
function withMember(object: unknown, name: string, value: string): string {
  const members = Object.entries(object as object).map(
    ([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`,
  );
  return `{${[...members, `${JSON.stringify(name)}:${value}`].join(',')}}`;
}

function without(value: unknown, [name, ...rest]: Place): unknown {
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, index) => String(index) !== name)
      : value.map((one, index) => (String(index) === name ? without(one, rest) : one));
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([key]) => key !== name || rest.length > 0)
      .map(([key, one]) => [key, key === name ? without(one, rest) : one]),
  );
}

const scene: FilledService = await openFilledService();
const JSON_TYPE = { 'content-type': 'application/json' };
/** Those of the interface for vehicles; sign-in and tokens take forms. */
const secured = scene.operations.filter(({ isSecured }) => isSecured);
const withBody = secured.filter(({ method }) => method !== 'GET');
const textOf = ({ body }: ApiOperation) => JSON.stringify(body?.right ?? {});

function send(
  operation: ApiOperation,
  body: string | Uint8Array,
  headers: Record<string, string> = JSON_TYPE,
) {
  return scene.stage.ask(operation.method, scene.pathOf(operation), { token: scene.token, headers, body });
}

describe('a valid request', () => {
  test.each(secured)('of $name is not refused for its format', async (operation) => {
    const fresh = await openFilledService();
    const { token } = fresh;
    const init = operation.method === 'GET' ? {} : { headers: JSON_TYPE, body: textOf(operation) };
    const answer = await fresh.stage.ask(operation.method, fresh.pathOf(operation), { token, ...init });
    expect([200, 201, 204, 409], await answer.clone().text()).toContain(answer.status);
  });
});

describe('a wrong body', () => {
  test.each(withBody)('of $name is a 400, and nothing changes', async (operation) => {
    const wrong = operation.body === undefined ? anyUnexpectedBody : anyWrongJson(operation.body);
    await fc.assert(
      fc.asyncProperty(wrong, async (text) => {
        await expectRefused(scene, { statuses: [400], ask: () => send(operation, text) });
      }),
      { numRuns: operation.body === undefined ? 10 : 100 },
    );
  });

  test.each(withBody)('that is not JSON is a 400 of $name', async (operation) => {
    await fc.assert(
      fc.asyncProperty(anyBrokenJson(operation.body?.right ?? {}), async (bytes) => {
        await expectRefused(scene, { statuses: [400], ask: () => send(operation, bytes) });
      }),
      { numRuns: operation.body === undefined ? 10 : 40 },
    );
  });

  test.each(withBody)('of another media type or encoding is a 415 of $name', async (operation) => {
    const headers = fc.oneof(
      fc
        .constantFrom(
          ...[
            'text/plain',
            'application/xml',
            'application/x-www-form-urlencoded',
            'application/json-patch+json',
          ],
          ...[
            'multipart/form-data; boundary=x',
            'application/jsonx',
            'application/*',
            '*/*',
            '',
            ';',
            'json',
          ],
        )
        .map((type) => ({ 'content-type': type })),
      fc
        .constantFrom('gzip', 'br', 'deflate', 'x', 'identity, gzip', 'gzip, identity')
        .map((encoding) => ({ ...JSON_TYPE, 'content-encoding': encoding })),
    );
    await fc.assert(
      fc.asyncProperty(headers, async (made) => {
        await expectRefused(scene, { statuses: [415], ask: () => send(operation, textOf(operation), made) });
      }),
      { numRuns: 10 },
    );
  });

  test.each(withBody)('over the size limit is a 413 of $name', async (operation) => {
    const isBulk = operation.path.includes('bulk');
    const bound = isBulk ? LIMITS.bulk.bodyBytes : LIMITS.request.bodyBytes;
    const text = textOf(operation);
    const padded = text + ' '.repeat(bound - text.length + 1);
    await expectRefused(scene, { statuses: [413], ask: () => send(operation, padded) });
  });
});

beforeAll(() => expect(withBody.length).toBeGreaterThan(40));

describe('regressions', () => {
  const patch = secured.find(({ name }) => name === 'PATCH /vehicles/{id}');

  test('a name of 10,000 characters, one of control characters and one that every object has are refused, and the detail is short', async () => {
    for (const name of ['x'.repeat(10_000), '\u0000\n\u0007', "a'b", '__proto__']) {
      const body = `{"custom_fields":{${JSON.stringify(name)}:"5"}}`;
      const ask = () => (patch === undefined ? Promise.reject(new Error('no PATCH')) : send(patch, body));
      const { detail } = await expectRefused(scene, { statuses: [400], ask });
      expect(String(detail).length).toBeLessThan(200);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(detail).not.toMatch(/[\u0000-\u001f]/);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refuseBody } from '../../../../backend/base/body.ts';
import { dateTime } from '../../../../backend/base/date-time.ts';
import { quote } from '../../../../backend/base/quoted-text.ts';
import { validationRefusal } from '../../../../backend/base/validation.ts';
import { methodTable } from '../../../../backend/http/app.ts';
import { flowIdOf } from '../../../../backend/http/flow-id.ts';
import { pageToken, readPageToken } from '../../../../backend/http/page-token.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

const json = (text: string) => ({ bytes: new TextEncoder().encode(text), mediaType: 'application/json' });

describe('date-times', () => {
  test('have whole seconds in UTC, and are never after their time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        const text = dateTime(ms);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(ms - Date.parse(text)).toBeGreaterThanOrEqual(0);
        expect(ms - Date.parse(text)).toBeLessThan(1000);
      }),
    );
  });

  test('can be made from any number', () => {
    fc.assert(
      fc.property(fc.double(), (ms) => {
        expect(dateTime(ms)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }),
    );
  });
});

describe('flow ids', () => {
  test('a UUID in the header is used as written', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), (uuid, isUpper) => {
        const sent = isUpper ? uuid.toUpperCase() : uuid;
        expect(flowIdOf(sent, () => 'minted')).toBe(sent);
      }),
    );
  });

  test.each([
    undefined,
    '',
    'abc',
    '6a0f5a8e-0000-4000-8000-00000000000',
    '6a0f5a8e000040008000000000000001',
  ])('%s is no UUID: one is minted', (header) => {
    expect(flowIdOf(header, () => 'minted')).toBe('minted');
  });
});

describe('page tokens', () => {
  test('return the id from which they were made', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9]{5,12}$/), (id) => {
        expect(readPageToken(pageToken(id))).toBe(id);
      }),
    );
  });

  test('any other text is invalid, and no text throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        const id = readPageToken(text);
        if (id !== undefined) expect(pageToken(id)).toBe(text);
      }),
    );
    expect(readPageToken('')).toBeUndefined();
    expect(readPageToken(`${pageToken('VEH01')}=`)).toBeUndefined();
    expect(readPageToken(pageToken('A'.repeat(400)))).toBeUndefined();
  });
});

describe('methods of a path', () => {
  const methodsOf = methodTable([
    { method: 'GET', path: '/vehicles' },
    { method: 'get', path: '/vehicles/:id' },
    { method: 'patch', path: '/vehicles/:id' },
    { method: 'POST', path: '/vehicles/:id/commands/lock' },
    { method: 'GET', path: '/.well-known/a+b' },
  ]);

  test.each([
    ['/vehicles', ['GET', 'HEAD']],
    ['/vehicles/X', ['GET', 'HEAD', 'PATCH']],
    ['/vehicles/a%2Fb', ['GET', 'HEAD', 'PATCH']],
    ['/vehicles/X/commands/lock', ['POST']],
    ['/.well-known/a+b', ['GET', 'HEAD']],
    ['/xwell-known/aab', []],
    ['/vehicles/', []],
    ['/vehicles/X/', []],
    ['/vehicles/X/commands/open', []],
    ['', []],
  ])('%s has %j', (path, methods) => {
    expect(new Set(methodsOf(path))).toEqual(new Set(methods));
  });
});

describe('requests without a body', () => {
  test.each(['', '{}', ' { } '])('%j is none', (text) => {
    expect(refuseBody(json(text))).toBeUndefined();
  });

  test.each([
    ['{"force":true}', /'force'/],
    ['[]', /empty or an object/],
    ['null', /empty or an object/],
    ['1', /empty or an object/],
    ['{', /must be JSON/],
    ['{"__proto__":1}', /'__proto__'/],
  ])('%s is refused', (text, detail) => {
    const refusal = refuseBody(json(text));
    expect(refusal?.problem).toBe('validation-error');
    expect(refusal?.detail).toMatch(detail);
  });

  test('bytes that are not UTF-8 are refused', () => {
    const refusal = refuseBody({ bytes: Uint8Array.of(0x7b, 0xff, 0x7d), mediaType: 'application/json' });
    expect(refusal?.detail).toMatch(/UTF-8/);
  });
});

describe('details', () => {
  test("a caller's text is quoted up to a limit and without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (text) => {
        const quoted = quote(text);
        expect([...quoted].length).toBeLessThanOrEqual(67);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
        expect(quoted).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test('a violated rule is reported with its property', () => {
    expect(validationRefusal([{ path: ['tracking', 'time'], message: 'must be whole' }]).detail).toBe(
      'tracking.time: must be whole.',
    );
    const unknown = { code: 'unrecognized_keys', path: [], message: '', keys: ['colour'] };
    expect(validationRefusal([unknown]).detail).toBe("'colour': there is no such property.");
    expect(validationRefusal([unknown], 'parameter').detail).toBe("'colour': there is no such parameter.");
  });

  test("a rule without a text in its schema is reported with our text, never with the library's", () => {
    const detail = (schema: z.ZodType, value: unknown) => {
      const issues = schema.safeParse(value).error?.issues ?? [];
      // The library's issues have more than is needed here.
      return validationRefusal(issues as Parameters<typeof validationRefusal>[0]).detail;
    };
    const year = z.strictObject({ year: z.int().min(1900).max(2100) });
    expect(detail(year, { year: 1700 })).toBe('year: must be at least 1900.');
    expect(detail(year, { year: 2101 })).toBe('year: must be at most 2100.');
    expect(detail(year, { year: 'x' })).toBe('year: must be a number.');
    expect(detail(year, { year: 1950.5 })).toBe('year: must be a whole number.');
    expect(detail(year, {})).toBe('year: must be given.');
    expect(detail(year, [])).toBe('The body must be an object.');
    expect(detail(z.object({ name: z.string().min(1) }), { name: '' })).toBe(
      'name: must have at least 1 character.',
    );
    expect(detail(z.object({ tags: z.array(z.string()).max(2) }), { tags: ['a', 'b', 'c'] })).toBe(
      'tags: must have at most 2 entries.',
    );
    expect(detail(z.object({ value: z.enum(['A', 'B']) }), { value: 'C' })).toBe(
      'value: must be one of A, B.',
    );
    const fields = z.record(z.string().regex(/^[a-z]+$/, 'must be small letters'), z.string());
    expect(detail(z.object({ fields }), { fields: { A: '' } })).toBe('fields.A: must be small letters.');
    expect(detail(z.object({ id: z.uuid() }), { id: 'x' })).toBe('id: does not have the right form.');
  });
});

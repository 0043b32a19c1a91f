import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { anyBrokenJson, anyUnexpectedBody, anyWrongJson } from '../support/http/any-wrong-body.ts';
import type { ApiOperation } from '../support/http/operations.ts';
import {
  expectRefused,
  type FilledService,
  openFilledService,
} from '../support/http/service-at-every-path.ts';

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

import { beforeAll, describe, expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../contract/security-headers.ts';
import {
  type AnsweredRequest,
  AnswerValidator,
  type DocumentNode,
} from '../../judge/certify/answer-validator.ts';
import { closedSchema } from '../../judge/certify/closed-schema.ts';
import { openTestService } from '../support/http/test-service.ts';

const FLOW = { 'x-service-flow-id': '0f9d6a3e-6d53-4a5b-9c39-2f0f5b7a1d42' };
const PROBLEM = { 'content-type': 'application/problem+json' };
const RESET = '/vehicles/JQ7RP/box-commands/ble-reset';

const problem = (status: number, type: string, title: string) =>
  JSON.stringify({ type: `/problems/${type}`, title, status, detail: 'so' });

function exchange(
  change: Partial<Omit<AnsweredRequest, 'headers'>> & { headers?: Record<string, string> },
): AnsweredRequest {
  const { headers = {}, ...rest } = change;
  return {
    method: 'POST',
    path: RESET,
    status: 204,
    body: '',
    ...rest,
    headers: new Headers({ ...SECURITY_HEADERS, ...FLOW, ...headers }),
  };
}

describe('the validator of answers', () => {
  let validator: AnswerValidator;
  beforeAll(async () => {
    const stage = await openTestService();
    const answer = await stage.ask('GET', '/openapi.json');
    validator = new AnswerValidator((await answer.json()) as DocumentNode);
  });

  const silent = 'The vehicle did not answer.';
  test.each<[string, ReturnType<typeof exchange>]>([
    ['a success without a body', exchange({})],
    [
      'a declared problem',
      exchange({
        status: 504,
        headers: PROBLEM,
        body: problem(504, 'vehicle/no-connection', 'No connection to vehicle'),
      }),
    ],
    [
      'an unknown path',
      exchange({
        path: '/nothing',
        status: 404,
        headers: { 'content-type': 'application/json' },
        body: problem(404, 'resource-not-found', 'The resource cannot be found.'),
      }),
    ],
    [
      'another method',
      exchange({
        method: 'PUT',
        status: 405,
        headers: { ...PROBLEM, allow: 'POST' },
        body: problem(405, 'method-not-allowed', 'Method not allowed.'),
      }),
    ],
  ])('finds nothing in %s', (_name, right) => {
    expect(validator.findings(right)).toEqual([]);
  });

  test.each<[string, ReturnType<typeof exchange>, RegExp]>([
    ['a status', exchange({ status: 502 }), /status 502 is not declared/],
    ['a header', exchange({ headers: { 'x-other': '1' } }), /header x-other is not declared/],
    ['a value of a header', exchange({ headers: { 'x-rate-limit-limit': 'many' } }), /x-rate-limit-limit/],
    ['a body', exchange({ body: '{}' }), /has a body/],
    [
      'a media type',
      exchange({ status: 504, body: '{}', headers: { 'content-type': 'text/plain' } }),
      /text\/plain/,
    ],
    [
      'a problem of another operation',
      exchange({
        status: 409,
        headers: PROBLEM,
        body: problem(409, 'resource-conflict', 'The resource has a conflict.'),
      }),
      /resource-conflict is not declared/,
    ],
    [
      'a title',
      exchange({ status: 504, headers: PROBLEM, body: problem(504, 'vehicle/no-connection', silent) }),
      /title/,
    ],
    [
      'a property',
      exchange({
        status: 504,
        headers: PROBLEM,
        body: JSON.stringify({
          type: '/problems/vehicle/no-connection',
          title: 'No connection to vehicle',
          status: 504,
          detail: 'so',
          stack: 'at',
        }),
      }),
      /unevaluated.*stack/,
    ],
  ])('finds %s that is not declared', (_name, wrong, finding) => {
    expect(validator.findings(wrong).join(' ')).toMatch(finding);
  });

  test('finds it where an answer lacks the flow id or a security header', () => {
    const bare = { ...exchange({}), headers: new Headers() };
    expect(validator.findings(bare).join(' ')).toMatch(/lacks the header x-service-flow-id/);
    expect(validator.findings(bare).join(' ')).toMatch(/lacks the header X-Frame-Options/);
  });
});

describe('a closed schema', () => {
  const parts: Record<string, object> = {
    A: { type: 'object', properties: { a: { type: 'string' } } },
  };
  const find = (reference: string) => ({ ...parts[reference.split('/').at(-1) ?? ''] });

  test('refuses what it does not name, once for several that describe one object', () => {
    const schema = { allOf: [{ $ref: '#/x/A' }, { type: 'object', properties: { b: {} } }] };
    expect(closedSchema(schema, find)).toEqual({
      allOf: [parts['A'], { type: 'object', properties: { b: {} } }],
      unevaluatedProperties: false,
    });
  });

  test('leaves open what says which further properties there may be', () => {
    const schema = { type: 'object', properties: { a: {} }, additionalProperties: { $ref: '#/x/A' } };
    expect(closedSchema(schema, find)).toEqual({
      type: 'object',
      properties: { a: {} },
      additionalProperties: { ...parts['A'], unevaluatedProperties: false },
    });
  });
});

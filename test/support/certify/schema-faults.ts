import { readFileSync } from 'node:fs';
import type { AnsweredRequest, DocumentNode } from '../../../judge/certify/answer-validator.ts';
import type { JsonSchema } from '../../../judge/certify/closed-schema.ts';
import { isJsonObject } from '../../../world/json.ts';
import type { PointFault } from './point-fault.ts';

interface Answer {
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;
}

/** The document of the API, as qa/golden has it. */
export const API_DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../qa/golden/documents/openapi.json', import.meta.url), 'utf8'),
) as DocumentNode;

const FLOW = '3f1c2f0e-5d9c-4a51-9a0e-0d6f2b1c8e77';

function resolved(node: JsonSchema): JsonSchema {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const [, , kind = '', name = ''] = reference.split('/');
  return API_DOCUMENT.components[kind]?.[name] ?? {};
}

function answerOf(operation: string): { readonly status: number; readonly answer: Answer } {
  const [method = '', path = ''] = operation.split(' ');
  const { responses = {} } = API_DOCUMENT.paths[path]?.[method.toLowerCase()] ?? {};
  const status = Object.keys(responses).find((one) => /^[23]/.test(one));
  if (status === undefined) throw new Error(`${operation} has no success.`);
  return { status: Number(status), answer: resolved(responses[status] as JsonSchema) as Answer };
}

/** The success of an operation, as the examples of the document have it. */
export function rightAnswer(operation: string): AnsweredRequest {
  const [method = '', path = ''] = operation.split(' ');
  const { status, answer } = answerOf(operation);
  const [[mediaType, content] = ['', {}]] = Object.entries(answer.content ?? {});
  const headers = new Headers(mediaType === '' ? {} : { 'content-type': mediaType });
  for (const [name, node] of Object.entries(answer.headers ?? {})) {
    const header = resolved(node);
    if (header['required'] !== true) continue;
    const schema = (header['schema'] ?? {}) as JsonSchema;
    if (name === 'Location') headers.set(name, `http://service.test${path}/AAAAA`);
    else headers.set(name, String(schema['format'] === 'uuid' ? FLOW : (schema['example'] ?? 1)));
  }
  const example = content.example;
  return {
    method,
    path: path.replaceAll(/\{[^}]+\}/g, 'AAAAA'),
    status,
    headers,
    body:
      typeof example === 'string' || example === undefined ? String(example ?? '') : JSON.stringify(example),
  };
}

const changed = (
  { method, path, status, headers, body }: AnsweredRequest,
  change: Partial<AnsweredRequest>,
): AnsweredRequest => Object.assign({ method, path, status, headers, body }, change);

/** What a service may answer otherwise to an operation, whatever it is. */
export function schemaFaults(operation: string): readonly PointFault<AnsweredRequest>[] {
  const { answer } = answerOf(operation);
  const [[mediaType, content] = ['', {}]] = Object.entries(answer.content ?? {});
  const isJson = mediaType.endsWith('json') && content.schema !== undefined;
  return [
    {
      what: 'with an undeclared status',
      plant: (right) => changed(right, { status: 418 }),
      said: 'The status 418 is not declared',
    },
    {
      what: 'without its flow id',
      plant: (right) => {
        const headers = new Headers(right.headers);
        headers.delete('x-service-flow-id');
        return changed(right, { headers });
      },
      said: 'It lacks the header x-service-flow-id',
    },
    ...(mediaType === ''
      ? [
          {
            what: 'with a body',
            plant: (right: AnsweredRequest) => changed(right, { body: '{}' }),
            said: 'It has a body',
          },
        ]
      : [
          {
            what: 'as another media type',
            plant: (right: AnsweredRequest) => {
              const headers = new Headers(right.headers);
              headers.set('content-type', 'text/csv');
              return changed(right, { headers });
            },
            said: 'Its media type text/csv is not declared',
          },
        ]),
    ...(isJson
      ? [
          {
            what: 'with half a body',
            plant: (right: AnsweredRequest) => changed(right, { body: '{' }),
            said: 'Its body is no JSON',
          },
          {
            what: 'with a list of nothing',
            plant: (right: AnsweredRequest) => changed(right, { body: '[null]' }),
            said: 'Its body must be',
          },
        ]
      : []),
    ...(isJson && hasProperties(content.schema)
      ? [
          {
            what: 'with a value of another type',
            plant: (right: AnsweredRequest) =>
              changed(right, { body: JSON.stringify(spoilt(JSON.parse(right.body))) }),
            said: 'Its body/',
          },
        ]
      : []),
  ];
}

/** Whether the document says anything of what is in a body. */
function hasProperties(schema: JsonSchema = {}): boolean {
  const { properties, items, allOf, oneOf, anyOf } = resolved(schema) as Readonly<Record<string, unknown>>;
  return [properties, items, allOf, oneOf, anyOf].some((part) => part !== undefined);
}

/** Each value of it is of a type that stands nowhere. */
function spoilt(value: unknown): unknown {
  if (!isJsonObject(value)) return 7.5;
  return Object.fromEntries(Object.keys(value).map((name) => [name, { $: [] }]));
}

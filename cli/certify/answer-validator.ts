import { STATUS_CODES } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { SECURITY_HEADERS } from '../../backend/http/security-headers.ts';
import { closedSchema, type JsonSchema, openSchema } from './closed-schema.ts';

/** A request and its answer. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface AnswerValidator {
  /** What an answer has that the document does not declare, one English sentence each; empty: it is valid. */
  findings(exchange: AnsweredRequest): readonly string[];
}

interface AnswerNode {
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
  readonly 'x-problems'?: readonly string[];
}

interface OperationNode {
  readonly responses: Readonly<Record<string, AnswerNode>>;
}

export interface DocumentNode {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** Headers of HTTP itself; OpenAPI leaves Content-Type out of the headers. */
const TRANSPORT = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];
/** Headers of every answer of the service. */
const EVERYWHERE = [...Object.keys(SECURITY_HEADERS), 'content-security-policy', 'cache-control'];
/** CORS headers, which every answer may have. */
const CROSS_ORIGIN = ['vary', 'access-control-allow-origin', 'access-control-expose-headers'];
/** Headers of the answer to a preflight, which no operation declares. */
const PREFLIGHT = ['access-control-allow-methods', 'access-control-allow-headers', 'access-control-max-age'];
const EXEMPT: ReadonlySet<string> = new Set(
  [...TRANSPORT, ...EVERYWHERE, ...CROSS_ORIGIN].map((name) => name.toLowerCase()),
);

/**
 * Paths outside the documented interface: the root and pages for people, health and metrics for operators,
 * and notifications of makers in their own form.
 */
const BESIDE = /^\/($|docs($|\/)|(openapi|asyncapi)\.json$|health($|\/)|metrics$|third-party\/)/;

/**
 * What a document does not name: `refused`, for the service of this project, which describes all that it sends; or
 * `allowed`, for a service of somebody else, since readers must accept further properties and headers.
 */
export type Undeclared = 'refused' | 'allowed';

/** Checks answers against an OpenAPI document; with its schemas closed where what is undeclared is refused. */
export function makeAnswerValidator(
  document: DocumentNode,
  undeclared: Undeclared = 'refused',
): AnswerValidator {
  const isClosed = undeclared === 'refused';
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat('hex', /^(0x)?[0-9a-fA-F]+$/);
  const compiled = new Map<JsonSchema, ValidateFunction>();
  // By number of parts: most paths are then compared with few expressions.
  const templates = Map.groupBy(
    Object.keys(document.paths).map((path) => ({
      path,
      expression: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    })),
    ({ path }) => partsOf(path),
  );

  const find = (reference: string): JsonSchema => {
    const [, , kind = '', name = ''] = reference.split('/');
    const found = document.components[kind]?.[name];
    if (found === undefined) throw new Error(`The document refers to ${reference}, which it does not have.`);
    return found;
  };
  const resolved = (node: JsonSchema): JsonSchema =>
    typeof node['$ref'] === 'string' ? find(node['$ref']) : node;
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const made = ajv.compile(isClosed ? closedSchema(schema, find) : openSchema(schema, find));
    compiled.set(schema, made);
    return made;
  };
  const titles = new Map(
    Object.values(document.components['examples'] ?? {}).map(({ value }) => {
      const { type, title } = value as { type: string; title: string };
      return [type, title];
    }),
  );

  function bodyFindings(answer: AnswerNode, { headers, body }: AnsweredRequest): readonly string[] {
    const mediaType = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (answer.content === undefined) return body === '' ? [] : ['It has a body, and none is declared.'];
    const declared = answer.content[mediaType];
    if (declared === undefined) return [`Its media type ${mediaType || '(none)'} is not declared.`];
    if (declared.schema === undefined || !mediaType.endsWith('json')) return [];
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return ['Its body is no JSON.'];
    }
    const isValid = validatorOf(declared.schema);
    if (!isValid(value))
      return (isValid.errors ?? []).map(
        (error) =>
          `Its body${error.instancePath} ${error.message ?? 'is wrong'}: ${JSON.stringify(error.params)}.`,
      );
    return problemFindings(answer, value, declared.schema['$ref'] === '#/components/schemas/Problem');
  }

  function problemFindings(answer: AnswerNode, value: unknown, isProblem: boolean): readonly string[] {
    if (!isProblem) return [];
    const { type, title, status } = value as { type: string; title: string; status: number };
    // Refusals of the server itself have no type, and the title of their status (RFC 9457 section 4.2.1).
    if (answer['x-problems'] === undefined && type === 'about:blank')
      return title === STATUS_CODES[status] ? [] : [`The title of ${status} is not "${title}".`];
    if (answer['x-problems']?.includes(type) !== true) return [`The problem ${type} is not declared.`];
    return titles.get(type) === title ? [] : [`The title of ${type} is not "${title}".`];
  }

  function headerFindings(answer: AnswerNode, { headers }: AnsweredRequest): readonly string[] {
    const declared = new Map(
      Object.entries(answer.headers ?? {}).map(([name, node]) => [name.toLowerCase(), resolved(node)]),
    );
    const found: string[] = [];
    for (const [name, value] of headers) {
      if (EXEMPT.has(name)) continue;
      const node = declared.get(name);
      if (node === undefined && !isClosed) continue;
      if (node === undefined) found.push(`Its header ${name} is not declared.`);
      else if (!isOfSchema(value, node['schema'] as JsonSchema | undefined))
        found.push(`Its header ${name} is "${value}", which its schema does not allow.`);
    }
    for (const [name, node] of declared)
      if (node['required'] === true && !headers.has(name)) found.push(`It lacks the header ${name}.`);
    for (const [name, value] of Object.entries(isClosed ? SECURITY_HEADERS : {}))
      if (headers.get(name) !== value) found.push(`It lacks the header ${name}.`);
    return found;
  }

  function isOfSchema(value: string, schema: JsonSchema | undefined): boolean {
    if (schema === undefined) return true;
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    return validatorOf(schema)(isNumber && value !== '' ? Number(value) : value);
  }

  function answersTo({ method, path }: AnsweredRequest): Readonly<Record<string, AnswerNode>> {
    const template =
      document.paths[path] === undefined
        ? templates.get(partsOf(path))?.find(({ expression }) => expression.test(path))?.path
        : path;
    const item = template === undefined ? undefined : document.paths[template];
    const name = method.toLowerCase();
    // A preflight is answered before the path is looked at.
    const asking = name === 'options' ? { 204: preflight() } : {};
    if (item === undefined)
      return { ...asking, 404: beside('application/json', '/problems/resource-not-found') };
    const operation = item[name] ?? (name === 'head' ? item['get'] : undefined);
    if (operation !== undefined) return operation.responses;
    return { ...asking, ...wrongMethod() };
  }

  function preflight(): AnswerNode {
    const { headers } = beside('', '');
    return { headers: { ...headers, ...Object.fromEntries(PREFLIGHT.map((name) => [name, {}])) } };
  }

  /** The answer for a method that a path does not have. */
  function wrongMethod(): Readonly<Record<string, AnswerNode>> {
    const refusal = beside('application/problem+json', '/problems/method-not-allowed');
    const { Allow } = document.components['headers'] ?? {};
    return { 405: Allow === undefined ? refusal : { ...refusal, headers: { ...refusal.headers, Allow } } };
  }

  /** The service's answer at a path without an operation. */
  function beside(mediaType: string, type: string): AnswerNode {
    return {
      headers: { 'X-Service-Flow-ID': { $ref: '#/components/headers/X-Service-Flow-ID' } },
      content: { [mediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      'x-problems': [type],
    };
  }

  return {
    findings(exchange) {
      if (BESIDE.test(exchange.path)) return [];
      const found = answersTo(exchange)[String(exchange.status)];
      const answer = found === undefined ? undefined : (resolved(found as JsonSchema) as AnswerNode);
      if (answer === undefined) return [`The status ${exchange.status} is not declared.`];
      const ofBody = exchange.method === 'HEAD' ? [] : bodyFindings(answer, exchange);
      return [...headerFindings(answer, exchange), ...ofBody];
    },
  };
}

function partsOf(path: string): number {
  return path.split('/').length;
}

import { STATUS_CODES } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { SECURITY_HEADERS } from '../../contract/security-headers.ts';
import { closedSchema, type JsonSchema, openSchema } from './closed-schema.ts';

/** A request and its answer. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
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
 * Paths outside the documented interface: the root and pages for people, health and metrics for operators, and
 * notifications of makers in their own form.
 */
const BESIDE = /^\/($|docs($|\/)|(openapi|asyncapi)\.json$|health($|\/)|metrics$|third-party\/)/;

/**
 * What happens to undeclared properties and headers: `refused`, for the service of this project, which describes all
 * that it sends; or `allowed`, for an external service, since readers must accept them.
 */
export type Undeclared = 'refused' | 'allowed';

/** Checks answers against an OpenAPI document; with closed schemas where undeclared properties are refused. */
export class AnswerValidator {
  readonly #document: DocumentNode;
  readonly #isClosed: boolean;
  /** Most of its schemas check few values: to optimize the code of each takes longer than it saves. */
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  readonly #compiled = new Map<JsonSchema, ValidateFunction>();
  /** By number of parts, so that most paths are compared with few expressions. */
  readonly #templates: ReadonlyMap<number, readonly { readonly path: string; readonly expression: RegExp }[]>;
  /** The title of each problem by its type. */
  readonly #titles: ReadonlyMap<string, string>;

  constructor(document: DocumentNode, undeclared: Undeclared = 'refused') {
    this.#document = document;
    this.#isClosed = undeclared === 'refused';
    formats.default(this.#ajv);
    this.#ajv.addFormat('hex', /^(0x)?[0-9a-fA-F]+$/);
    this.#templates = Map.groupBy(
      Object.keys(document.paths).map((path) => ({
        path,
        expression: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      })),
      ({ path }) => partsOf(path),
    );
    this.#titles = new Map(
      Object.values(document.components['examples'] ?? {}).map(({ value }) => {
        const { type, title } = value as { type: string; title: string };
        return [type, title];
      }),
    );
  }

  /** The deviations of an answer from the document, one English sentence each; empty: it is valid. */
  findings(exchange: AnsweredRequest): readonly string[] {
    if (BESIDE.test(exchange.path)) return [];
    const found = this.#answersTo(exchange)[String(exchange.status)];
    const answer = found === undefined ? undefined : (this.#resolved(found as JsonSchema) as AnswerNode);
    if (answer === undefined) return [`The status ${exchange.status} is not declared.`];
    const ofBody = exchange.method === 'HEAD' ? [] : this.#bodyFindings(answer, exchange);
    return [...this.#headerFindings(answer, exchange), ...ofBody];
  }

  readonly #find = (reference: string): JsonSchema => {
    const [, , kind = '', name = ''] = reference.split('/');
    const found = this.#document.components[kind]?.[name];
    if (found === undefined) throw new Error(`The document refers to ${reference}, which it does not have.`);
    return found;
  };

  #resolved(node: JsonSchema): JsonSchema {
    return typeof node['$ref'] === 'string' ? this.#find(node['$ref']) : node;
  }

  #validatorOf(schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const closed = this.#isClosed ? closedSchema(schema, this.#find) : openSchema(schema, this.#find);
    const made = this.#ajv.compile(closed);
    this.#compiled.set(schema, made);
    return made;
  }

  #bodyFindings(answer: AnswerNode, { headers, body }: AnsweredRequest): readonly string[] {
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
    const isValid = this.#validatorOf(declared.schema);
    if (!isValid(value))
      return (isValid.errors ?? []).map(
        (error) =>
          `Its body${error.instancePath} ${error.message ?? 'is wrong'}: ${JSON.stringify(error.params)}.`,
      );
    return this.#problemFindings(answer, value, declared.schema['$ref'] === '#/components/schemas/Problem');
  }

  #problemFindings(answer: AnswerNode, value: unknown, isProblem: boolean): readonly string[] {
    if (!isProblem) return [];
    const { type, title, status } = value as { type: string; title: string; status: number };
    // Refusals of the server itself have no type, and the title of their status (RFC 9457 section 4.2.1).
    if (answer['x-problems'] === undefined && type === 'about:blank')
      return title === STATUS_CODES[status] ? [] : [`The title of ${status} is not "${title}".`];
    if (answer['x-problems']?.includes(type) !== true) return [`The problem ${type} is not declared.`];
    return this.#titles.get(type) === title ? [] : [`The title of ${type} is not "${title}".`];
  }

  #headerFindings(answer: AnswerNode, { headers }: AnsweredRequest): readonly string[] {
    const declared = new Map(
      Object.entries(answer.headers ?? {}).map(([name, node]) => [name.toLowerCase(), this.#resolved(node)]),
    );
    const found: string[] = [];
    for (const [name, value] of headers) {
      if (EXEMPT.has(name)) continue;
      const node = declared.get(name);
      if (node === undefined && !this.#isClosed) continue;
      if (node === undefined) found.push(`Its header ${name} is not declared.`);
      else if (!this.#isOfSchema(value, node['schema'] as JsonSchema | undefined))
        found.push(`Its header ${name} is "${value}", which its schema does not allow.`);
    }
    for (const [name, node] of declared)
      if (node['required'] === true && !headers.has(name)) found.push(`It lacks the header ${name}.`);
    for (const [name, value] of Object.entries(this.#isClosed ? SECURITY_HEADERS : {}))
      if (headers.get(name) !== value) found.push(`It lacks the header ${name}.`);
    return found;
  }

  #isOfSchema(value: string, schema: JsonSchema | undefined): boolean {
    if (schema === undefined) return true;
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    return this.#validatorOf(schema)(isNumber && value !== '' ? Number(value) : value);
  }

  #answersTo({ method, path }: AnsweredRequest): Readonly<Record<string, AnswerNode>> {
    const template =
      this.#document.paths[path] === undefined
        ? this.#templates.get(partsOf(path))?.find(({ expression }) => expression.test(path))?.path
        : path;
    const item = template === undefined ? undefined : this.#document.paths[template];
    const name = method.toLowerCase();
    // A preflight is answered before the path is checked.
    const asking = name === 'options' ? { 204: preflight() } : {};
    if (item === undefined)
      return { ...asking, 404: beside('application/json', '/problems/resource-not-found') };
    const operation = item[name] ?? (name === 'head' ? item['get'] : undefined);
    if (operation !== undefined) return operation.responses;
    return { ...asking, ...this.#wrongMethod() };
  }

  /** The answer for a method that a path does not have. */
  #wrongMethod(): Readonly<Record<string, AnswerNode>> {
    const refusal = beside('application/problem+json', '/problems/method-not-allowed');
    const { Allow } = this.#document.components['headers'] ?? {};
    return { 405: Allow === undefined ? refusal : { ...refusal, headers: { ...refusal.headers, Allow } } };
  }
}

function preflight(): AnswerNode {
  const { headers } = beside('', '');
  return { headers: { ...headers, ...Object.fromEntries(PREFLIGHT.map((name) => [name, {}])) } };
}

/** The service's answer at a path without an operation. */
function beside(mediaType: string, type: string): AnswerNode {
  return {
    headers: { 'X-Service-Flow-ID': { $ref: '#/components/headers/X-Service-Flow-ID' } },
    content: { [mediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    'x-problems': [type],
  };
}

function partsOf(path: string): number {
  return path.split('/').length;
}

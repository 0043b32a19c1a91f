import { scopesCovering } from '../../../contract/permissions.ts';
import type { Requirement } from '../../access/bearer.ts';
import type { App } from '../app.ts';
import { requirementOf } from '../authorize.ts';
import { completeAnswers, type OperationAnswers, problemExamples } from './openapi-answers.ts';
import EXAMPLES from './openapi-examples.json' with { type: 'json' };
import { FLOW_ID_PARAMETER, HEADERS, INFO, SECURITY_SCHEME, securityScheme, TAGS } from './openapi-parts.ts';
import { sharedResponses } from './openapi-responses.ts';
import { plainSchemas } from './plain-schemas.ts';

export type Document = ReturnType<App['getOpenAPI31Document']>;
type PathItem = NonNullable<Document['paths']>[string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The OpenAPI 3.1 document of an application: from the schemas that its routes validate with, and from what guards
 * them. Scopes and permissions are read off the very middleware that demands them.
 */
export function openApiDocument(app: App, baseUrl: string): Document {
  const derived = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: baseUrl, description: 'This service.' }],
    externalDocs: { description: 'The messages, as an AsyncAPI document.', url: `${baseUrl}/asyncapi.json` },
  });
  const paths: Record<string, PathItem> = {};
  const usedTags = new Set<string>();
  for (const [path, item] of Object.entries(derived.paths ?? {})) {
    const completed: PathItem = { ...item };
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      for (const tag of operation.tags ?? []) usedTags.add(tag);
      const requirement = demandedBy(app, method, path);
      completed[method] = completeOperation(operation, { method, path, requirement });
    }
    paths[path] = completed;
  }
  const { components } = derived;
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const shared = sharedResponses(
    operations.map(({ responses }) => responses as OperationAnswers),
    baseUrl,
  );
  for (const operation of operations)
    operation.responses = shared.share(operation.responses as OperationAnswers);
  return {
    ...derived,
    tags: TAGS.filter((tag) => usedTags.has(tag.name)),
    paths: plainSchemas(paths),
    components: {
      ...components,
      schemas: plainSchemas(components?.schemas ?? {}),
      headers: HEADERS,
      responses: shared.components as NonNullable<NonNullable<Document['components']>['responses']>,
      examples: problemExamples(baseUrl),
      parameters: { ...components?.parameters, FlowId: FLOW_ID_PARAMETER },
      securitySchemes: { [SECURITY_SCHEME]: securityScheme(baseUrl) },
    },
  };
}

interface Place {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly requirement: Requirement | undefined;
}

function completeOperation(operation: Operation, { method, path, requirement }: Place): Operation {
  const isSecured = requirement !== undefined;
  const recorded = recordedCall(method, path);
  const declared = Object.fromEntries(
    Object.entries(operation.responses as OperationAnswers).map(([status, answer]) => [
      status,
      answer.content === undefined
        ? answer
        : { ...answer, content: withExamples(answer.content, recorded?.answers[status]) },
    ]),
  );
  const { requestBody: body } = operation;
  const description = [
    operation.description,
    requirement === undefined ? undefined : `Needs the permission \`${requirement.permission}\`.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
  return {
    ...operation,
    operationId: operation.operationId ?? operationId(method, path),
    ...(description === '' ? {} : { description }),
    ...(body === undefined || !('content' in body)
      ? {}
      : { requestBody: { ...body, content: withExamples(body.content, recorded?.body) } }),
    parameters: [...(operation.parameters ?? []), { $ref: '#/components/parameters/FlowId' }],
    responses: completeAnswers(declared, { method, isSecured }),
    // Each entry is an alternative.
    security:
      requirement === undefined
        ? []
        : scopesCovering(requirement.scope).map((scope) => ({ [SECURITY_SCHEME]: [scope] })),
    ...(requirement === undefined ? {} : { 'x-permission': requirement.permission }),
  };
}

/** The requirement of the middleware before a route; undefined: none. */
function demandedBy(app: App, method: string, path: string): Requirement | undefined {
  const ours = path.replaceAll(/\/{(.+?)}/g, '/:$1');
  for (const route of app.routes) {
    if (route.method.toLowerCase() !== method || route.path !== ours) continue;
    const requirement = requirementOf(route.handler);
    if (requirement !== undefined) return requirement;
  }
  return undefined;
}

/** An operation's request by media type, and its answers by status and media type. */
export interface RecordedCall {
  body?: Record<string, unknown>;
  answers: Record<string, Record<string, unknown>>;
}

/** What a body or an answer holds, by media type. */
type Content = Readonly<Record<string, object | undefined>>;

const recorded = EXAMPLES as Readonly<Record<string, RecordedCall>>;

/** The request and answer that test/support/openapi/record-examples.ts recorded for this operation; undefined: none. */
function recordedCall(method: string, path: string): RecordedCall | undefined {
  return recorded[`${method.toUpperCase()} ${path}`];
}

/** Each media type with the example that was recorded of it. */
function withExamples<C extends Content>(content: C, examples: Record<string, unknown> | undefined): C {
  if (examples === undefined) return content;
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, media]) => [
      mediaType,
      Object.hasOwn(examples, mediaType) ? { ...media, example: examples[mediaType] } : media,
    ]),
  ) as C;
}

/**
 * The id of an operation, from its method and path: a command is called by its name (`bleReset`), everything else by
 * method and resource (`getVehiclesById`, `putTracking`).
 */
function operationId(method: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const fixed = parts.filter((part) => !part.startsWith('{'));
  const resource = fixed.at(-1) ?? 'root';
  if (fixed.at(-2)?.endsWith('commands') === true) return camel(resource);
  const isSingle = parts.at(-1)?.startsWith('{') === true;
  return camel(`${method}-${resource}${isSingle ? '-by-id' : ''}`);
}

function camel(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

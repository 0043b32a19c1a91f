import { contractApp } from '../../../backend/documents-app.ts';
import { openApiDocument } from '../../../backend/http/openapi/openapi.ts';
import { virtualCrypto } from '../../../world/crypto/virtual-crypto.ts';
import { virtualIds } from '../../../world/ids/virtual-ids.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';
import { CALLS, type ScenarioCall } from '../steps/calls.ts';
import { requestsOf } from '../steps/request.ts';
import { isSchema, referred, type ValueSchema } from './possible.ts';

const ANYTHING: readonly ValueSchema[] = [{}];
const NO_CONTENT: ReadonlySet<string> = new Set(['204', '304']);

let made: ValueSchema | undefined;

/** The OpenAPI document of the service. Created on first use. */
export function serviceDocument(): ValueSchema {
  made ??= makeDocument();
  return made;
}

function makeDocument(): ValueSchema {
  const time = virtualTime(new VirtualLoop(), new ProcessScope('contract'));
  const random = seededRandom(1);
  const nothing = () => undefined;
  const world = {
    time,
    ids: virtualIds(time, random.stream('ids')),
    crypto: virtualCrypto(random.stream('crypto')),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
  const baseUrl = 'http://service.contract';
  return openApiDocument(contractApp(world, baseUrl), baseUrl) as unknown as ValueSchema;
}

/**
 * The schemas of the bodies with which the service can answer a call: with one of these statuses, or with any. They
 * refer to `serviceDocument()`. `[{}]`: any body, as where the document lacks the request or the status.
 */
export function answerBodies(
  call: ScenarioCall,
  statuses: readonly number[] | undefined,
): readonly ValueSchema[] {
  const operations = requestedBy(call).flatMap(({ method, path }) => operationsAt(method, path));
  if (operations.length === 0) return ANYTHING;
  return operations.flatMap((operation) => bodiesOf(operation, statuses));
}

/** The types of the problems with which the service can answer a call: `/problems/resource-not-found`. */
export function answerProblems(call: ScenarioCall): ReadonlySet<string> {
  const operations = requestedBy(call).flatMap(({ method, path }) => operationsAt(method, path));
  const types = operations.flatMap(({ responses }) =>
    Object.values(isSchema(responses) ? responses : {}).flatMap((response) => {
      const problems = isSchema(response) ? inDocument(response)?.['x-problems'] : undefined;
      return Array.isArray(problems) ? problems.map(String) : [];
    }),
  );
  return new Set(types);
}

/** Every call `request` for an operation of the document. */
export function documentedCalls(): readonly ScenarioCall[] {
  const { paths } = serviceDocument();
  return Object.entries(isSchema(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.keys(isSchema(item) ? item : {}).flatMap((method): readonly ScenarioCall[] => {
      const { success, data } = CALLS.request.settings.safeParse({ method: method.toUpperCase(), path });
      return success ? [{ name: 'request', settings: data }] : [];
    }),
  );
}

/**
 * The statuses that any answer of the service has, in order. Undefined: the document lacks the request. Not only
 * those of the request: many expectations allow 200 and 204.
 */
export function answerStatuses(call: ScenarioCall): readonly number[] | undefined {
  if (requestedBy(call).every(({ method, path }) => operationsAt(method, path).length === 0))
    return undefined;
  const { paths } = serviceDocument();
  const operations = Object.values(isSchema(paths) ? paths : {}).flatMap((item) =>
    isSchema(item) ? Object.values(item).filter(isSchema) : [],
  );
  return [...new Set(operations.flatMap(statusesOf))].sort((one, other) => one - other);
}

function statusesOf({ responses }: ValueSchema): readonly number[] {
  return isSchema(responses) ? Object.keys(responses).map(Number).filter(Number.isInteger) : [];
}

/** The requests of a call as a run makes them, with names in braces for values to fill in. */
function requestedBy(call: ScenarioCall): readonly { readonly method: string; readonly path: string }[] {
  const vehicle = { number: 1, vehicleId: '{vehicle}', boxId: '{box}', fleetId: '{fleet}', model: '' };
  const memory = {
    tokens: new Map<string, string>(),
    jobId: '{job}',
    subscriptions: new Map<string, string>(),
    answers: { fill: <T>(value: T) => value },
  };
  const requests = requestsOf(call, [vehicle], memory, { fleetId: () => '{fleet}' });
  return requests.map(({ request }) => request);
}

/** Those of the document that match such a path; a name in braces in it matches any segment. */
function operationsAt(method: string, path: string): readonly ValueSchema[] {
  const { paths } = serviceDocument();
  const [asked = ''] = path.split(/[?#]/);
  return Object.entries(isSchema(paths) ? paths : {}).flatMap(([template, item]) => {
    const operation = isSchema(item) ? item[method.toLowerCase()] : undefined;
    return isSchema(operation) && canLeadTo(asked, template) ? [operation] : [];
  });
}

function canLeadTo(path: string, template: string): boolean {
  const [segments, wanted] = [path.split('/'), template.split('/')];
  return (
    segments.length === wanted.length &&
    segments.every((segment, index) => {
      const other = wanted[index] ?? '';
      return other.startsWith('{') || segment === other || segment.includes('{');
    })
  );
}

function bodiesOf(
  { responses }: ValueSchema,
  statuses: readonly number[] | undefined,
): readonly ValueSchema[] {
  if (!isSchema(responses)) return ANYTHING;
  const asked = statuses?.map(String) ?? Object.keys(responses);
  return asked.flatMap((status) => {
    const response = responses[status];
    const found = isSchema(response) ? inDocument(response) : undefined;
    if (found === undefined) return ANYTHING;
    return NO_CONTENT.has(status) ? [{ type: 'null' }] : bodiesIn(found['content']);
  });
}

/** The part of the document itself where this refers to one. */
function inDocument(part: ValueSchema): ValueSchema | undefined {
  const { $ref } = part;
  const found = typeof $ref === 'string' ? referred($ref, serviceDocument()) : part;
  return isSchema(found) ? found : undefined;
}

function bodiesIn(content: unknown): readonly ValueSchema[] {
  // A body without a description is text, or there is none.
  if (!isSchema(content)) return [{ type: ['null', 'string'] }];
  return Object.entries(content).map(([mediaType, media]) => {
    const schema = isSchema(media) ? media['schema'] : undefined;
    return /\bjson\b/.test(mediaType) && isSchema(schema) ? schema : {};
  });
}

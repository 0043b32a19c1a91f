import { z } from 'zod';
import { ROOT_PATHS } from '../../contract/operations.ts';
import type { ControlRefusal } from '../../simulator/http/refusal.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { AnsweredCall } from '../stream/actions.ts';
import type { SessionRecord } from './session-record.ts';
import { reasonOf, type ServiceCaller } from './sources.ts';

/** Of the API; the console's own sign-in is not available to the page. */
const PATH = new RegExp(`^(?:${[...ROOT_PATHS, '/health', '/metrics'].join('|')})(?:[/?]|$)`);

/** As the service will resolve it: a path may leave its prefix, `/vehicles/../auth`. */
function isOfTheApi(path: string): boolean {
  const base = 'http://service.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, base)) return false;
  const { origin, pathname } = new URL(path, base);
  return origin === base && PATH.test(path) && PATH.test(pathname);
}

const wanted = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().max(2_000).refine(isOfTheApi, 'a path of the API, such as /vehicles'),
  body: z.json().optional(),
});

/** Makes a call of the API for the page: `{ method, path, body }`. A refusal has the reason. */
export async function calledRequest(
  {
    time,
    caller,
    session,
  }: { readonly time: Time; readonly caller: ServiceCaller; readonly session: SessionRecord },
  request: unknown,
): Promise<AnsweredCall | ControlRefusal> {
  const read = wanted.safeParse(request);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { status: 400, detail: `${issue?.path.join('.') ?? 'the call'}: ${issue?.message ?? 'is wrong'}` };
  }
  const { method, path, body } = read.data;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const askedMs = time.nowMs();
  const note = await session.beforeCall(method, path);
  const answer = await caller.call(method, path, text).catch(reasonOf);
  if (typeof answer === 'string')
    return {
      status: 500,
      detail: `The service does not answer: ${answer}. Whether it has carried out the call is not known.`,
    };
  // Also a refused one: its repetition is to be refused again.
  note();
  const answered = (await answer.text()).slice(0, limits.answerBytes);
  return {
    method,
    path,
    status: answer.status,
    tookMs: time.nowMs() - askedMs,
    flowId: answer.headers.get('x-service-flow-id') ?? undefined,
    retryAfter: answer.headers.get('retry-after') ?? undefined,
    body: jsonOrText(answered),
    curl: curlOf(caller.baseUrl, method, path, text),
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A line for a POSIX shell; quotes within the body are kept. */
function curlOf(baseUrl: string, method: string, path: string, body: string | undefined): string {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
    quoted(`${baseUrl}${path}`),
  ].join(' ');
}

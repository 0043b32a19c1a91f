import { expect } from 'vitest';
import { answerOf, expectNoEffect, expectRefused, statusOf } from './guarded-answers.ts';
import { OVERRIDING_HEADERS, otherPages, rebound } from './intruders.ts';
import {
  type ApiStage,
  METHODS,
  methodsByPath,
  type RouteRow,
  type RouteRows,
  requestOf,
} from './route-rows.ts';

/** A valid request of that row is answered, and brings about what the row says. */
export async function expectAnswered(stage: ApiStage, name: string, row: RouteRow): Promise<void> {
  const { origin, own } = stage;
  const before = await stage.effects();
  const answer = await answerOf(stage, requestOf(name, row, { origin, headers: own }));
  expect(answer.status).toBe(row.status);
  const reader = answer.body?.getReader();
  for (let read = 0; read < (row.reads ?? 0); read += 1) await reader?.read();
  await reader?.cancel();
  const after = await stage.effects();
  if (row.reaches === undefined) expect(after).toBe(before);
  else expect([row.reaches.test(before), after]).toEqual([false, expect.stringMatching(row.reaches)]);
}

/** No page of another origin and no foreign name of this machine gets through to that route. */
export async function expectStrangersRefused(stage: ApiStage, name: string, row: RouteRow): Promise<void> {
  const strangers = [...rebound(stage.origin), ...otherPages(stage.origin)];
  await expectRefused(
    stage,
    strangers.map(({ what, headers, origin = stage.origin }) => ({
      request: requestOf(name, row, { origin, headers: { ...stage.own, ...headers } }),
      hint: what,
      status: 403,
    })),
  );
}

/**
 * Each method that a path has no route for is refused with the ones that it has, whatever else the request says that
 * its method is.
 */
export async function expectOtherMethodsRefused(
  stage: ApiStage,
  rows: RouteRows,
  path: string,
): Promise<void> {
  const allowed = methodsByPath(rows).get(path) ?? [];
  const [name = '', row] = Object.entries(rows).find(([one]) => one.endsWith(` ${path}`)) ?? [];
  if (row === undefined) throw new Error(`There is no row of ${path}.`);
  const others = METHODS.filter(
    (method) => !allowed.includes(method) && !(method === 'HEAD' && allowed.includes('GET')),
  );
  const says = [
    { headers: {}, path: row.at },
    ...allowed.flatMap((method) => [
      { headers: {}, path: `${row.at}?_method=${method}` },
      ...OVERRIDING_HEADERS.map((header) => ({ headers: { [header]: method }, path: row.at })),
    ]),
  ];
  await expectNoEffect(stage, async () => {
    const wrong: string[] = [];
    for (const method of others)
      for (const said of says) {
        const headers = { ...stage.own, ...said.headers };
        const request = requestOf(name, row, { origin: stage.origin, method, path: said.path, headers });
        const answer = await answerOf(stage, request);
        const told = answer.headers.get('allow')?.split(', ');
        if (answer.status !== 405 || told?.sort().join() !== [...allowed].sort().join())
          wrong.push(`${method} ${JSON.stringify(said)}: ${answer.status}, Allow ${told}`);
      }
    expect(wrong).toEqual([]);
  });
}

/** HEAD is answered as GET is, without a body. */
export async function expectHeadAnswered(stage: ApiStage, name: string, row: RouteRow): Promise<void> {
  const { origin, own } = stage;
  const answer = await answerOf(stage, requestOf(name, row, { origin, headers: own, method: 'HEAD' }));
  expect([answer.status, await answer.text()]).toEqual([row.status, '']);
}

/** A body that is too large, is not declared as JSON or is none, is refused as such. */
export async function expectBodiesRefused(stage: ApiStage, name: string, row: RouteRow): Promise<void> {
  const json = JSON.stringify(row.body);
  const tooLarge = json.padEnd((row.mostBytes ?? 0) + 1, ' ');
  const inParts = () =>
    new ReadableStream({
      start(controller) {
        for (const half of [tooLarge.slice(0, 10), tooLarge.slice(10)])
          controller.enqueue(new TextEncoder().encode(half));
        controller.close();
      },
    });
  const cases: readonly [number, RequestInit['body'], Readonly<Record<string, string | undefined>>][] = [
    [413, tooLarge, {}],
    [413, inParts(), {}],
    [413, json, { 'content-length': String((row.mostBytes ?? 0) + 1) }],
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
      '',
    ].map((type): [number, string, Record<string, string>] => [415, json, { 'content-type': type }]),
    [415, json, { 'content-encoding': 'gzip' }],
    [400, `${json}}`, {}],
    [400, '\u0000', {}],
  ];
  await expectRefused(
    stage,
    cases.map(([status, body, headers]) => ({
      request: requestOf(name, row, {
        origin: stage.origin,
        headers: { ...stage.own, ...headers },
        body,
      }),
      hint: `${String(body).slice(0, 40)} ${JSON.stringify(headers)}`,
      status,
    })),
  );
  // The largest that is accepted is: the limit is not lower than it says.
  const full = json.padEnd(row.mostBytes ?? 0, ' ');
  const accepted = requestOf(name, row, { origin: stage.origin, headers: stage.own, body: full });
  expect(await statusOf(stage, accepted)).toBe(row.status);
}

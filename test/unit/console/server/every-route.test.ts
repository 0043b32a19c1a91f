import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRITE_HEADER } from '../../../../console/server/page-guard.ts';
import {
  consoleRows,
  guardedConsole,
  guardedReplay,
  REPLAY_ROWS,
} from '../../../support/console/guarded-console.ts';
import {
  answerOf,
  expectNoEffect,
  expectRefused,
  statusOf,
} from '../../../support/guards/guarded-answers.ts';
import {
  expectAnswered,
  expectBodiesRefused,
  expectHeadAnswered,
  expectOtherMethodsRefused,
  expectStrangersRefused,
} from '../../../support/guards/guarded-routes.ts';
import { HOSTILE_SEGMENTS, spellingsOf } from '../../../support/guards/intruders.ts';
import { METHODS, methodsByPath, requestOf, routesOf } from '../../../support/guards/route-rows.ts';

const consoles = [
  { what: 'the console', open: guardedConsole, rows: consoleRows((await guardedConsole()).boxId) },
  { what: 'the console of a trace', open: guardedReplay, rows: REPLAY_ROWS },
] as const;

/** Cookies that are not the one of this page; `cookie` is that one. */
function otherCookies(cookie: string): readonly (string | undefined)[] {
  const [name = '', value = ''] = cookie.split('=');
  const short = value.slice(0, -1);
  return [
    undefined,
    '',
    name,
    `${name}=`,
    `${name}=${short}`,
    `${name}=${value}0`,
    `${name}=${value.slice(1)}`,
    `${name}="${value}"`,
    `${name}=${value.toUpperCase()}0`,
    `${name}=undefined`,
    `${name}=${short}; ${name}=${value}`,
    `${name}0=${value}`,
    `x${name}=${value}`,
    `boxtwin_console_8101=${value}`,
    `boxtwin_console=${value}`,
    `session=${value}`,
    `x=${cookie}`,
  ];
}

describe.each(consoles)('$what', async ({ open, rows }) => {
  const all = Object.entries(rows);
  /** What refuses has no effect, so that these requests share one console; the other one's cookie is for none of it. */
  const [stage, other] = [await open(), await open()];
  const ofSession = all.filter(([, { isOpen }]) => isOpen !== true);

  test('has an expectation here for every route of its table, and for no other', async () => {
    expect(new Set(Object.keys(rows))).toEqual(routesOf(stage.app));
  });

  test.each(all)('answers its own page at %s', async (name, row) => {
    await expectAnswered(await open(), name, row);
  });

  test.each(all)(
    'refuses pages of other origins and foreign names of this machine at %s',
    async (name, row) => {
      await expectStrangersRefused(stage, name, row);
    },
  );

  test.each(ofSession)('refuses whoever has no cookie of this page at %s', async (name, row) => {
    const cookies = [...otherCookies(stage.cookie), other.cookie];
    await expectRefused(
      stage,
      [...cookies.map((cookie) => ({ cookie, method: undefined })), ...METHODS.map(withoutCookie)].map(
        ({ cookie, method }) => ({
          request: requestOf(name, row, {
            origin: stage.origin,
            ...(method === undefined ? {} : { method }),
            headers: { ...stage.own, cookie },
          }),
          hint: `${method ?? 'its method'} with the cookie ${cookie}`,
          status: 401,
        }),
      ),
    );
  });

  test.each(ofSession.filter(([name]) => !name.startsWith('GET')))(
    'refuses a request without the header of writes at %s',
    async (name, row) => {
      const headers = { ...stage.own, [WRITE_HEADER]: undefined };
      const request = requestOf(name, row, { origin: stage.origin, headers });
      await expectRefused(stage, [{ request, hint: 'without it', status: 403 }]);
    },
  );

  test.each([...methodsByPath(rows).keys()])(
    'refuses other methods at %s, and tells the right ones',
    async (path) => {
      await expectOtherMethodsRefused(stage, rows, path);
    },
  );

  test.each(all.filter(([name]) => name.startsWith('GET')))(
    'answers HEAD as %s without a body, and leaves no stream open',
    async (name, row) => {
      await expectHeadAnswered(stage, name, row);
      expect(await stage.openStreams()).toBe(0);
    },
  );

  test.each(all.filter(([, { mostBytes }]) => mostBytes !== undefined))(
    'refuses bodies that are too large or no JSON at %s',
    async (name, row) => {
      await expectBodiesRefused(await open(), name, row);
    },
  );

  test.each(ofSession)('asks for the cookie however the path of %s is spelled', async (name, row) => {
    await expectNoEffect(stage, () =>
      fc.assert(
        fc.asyncProperty(spellingsOf(row.at), async (path) => {
          const headers = { ...stage.own, cookie: undefined };
          const request = requestOf(name, row, { origin: stage.origin, path, headers });
          // Outside of its API it has nothing but files of the page.
          if (decodeURI(path).startsWith('/console/')) expect(await statusOf(stage, request)).toBe(401);
          else expect([404, 405]).toContain(await statusOf(stage, request));
        }),
        { numRuns: 30 },
      ),
    );
  });

  test.each(ofSession.filter(([name]) => name.includes(':')))(
    'takes an id for an id at %s, whatever it is',
    async (name, row) => {
      const valid = row.at.split('/');
      for (const [at, part] of (name.split(' ')[1] ?? '').split('/').entries())
        for (const id of part.startsWith(':') ? HOSTILE_SEGMENTS : []) {
          stage.reached.splice(0);
          const path = valid.with(at, id).join('/');
          const request = requestOf(name, row, { origin: stage.origin, path, headers: stage.own });
          const answer = await answerOf(stage, request);
          await answer.body?.cancel();
          expect(answer.status, path).toBeLessThan(500);
          expect(answer.headers.get('set-cookie'), path).toBeNull();
          // One segment remains one: the parts behind are asked at no other depth.
          for (const reached of stage.reached.filter((one) => one.startsWith('control')))
            expect(reached, path).toMatch(/^control [A-Z]+ \/(?:boxes\/[^/]+(?:\/[^/]+)?|faults\/[^/]+)$/);
        }
    },
  );
});

/** Without a cookie, every method is refused for that. */
const withoutCookie = (method: string) => ({ cookie: undefined, method });

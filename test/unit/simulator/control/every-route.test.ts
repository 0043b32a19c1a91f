import { describe, expect, test } from 'vitest';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../../simulator/control/maker-actions.ts';
import { answerOf, expectNoEffect, expectRefused } from '../../../support/guards/guarded-answers.ts';
import {
  expectAnswered,
  expectBodiesRefused,
  expectHeadAnswered,
  expectOtherMethodsRefused,
  expectStrangersRefused,
} from '../../../support/guards/guarded-routes.ts';
import { HOSTILE_SEGMENTS } from '../../../support/guards/intruders.ts';
import { methodsByPath, requestOf, routesOf } from '../../../support/guards/route-rows.ts';
import { controlRows, guardedControl, thirdPartyRows } from '../../../support/simulator/guarded-control.ts';

/** What refuses has no effect, so that these requests share one. */
const stage = await guardedControl();
/** With a password it is reached under any name: only a page of the same one is its own. */
const reached = await guardedControl('any');
const rows = controlRows(stage.boxId);
const others = Object.entries(thirdPartyRows(stage.iccidOf));
const own = Object.entries(rows);
const all = [...own, ...others];

describe('the control API', () => {
  test('has an expectation here for every route of its table, and for no other', () => {
    expect(new Set(all.map(([name]) => name))).toEqual(routesOf(stage.app));
  });

  test.each(all)('answers its clients at %s', async (name, row) => {
    await expectAnswered(await guardedControl(), name, row);
  });

  test.each(all)('refuses web pages and foreign names of this machine at %s', async (name, row) => {
    await expectStrangersRefused(stage, name, row);
  });

  test.each(all)('under any name, still refuses pages of other origins at %s', async (name, row) => {
    const from = (origin: string) => ({ headers: { origin, host: 'fleet.example:8090' }, hint: origin });
    const origins = [
      'https://attacker.example',
      'null',
      '',
      'http://fleet.example',
      'https://fleet.example:8090',
      'http://fleet.example:8090.attacker.example',
      'http://fleet.example:80900',
      'http://127.0.0.1:8090',
    ].map(from);
    const broken = { headers: { origin: 'http://@@', host: '@@' }, hint: 'a Host that is none' };
    await expectRefused(
      reached,
      [...origins, broken].map(({ headers, hint }) => ({
        request: requestOf(name, row, { origin: reached.origin, headers: { ...row.headers, ...headers } }),
        hint,
        status: 403,
      })),
    );
  });

  test.each([...methodsByPath(rows).keys()])(
    'refuses other methods at %s, and tells the right ones',
    async (path) => {
      await expectOtherMethodsRefused(stage, rows, path);
    },
  );

  test.each([
    ...Object.keys(BOX_ACTIONS).map((name) => `/boxes/${stage.boxId}/${name}`),
    ...Object.keys(MAKER_ACTIONS).map((name) => `/maker-vehicles/nobody/${name}`),
  ])('takes the action %s by POST alone', async (at) => {
    const refusals = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
      request: new Request(`${stage.origin}${at}`, { method }),
      hint: method,
      status: 405,
    }));
    await expectRefused(stage, refusals);
  });

  test.each(all.filter(([name]) => name.startsWith('GET')))(
    'answers HEAD as %s without a body, and leaves no stream open',
    async (name, row) => {
      await expectHeadAnswered(stage, name, row);
      expect(stage.tap.listeners()).toBe(0);
    },
  );

  test.each(own.filter(([, { mostBytes }]) => mostBytes !== undefined))(
    'refuses bodies that are too large or no JSON at %s',
    async (name, row) => {
      await expectBodiesRefused(await guardedControl(), name, row);
    },
  );

  test.each(own.filter(([name]) => name.includes(':id') && name.includes('box')))(
    'knows no box by a hostile id at %s',
    async (name, row) => {
      const refusals = HOSTILE_SEGMENTS.map((id) => ({
        request: requestOf(name, row, { origin: stage.origin, path: row.at.replace(stage.boxId, id) }),
        hint: id.slice(0, 40),
        status: 404,
      }));
      await expectRefused(stage, refusals);
    },
  );
});

describe('the interfaces of others below the control API', () => {
  test.each(others)('have a key, and do nothing without it at %s', async (name, row) => {
    const keys = Object.keys(row.headers ?? {}).map((header) => {
      const right = row.headers?.[header] ?? '';
      return [undefined, '', right.slice(0, -1), `${right}0`, right.toUpperCase()].map((key) => ({
        [header]: key,
      }));
    });
    await expectNoEffect(stage, async () => {
      for (const headers of keys.flat()) {
        const answer = await answerOf(stage, requestOf(name, row, { origin: stage.origin, headers }));
        const hint = JSON.stringify(headers);
        // One of them answers everything with 200, and says in the body whether it worked.
        if (answer.status === 200) expect(await answer.json(), hint).toMatchObject({ ok: false });
        else expect(answer.status, hint).toBe(401);
      }
    });
  });
});

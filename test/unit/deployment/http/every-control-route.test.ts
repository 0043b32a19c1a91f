import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSimulatorGuard } from '../../../../deployment/http/simulator-guard.ts';
import { expectNoEffect, expectRefused } from '../../../support/guards/guarded-answers.ts';
import { spellingsOf } from '../../../support/guards/intruders.ts';
import { METHODS, requestOf } from '../../../support/guards/route-rows.ts';
import { controlRows, guardedControl } from '../../../support/simulator/guarded-control.ts';

const account = { username: 'simulator', password: 'right' };
const control = await guardedControl('any');
/** As a simulator that other machines reach serves it; nobody is slowed down, as time passes with each request. */
const clock = { nowMs: 0 };
const guard = makeSimulatorGuard(account, {
  nowMs: () => {
    clock.nowMs += 3_600_000;
    return clock.nowMs;
  },
});
const guarded = {
  origin: control.origin,
  own: control.own,
  promised: control.promised,
  effects: control.effects,
  app: {
    fetch: async (request: Request) =>
      (await guard(request, { address: '203.0.113.9' })) ?? control.app.fetch(request),
  },
};
const rows = Object.entries(controlRows(control.boxId));
const basic = (text: string) => `Basic ${btoa(text)}`;

describe('a simulator that other machines reach', () => {
  test.each(rows)('asks for user and password at %s, whatever the method', async (name, row) => {
    const wrong = [
      undefined,
      '',
      'Basic',
      'Basic !',
      basic(''),
      basic(':'),
      basic('simulator:'),
      basic('simulator:righ'),
      basic('simulator:right0'),
      basic('simulator:RIGHT'),
      basic('simulator'),
      basic('Simulator:right'),
      basic('simulator:right\n'),
      basic('right:simulator'),
      `Bearer ${btoa('simulator:right')}`,
      `Basic simulator:right`,
      `${basic('simulator:righ')}, ${basic('simulator:right')}`,
    ];
    await expectRefused(guarded, [
      ...wrong.map((authorization) => ({
        request: requestOf(name, row, { origin: guarded.origin, headers: { authorization } }),
        hint: String(authorization),
        status: 401,
      })),
      ...METHODS.map((method) => ({
        request: requestOf(name, row, { origin: guarded.origin, method }),
        hint: method,
        status: 401,
      })),
    ]);
  });

  test.each(rows)('answers who has them at %s', async (name, row) => {
    const headers = { authorization: basic('simulator:right') };
    const answer = await guarded.app.fetch(requestOf(name, row, { origin: guarded.origin, headers }));
    await answer.body?.cancel();
    expect(answer.status).toBe(row.status);
  });

  test.each(rows)('asks for them however the path of %s is spelled', async (name, row) => {
    await expectNoEffect(guarded, () =>
      fc.assert(
        fc.asyncProperty(spellingsOf(row.at), async (path) => {
          const answer = await guarded.app.fetch(requestOf(name, row, { origin: guarded.origin, path }));
          await answer.body?.cancel();
          // What is below SIM providers and makers, and is none of our own routes, has a key in place of the account.
          expect([401, 404]).toContain(answer.status);
        }),
        { numRuns: 30 },
      ),
    );
  });
});

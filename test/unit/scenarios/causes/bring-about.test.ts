import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { bringAbout } from '../../../../scenarios/causes/bring-about.ts';
import type { CauseAnswer } from '../../../../scenarios/causes/cause-ports.ts';
import { CAUSES } from '../../../../scenarios/causes/causes.ts';

const TYPE = '/problems/missing-token';
const SHOWN: CauseAnswer = { status: 401, headers: {}, text: JSON.stringify({ type: TYPE }) };

/** What was asked, with each answer in turn; an error is a connection that broke. */
async function asked(answers: readonly (CauseAnswer | Error)[], type?: string) {
  const left = [...answers];
  let atMs = 0;
  const cause = CAUSES.get('no-token');
  const operation = OPERATIONS.find(({ path }) => path === '/vehicles');
  if (cause === undefined || operation === undefined) throw new Error('The tables have no such rows.');
  const parts = {
    ports: {
      nowMs: () => atMs,
      pause: async (delayMs: number) => {
        atMs += delayMs;
      },
      async call() {
        const answer = left.length > 1 ? left.shift() : left[0];
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('No answer is left.');
        return answer;
      },
    },
    callers: { authorization: async () => undefined, answered: () => undefined },
    context: {
      vehicles: [],
      shelf: [],
      fleetId: 'own',
      partnerFleetId: 'partner',
      strangerFleetId: 'stranger',
    },
  };
  const active = await bringAbout(parts, cause, undefined, [operation]);
  return (await active.ask(operation, type)).answer;
}

test('a connection that breaks is no answer: the request is repeated until its problem is returned', async () => {
  expect(await asked([new Error('other side closed'), SHOWN], TYPE)).toBe(SHOWN);
});

test('a server that never answers is reported as it is, once the time is over', async () => {
  await expect(asked([new Error('connection refused')], TYPE)).rejects.toThrow('connection refused');
});

test('a request without an expected problem is sent once', async () => {
  await expect(asked([new Error('other side closed'), SHOWN])).rejects.toThrow('other side closed');
});

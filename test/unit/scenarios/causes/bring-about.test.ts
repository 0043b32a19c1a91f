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

/** Brings a cause about with a box that answers as given, and returns the requests and the announced waits. */
async function broughtAbout(name: string, statusOf: (path: string) => number) {
  const paths: string[] = [];
  const waits: string[] = [];
  let atMs = 0;
  const cause = CAUSES.get(name);
  const operation = OPERATIONS.find(({ path }) => path.endsWith('/lock-central-lock'));
  if (cause === undefined || operation === undefined) throw new Error('The tables have no such rows.');
  const vehicle = { id: 'V', telematics: 'box', boxId: 'b', capabilities: [], vin: '', model: '' } as const;
  const parts = {
    ports: {
      nowMs: () => atMs,
      pause: async (delayMs: number) => {
        atMs += delayMs;
      },
      async call({ path }: { readonly path: string }) {
        paths.push(path);
        const body = { truth: { speedKph: 0 } };
        return { status: statusOf(path), headers: {}, text: JSON.stringify(body) };
      },
    },
    callers: { authorization: async () => undefined, answered: () => undefined },
    context: { vehicles: [], shelf: [], fleetId: '', partnerFleetId: '', strangerFleetId: '' },
    onWait: (text: string) => waits.push(text),
  };
  const missing = {
    sharedWith: undefined,
    installation: undefined,
    generation: 2,
    hardwareRevision: 4,
    firmware: '2.24',
    simProvider: 'meridian',
  };
  const outcome = await bringAbout(parts, cause, { ...vehicle, ...missing }, [operation]).then(
    (active) => active,
    () => undefined,
  );
  return { outcome, paths, waits };
}

test('each wait is announced, with its purpose, before it begins', async () => {
  const { waits } = await broughtAbout('box-fails', () => 200);
  expect(waits).toEqual([
    'Waits until it is parked, up to 90 s.',
    'Waits until the service knows that the vehicle is standing still, up to 90 s.',
  ]);
});

test('a step that fails undoes the others at once, without waiting for the box', async () => {
  const { outcome, paths } = await broughtAbout('box-fails', (path) =>
    path.startsWith('/vehicles') ? 504 : 200,
  );
  expect(outcome).toBeUndefined();
  expect(paths.at(-1)).toBe('/boxes/b/box-error');
});

test('a cause that is undone now is not waited for', async () => {
  const { outcome, paths } = await broughtAbout('box-fails', () => 200);
  await outcome?.undo('now');
  expect(paths.slice(-2)).toEqual(['/boxes/b/box-error', '/boxes/b/box-error']);
});

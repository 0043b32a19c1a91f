import { expect, test } from 'vitest';
import { judgeStore } from '../../../../deployment/checks/doctor-checks.ts';

const look = {
  shown: 'postgres://db:5432/fleet',
  server: '15.20',
  version: 1,
  knownVersion: 1,
  refusal: undefined,
  mayCreate: true,
  users: 0,
};

test('a database that can be used is told with its version, and who uses it', () => {
  expect(judgeStore(look)).toMatchObject({ verdict: 'ok', text: expect.stringContaining('15.20') as string });
  expect(judgeStore({ ...look, users: 2 }).text).toContain('backends use it');
  expect(judgeStore({ ...look, version: 0 }).text).toContain('the next start raises to 1');
});

test('one that cannot be used has failed, with what to do', () => {
  for (const facts of [
    'It cannot be reached.',
    { ...look, refusal: 'It is of another program.' },
    { ...look, version: 0, mayCreate: false },
  ])
    expect(judgeStore(facts)).toMatchObject({ verdict: 'failed', remedy: expect.any(String) as string });
});

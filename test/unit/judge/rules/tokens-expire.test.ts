import { expect, test } from 'vitest';
import type { CheckScope } from '../../../../judge/rules/check.ts';
import { tokensExpire } from '../../../../judge/rules/tokens-expire.ts';

/** The number of findings for one call with a forged token. */
async function findingsOf(method: string, path: string): Promise<number> {
  const call = { call: 1, as: 'forged', method, path, askedMs: 1, answeredMs: 2, status: 404 };
  const evidence = { calls: async () => [call] };
  const { findings } = await tokensExpire({ evidence, facts: [], factsDropped: 0 } as unknown as CheckScope);
  return findings.length;
}

test('a forged token must be refused, except on a path that does not exist, where the token is not checked', async () => {
  expect(await findingsOf('PATCH', '/vehicles/VEH01')).toBe(1);
  expect(await findingsOf('POST', '/vehicles')).toBe(1);
  expect(await findingsOf('POST', '/vehicles/VEH01/commands/draw-attention?x=1')).toBe(1);
  expect(await findingsOf('POST', '/vehicles/VEH01/box-commands/ble-reset')).toBe(1);
  expect(await findingsOf('DELETE', '/vehicles/VEH01/sharing')).toBe(1);
  const nowhere = ['/vehicles/', '/vehicles//commands/draw-attention', '/vehicles/?limit=5'];
  const misspelt = [
    '/vehicles/VEH01/nonsense',
    '/vehicles/VEH01/commands/open-sesame',
    '/message-subscriptions/a/b',
  ];
  for (const path of [...nowhere, ...misspelt])
    for (const method of ['GET', 'POST', 'PATCH']) expect(await findingsOf(method, path), path).toBe(0);
});

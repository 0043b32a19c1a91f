import { expect, test } from 'vitest';
import type { CheckScope } from '../../../../scenarios/checkers/check.ts';
import { tokensExpire } from '../../../../scenarios/checkers/tokens-expire.ts';

/** The number of findings for one call with a forged token. */
async function findingsOf(path: string): Promise<number> {
  const call = { call: 1, as: 'forged', method: 'PATCH', path, askedMs: 1, answeredMs: 2, status: 404 };
  const evidence = { calls: async () => [call] };
  const { findings } = await tokensExpire({ evidence, facts: [], factsDropped: 0 } as unknown as CheckScope);
  return findings.length;
}

test('a forged token must be refused, except on a path that does not exist, where the token is not checked', async () => {
  expect(await findingsOf('/vehicles/VEH01')).toBe(1);
  expect(await findingsOf('/vehicles')).toBe(1);
  expect(await findingsOf('/vehicles/VEH01/commands/draw-attention?x=1')).toBe(1);
  const nowhere = ['/vehicles/', '/vehicles//commands/draw-attention', '/vehicles/?limit=5'];
  const misspelt = [
    '/vehicles/VEH01/nonsense',
    '/vehicles/VEH01/commands/open-sesame',
    '/message-subscriptions/a/b',
  ];
  for (const path of [...nowhere, ...misspelt]) expect(await findingsOf(path), path).toBe(0);
});

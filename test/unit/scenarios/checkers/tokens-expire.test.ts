import { expect, test } from 'vitest';
import type { CheckScope } from '../../../../scenarios/checkers/check.ts';
import { tokensExpire } from '../../../../scenarios/checkers/tokens-expire.ts';

/** The number of findings for one call with a forged token. */
async function findingsOf(path: string): Promise<number> {
  const call = { call: 1, as: 'forged', method: 'PATCH', path, askedMs: 1, answeredMs: 2, status: 404 };
  const evidence = { calls: async () => [call] };
  const { findings } = await tokensExpire({ evidence } as unknown as CheckScope);
  return findings.length;
}

test('a forged token must be refused, except on a path that does not exist, where the token is not checked', async () => {
  expect(await findingsOf('/vehicles/VEH01')).toBe(1);
  expect(await findingsOf('/vehicles')).toBe(1);
  for (const path of ['/vehicles/', '/vehicles//commands/draw-attention', '/vehicles/?limit=5'])
    expect(await findingsOf(path), path).toBe(0);
});

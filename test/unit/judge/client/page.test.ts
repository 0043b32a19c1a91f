import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../certify/client/limits.ts';
import { CLIENT_VARIABLES } from '../../../../deployment/shared/client-variables.ts';
import { EPISODES } from '../../../../judge/client/episodes.ts';
import { POINTS } from '../../../../judge/client/points.ts';

const page = readFileSync(new URL('../../../../docs/certify-client.md', import.meta.url), 'utf8');

/** The rows of the table below a heading, cells trimmed. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const part = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('docs/certify-client.md', () => {
  test('has a row for each point and each episode, as the tables have them', () => {
    expect(tableBelow('Points')).toEqual(POINTS.map(({ name, about }) => [`\`${name}\``, about]));
    expect(tableBelow('Episodes')).toEqual(EPISODES.map(({ name, about }) => [`\`${name}\``, about]));
  });

  test('names each variable that a client gets, and the figures of a run', () => {
    for (const name of CLIENT_VARIABLES) expect(page).toContain(`\`${name}\``);
    expect(page).toContain(`tokens live for ${limits.tokenLifeS} s`);
    expect(page).toContain(`after ${limits.answerTimeoutS} s`);
  });
});

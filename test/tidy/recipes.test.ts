import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CHECKOUT, filesOf, patchNames, proseRecipes, recipes } from '../support/recipes/recipe.ts';

/**
 * The recipes of CONTRIBUTING.md and the patches that follow them name the same places. test/all/recipes.test.ts applies
 * the patches.
 */
const RECIPES = recipes();

/** Recipes without a patch: most of their work is new code, or a decision. */
const PROSE = [
  'A problem',
  'A call, an expectation, a trigger',
  'A feature that can be configured',
  'A point of `certify-client`',
  'A point of `certify`',
  'A limit of the API',
  'A column or a table',
  'A library',
];

test('each recipe has a patch, or is named as one without', () => {
  expect(proseRecipes()).toEqual(PROSE);
  expect(RECIPES.map(({ name }) => name).sort()).toEqual([...patchNames()].sort());
});

describe.each(RECIPES)('the recipe $name', ({ patch, places, rows, tests }) => {
  test('names the files that its patch changes', () => {
    const folders = places.filter((place) => place.endsWith('/'));
    const changed = filesOf(patch).map(
      (file) =>
        places.find((place) => place === file) ?? folders.find((folder) => file.startsWith(folder)) ?? file,
    );
    expect([...new Set(changed)].sort()).toEqual([...places].sort());
    expect(tests).not.toEqual([]);
    expect(filesOf(patch)).toEqual(expect.arrayContaining([...rows]));
  });

  test('has a patch that fits the sources', () => {
    expect(() =>
      execFileSync('git', ['apply', '--check', patch], { cwd: CHECKOUT, stdio: 'pipe' }),
    ).not.toThrow();
  });
});

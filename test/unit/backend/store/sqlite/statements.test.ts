import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const statements = globSync('backend/store/**/*.ts').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));

describe('statements of the store', () => {
  test('none has a bare parameter as its LIMIT: SQLite would prepare the statement again at each call', () => {
    // From 3.46 on, LIMIT counts for the plan. With "+ 0" it is an expression, which the planner does not look into:
    // the look for setups that are due takes 3 µs in place of 80.
    const bare = statements.filter(({ text }) =>
      /\bLIMIT\s+(\?|[@:]\w+)(?!\w|\s*\+ 0)|\.limit\(\s*value\(/.test(text),
    );
    expect(bare.map(({ path }) => path)).toEqual([]);
    expect(statements.some(({ text }) => /LIMIT (\?|@limit) \+ 0/.test(text))).toBe(true);
    expect(statements.some(({ text }) => /\.limit\(most\(value\(/.test(text))).toBe(true);
  });

  test('none compares a column with a bare parameter in a join: SQLite would prepare it again at each call', () => {
    // As "= (SELECT ?)" the planner does not look into it: a result of a bulk attempt takes 6 µs in place of 34.
    const bare = statements.flatMap(({ path, text }) => {
      const written = (text.match(/`[^`]*`/g) ?? []).filter((one) =>
        /(\bJOIN\b|SELECT_VEHICLE)[^(]*(?<![<>])= (\?|[@:]\w)/.test(one),
      );
      const built = (text.match(/\bstatement\([\s\S]*?^\);$/gm) ?? []).filter((one) =>
        /(Join\(|select(Box)?Vehicles\()[\s\S]*'=',\s*value\(/.test(one),
      );
      return [...written, ...built].map((one) => `${path}: ${one}`);
    });
    expect(bare).toEqual([]);
    expect(statements.some(({ text }) => /WHERE v\.\w+ = \(SELECT \?\)/.test(text))).toBe(true);
    expect(statements.some(({ text }) => /'=', dialect\.fixed\(value\(/.test(text))).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { KINDS } from '../../../protocol/kinds.ts';
import { layoutPage } from './layout-tables.ts';

test('the page of layouts says what the tables say', async () => {
  await expect(layoutPage()).toMatchFileSnapshot('../../../docs/wire-layouts.md');
});

test('every kind has its section in both generations', () => {
  const page = layoutPage();
  for (const { name } of KINDS) expect(page.split(`\n### ${name}\n`)).toHaveLength(3);
});

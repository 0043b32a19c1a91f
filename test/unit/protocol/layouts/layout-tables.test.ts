import { expect, test } from 'vitest';
import { MESSAGE_KINDS } from '../../../../protocol/codec/kinds.ts';
import { wireLayoutsPage } from '../../../support/frames/wire-layouts-page.ts';

test('the page of layouts matches the tables', async () => {
  await expect(wireLayoutsPage()).toMatchFileSnapshot('../../../../docs/wire-layouts.md');
});

test('every kind has its section in both generations', () => {
  const page = wireLayoutsPage();
  for (const { name } of MESSAGE_KINDS) expect(page.split(`\n### ${name}\n`)).toHaveLength(3);
});

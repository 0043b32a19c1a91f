import { expect, test } from 'vitest';
import { MODELS } from '../../../protocol/models/models.ts';
import { withArticle } from '../../../world/article.ts';

test.each([
  'an estate',
  'an electric-moped',
  'an odometer',
  'an rpm',
  'an hour',
  'a unit',
  'a speed',
  'a birth',
])('the article of %s is the spoken one', (text) => {
  expect(withArticle(text.replace(/^an? /, ''))).toBe(text);
});

test('each vehicle model has an before a vowel, and a before all others', () => {
  for (const model of MODELS.keys())
    expect(withArticle(model)).toBe(`${/^[aeio]/.test(model) ? 'an' : 'a'} ${model}`);
});

import { describe, expect, test } from 'vitest';
import { headingAnchor, siteLink } from '../../../site/links.ts';

const CONTENT: Readonly<Record<string, 'page' | 'other'>> = {
  'docs/api.md': 'page',
  'docs/decisions/': 'page',
  'scenarios/stories': 'other',
  'test/all/': 'other',
  LICENSE: 'other',
};
const at = (link: string, page: string) =>
  siteLink(link, page, 'https://example.com/files', (path) => CONTENT[path] ?? 'nothing');

describe('a link of a page, on the site', () => {
  test.each([
    ['api.md#problems', 'docs/parts.md', 'api.md#problems'],
    ['decisions/', 'docs/parts.md', 'decisions/'],
    ['#here', 'docs/parts.md', '#here'],
    ['https://example.org/x.md', 'docs/parts.md', 'https://example.org/x.md'],
  ])('%s of %s stays, since the site has it or it leads elsewhere', (link, page, expected) => {
    expect(at(link, page)).toBe(expected);
  });

  test('to what only the project has leads to its repository', () => {
    expect(at('../scenarios/stories', 'docs/scenarios.md')).toBe(
      'https://example.com/files/scenarios/stories',
    );
    expect(at('../../test/all/', 'docs/decisions/0001-x.md')).toBe('https://example.com/files/test/all');
    expect(at('LICENSE', 'README.md')).toBe('https://example.com/files/LICENSE');
  });

  test('to the README leads to the beginning of the site, with its anchor', () => {
    expect(at('../README.md', 'docs/glossary.md')).toBe('/');
    expect(at('../README.md#options', 'docs/glossary.md')).toBe('/#options');
  });

  test('to nothing stays, so that the build refuses it', () => {
    expect(at('gone.md', 'docs/parts.md')).toBe('gone.md');
  });
});

test('the anchor of a heading is the one that GitHub makes', () => {
  expect(headingAnchor('Before a start: the doctor')).toBe('before-a-start-the-doctor');
  expect(headingAnchor('`up`, on_this — Möhre')).toBe('up-on_this--möhre');
});

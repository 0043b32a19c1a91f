import { type Child, el, markupOf } from './markup.ts';
import { STYLE, STYLE_HASH } from './style.ts';

/** A self-contained HTML page with this body that blocks all other content. */
export function wholePage(title: string, ...body: readonly Child[]): string {
  const page = el(
    'html',
    { lang: 'en' },
    el(
      'head',
      {},
      el('meta', { charset: 'utf-8' }),
      el('meta', {
        'http-equiv': 'Content-Security-Policy',
        content: `default-src 'none'; style-src '${STYLE_HASH}'`,
      }),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('meta', { name: 'color-scheme', content: 'light dark' }),
      el('title', {}, title),
      el('style', {}, { markup: STYLE }),
    ),
    el('body', {}, ...body),
  );
  return `<!doctype html>\n${markupOf(page)}\n`;
}

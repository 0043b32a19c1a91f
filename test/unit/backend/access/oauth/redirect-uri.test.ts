import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isRegistered,
  redirectUriFault,
  withParameters,
} from '../../../../../backend/access/oauth/redirect-uri.ts';

describe('a redirect URI', () => {
  test.each([
    ['https://app.test/back', undefined],
    ['https://app.test/back?tenant=1', undefined],
    ['http://127.0.0.1/callback', undefined],
    ['http://[::1]:8080/callback', undefined],
    ['com.example.app:/callback', undefined],
    ['http://app.test/back', 'plain http'],
    ['http://127.0.0.1.evil.test/back', 'plain http'],
    ['https://app.test/back#part', 'fragment'],
    ['https://user@app.test/back', 'user name'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['/back', 'absolute'],
    ['https://app.test/a b', 'absolute'],
    [`https://app.test/${'a'.repeat(500)}`, 'too long'],
  ])('%s: %s', (uri, fault) => {
    if (fault === undefined) expect(redirectUriFault(uri)).toBeUndefined();
    else expect(redirectUriFault(uri)).toContain(fault);
  });

  test('that is not registered is never accepted, except for the port of a loopback address', () => {
    const registered = ['http://127.0.0.1/callback', 'https://app.test/back'];
    const near = fc.constantFrom(
      ...[
        'http://127.0.0.1',
        'https://app.test',
        '/callback',
        '/back',
        ':80',
        '@',
        '\\',
        '/',
        '..',
        '%2e',
        '#',
        '?',
      ],
      ...['evil.test', '.', ' ', '\t', 'http://', 'https://', '//', '[::1]', 'a=b'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.array(near, { maxLength: 6 }).map((parts) => parts.join('')),
        ),
        (uri) => {
          if (!isRegistered(registered, uri) || registered.includes(uri)) return;
          const url = new URL(uri);
          expect([url.protocol, url.hostname, url.pathname, url.search, url.hash, url.username]).toEqual([
            'http:',
            '127.0.0.1',
            '/callback',
            '',
            '',
            '',
          ]);
        },
      ),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(isRegistered(registered, `http://127.0.0.1:${port}/callback`)).toBe(true);
        expect(isRegistered(registered, `https://app.test:${port}/back`)).toBe(false);
      }),
    );
  });

  test('of a loopback address with a port is valid for that port only', () => {
    const own = ['http://127.0.0.1:8080/docs/back', 'http://[::1]:8080/docs/back'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_535 }),
        fc.constantFrom('127.0.0.1', '[::1]'),
        (port, host) => {
          expect(isRegistered(own, `http://${host}:${port}/docs/back`)).toBe(port === 8080);
        },
      ),
    );
    expect(isRegistered(own, 'http://127.0.0.1/docs/back')).toBe(false);
  });

  test('keeps its query, and added parameters arrive unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (state) => {
        const url = new URL(withParameters('https://app.test/back?a=1', { state, none: undefined }));
        expect([...url.searchParams]).toEqual([
          ['a', '1'],
          ['state', state],
        ]);
      }),
    );
  });
});

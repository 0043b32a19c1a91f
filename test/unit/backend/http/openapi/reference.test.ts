import { describe, expect, test } from 'vitest';
import { referenceAssets } from '../../../../../deployment/service/demo-service-settings.ts';
import { openTestService } from '../../../../support/http/test-service.ts';

/** Addresses that a page names: in attributes, and in the script that begins it. */
const ADDRESS = /(?:src|href|url)(?:=|: )["']([^"']+)["']/g;

async function page() {
  const reference = referenceAssets();
  if (reference === undefined) throw new Error('the library of the reference page is not installed');
  const stage = await openTestService({ reference });
  const answer = await stage.ask('GET', '/docs');
  return { stage, answer, html: await answer.text() };
}

describe('the reference page', () => {
  test('is served without a token, with a policy that allows it to load from this service only', async () => {
    const { answer, html } = await page();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html).not.toMatch(/<script>|<style|onload=|style=/);
  });

  test('references nothing external, and everything that it references exists', async () => {
    const { stage, html } = await page();
    const begin = await (await stage.ask('GET', '/docs/begin.js')).text();
    const named = [...`${html}${begin}`.matchAll(ADDRESS)].map(([, address = '']) => address);
    const paths = named.filter((address) => !address.startsWith('data:'));
    expect(paths).toEqual(expect.arrayContaining(['docs/swagger-ui.css', 'openapi.json']));
    for (const path of paths) {
      expect(path).not.toMatch(/^https?:|^\/\//);
      const asset = await stage.ask('GET', `/${path}`);
      expect(asset.status, path).toBe(200);
      expect((await asset.text()).length, path).toBeGreaterThan(50);
    }
  });

  test('returns from a sign-in to its own page, with PKCE and its configured client', async () => {
    const reference = referenceAssets();
    if (reference === undefined) throw new Error('the library of the reference page is not installed');
    const stage = await openTestService({ reference: { ...reference, clientId: 'page"s' } });
    const begin = await (await stage.ask('GET', '/docs/begin.js')).text();
    expect(begin).toContain('clientId: "page\\"s"');
    expect(begin).toContain('usePkceWithAuthorizationCodeGrant: true');
    const answer = await stage.ask('GET', '/docs/oauth2-redirect.html');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    const [, script = ''] = /<script src="([^"]+)">/.exec(await answer.text()) ?? [];
    expect(await (await stage.ask('GET', `/docs/${script}`)).text()).toContain('swaggerUIRedirectOauth2');
  });

  test('is redirected from localhost to the host name of the API, for the same port only', async () => {
    const reference = referenceAssets();
    if (reference === undefined) throw new Error('the library of the reference page is not installed');
    const stage = await openTestService({ reference, baseUrl: 'http://127.0.0.1:8080' });
    const at = async (url: string) => {
      const answer = await stage.app.fetch(new Request(url));
      return [answer.status, answer.headers.get('location')];
    };
    expect(await at('http://localhost:8080/docs')).toEqual([302, 'http://127.0.0.1:8080/docs']);
    for (const origin of ['http://127.0.0.1:8080', 'http://localhost:9000', 'https://service.test'])
      expect(await at(`${origin}/docs`), origin).toEqual([200, null]);
  });

  test('is also served with a slash at the end, and linked from the root', async () => {
    const { stage } = await page();
    const slash = await stage.ask('GET', '/docs/');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs']);
    const root = (await (await stage.ask('GET', '/')).json()) as { links: Record<string, string> };
    expect(root).toMatchObject({ name: 'Vehicle Telematics Service', version: '1.3.0' });
    for (const [name, address] of Object.entries(root.links)) {
      const status = (await stage.ask('GET', new URL(address).pathname, { token: await stage.token() }))
        .status;
      expect(status, name).toBe(200);
    }
    const without = (await (await (await openTestService()).ask('GET', '/')).json()) as object;
    expect(without).not.toHaveProperty('links.reference');
  });

  test('is not served without its files, while the pages of the problems are', async () => {
    const stage = await openTestService();
    expect((await stage.ask('GET', '/docs')).status).toBe(404);
    expect((await stage.ask('GET', '/docs/problems/vehicle/no-connection')).status).toBe(200);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { FakeBrowser, formsOf } from '../../../../support/http/fake-browser.ts';
import {
  openSignInService,
  PASSWORD,
  type SignInService,
  signIn,
} from '../../../../support/http/sign-in-service.ts';

let scene: SignInService;
beforeEach(async () => {
  scene = await openSignInService();
});

const later = (ms: number) => scene.stage.loop.runUntil(scene.stage.loop.nowMs + ms);

describe('a person', () => {
  test('signs in, reads the request, allows it, and is redirected with a code', async () => {
    const { browser } = scene;
    const first = await browser.open(scene.asking());
    expect(first.status).toBe(200);
    expect(first.html).toContain('autocomplete="current-password"');
    const consent = await signIn(browser, first);
    expect(consent.html).toContain('See vehicles and their state');
    expect(consent.html).toContain('http://127.0.0.1:4711/callback');
    const end = await browser.submit(consent, 'consent', { decision: 'allow' });
    expect(end.status).toBe(303);
    expect(end.at.origin + end.at.pathname).toBe('http://127.0.0.1:4711/callback');
    expect(Object.fromEntries(end.at.searchParams)).toEqual({
      code: expect.any(String),
      state: 'st-1',
      iss: scene.baseUrl,
    });
  });

  test('denies the request, and the client gets the error', async () => {
    const consent = await signIn(scene.browser, await scene.browser.open(scene.asking()));
    const end = await scene.browser.submit(consent, 'consent', { decision: 'deny' });
    expect(end.at.searchParams.get('error')).toBe('access_denied');
    expect(end.at.searchParams.get('state')).toBe('st-1');
    expect(end.at.searchParams.has('code')).toBe(false);
  });

  test('stays signed in for hours, still has to consent each time, and can sign out', async () => {
    const { browser } = scene;
    await signIn(browser, await browser.open(scene.asking()));
    await later(7 * 3_600_000);
    const again = await browser.open(scene.asking({ client_id: 'other' }));
    expect(formsOf(again.html).map((form) => form.fields['deed'])).toEqual(['consent', 'sign-out']);
    const out = await browser.submit(again, 'sign-out');
    expect(formsOf(out.html).map((form) => form.fields['deed'])).toEqual(['sign-in']);
    await signIn(browser, out);
    await later(8 * 3_600_000);
    expect((await browser.open(scene.asking())).html).toContain('password');
  });

  test('grants a client only permissions that both have, and is shown only these', async () => {
    const consent = await signIn(
      scene.browser,
      await scene.browser.open(scene.asking({ scope: 'VEHICLES VEHICLES_RO MESSAGE_SUBSCRIPTIONS' })),
    );
    expect(consent.html).toContain('See vehicles');
    expect(consent.html).not.toContain('change and remove');
    const end = await scene.browser.submit(consent, 'consent', { decision: 'allow' });
    const { body } = await scene.exchange(end.at.searchParams.get('code') ?? '');
    expect(body['scope']).toBe('VEHICLES_RO');
  });

  test('is redirected with the existing query of the redirect URI', async () => {
    const redirect_uri = 'https://app.test/back?tenant=1';
    const told = await scene.allow({ redirect_uri });
    expect(told.get('tenant')).toBe('1');
    expect(told.get('code')).not.toBeNull();
    const error = await scene.browser.open(scene.asking({ redirect_uri, response_type: 'token' }));
    expect(Object.fromEntries(error.at.searchParams)).toMatchObject({
      tenant: '1',
      error: 'unsupported_response_type',
    });
  });

  test.each([
    ['wrong password', 'ada', 'not the password'],
    ['unknown name', 'nobody', PASSWORD],
    ['a name of another fleet', 'eve', PASSWORD],
    ['a password without end', 'ada', 'x'.repeat(5000)],
  ])('is not signed in with %s, and reads the same sentence', async (_case, name, password) => {
    const page = await signIn(scene.browser, await scene.browser.open(scene.asking()), name, password);
    expect(page.status).toBe(400);
    expect(page.html).toContain('Name or password is wrong.');
    expect(page.html).not.toContain(password);
    expect((await scene.browser.open(scene.asking())).html).toContain('autocomplete="username"');
  });

  test('must wait longer and longer after wrong passwords, even for the right one', async () => {
    const { browser } = scene;
    let page = await browser.open(scene.asking());
    const waits: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      page = await signIn(browser, page, 'ada', `guess number ${n}`);
      expect(page.status).toBe(400);
      if (n < 4) continue;
      const turned = await signIn(browser, page);
      expect(turned.status).toBe(429);
      expect(turned.html).toContain('Too many attempts.');
      waits.push(Number(turned.headers.get('retry-after')));
      await later(1_000 * (waits.at(-1) ?? 0));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32]);
    expect((await signIn(browser, page)).html).toContain('Allow');
  });

  test('signs in while a client at another address guesses the password', async () => {
    const elsewhere = new FakeBrowser((request) =>
      scene.stage.loop.runWhile(
        Promise.resolve(scene.stage.app.fetch(request, { address: '198.51.100.7' })),
        { withinMs: 60_000 },
      ),
    );
    let page = await elsewhere.open(scene.asking());
    for (let n = 0; n < 12; n += 1) page = await signIn(elsewhere, page, 'ada', `guess number ${n}`);
    expect(page.status).toBe(429);
    const { browser } = scene;
    expect((await signIn(browser, await browser.open(scene.asking()))).html).toContain('Allow');
  });

  test('is refused by address after fifty wrong passwords, whatever the names', async () => {
    const page = await scene.browser.open(scene.asking());
    for (let n = 0; n < 50; n += 1) await signIn(scene.browser, page, `name${n}`, 'guess guess');
    expect((await signIn(scene.browser, page)).status).toBe(429);
  });
});

describe('an authorization request', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a client without redirect URIs', { client_id: 'machine' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['an empty redirect URI', { redirect_uri: '' }],
    ['a redirect URI elsewhere', { redirect_uri: 'https://evil.test/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:4711/callback/../evil' }],
    ['a host that only begins right', { redirect_uri: 'http://127.0.0.1.evil.test/callback' }],
    ['a user name before the host', { redirect_uri: 'http://127.0.0.1:80@evil.test/callback' }],
    ['a backslash', { redirect_uri: 'http://127.0.0.1\\@evil.test/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a fragment', { redirect_uri: 'http://127.0.0.1:4711/callback#x' }],
    ['a line break', { redirect_uri: 'http://127.0.0.1:4711/callback\r\nSet-Cookie: a=b' }],
    ['a larger query', { redirect_uri: 'https://app.test/back?tenant=1&next=evil' }],
  ])('with %s leads nowhere: the person reads why', async (_case, change) => {
    const page = await scene.browser.open(scene.asking(change));
    expect(page.status).toBe(400);
    expect(page.isElsewhere).toBe(false);
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  });

  test.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['no code challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short code challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which would mean plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a scope that the client may not have', { scope: 'VEHICLE_CONFIGURATION' }, 'invalid_scope'],
    ['a scope that nobody knows', { scope: 'EVERYTHING' }, 'invalid_scope'],
    ['a response mode of its own', { response_mode: 'fragment' }, 'invalid_request'],
    ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['nobody to be asked', { prompt: 'none' }, 'login_required'],
  ])('with %s is refused at the redirect URI', async (_case, change, error) => {
    const page = await scene.browser.open(scene.asking(change));
    expect(page.isElsewhere).toBe(true);
    expect(page.at.host).toBe('127.0.0.1:4711');
    expect(page.at.searchParams.get('error')).toBe(error);
    expect(page.at.searchParams.get('state')).toBe('st-1');
    expect(page.at.searchParams.has('code')).toBe(false);
  });

  test('that gives a parameter twice is refused', async () => {
    const twice = new URL(`${scene.asking()}&scope=VEHICLES`);
    expect((await scene.browser.open(twice)).at.searchParams.get('error')).toBe('invalid_request');
    const client = new URL(`${scene.asking()}&client_id=other`);
    expect((await scene.browser.open(client)).status).toBe(400);
  });

  test('that requests a new sign-in gets one, once', async () => {
    await signIn(scene.browser, await scene.browser.open(scene.asking()));
    const page = await scene.browser.open(scene.asking({ prompt: 'login' }));
    expect(page.html).toContain('current-password');
    expect((await signIn(scene.browser, page)).html).toContain('Allow');
  });

  test('shows its parameters as text', async () => {
    const page = await scene.browser.open(scene.asking({ state: '"><script>alert(1)</script>' }));
    expect(page.html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:4711");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('a form', () => {
  const deny = { deed: 'consent', decision: 'allow' };

  test('without the token of its page is refused, and nothing is granted', async () => {
    const consent = await signIn(scene.browser, await scene.browser.open(scene.asking()));
    for (const form_token of ['', 'guess', '0'.repeat(64)]) {
      const page = await scene.browser.post(scene.asking(), { ...deny, form_token });
      expect(page.status).toBe(403);
      expect(page.isElsewhere).toBe(false);
    }
    expect(consent.status).toBe(200);
  });

  test('of one browser is refused in another', async () => {
    const attacker = new FakeBrowser(scene.send);
    const theirs = await signIn(attacker, await attacker.open(scene.asking()));
    const token = formsOf(theirs.html)[0]?.fields['form_token'] ?? '';
    await signIn(scene.browser, await scene.browser.open(scene.asking()));
    expect((await scene.browser.post(scene.asking(), { ...deny, form_token: token })).status).toBe(403);
    expect(
      (await new FakeBrowser(scene.send).post(scene.asking(), { ...deny, form_token: token })).status,
    ).toBe(403);
  });

  test('of consent without a sign-in leads to the sign-in', async () => {
    const page = await scene.browser.open(scene.asking());
    const form_token = formsOf(page.html)[0]?.fields['form_token'] ?? '';
    const after = await scene.browser.post(scene.asking(), { ...deny, form_token });
    expect(after.html).toContain('current-password');
  });

  test('gets a cookie that no script can read, and a new one at the sign-in', async () => {
    const first = await scene.send(new Request(scene.asking()));
    const [line = ''] = first.headers.getSetCookie();
    expect(line).toMatch(/^session=[^;]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/);
    const page = await scene.browser.open(scene.asking());
    const before = scene.browser.cookies.get('session');
    await signIn(scene.browser, page);
    expect(scene.browser.cookies.get('session')).not.toBe(before);
  });

  test('over HTTPS gets a cookie that is sent over HTTPS only', async () => {
    const secure = await openSignInService({ baseUrl: 'https://service.test' });
    const answer = await secure.send(new Request(secure.asking()));
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-session=.*; Secure; SameSite=Lax$/);
  });
});

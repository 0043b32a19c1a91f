import { describe, expect, test } from 'vitest';
import { consoleStage } from '../../../support/console/console-stage.ts';

describe('the console lets nobody in but its own page', () => {
  test('serves the page with a cookie for this site alone that no script reads, and a policy without inline script', async () => {
    const { request } = consoleStage();
    const answer = await request('/');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^boxtwin_console_8100=[\w-]{20,}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-|https?:/);
  });

  test.each([
    '/console/facts',
    '/console/fleet',
    '/console/vehicles/x',
    '/console/messages',
    '/console/health',
  ])('refuses %s without the cookie, and with another one', async (path) => {
    const { request } = consoleStage();
    expect((await request(path)).status).toBe(401);
    expect((await request(path, { headers: { cookie: 'boxtwin_console_8100=guessed' } })).status).toBe(401);
  });

  test('refuses a page of another origin and a foreign name of this machine, even with the cookie', async () => {
    const { asPage } = consoleStage();
    for (const headers of [
      { origin: 'http://127.0.0.1:3000' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'attacker.example' },
    ])
      expect((await asPage('/console/facts', { headers })).status, JSON.stringify(headers)).toBe(403);
  });

  test('refuses a write without the header that only its own page can send', async () => {
    const { asPage, first, request } = consoleStage();
    const [cookie = ''] = ((await request('/')).headers.get('set-cookie') ?? '').split(';');
    const path = `/console/vehicles/${first.plan.boxId}/acts/cut-link`;
    const plain = await request(path, { method: 'POST', headers: { cookie } });
    expect(plain.status).toBe(403);
    expect(first.calls).toEqual([]);
    expect((await asPage(path, { method: 'POST' })).status).toBe(200);
    expect(first.calls).toHaveLength(1);
  });

  test('keeps a session of another console apart', async () => {
    const [one, other] = [consoleStage(), consoleStage()];
    const [cookie = ''] = ((await one.request('/')).headers.get('set-cookie') ?? '').split(';');
    expect((await one.request('/console/facts', { headers: { cookie } })).status).toBe(200);
    expect((await other.request('/console/facts', { headers: { cookie } })).status).toBe(401);
  });

  test('has a cookie of its own for its port, so that two of them are open in one browser', async () => {
    const { app } = consoleStage();
    const served = await app.request('http://127.0.0.1:8101/');
    expect(served.headers.get('set-cookie')).toMatch(/^boxtwin_console_8101=/);
  });
});

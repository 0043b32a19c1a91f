import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Http, type HttpRequest, type HttpResponse, HttpUnreachable } from '../../world/http/http.ts';

export interface HttpFixture {
  readonly http: Http;
  /** Serves `handler` and resolves with its origin. A handler that never answers lets the call time out. */
  serve(handler: (request: HttpRequest) => Promise<HttpResponse>): Promise<string>;
  /** An origin without a server. */
  readonly deadOrigin: string;
  close(): Promise<void>;
}

const answer = (more: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: {},
  body: '',
  ...more,
});

/** The common behaviour of all implementations of `Http`. */
export function httpContract(name: string, setUp: () => Promise<HttpFixture>): void {
  describe(`http: ${name}`, () => {
    let fixture: HttpFixture;
    beforeEach(async () => {
      fixture = await setUp();
    });
    afterEach(() => fixture.close());

    const call = (url: string, more: Partial<HttpRequest> = {}) =>
      fixture.http.call({ method: 'GET', url, headers: {}, timeoutMs: 2_000, maxBodyBytes: 1_000, ...more });

    test('a request arrives unchanged, and so does its answer', async () => {
      let seen: HttpRequest | undefined;
      const origin = await fixture.serve((request) => {
        seen = request;
        return Promise.resolve(answer({ status: 201, headers: { 'X-Answer': 'Yes' }, body: '{"ü":1}' }));
      });
      const headers = { 'Content-Type': 'application/json', 'X-Flow': 'abc' };
      const got = await call(`${origin}/sims/1?x=%20y`, { method: 'POST', headers, body: '{"a":"ö"}' });
      expect(got.status).toBe(201);
      expect(got.headers['x-answer']).toBe('Yes');
      expect(got.body).toBe('{"ü":1}');
      expect(seen?.method).toBe('POST');
      expect(seen?.url).toBe(`${origin}/sims/1?x=%20y`);
      expect(seen?.body).toBe('{"a":"ö"}');
      expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', 'x-flow': 'abc' });
    });

    test('any status is an answer, also a redirection', async () => {
      for (const status of [204, 302, 404, 503]) {
        const origin = await fixture.serve(() =>
          Promise.resolve(
            answer({ status, headers: status === 302 ? { location: 'http://elsewhere/' } : {} }),
          ),
        );
        expect((await call(`${origin}/`)).status).toBe(status);
      }
    });

    test('an address without a server is HttpUnreachable', async () => {
      await expect(call(`${fixture.deadOrigin}/`)).rejects.toBeInstanceOf(HttpUnreachable);
      await expect(call(`${fixture.deadOrigin}/`)).rejects.toMatchObject({ isSent: false });
    });

    test('no answer in time is HttpUnreachable', async () => {
      const origin = await fixture.serve(() => new Promise(() => undefined));
      const late = call(`${origin}/`, { timeoutMs: 60 });
      await expect(late).rejects.toBeInstanceOf(HttpUnreachable);
      await expect(late).rejects.toMatchObject({ isSent: true });
    });

    test('a request without time left is never sent', async () => {
      let received = 0;
      const origin = await fixture.serve(() => {
        received += 1;
        return Promise.resolve(answer());
      });
      for (const timeoutMs of [0, -1, -60_000, Number.NaN]) {
        const expired = call(`${origin}/`, { method: 'POST', timeoutMs });
        await expect(expired).rejects.toBeInstanceOf(HttpUnreachable);
        await expect(expired).rejects.toMatchObject({ isSent: false });
      }
      expect((await call(`${origin}/`)).status).toBe(200);
      expect(received).toBe(1);
    });

    test('a body over the limit is HttpUnreachable, one at the limit is an answer', async () => {
      const origin = await fixture.serve((request) =>
        Promise.resolve(answer({ body: 'x'.repeat(request.url.endsWith('/over') ? 1_001 : 1_000) })),
      );
      expect((await call(`${origin}/exact`)).body).toHaveLength(1_000);
      await expect(call(`${origin}/over`)).rejects.toBeInstanceOf(HttpUnreachable);
    });

    test('an invalid address is HttpUnreachable', async () => {
      await expect(call('no address')).rejects.toBeInstanceOf(HttpUnreachable);
      await expect(call('no address')).rejects.toMatchObject({ isSent: false });
    });

    test('each of many concurrent calls gets its own answer', async () => {
      const origin = await fixture.serve((request) =>
        Promise.resolve(answer({ body: request.url.slice(-2) })),
      );
      const got = await Promise.all(
        Array.from({ length: 20 }, (_, index) => call(`${origin}/${index + 10}`)),
      );
      expect(got.map((each) => each.body)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 10}`));
    });
  });
}

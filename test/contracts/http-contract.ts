import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Http, type HttpAnswer, type HttpRequest, HttpUnreachable } from '../../world/http.ts';

export interface HttpStage {
  readonly http: Http;
  /** Serves `handler` and resolves with its origin. A handler that never answers keeps the caller waiting. */
  serve(handler: (request: HttpRequest) => Promise<HttpAnswer>): Promise<string>;
  /** An origin where nobody listens. */
  readonly deadOrigin: string;
  close(): Promise<void>;
}

const answer = (more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 200,
  headers: {},
  body: '',
  ...more,
});

/** The behaviour that every fulfilment of `Http` has in common. */
export function httpContract(name: string, setUp: () => Promise<HttpStage>): void {
  describe(`http: ${name}`, () => {
    let stage: HttpStage;
    beforeEach(async () => {
      stage = await setUp();
    });
    afterEach(() => stage.close());

    const call = (url: string, more: Partial<HttpRequest> = {}) =>
      stage.http.call({ method: 'GET', url, headers: {}, timeoutMs: 2_000, maxBodyBytes: 1_000, ...more });

    test('a request arrives as it was made, and its answer comes back', async () => {
      let seen: HttpRequest | undefined;
      const origin = await stage.serve((request) => {
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

    test('any status is an answer, a redirection too', async () => {
      for (const status of [204, 302, 404, 503]) {
        const origin = await stage.serve(() =>
          Promise.resolve(
            answer({ status, headers: status === 302 ? { location: 'http://elsewhere/' } : {} }),
          ),
        );
        expect((await call(`${origin}/`)).status).toBe(status);
      }
    });

    test('nobody listening is HttpUnreachable', async () => {
      await expect(call(`${stage.deadOrigin}/`)).rejects.toBeInstanceOf(HttpUnreachable);
      await expect(call(`${stage.deadOrigin}/`)).rejects.toMatchObject({ isSent: false });
    });

    test('no answer in time is HttpUnreachable', async () => {
      const origin = await stage.serve(() => new Promise(() => undefined));
      const late = call(`${origin}/`, { timeoutMs: 60 });
      await expect(late).rejects.toBeInstanceOf(HttpUnreachable);
      await expect(late).rejects.toMatchObject({ isSent: true });
    });

    test('a body over the bound is HttpUnreachable, one of exactly the bound is an answer', async () => {
      const origin = await stage.serve((request) =>
        Promise.resolve(answer({ body: 'x'.repeat(request.url.endsWith('/over') ? 1_001 : 1_000) })),
      );
      expect((await call(`${origin}/exact`)).body).toHaveLength(1_000);
      await expect(call(`${origin}/over`)).rejects.toBeInstanceOf(HttpUnreachable);
    });

    test('what is no address is HttpUnreachable', async () => {
      await expect(call('no address')).rejects.toBeInstanceOf(HttpUnreachable);
    });

    test('many calls at once get each its own answer', async () => {
      const origin = await stage.serve((request) => Promise.resolve(answer({ body: request.url.slice(-2) })));
      const got = await Promise.all(
        Array.from({ length: 20 }, (_, index) => call(`${origin}/${index + 10}`)),
      );
      expect(got.map((each) => each.body)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 10}`));
    });
  });
}

import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpRequest, HttpUnreachable } from '../../../../world/http/http.ts';
import { realHttp } from '../../../../world/http/real-http.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server of this test; resolves with its address. */
function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`);
    });
  });
}

const call = (url: string, more: Partial<HttpRequest> = {}) =>
  realHttp().call({ method: 'GET', url, headers: {}, timeoutMs: 5_000, maxBodyBytes: 1_000, ...more });

describe('real http', () => {
  test('sends method, headers and body, and returns status, headers in lower case, and body', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        response.writeHead(201, { 'X-Answer': 'yes' });
        response.end(`${request.method} ${request.url} ${request.headers['x-question']} ${body}`);
      });
    });
    const answer = await call(`${url}/sims/1?x=2`, {
      method: 'POST',
      headers: { 'X-Question': 'why' },
      body: '{"a":"ü"}',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-answer']).toBe('yes');
    expect(answer.body).toBe('POST /sims/1?x=2 why {"a":"ü"}');
  });

  test('any status is an answer, also a redirect', async () => {
    for (const status of [204, 302, 404, 503]) {
      const url = await serve((_request, response) => {
        response.writeHead(status, { location: 'http://127.0.0.1:1/' });
        response.end();
      });
      expect((await call(url)).status).toBe(status);
    }
  });

  test('a server that does not answer in time is unreachable, also if only the body stops', async () => {
    const silent = await serve(() => undefined);
    await expect(call(silent, { timeoutMs: 50 })).rejects.toBeInstanceOf(HttpUnreachable);
    const half = await serve((_request, response) => {
      response.writeHead(200);
      response.write('half');
    });
    await expect(call(half, { timeoutMs: 50 })).rejects.toBeInstanceOf(HttpUnreachable);
  });

  test('a body over the limit ends the call, one at the limit does not', async () => {
    const url = await serve((request, response) => {
      response.end('x'.repeat(Number(request.url?.slice(1))));
    });
    expect((await call(`${url}/1000`)).body).toHaveLength(1_000);
    await expect(call(`${url}/1001`)).rejects.toThrow(/over 1000 bytes/);
  });

  test('an address without a server, and an invalid address, are unreachable with the reason', async () => {
    const url = await serve((request) => {
      request.socket.destroy();
    });
    await expect(call(url)).rejects.toBeInstanceOf(HttpUnreachable);
    await expect(call('http://127.0.0.1:1/')).rejects.toThrow(/ECONNREFUSED|bad port/);
    await expect(call('nonsense')).rejects.toBeInstanceOf(HttpUnreachable);
  });

  test('a request that cannot be made is never sent', async () => {
    let received = 0;
    const url = await serve((_request, response) => {
      received += 1;
      response.end();
    });
    const impossible = { headers: { 'x-api-key': 'two\nlines' } };
    await expect(call(url, impossible)).rejects.toMatchObject({ name: 'HttpUnreachable', isSent: false });
    await expect(call(url, { timeoutMs: Number.POSITIVE_INFINITY })).rejects.toMatchObject({ isSent: false });
    expect((await call(url, { timeoutMs: 4_999.5 })).status).toBe(200);
    expect(received).toBe(1);
  });
});

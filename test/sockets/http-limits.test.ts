import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';

const PATIENCE = {
  headersTimeoutMs: 150,
  requestTimeoutMs: 300,
  timeoutLookMs: 20,
  keepAliveMs: 5_000,
  headerBytes: 2_048,
  httpConnections: 5,
} as const;
let server: HttpServer;
let served: string[];
let hadBody: boolean[];
let sockets: Socket[];

beforeEach(async () => {
  served = [];
  hadBody = [];
  sockets = [];
  server = await serveHttp(
    { port: 0 },
    async (request, { hasBody }) => {
      hadBody.push(hasBody);
      const text = await request.text().catch(() => 'broken');
      served.push(text);
      return new Response(`got ${text.length}`);
    },
    PATIENCE,
  );
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** A separate connection; `answer` is everything received until the server closed it. */
async function dial(): Promise<{ readonly socket: Socket; readonly answer: Promise<string> }> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // Whoever writes on to a server that has answered and closed may get an error for it; the answer is there all the
  // same.
  socket.on('error', () => undefined);
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(said));
  });
  await once(socket, 'connect');
  return { socket, answer };
}

function problemIn(answer: string): unknown {
  expect(answer).toMatch(/content-type: application\/problem\+json/i);
  expect(answer).toMatch(/x-service-flow-id: [0-9a-f-]{36}/i);
  expect(answer).toMatch(/x-content-type-options: nosniff/i);
  expect(answer).toMatch(/connection: close/i);
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

const statusOf = (answer: string): string => answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);

test('the headers of a request show whether it has a body', async () => {
  const { socket, answer } = await dial();
  for (const rest of [
    '\r\n',
    'Content-Length: 0\r\n\r\n',
    'Content-Length: 1\r\n\r\nx',
    'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\ny\r\n0\r\n\r\n',
  ])
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
  await answer;
  expect(hadBody).toEqual([false, false, true, true]);
  expect(served).toEqual(['', '', 'x', 'y']);
});

describe('a request that is sent too slowly', () => {
  test('is ended with a 408 problem if its headers arrive slowly', async () => {
    const { socket, answer } = await dial();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const trickle = setInterval(() => socket.write('X-A: b\r\n'), 30);
    const said = await answer;
    clearInterval(trickle);
    expect(statusOf(said)).toBe('408');
    expect(problemIn(said)).toMatchObject({
      type: 'about:blank',
      status: 408,
      title: 'Request Timeout',
      flow_id: expect.any(String),
      type_documentation: `http://127.0.0.1:${server.port}/docs`,
    });
    expect(served).toEqual([]);
  });

  test('is ended with a 408 problem if its body arrives slowly', async () => {
    const { socket, answer } = await dial();
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
    const trickle = setInterval(() => socket.write('x'), 30);
    const said = await answer;
    clearInterval(trickle);
    expect(statusOf(said)).toBe('408');
    expect(problemIn(said)).toMatchObject({ status: 408 });
  });

  test('is ended if it never begins', async () => {
    const { answer } = await dial();
    expect(await answer).toMatch(/^$|^HTTP\/1.1 408/);
  });

  test('does not keep others from being answered', async () => {
    const slow = await dial();
    slow.socket.write('GET / HTTP/1.1\r\n');
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('got 0');
    expect(statusOf(await slow.answer)).toBe('408');
  });
});

describe('a request that is too large or unreadable', () => {
  test.each([
    ['headers over the limit', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(4_096)}\r\n\r\n`, '431'],
    ['a path over the limit', `GET /${'x'.repeat(4_096)} HTTP/1.1\r\nHost: a\r\n\r\n`, '431'],
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', '400'],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a chunk that is none', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
  ])('with %s is answered with a problem', async (_name, text, status) => {
    const { socket, answer } = await dial();
    socket.write(text);
    const said = await answer;
    expect(statusOf(said)).toBe(status);
    expect(problemIn(said)).toMatchObject({ type: 'about:blank', status: Number(status) });
    expect(served.filter((text) => text !== 'broken')).toEqual([]);
  });

  test.each([
    'GET http://[ HTTP/1.1\r\nHost: a',
    'GET / HTTP/1.1\r\nHost: a b',
    'GET /\\ HTTP/1.1\r\nHost: a',
  ])('with an invalid target or host is a 400 problem (%j)', async (head) => {
    const { socket, answer } = await dial();
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    const said = await answer;
    expect(statusOf(said)).toBe('400');
    expect(problemIn(said)).toMatchObject({ status: 400 });
  });

  test('without a Host in HTTP/1.1 is a 400 problem that says so', async () => {
    const { socket, answer } = await dial();
    socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    const said = await answer;
    expect(statusOf(said)).toBe('400');
    expect(problemIn(said)).toMatchObject({
      type: 'about:blank',
      status: 400,
      detail: 'The request has no Host header. Send one.',
    });
  });

  test('without a Host in HTTP/1.0 is served, as RFC 9112 has it', async () => {
    const { socket, answer } = await dial();
    socket.write('GET /path HTTP/1.0\r\n\r\n');
    const said = await answer;
    expect(statusOf(said)).toBe('200');
    expect(said).toContain('got 0');
  });
});

describe('a request with two Host headers', () => {
  test.each(['Host: a\r\nHost: b', 'Host: a\r\nhost: a', 'HOST: a\r\nX-A: b\r\nHoSt: b', 'Host: a\r\nHost:'])(
    'is a 400 problem that says so, does not reach the application, and ends its connection (%j)',
    async (hosts) => {
      const { socket, answer } = await dial();
      socket.write(`GET / HTTP/1.1\r\n${hosts}\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`);
      const said = await answer;
      expect(statusOf(said)).toBe('400');
      expect(said.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
      expect(problemIn(said)).toMatchObject({
        type: 'about:blank',
        status: 400,
        detail: 'The request has more than one Host header. Send one.',
      });
      expect(served).toEqual([]);
    },
  );
});

describe('connections', () => {
  test('over the limit are closed at once, and another is accepted when one ends', async () => {
    const open = await Promise.all(Array.from({ length: PATIENCE.httpConnections }, dial));
    const ask = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const { socket } of open) {
      socket.write(ask);
      await once(socket, 'data');
    }
    expect(await (await dial()).answer).toBe('');
    open[0]?.socket.destroy();
    await open[0]?.answer;
    const { socket } = await dial();
    socket.write(ask);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
  });

  test('serve several requests one after the other, and an invalid one after a valid one is answered', async () => {
    const { socket, answer } = await dial();
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    const said = await answer;
    expect(said).toMatch(/^HTTP\/1.1 200/);
    expect(said).toMatch(/HTTP\/1.1 400 Bad Request/);
  });
});

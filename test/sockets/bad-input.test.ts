import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { type FilledService, openFilledService } from '../support/http/service-at-every-path.ts';

/** The whole HTTP interface behind a real server, for bytes that only a socket can send. */
const PATIENCE = {
  headersTimeoutMs: 150,
  requestTimeoutMs: 300,
  timeoutLookMs: 20,
  keepAliveMs: 500,
  headerBytes: 8_192,
  httpConnections: 20,
} as const;
let scene: FilledService;
let server: HttpServer;
let body: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  scene = await openFilledService();
  server = await serveHttp({ port: 0 }, async (request) => scene.stage.app.fetch(request), PATIENCE);
  body = JSON.stringify({ tags: ['changed'] });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Everything that comes until the server closes the connection; `isHalf`: the sender ends after its text. */
async function told(text: string | Uint8Array, isHalf = false): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  let said = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  await once(socket, 'connect');
  if (isHalf) socket.end(text);
  else socket.write(text);
  await closed;
  return said;
}

const head = (...lines: readonly string[]) =>
  [
    'PATCH /vehicles/VEH01 HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${scene.token}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');
const statuses = (said: string) => [...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => match[1]);

/** Nothing is carried out, and no internals are revealed. */
async function expectHarmless(made: { text: string | Uint8Array; isHalf?: boolean }): Promise<string> {
  const before = scene.digest();
  const said = await told(made.text, made.isHalf);
  expect(scene.digest(), 'the state stays as it was').toBe(before);
  expect(said).not.toMatch(/\bat .+:\d+:\d+|node_modules|node:internal|Error:/);
  expect(statuses(said)).not.toContain('500');
  expect(statuses(said)).not.toContain('200');
  return said;
}

describe('a raw request with a Content-Length', () => {
  test('that is too small cuts the body, and the rest is not a request', async () => {
    const text = head(`Content-Length: ${body.length - 4}`) + body;
    expect(new Set(statuses(await expectHarmless({ text })))).toEqual(new Set(['400']));
  });

  test('of 0 means no body', async () => {
    const said = await expectHarmless({ text: head('Content-Length: 0', 'If-Match: "none"') + body });
    expect(statuses(said)[0]).toMatch(/^4/);
  });

  test('that is too large waits for the rest only for a short time', async () => {
    const said = await expectHarmless({ text: head(`Content-Length: ${body.length + 9}`) + body });
    expect(statuses(said)).toEqual(['408']);
  });

  test('that is too large changes nothing if the sender ends the connection', async () => {
    await expectHarmless({ text: head(`Content-Length: ${body.length + 9}`) + body, isHalf: true });
  });

  test('over the limit is refused without reading the body', async () => {
    const said = await expectHarmless({ text: head('Content-Length: 99999999999', 'Connection: close') });
    expect(statuses(said)).toEqual(['413']);
  });

  test.each(['-1', '+5', '0x10', '1e1', '1.0', '', 'many', '5, 5', '99999999999999999999999'])(
    'that is %j is not a request',
    async (length) => {
      const said = await expectHarmless({ text: head(`Content-Length: ${length}`) + body });
      expect(statuses(said)[0]).toMatch(/^4/);
    },
  );

  test.each([
    ['says chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['says something else than chunked', ['Transfer-Encoding: gzip']],
    ['ends with something else than chunked', ['Transfer-Encoding: chunked, gzip']],
    ['hides chunked', ['Transfer-Encoding: xchunked']],
    ['has a space before the colon', ['Content-Length : 5']],
    ['has a folded header', ['X-A: b', ' c: d']],
    ['has a header without a name', [': x']],
    ['has a NUL', ['X-A: a\u0000b']],
  ])('is not a request if it %s', async (_name, lines) => {
    const said = await expectHarmless({ text: head(...lines) + body });
    expect(statuses(said)[0] ?? '4').toMatch(/^4/);
  });

  test('and bytes that are not text in the target or in a header is refused', async () => {
    for (const text of [
      Buffer.from(head().replace('VEH01', 'V\u00ff\u00fe'), 'latin1'),
      Buffer.from(head('If-Match: \u00ff\u0080', 'Content-Length: 0'), 'latin1'),
    ])
      expect(statuses(await expectHarmless({ text }))[0]).toMatch(/^4/);
  });

  test('that is correct changes the vehicle', async () => {
    const before = scene.digest();
    const said = await told(head(`Content-Length: ${body.length}`, 'Connection: close') + body);
    expect(statuses(said)).toEqual(['200']);
    expect(scene.digest()).not.toBe(before);
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import {
  type AnsweredRequest,
  AnswerValidator,
  type DocumentNode,
} from '../../judge/certify/answer-validator.ts';
import { openTestService } from '../support/http/test-service.ts';

const PATIENCE = {
  headersTimeoutMs: 150,
  requestTimeoutMs: 300,
  timeoutLookMs: 20,
  keepAliveMs: 5_000,
  headerBytes: 2_048,
  httpConnections: 5,
} as const;
const PATH = '/vehicles/JQ7RP/commands/unlock-central-lock';
let server: HttpServer;
let validator: AnswerValidator;

beforeEach(async () => {
  const stage = await openTestService();
  const document = await (await stage.ask('GET', '/openapi.json')).json();
  validator = new AnswerValidator(document as DocumentNode);
  server = await serveHttp({ port: 0 }, (request) => stage.app.fetch(request), PATIENCE);
});
afterEach(() => server.close());

/** Sends these bytes and nothing more; what came until the server closed the connection. */
async function answerTo(head: string): Promise<AnsweredRequest> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write(head);
  await closed;
  const [top = '', body = ''] = said.split('\r\n\r\n');
  const [line = '', ...lines] = top.split('\r\n');
  const headers = new Headers(
    lines.map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)]),
  );
  return { method: 'POST', path: PATH, status: Number(line.split(' ')[1]), headers, body };
}

describe('refusals of the server before the application are declared', () => {
  test('431: the headers are too large', async () => {
    const long = `X-Long: ${'x'.repeat(4_096)}\r\n`;
    const answer = await answerTo(`POST ${PATH} HTTP/1.1\r\nHost: a\r\n${long}\r\n`);
    expect(answer.status).toBe(431);
    expect(validator.findings(answer)).toEqual([]);
  });

  test('408: the request arrives too slowly', async () => {
    const answer = await answerTo(`POST ${PATH} HTTP/1.1\r\nHost: a\r\n`);
    expect(answer.status).toBe(408);
    expect(validator.findings(answer)).toEqual([]);
  });
});

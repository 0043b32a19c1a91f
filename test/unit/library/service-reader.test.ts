import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ServiceReader } from '../../../library/service-reader.ts';

/** A service whose first answers are these statuses; the later ones are right. */
async function serviceThatFirst(...statuses: number[]): Promise<string> {
  const server = createServer((request, response) => {
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    const isToken = request.url?.startsWith('/auth/') === true;
    response.end(JSON.stringify(isToken && status === 200 ? { access_token: 'one' } : { id: 'V1' }));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const clientFile = join(tmpdir(), `boxtwin-reader-${process.pid}`);
const client = { client_id: 'reader', client_secret: 'secret' };

test('a reader asks for its token anew after the service has refused one', async () => {
  const reader = new ServiceReader(await serviceThatFirst(503), async () => client, clientFile);
  await expect(reader.vehicle('V1')).rejects.toThrow('503');
  expect(await reader.vehicle('V1')).toEqual({ id: 'V1' });
  await reader.close();
});

test('a reader makes its client anew after the simulator has refused one', async () => {
  const control = [() => Promise.reject(new Error('starting')), async () => client];
  const reader = new ServiceReader(
    await serviceThatFirst(),
    async () => (control.shift() ?? (async () => client))(),
    clientFile,
  );
  await expect(reader.vehicle('V1')).rejects.toThrow('starting');
  expect(await reader.vehicle('V1')).toEqual({ id: 'V1' });
  await reader.close();
});

import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Balancer, startBalancer } from '../support/cluster/balancer.ts';
import { haproxy, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

/** In place of a backend: it tells its name, and whether it is ready. */
interface Stub {
  readonly name: string;
  readonly port: number;
  isReady: boolean;
  readonly server: Server;
}

async function startStub(name: string): Promise<Stub> {
  const stub: Stub = {
    name,
    port: await freePort(),
    isReady: true,
    server: createServer((request, response) => {
      response.statusCode = request.url === '/health/ready' && !stub.isReady ? 503 : 200;
      response.end(`${name} ${String(request.headers['x-forwarded-for'])}`);
    }),
  };
  await new Promise<void>((resolve) => stub.server.listen(stub.port, '127.0.0.1', resolve));
  return stub;
}

await withService(haproxy, (programs) => {
  describe('a balancer before backends', () => {
    let balancer: Balancer;
    let stubs: readonly Stub[] = [];
    beforeAll(async () => {
      stubs = await Promise.all(['one', 'two'].map(startStub));
      balancer = await startBalancer(programs, stubs);
    });
    afterAll(async () => {
      await balancer.stop();
      for (const { server } of stubs) server.close();
    });

    /** Who answers the next two requests, in the order of their names. */
    const answering = async () => {
      const answers = [0, 1].map(async () => (await fetch(`${balancer.url}/vehicles`)).text());
      return (await Promise.all(answers)).sort();
    };
    const answeredBy = (...names: readonly string[]) =>
      waitUntil(
        async () => String(await answering()) === String(names.map((name) => `${name} 127.0.0.1`)),
        10_000,
      );

    test('has those answer in turn that are ready, and tells them who called', async () => {
      await answeredBy('one', 'two');
    });

    test('leaves out one that is not ready, until it is again', async () => {
      const [one] = stubs;
      if (one === undefined) return;
      one.isReady = false;
      await answeredBy('two', 'two');
      one.isReady = true;
      await answeredBy('one', 'two');
    });

    test('serves again after it was killed, at the same address', async () => {
      await balancer.kill();
      await expect(answering()).rejects.toThrow();
      await balancer.restart();
      await answeredBy('one', 'two');
    });
  });
});

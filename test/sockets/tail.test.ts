import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toAmqpMessage } from '../../backend/events/amqp-message.ts';
import { readMessages } from '../../deployment/messages/tail-reader.ts';
import type { AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import type { AmqpPublisherSession } from '../../world/amqp/amqp-publisher.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { exampleMessages } from '../support/asyncapi/example-messages.ts';
import { rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';
import { PROGRAM } from '../support/run/product.ts';

const MESSAGES = exampleMessages().map(toAmqpMessage);
const SENT = MESSAGES.map(({ messageId }) => messageId);
const PATIENCE_MS = 30_000;

interface Broker {
  readonly url: string;
  /** Ends the reader's connections, where that can be done here. */
  readonly dismiss?: (user: string) => void;
  close(): Promise<void>;
}

function tailSuite(name: string, open: () => Promise<Broker>): void {
  describe(`boxtwin tail: ${name}`, () => {
    let broker: Broker;
    let publisher: AmqpPublisherSession;
    let queue: string;
    const ends: (() => Promise<unknown>)[] = [];

    beforeEach(async () => {
      broker = await open();
      queue = `boxtwin-test-tail-${randomUUID()}`;
      publisher = await realAmqpPublisher({ url: broker.url }).open(
        { connectTimeoutMs: PATIENCE_MS },
        { closed: () => undefined, blocked: () => undefined },
      );
      await publisher.declareQueue(queue, { messageTtlMs: 600_000 });
    });
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
      await publisher.deleteQueue(queue);
      await publisher.close();
      await broker.close();
    });
    const send = async () => {
      for (const message of MESSAGES)
        await publisher.publish({ ...message, exchange: '', routingKey: queue });
    };

    /** Its reading, in this process; `takes` says for each message whether its line was written. */
    function read(
      takes: (count: number) => boolean = () => true,
      more: { url?: string; queue?: string } = {},
    ) {
      const shown: AmqpDelivery[] = [];
      const notices: string[] = [];
      const ending = new AbortController();
      const place = { url: broker.url, ca: undefined, queues: [queue], isShared: true, name: 'the broker' };
      const { url = broker.url, queue: read = queue } = more;
      const ended = readMessages(
        { ...place, url, queues: [read] },
        {
          print: (delivery) => {
            shown.push(delivery);
            const isWritten = takes(shown.length);
            if (!isWritten) ending.abort();
            return Promise.resolve(isWritten);
          },
          end: ending.signal,
          notice: (text) => notices.push(text),
        },
      );
      // Checked by the tests; until then a rejection must not be reported as unhandled.
      ended.catch(() => undefined);
      const end = () => {
        ending.abort();
        return ended.catch(() => undefined);
      };
      ends.push(end);
      const ids = () => shown.map(({ properties }) => properties.messageId);
      return { shown, ids, notices, ended, end };
    }

    test('shows messages in order, and acknowledges only those that were written', async () => {
      await send();
      const first = read((count) => count <= 3);
      await first.ended;
      expect(first.ids()).toEqual(SENT.slice(0, 4));
      expect(first.notices[0]).toMatch(/removed from the queue/);
      const second = read();
      await waitUntil(() => second.shown.length === SENT.length - 3, PATIENCE_MS);
      expect(second.ids()).toEqual(SENT.slice(3));
      expect(second.shown[0]?.redelivered).toBe(true);
      await second.end();
      await send();
      const third = read();
      await waitUntil(() => third.shown.length === SENT.length, PATIENCE_MS);
      expect(third.shown.map(({ redelivered }) => redelivered)).not.toContain(true);
    });

    test('ends if its queue is deleted, and says so', async () => {
      const one = read();
      await waitUntil(() => one.notices.length === 1, PATIENCE_MS);
      await publisher.deleteQueue(queue);
      await expect(one.ended).rejects.toMatchObject({ name: 'Failure', exitCode: 1 });
      await expect(one.ended).rejects.toThrow(/cannot be read.*NOT_FOUND/);
      expect(one.notices.at(-1)).toMatch(/is lost \(.*deleted\)/);
    });

    test('reports in one line a wrong address, account, queue or virtual host', async () => {
      const wrong = new URL(broker.url);
      wrong.password = 'wrong';
      const elsewhere = new URL(broker.url);
      elsewhere.pathname = '/elsewhere';
      const rows = [
        [{ url: 'amqp://a:b@127.0.0.1:1' }, /No AMQP connection.*Is the broker/],
        [{ url: wrong.href }, /ACCESS.REFUSED.*user, password/],
        [{ url: elsewhere.href }, /user, password and virtual host/],
        [{ queue: `${queue}-not` }, /cannot be read.*NOT_FOUND.*Look at its name/],
        [{ url: 'mqtt://127.0.0.1' }, /Not an address of an AMQP broker/],
      ] as const;
      for (const [more, line] of rows) {
        const { ended } = read(undefined, more);
        await expect(ended).rejects.toMatchObject({ name: 'Failure', exitCode: 2 });
        await expect(ended).rejects.toThrow(line);
        await expect(ended).rejects.not.toThrow(/\n/);
      }
    });

    test('a lost connection is reopened, with a notice', async (context) => {
      if (broker.dismiss === undefined)
        return context.skip('nobody can be dismissed here without its administration');
      const url = broker.url.replace('owner:owner', 'guest:guest');
      const one = read(undefined, { url });
      await waitUntil(() => one.notices.length === 1, PATIENCE_MS);
      broker.dismiss('guest');
      await waitUntil(() => one.notices.length === 3, PATIENCE_MS);
      expect(one.notices.slice(1).join('\n')).toMatch(
        /is lost \(.*\); trying again\.\nconnected with .* again\.$/,
      );
      await send();
      await waitUntil(() => one.shown.length === SENT.length, PATIENCE_MS);
      return undefined;
    });

    test('as a command it writes one line of JSON per message, and ends when its reader has closed the pipe', async () => {
      await send();
      const args = [PROGRAM, 'tail', '--amqp', broker.url, '--queue', queue, '--type', 'DamageDetected'];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      ends.push(() => Promise.resolve(child.kill('SIGKILL')));
      const exited = once(child, 'exit');
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
      await waitUntil(() => output.endsWith('\n'), PATIENCE_MS);
      const [damage] = MESSAGES.filter(({ type }) => type === 'service.DamageDetected');
      expect(JSON.parse(output)).toMatchObject({
        queue,
        properties: { message_id: damage?.messageId },
        headers: damage?.headers,
        body: { data: { sensitivity: 'MEDIUM' } },
      });
      child.stdout.destroy();
      await send();
      expect((await exited)[0]).toBe(0);
      const rest = read();
      await waitUntil(() => rest.ids().includes(damage?.messageId), PATIENCE_MS);
    });
  });
}

tailSuite('the embedded broker', async () => {
  const broker = await startEmbeddedAmqp();
  return {
    url: broker.urlOf('owner'),
    dismiss: (user) => broker.disconnectUser(user),
    close: () => broker.close(),
  };
});

await withService(rabbitmq, ({ url }) =>
  tailSuite('RabbitMQ', () => Promise.resolve({ url, close: () => Promise.resolve() })),
);

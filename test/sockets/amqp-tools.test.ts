import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddedAmqp, startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { runProgram } from '../support/mqtt/mosquitto-clients.ts';
import { amqpTools, withService } from '../support/run/external-services.ts';
import { certificate } from '../support/sockets/certificate.ts';

/** The clients that Debian has in amqp-tools, written in C by others. */
await withService(amqpTools, ({ publisher, consumer, getter, declarer }) => {
  describe('the command-line clients at the embedded broker', () => {
    let broker: EmbeddedAmqp;

    beforeEach(async () => {
      broker = await startEmbeddedAmqp();
    });
    afterEach(() => broker.close());

    const as = (user: string) => ['-u', broker.urlOf(user)];
    const publish = (queue: string, words: string, ...more: string[]) =>
      runProgram(publisher, [...as('owner'), '-r', queue, '-b', words, ...more]);

    test('amqp-declare-queue, amqp-publish, amqp-get and amqp-consume work', async () => {
      expect(await runProgram(declarer, [...as('owner'), '-d', '-q', 'q'])).toMatchObject({
        code: 0,
        out: 'q\n',
      });
      for (const words of ['one', 'two', 'three']) expect((await publish('q', words, '-p')).code).toBe(0);
      expect(await runProgram(getter, [...as('owner'), '-q', 'q'])).toMatchObject({ code: 0, out: 'one' });
      const consumed = await runProgram(consumer, [...as('owner'), '-q', 'q', '-c', '2', '-p', '1', 'cat']);
      expect(consumed).toMatchObject({ code: 0, out: 'twothree' });
      expect((await runProgram(getter, [...as('owner'), '-q', 'q'])).code).toBe(2);
    });

    test('a body of many frames arrives completely', async () => {
      await runProgram(declarer, [...as('owner'), '-d', '-q', 'big']);
      const body = Buffer.alloc(400_000, 'abcdefg');
      expect((await runProgram(publisher, [...as('owner'), '-r', 'big'], body)).code).toBe(0);
      expect((await runProgram(getter, [...as('owner'), '-q', 'big'])).out).toBe(body.toString());
    });

    test('a wrong password and a missing queue are reported with the text of the broker', async () => {
      const wrong = await runProgram(getter, [
        '-u',
        broker.urlOf('owner').replace('owner@', 'wrong@'),
        '-q',
        'q',
      ]);
      expect(wrong.code).not.toBe(0);
      expect(wrong.err).toContain('ACCESS_REFUSED');
      const missing = await runProgram(getter, [...as('owner'), '-q', 'nope']);
      expect(missing.err).toContain("NOT_FOUND - no queue 'nope' in vhost '/'");
    });

    test('amqp-consume --ssl --cacert reads over TLS', async () => {
      const secure = await startEmbeddedAmqp({ tls: certificate });
      const folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-ca-'));
      const ca = join(folder, 'ca.pem');
      writeFileSync(ca, certificate.cert);
      const url = secure.urlOf('owner').replace('127.0.0.1', 'localhost');
      const me = ['--ssl', '--cacert', ca, '-u', url];
      expect((await runProgram(declarer, [...me, '-d', '-q', 'q'])).code).toBe(0);
      expect((await runProgram(publisher, [...me, '-r', 'q', '-b', 'sealed'])).code).toBe(0);
      expect(await runProgram(consumer, [...me, '-q', 'q', '-c', '1', 'cat'])).toMatchObject({
        code: 0,
        out: 'sealed',
      });
      await secure.close();
      rmSync(folder, { recursive: true });
    });
  });
});

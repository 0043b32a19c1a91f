import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MosquittoProcess, startMosquitto } from '../support/mqtt/mosquitto-process.ts';
import { bothOf, mosquitto, rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';
import { CrashingService } from '../support/sockets/crashing-service.ts';
import { startTcpProxy, type TcpProxy } from '../support/sockets/tcp-proxy.ts';

const NOTHING_WRONG = {
  lost: 0,
  doubled: 0,
  reordered: 0,
  unknown: 0,
  unreadable: 0,
  wiped: 0,
  overflowed: 0,
};
const STORE_MIB = 24;

await withService(bothOf(rabbitmq, mosquitto), ([{ url }, programs]) => {
  describe('crashes of brokers and a full disk', () => {
    const stage = new CrashingService({ amqpUrl: url, vehicles: 4 });
    const disk = join(stage.folder, 'disk');
    let broker: MosquittoProcess;
    let line: TcpProxy;
    let isDiskOfItsOwn = false;

    beforeAll(async () => {
      const { hostname, port } = new URL(url);
      line = await startTcpProxy({ host: hostname, port: Number(port || 5672) });
      broker = await startMosquitto(
        programs,
        [
          { username: 'backend', password: stage.mqttPassword },
          ...stage.plans.map(({ boxId, secret }) => ({ username: boxId, password: secret })),
        ],
        { isPersistent: true },
      );
      mkdirSync(disk);
      isDiskOfItsOwn = mounted(disk);
      if (isDiskOfItsOwn) stage.storePath = join(disk, 'backend.sqlite');
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String(line.port);
      await stage.consume();
      await stage.power(broker.url);
      await stage.startBackend({ mqttUrl: broker.url, brokerIsNew: false, amqpUrl: through.href });
    });
    afterAll(async () => {
      await stage.killBackend();
      if (isDiskOfItsOwn) execFileSync('umount', [disk]);
      await stage.close();
      await broker.stop();
      await line.close();
    });

    const records = async () => (await stage.ledger()).records;
    /** Waits until messages arrive at the end of the chain again, and checks the ledger. */
    const healthy = async () => {
      // Made after this moment, in whole seconds, so that nothing of before is taken for it.
      const fromMs = Date.now() + 1_000;
      const isNew = ({ receivedMs = 0 }: (typeof stage.arrivals)[number]) => receivedMs >= fromMs;
      await waitUntil(() => stage.arrivals.filter(isNew).length > 2, 40_000);
      expect((await stage.ledger()).counts).toMatchObject(NOTHING_WRONG);
    };

    test('everything is delivered before the first crash', () => healthy());

    test('the MQTT broker restarts and has kept its sessions', async () => {
      await broker.restart('SIGTERM');
      await healthy();
    });

    test('the MQTT broker is killed, and its sessions are lost', async () => {
      await broker.restart('SIGKILL', { forgets: true });
      await healthy();
    });

    test('the AMQP broker restarts, and then is unreachable for a while', async () => {
      line.cut();
      line.mend();
      await healthy();
      line.cut();
      const before = await records();
      await waitUntil(async () => (await records()) > before + 2, 20_000);
      const waiting = await stage.ledger();
      expect(waiting.cases.find(({ fate, hop }) => fate === 'pending' && hop === 'outbox')).toBeDefined();
      expect(waiting.counts).toMatchObject(NOTHING_WRONG);
      line.mend();
      await healthy();
    });

    test('the disk of the store is full, and then has space again', async (context) => {
      if (!isDiskOfItsOwn)
        context.skip('No file system of its own for the store: mounting a tmpfs needs root.');
      process.stdout.write(`The full disk is a tmpfs of ${STORE_MIB} MiB.\n`);
      const ballast = join(disk, 'ballast');
      const { bavail, bsize } = await statfs(disk);
      // A write that is too large fills what there is before it fails.
      await writeFile(ballast, Buffer.alloc(bavail * bsize + 1)).catch(() => undefined);
      await waitUntil(async () => (await statfs(disk)).bavail === 0);
      // Records wait in the boxes: none is given up without being stored.
      const before = await records();
      await waitUntil(async () => {
        await writeFile(ballast, Buffer.alloc(4_096), { flag: 'a' }).catch(() => undefined);
        return (await stage.ledger()).counts.pending > 8;
      });
      expect(await records()).toBeLessThan(before + 200);
      await writeFile(ballast, '');
      await healthy();
    });

    test('at the end every record sent by a box is in its state once and in the queue, in order', async () => {
      expect((await stage.settled()).counts).toMatchObject({ ...NOTHING_WRONG, late: 0, dropped: 0 });
    });
  });
});

/** Whether a small file system could be mounted there; only root may. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${STORE_MIB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

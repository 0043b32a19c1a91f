import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JournalRecord } from '../../brokers/amqp/state.ts';
import { MessageLog } from '../../brokers/amqp/store/message-log.ts';
import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';

const MESSAGES = 400;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-acks-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test('individual acknowledgements share commits, and all are on disk soon even without further traffic', async () => {
  const path = join(folder, 'amqp.db');
  const broker = await startEmbeddedAmqp({ path });
  const connection = await connect(broker.urlOf('owner'), { noDelay: true });
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue('kept');
  for (let count = 0; count < MESSAGES; count++)
    channel.sendToQueue('kept', Buffer.from(`${count}`), { persistent: true });
  await channel.waitForConfirms();

  const commit = vi.spyOn(MessageLog.prototype, 'commit');
  const dropped = (entrances: readonly JournalRecord[]) =>
    entrances.filter(({ kind }) => kind === 'drop-message').length;
  const droppedCounts = () => commit.mock.calls.map(([entrances]) => dropped(entrances));
  await channel.prefetch(1);
  await channel.consume('kept', (message) => {
    if (message !== null) channel.ack(message);
  });
  await waitUntil(() => droppedCounts().reduce((sum, each) => sum + each, 0) === MESSAGES);
  // One commit for each would be 400.
  expect(droppedCounts().filter((each) => each > 0).length).toBeLessThan(MESSAGES / 4);

  // What the file holds is what another process would find after the death of this one.
  vi.restoreAllMocks();
  await connection.close();
  await broker.close();
  const again = await startEmbeddedAmqp({ path });
  const second = await connect(again.urlOf('owner'), { noDelay: true });
  expect((await (await second.createChannel()).checkQueue('kept')).messageCount).toBe(0);
  await second.close();
  await again.close();
});

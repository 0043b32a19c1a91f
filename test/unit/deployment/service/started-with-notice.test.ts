import { describe, expect, test } from 'vitest';
import { startedWithNotice } from '../../../../deployment/service/serve-service.ts';
import { limits } from '../../../../deployment/shared/limits.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const URL = 'mqtt://127.0.0.1:1883';

/** A service that starts when it is told to, and what the terminal says meanwhile. */
function open() {
  const world = openVirtualWorld({ seed: 1 });
  const started = Promise.withResolvers<void>();
  const service = { refusal: undefined as string | undefined };
  const lines: string[] = [];
  const waiting = startedWithNotice(
    { started: started.promise, mqttRefusal: () => service.refusal },
    world.time,
    URL,
    (line) => lines.push(line),
  );
  return { world, started, service, lines, waiting };
}

describe('the terminal, while a service waits for its MQTT broker', () => {
  test('says nothing where it starts soon', async () => {
    const { world, started, lines, waiting } = open();
    started.resolve();
    await waiting;
    await world.runFor(10 * limits.brokerNoticeMs);
    expect(lines).toEqual([]);
  });

  test('says once that it waits, and that the broker is another installation’s as soon as that is known', async () => {
    const { world, started, service, lines, waiting } = open();
    await world.runFor(4 * limits.brokerNoticeMs);
    expect(lines).toEqual([`waiting for the MQTT broker at ${URL}; Ctrl-C ends it.`]);
    service.refusal = 'Another installation uses it.';
    await world.runFor(4 * limits.brokerNoticeMs);
    expect(lines.slice(1)).toEqual([
      `Another installation uses it. Until then this service waits for the MQTT broker at ${URL}; Ctrl-C ends it.`,
    ]);
    started.resolve();
    await waiting;
    await world.runFor(10 * limits.brokerNoticeMs);
    expect(lines).toHaveLength(2);
    expect(world.loop.scheduledCount).toBe(0);
  });
});

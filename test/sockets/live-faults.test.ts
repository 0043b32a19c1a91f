import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';

const PATIENCE_MS = 60_000;

describe('weather and breaks on a service that runs', () => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ vehicles: 2, answerTimeoutS: 5 });
  });
  afterAll(() => running.stop());

  async function checkOf(name: string): Promise<string | undefined> {
    const health = (await (await fetch(`${running.baseUrl}/health/ready`)).json()) as {
      readonly checks: readonly { readonly name: string; readonly status: string }[];
    };
    return health.checks.find((check) => check.name === name)?.status;
  }
  const vehicle = () => running.vehicles[0]?.id ?? '';
  const command = () => running.call('POST', `/vehicles/${vehicle()}/commands/request-vehicle-state`);
  const tookMs = async () => {
    const beganMs = performance.now();
    expect((await command()).status).toBe(200);
    return performance.now() - beganMs;
  };

  test('a link is slow for one vehicle, in both directions, until that is lifted', async () => {
    const slow = await running.box(vehicle()).weather({ latency: { base: '700ms' } });
    expect(await tookMs()).toBeGreaterThan(1_400);
    expect(await slow.lift()).toBeUndefined();
    // A busy machine may be slow once, and is not always.
    await waitUntil(async () => (await tookMs()) < 1_400, PATIENCE_MS);
  });

  test('a command that is lost on its way is answered as what it is, and is not known to have been carried out', async () => {
    const stalled = await running.box(vehicle()).weather('stall', { for: '8s' });
    const answer = await command();
    expect(answer.status).toBe(504);
    expect(await answer.text()).toContain('may have been carried out');
    await stalled.over;
    expect(await stalled.lift()).toBeUndefined();
  });

  test('without the store the API says so, and goes on once it is back', async () => {
    const headers = { authorization: `Bearer ${await running.token()}` };
    const status = async () => (await fetch(`${running.baseUrl}/vehicles/${vehicle()}`, { headers })).status;
    expect(await status()).toBe(200);
    const down = await running.break({ store: 'down' });
    expect(await status()).toBe(500);
    expect(await checkOf('store')).toBe('failed');
    await down.lift();
    await waitUntil(async () => (await checkOf('store')) === 'ok', PATIENCE_MS);
    expect(await status()).toBe(200);
  });

  test('the brokers go away, and health says which', async () => {
    const brokers = [
      await running.break({ broker: 'restart' }, { for: '1m' }),
      await running.break({ exchange: 'down' }),
    ];
    await waitUntil(async () => (await checkOf('mqtt')) === 'failed', PATIENCE_MS);
    await waitUntil(async () => (await checkOf('amqp')) === 'degraded', PATIENCE_MS);
    for (const broken of brokers) await broken.lift();
    await waitUntil(async () => (await checkOf('mqtt')) === 'ok', PATIENCE_MS);
    await waitUntil(async () => (await checkOf('amqp')) === 'ok', PATIENCE_MS);
    await waitUntil(async () => (await command()).status === 200, PATIENCE_MS);
  });

  test('a message of the exchange is held up, and comes', async () => {
    await running.break({ exchange: 'nack' }, { for: '1s' });
    await tookMs();
    await waitUntil(async () => (await checkOf('outbox')) === 'ok', PATIENCE_MS);
  });

  test('the connection of the service to its MQTT broker is cut, and comes again', async () => {
    const lostSessions = async () => {
      const text = await (await fetch(`${running.baseUrl}/metrics`)).text();
      return Number(/^boxtwin_mqtt_sessions_total\{event="lost"\} (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const before = await lostSessions();
    await running.break({ backend: 'cut' });
    await waitUntil(async () => (await lostSessions()) === before + 1, PATIENCE_MS);
    await waitUntil(async () => (await checkOf('mqtt')) === 'ok', PATIENCE_MS);
    await waitUntil(async () => (await command()).status === 200, PATIENCE_MS);
  });

  test('what cannot be had, or is wrong, is refused with the reason', async () => {
    const box = running.box(vehicle());
    await expect(box.break({ 'torn-write': {} })).rejects.toThrow('torn-write is not available here');
    await expect(box.weather({ latency: { base: '2 moons' } })).rejects.toThrow('should be a span of time');
    await expect(running.box('nobody').weather('cut')).rejects.toThrow('No box and no vehicle has the id');
  });

  test('a fault without an effect is reported while it is active, when it is removed, and when its time is over', async () => {
    const lost = await running.box(vehicle()).weather({ lose: { message: 'command-request' } });
    expect(await lost.strikes()).toMatchObject({
      struck: 'no',
      times: 0,
      strikesWhen: 'such a message came',
    });
    expect(await lost.lift()).toBe('no command-request came while it lasted');
    const brief = await running
      .box(vehicle())
      .weather({ lose: { message: 'command-request' } }, { for: '10ms' });
    await waitUntil(
      async () => (await brief.strikes()).struck === 'no' && (await inForce()) === 0,
      PATIENCE_MS,
    );
    expect(await brief.lift()).toBe('no command-request came while it lasted');
  });

  const inForce = async () => {
    const told = (await running.control('GET', '/faults')) as { readonly in_force: readonly unknown[] };
    return told.in_force.length;
  };

  test('an effect that is counted, or observed, is reported once it is there', async () => {
    const box = running.box(vehicle());
    const faults = [
      await box.weather({ latency: { base: '1ms' } }),
      await box.break({ 'flash-full': {} }),
      await box.break({ error: { text: 'too hot' } }),
      await running.break({ store: { slow: { by: '1ms' } } }),
      await running.break({ exchange: 'blocked' }),
    ];
    await command();
    for (const one of faults)
      await waitUntil(async () => (await one.strikes()).struck === 'yes', PATIENCE_MS);
    for (const one of faults) expect(await one.lift()).toBeUndefined();
    expect(await faults[0]?.strikes()).toMatchObject({ struck: 'yes', times: expect.any(Number) });
    await waitUntil(async () => (await checkOf('outbox')) === 'ok', PATIENCE_MS);
  });

  test('what happens at once says whether it met anything, or why that is not known', async () => {
    const box = running.box(vehicle());
    await waitUntil(async () => (await command()).status === 200, PATIENCE_MS);
    expect(await (await box.weather('cut')).strikes()).toMatchObject({ struck: 'yes', times: 1 });
    await waitUntil(async () => (await command()).status === 200, PATIENCE_MS);
    const dark = await box.weather({ coverage: 'none' });
    await waitUntil(async () => (await command()).status !== 200, PATIENCE_MS);
    const cut = await box.weather('cut');
    expect(await cut.strikes()).toMatchObject({ struck: 'no', strikesWhen: 'a box had a connection' });
    expect(await cut.lift()).toBe('no box had a connection');
    expect(await (await box.weather('session_lost')).strikes()).toMatchObject({
      struck: 'not known',
      because: 'What the broker keeps of a box that is away cannot be known.',
    });
    await dark.lift();
    expect(await (await running.break({ broker: 'restart' })).strikes()).toMatchObject({ struck: 'yes' });
    await waitUntil(async () => (await command()).status === 200, PATIENCE_MS);
  });
});

test('a blocked exchange of a fleet that publishes nothing has no effect', async () => {
  const quiet = await start({ vehicles: 0 });
  try {
    const blocked = await quiet.break({ exchange: 'blocked' });
    expect(await blocked.strikes()).toMatchObject({ struck: 'no' });
    expect(await blocked.lift()).toBe('nothing was to be published while it lasted');
  } finally {
    await quiet.stop();
  }
});

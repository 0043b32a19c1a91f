import { describe, expect, test } from 'vitest';
import { HttpUnreachable } from '../../../world/http/http.ts';
import type { MqttSessionEvents } from '../../../world/mqtt/mqtt-client.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import type { World } from '../../../world/world.ts';

const options = (clientId: string) => ({
  clientId,
  username: clientId,
  password: 'x',
  clean: true,
  keepAliveS: 60,
  connectTimeoutMs: 5_000,
});
const deaf: MqttSessionEvents = { message: () => undefined, closed: () => undefined };

describe('a process instance', () => {
  test('gets no callbacks and changes nothing once it is killed, whatever it was waiting for', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const never = world.origins.serve('http://sim.example', async () => {
      await sleep(world.time, 10);
      return { status: 200, headers: {}, body: '' };
    });
    const program = world.instance('backend');
    const heard: string[] = [];
    const hear = (what: string) => () => {
      heard.push(what);
    };
    const listen = async (port: World) => {
      const session = await port.mqtt.open(options('backend'), {
        message: (_topic, _payload, _retained, acknowledge) => {
          hear('message')();
          acknowledge();
        },
        closed: hear('closed'),
      });
      await session.subscribe('#');
      return session;
    };
    await world.run(async () => {
      const session = await listen(program);
      const publisher = await world.mqtt.open(options('box'), deaf);
      const amqpSession = await program.amqp?.open(
        { connectTimeoutMs: 1_000 },
        { closed: hear('exchange closed'), blocked: hear('blocked') },
      );
      await amqpSession?.declareQueue('queue', { messageTtlMs: 60_000 });
      heard.length = 0;
      const message = {
        exchange: '',
        routingKey: 'queue',
        body: Buffer.from('x'),
        messageId: '1',
        type: 't',
        timestampS: 1,
        contentType: 'c',
        headers: {},
      };
      const waiting = [
        session.publish({ topic: 'a', payload: Buffer.from('x'), retain: false }),
        amqpSession?.publish(message),
        program.flash.write('box', [{ put: 'a', bytes: Buffer.from('x') }]),
        program.http.call({
          method: 'GET',
          url: 'http://sim.example/',
          headers: {},
          timeoutMs: 100,
          maxBodyBytes: 10,
        }),
        program.mqtt.open(options('another'), deaf),
        sleep(program.time, 5),
      ] as const;
      for (const each of waiting) void each?.then(hear('resolved'), hear('rejected'));
      program.kill();
      // What it still does after it was killed, in pending microtasks.
      program.time.alarm(0, hear('alarm'));
      void program.flash.write('box', [{ put: 'b', bytes: Buffer.from('x') }]).then(hear('resolved'));
      void session
        .publish({ topic: 'late', payload: Buffer.from('x'), retain: false })
        .then(hear('resolved'));
      void amqpSession?.publish(message).then(hear('resolved'));
      program.log.error({}, 'said after its death');
      world.amqpBroker.cut();
      await publisher.publish({ topic: 'b', payload: Buffer.from('x'), retain: false });
      await sleep(world.time, 60_000);
      expect(heard).toEqual([]);
      expect(program.isKilled).toBe(true);
      expect((await world.flash.load('box')).has('b')).toBe(false);
      expect(world.warnings).toEqual([]);
      expect(world.mqttBroker.connected).toEqual(['box']);
    });
    never();
  });

  test('has its wills published when it is killed', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const program = world.instance('boxes');
    const texts: string[] = [];
    await world.run(async () => {
      const backend = await world.mqtt.open(options('backend'), {
        message: (_topic, payload, _retained, acknowledge) => {
          texts.push(Buffer.from(payload).toString());
          acknowledge();
        },
        closed: () => undefined,
      });
      await backend.subscribe('#');
      const will = { topic: 'presence', payload: Buffer.from('gone'), retain: true };
      await program.mqtt.open({ ...options('box'), will }, deaf);
      program.kill();
      await sleep(world.time, 1_000);
    });
    expect(texts).toEqual(['gone']);
  });

  test('of the same name makes other ids than the one before, and reads its tokens and secrets', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const [first, second] = [world.instance('backend'), world.instance('backend')];
    expect(first.ids.uuid()).not.toBe(second.ids.uuid());
    expect(first.ids.ulid()).not.toBe(second.ids.ulid());
    expect(await second.crypto.verifySecret('s', await first.crypto.hashSecret('s'))).toBe(true);
  });
});

describe('the virtual world', () => {
  test('without an AMQP broker it has no publisher', () => {
    expect(openVirtualWorld({ seed: 1, hasAmqp: false }).amqp).toBeUndefined();
  });

  test('keeps warnings and errors of all programs, and nothing else', () => {
    const world = openVirtualWorld({ seed: 1 });
    world.log.info({}, 'fine');
    world.log.warn({ box: 'a' }, 'odd');
    world.instance('backend').log.error({}, 'bad');
    expect(world.warnings).toEqual([
      { level: 'warn', fields: { box: 'a' }, message: 'odd' },
      { level: 'error', fields: {}, message: 'bad' },
    ]);
  });

  test('a call to an unreachable origin times out, one with a failing handler gets no answer', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await world.run(async () => {
      const call = () =>
        world.http.call({
          method: 'GET' as const,
          url: 'http://sim.example/x',
          headers: {},
          timeoutMs: 5_000,
          maxBodyBytes: 10,
        });
      world.origins.serve('http://sim.example', () => {
        throw new Error('of the handler');
      });
      const fromMs = world.time.nowMs();
      await expect(call()).rejects.toBeInstanceOf(HttpUnreachable);
      expect(world.time.nowMs() - fromMs).toBeLessThan(100);
      world.origins.setUnreachable('http://sim.example', true);
      await expect(call()).rejects.toThrow('5000 ms');
    });
  });

  test('the trace keeps its last lines and passes every line to its sink', async () => {
    const lines: string[] = [];
    const world = openVirtualWorld({ seed: 1, trace: { tailLength: 3, sink: (line) => lines.push(line) } });
    for (let at = 0; at < 10; at++)
      world.trace.note({ who: 'a', what: `b${at}`, bytes: Uint8Array.of(at, 255) });
    await world.runFor(10);
    expect(world.trace.count).toBe(10);
    expect(lines).toHaveLength(10);
    expect(world.trace.tail()).toEqual(lines.slice(-3));
    expect(lines.at(-1)).toBe('1767592800000 a b9 09ff');
  });
});

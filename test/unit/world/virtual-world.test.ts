import { describe, expect, test } from 'vitest';
import { HttpUnreachable } from '../../../world/http.ts';
import type { LinkEvents } from '../../../world/link.ts';
import { sleep } from '../../../world/time.ts';
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
const deaf: LinkEvents = { message: () => undefined, closed: () => undefined };

describe('an incarnation', () => {
  test('once severed hears nothing more and changes nothing more, whatever it was waiting for', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const never = world.origins.serve('http://sim.example', async () => {
      await sleep(world.time, 10);
      return { status: 200, headers: {}, body: '' };
    });
    const program = world.incarnation('backend');
    const heard: string[] = [];
    const hear = (what: string) => () => {
      heard.push(what);
    };
    const listen = async (port: World) => {
      const session = await port.link.open(options('backend'), {
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
      const publisher = await world.link.open(options('box'), deaf);
      const exchange = await program.exchange?.open(
        { connectTimeoutMs: 1_000 },
        { closed: hear('exchange closed'), blocked: hear('blocked') },
      );
      await exchange?.declareQueue('queue', { messageTtlMs: 60_000 });
      heard.length = 0;
      const message = {
        ...{ exchange: '', routingKey: 'queue', body: Buffer.from('x'), messageId: '1', type: 't' },
        ...{ timestampS: 1, contentType: 'c', headers: {} },
      };
      const waiting = [
        session.publish({ topic: 'a', payload: Buffer.from('x'), retain: false }),
        exchange?.publish(message),
        program.flash.write('box', [{ put: 'a', bytes: Buffer.from('x') }]),
        program.http.call({
          ...{ method: 'GET', url: 'http://sim.example/', headers: {} },
          ...{ timeoutMs: 100, maxBodyBytes: 10 },
        }),
        program.link.open(options('another'), deaf),
        sleep(program.time, 5),
      ] as const;
      for (const each of waiting) void each?.then(hear('resolved'), hear('rejected'));
      program.sever();
      // What it still does after its death, in microtasks that were under way.
      program.time.alarm(0, hear('alarm'));
      void program.flash.write('box', [{ put: 'b', bytes: Buffer.from('x') }]).then(hear('resolved'));
      void session
        .publish({ topic: 'late', payload: Buffer.from('x'), retain: false })
        .then(hear('resolved'));
      void exchange?.publish(message).then(hear('resolved'));
      program.log.error({}, 'said after its death');
      world.exchangeBroker.cut();
      await publisher.publish({ topic: 'b', payload: Buffer.from('x'), retain: false });
      await sleep(world.time, 60_000);
      expect(heard).toEqual([]);
      expect(program.isSevered).toBe(true);
      expect((await world.flash.load('box')).has('b')).toBe(false);
      expect(world.complaints).toEqual([]);
      expect(world.broker.connected).toEqual(['box']);
    });
    never();
  });

  test('its wills are published when it is severed', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const program = world.incarnation('boxes');
    const texts: string[] = [];
    await world.run(async () => {
      const backend = await world.link.open(options('backend'), {
        message: (_topic, payload, _retained, acknowledge) => {
          texts.push(Buffer.from(payload).toString());
          acknowledge();
        },
        closed: () => undefined,
      });
      await backend.subscribe('#');
      const will = { topic: 'presence', payload: Buffer.from('gone'), retain: true };
      await program.link.open({ ...options('box'), will }, deaf);
      program.sever();
      await sleep(world.time, 1_000);
    });
    expect(texts).toEqual(['gone']);
  });

  test('the next one of the same name makes other ids, and reads the tokens and secrets of the first', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const [first, second] = [world.incarnation('backend'), world.incarnation('backend')];
    expect(first.mint.uuid()).not.toBe(second.mint.uuid());
    expect(first.mint.ulid()).not.toBe(second.mint.ulid());
    expect(await second.seal.verifySecret('s', await first.seal.hashSecret('s'))).toBe(true);
  });
});

describe('the virtual world', () => {
  test('without an exchange it has none', () => {
    expect(openVirtualWorld({ seed: 1, hasExchange: false }).exchange).toBeUndefined();
  });

  test('keeps warnings and errors of all programs, and only those', () => {
    const world = openVirtualWorld({ seed: 1 });
    world.log.info({}, 'fine');
    world.log.warn({ box: 'a' }, 'odd');
    world.incarnation('backend').log.error({}, 'bad');
    expect(world.complaints).toEqual([
      { level: 'warn', fields: { box: 'a' }, message: 'odd' },
      { level: 'error', fields: {}, message: 'bad' },
    ]);
  });

  test('an origin that vanishes is a time-out, one that fails an end without answer', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await world.run(async () => {
      const call = () =>
        world.http.call({
          ...{ method: 'GET' as const, url: 'http://sim.example/x', headers: {} },
          ...{ timeoutMs: 5_000, maxBodyBytes: 10 },
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

  test('the trace keeps its last lines and hands every line to its sink', async () => {
    const lines: string[] = [];
    const world = openVirtualWorld({ seed: 1, trace: { tailLength: 3, sink: (line) => lines.push(line) } });
    for (let at = 0; at < 10; at++)
      world.trace.note({ who: 'a', what: `b${at}`, bytes: Uint8Array.of(at, 255) });
    await world.pass(10);
    expect(world.trace.count).toBe(10);
    expect(lines).toHaveLength(10);
    expect(world.trace.tail()).toEqual(lines.slice(-3));
    expect(lines.at(-1)).toBe('1767592800000 a b9 09ff');
  });
});

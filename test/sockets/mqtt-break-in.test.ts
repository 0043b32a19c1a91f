import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/mqtt/limits.ts';
import { limits as wire } from '../../protocol/limits.ts';
import { LinkLost, type Session } from '../../world/link.ts';
import { realLink } from '../../world/real-link.ts';
import { mosquitto, until, withService } from '../services.ts';
import { BACKEND, BOX, type EmbeddedBroker, OTHER, secrets, startEmbedded } from './embedded-broker.ts';
import { type Listening, listen, run } from './mosquitto-clients.ts';

/** Clients that are not ours try what they must not. Exit codes are those of MQTT's CONNACK (3.2.2.3) or Mosquitto's. */
await withService(mosquitto, ({ publisher, subscriber }) => {
  describe('breaking into the embedded broker', () => {
    let broker: EmbeddedBroker;
    let backend: Session;
    let heard: string[];
    let listening: Listening[];

    beforeEach(async () => {
      broker = await startEmbedded();
      heard = [];
      listening = [];
      backend = await open(BACKEND, 'backend-1');
      await backend.subscribe('boxes/+/up');
      await backend.subscribe('boxes/+/presence');
    });
    afterEach(async () => {
      for (const each of listening) await each.stop();
      backend.drop();
      await broker.close();
    });

    const open = (account: { username: string; password: string }, clientId: string) =>
      realLink({ url: broker.url }).open(
        { ...account, clientId, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(topic, payload, _retained, acknowledge) {
            heard.push(`${topic} ${new TextDecoder().decode(payload.subarray(0, 40))}`);
            acknowledge();
          },
          closed: () => undefined,
        },
      );

    const as = (username: string, clientId = username, password = secrets[username] ?? BACKEND.password) => [
      ...['-h', '127.0.0.1', '-p', String(broker.port), '-V', 'mqttv311', '-q', '1'],
      ...['-u', username, '-P', password, '-i', clientId],
    ];
    const publish = (who: readonly string[], topic: string, ...more: string[]) =>
      run(publisher, [...who, '-t', topic, '-m', 'x', ...more]);
    async function subscribe(who: readonly string[], ...filters: string[]) {
      const topics = filters.flatMap((filter) => ['-t', filter]);
      const each = await listen(subscriber, [...who, ...topics, '-F', 'MSG %t %p']);
      listening.push(each);
      return each;
    }
    /** The broker still serves: a good message goes through, and whatever came before it would have been heard. */
    async function stillServes() {
      const before = heard.length;
      expect((await publish(as(OTHER), `boxes/${OTHER}/up`)).code).toBe(0);
      await until(() => heard.length > before && heard.at(-1) === `boxes/${OTHER}/up x`);
      return heard.slice(0, -1);
    }

    test('a box with its own id, secret and topics works', async () => {
      expect((await publish(as(BOX), `boxes/${BOX}/up`)).code).toBe(0);
      await until(() => heard.length === 1);
      expect(heard).toEqual([`boxes/${BOX}/up x`]);
      const own = await subscribe(as(BOX), `boxes/${BOX}/down`);
      await backend.publish({ topic: `boxes/${BOX}/down`, payload: Buffer.from('go'), retain: false });
      await until(() => own.lines().length === 1);
      expect(own.lines()).toEqual([`MSG boxes/${BOX}/down go`]);
    });

    test.each([
      ['a wrong secret', [BOX, BOX, 'guess']],
      ['the secret of another box', [BOX, BOX, secrets[OTHER] ?? '']],
      ['a box that does not exist', ['00000000000000ff', '00000000000000ff', 'x']],
      ['a name that is no box', ['admin', 'admin', 'admin']],
      ['a wrong password of the backend', ['backend', 'backend-9', 'guess']],
      ['a name with a wildcard', ['+', '+', 'x']],
    ] as const)('%s does not come in', async (_what, [username, clientId, password]) => {
      const outcome = await publish(as(username, clientId, password), `boxes/${BOX}/up`);
      expect(outcome.err).toMatch(/bad user name or password/i);
      expect(outcome.code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('without user name nobody comes in', async () => {
      const anonymous = ['-h', '127.0.0.1', '-p', String(broker.port), '-i', BOX];
      expect((await run(publisher, [...anonymous, '-t', `boxes/${BOX}/up`, '-m', 'x'])).code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('failed sign-ins are logged once for each id, without the password', async () => {
      for (let attempt = 0; attempt < 3; attempt++) await publish(as(BOX, BOX, 'geheim'), `boxes/${BOX}/up`);
      const refused = broker.lines.filter((line) => line.includes('sign-in'));
      expect(refused).toHaveLength(1);
      expect(refused[0]).toContain(BOX);
      expect(broker.lines.join('')).not.toContain('geheim');
    });

    test.each([
      ['up of another box', `boxes/${OTHER}/up`],
      ['presence of another box', `boxes/${OTHER}/presence`],
      ['down of another box', `boxes/${OTHER}/down`],
      ['down of its own', `boxes/${BOX}/down`],
      ['a topic below its own', `boxes/${BOX}/up/more`],
      ['a topic of its own making', `boxes/${BOX}/firmware`],
      ['a topic elsewhere', 'up'],
      ['the system topics', '$SYS/broker/heartbeat'],
    ])('a box that publishes on %s is cut off, and nobody hears it', async (_what, topic) => {
      const spy = await subscribe(as(OTHER), `boxes/${OTHER}/down`);
      expect((await publish(as(BOX), topic)).code).not.toBe(0);
      const later = await run(publisher, [
        ...as('backend', 'backend-2'),
        '-t',
        `boxes/${OTHER}/down`,
        '-m',
        'end',
      ]);
      expect(later.code).toBe(0);
      await until(() => spy.lines().length > 0);
      expect(spy.lines()).toEqual([`MSG boxes/${OTHER}/down end`]);
      expect(heard).toEqual([]);
    });

    test.each([
      'boxes/+/down',
      'boxes/#',
      '#',
      '+/+/+',
      '$SYS/#',
      `boxes/${OTHER}/down`,
      `boxes/${OTHER}/up`,
      `boxes/${BOX}/#`,
      `boxes/${BOX}/+`,
      `boxes/${BOX}/up`,
      '$share/group/boxes/+/down',
    ])('a box that subscribes %s hears nothing', async (filter) => {
      const spy = await subscribe(as(BOX), filter, `boxes/${BOX}/down`);
      const good = { payload: Buffer.from('to another'), retain: false };
      await backend.publish({ topic: `boxes/${OTHER}/down`, ...good });
      await publish(as(OTHER), `boxes/${OTHER}/up`);
      await backend.publish({ topic: `boxes/${BOX}/down`, payload: Buffer.from('own'), retain: false });
      await until(() => spy.lines().length > 0);
      expect(spy.lines()).toEqual([`MSG boxes/${BOX}/down own`]);
      // The refused filter has its 0x80 (128) in the SUBACK, the good one its QoS 1.
      expect(spy.complaints()).toContain('Subscribed (mid: 1): 128, 1');
    });

    test('a retained report or command is refused', async () => {
      expect((await publish(as(BOX), `boxes/${BOX}/up`, '-r')).code).not.toBe(0);
      expect((await publish(as('backend', 'backend-2'), `boxes/${BOX}/down`, '-r')).code).not.toBe(0);
      expect((await publish(as(BOX), `boxes/${BOX}/presence`, '-r')).code).toBe(0);
    });

    test.each([
      ['another box', `boxes/${OTHER}/presence`],
      ['its own commands', `boxes/${BOX}/down`],
      ['elsewhere', 'news'],
    ])('a will on %s is refused at the door', async (_what, topic) => {
      const will = ['--will-topic', topic, '--will-payload', 'gone', '--will-qos', '1'];
      expect((await publish(as(BOX), `boxes/${BOX}/up`, ...will)).err).toMatch(/not authori[sz]ed/i);
      expect(await stillServes()).toEqual([]);
    });

    test('nobody takes over the session of another: not a box, not a stranger, not the backend`s account', async () => {
      const victim = await subscribe(as(OTHER), `boxes/${OTHER}/down`);
      for (const who of [as(BOX, OTHER), as(OTHER, OTHER, 'guess'), as('backend', OTHER)]) {
        expect((await publish(who, `boxes/${BOX}/up`)).code).not.toBe(0);
      }
      await backend.publish({ topic: `boxes/${OTHER}/down`, payload: Buffer.from('here?'), retain: false });
      await until(() => victim.lines().length === 1);
      expect(victim.isOver()).toBe(false);
      const asBackend = await publish(as(BOX, 'backend-1'), `boxes/${BOX}/up`);
      expect(asBackend.code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('a client id that is too long is refused', async () => {
      const outcome = await publish(
        as('backend', 'b'.repeat(limits.clientIdLength + 1)),
        `boxes/${BOX}/down`,
      );
      expect(outcome.err).toMatch(/identifier rejected/i);
      expect((await publish(as(BOX, 'x'.repeat(5_000)), `boxes/${BOX}/up`)).code).not.toBe(0);
      // Beyond the bound of a first packet the connection just ends.
      expect((await publish(as(BOX, 'x'.repeat(60_000)), `boxes/${BOX}/up`)).code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('the largest payload of the wire passes, a larger packet ends the connection', async () => {
      const largest = await run(
        publisher,
        [...as(BOX), '-t', `boxes/${BOX}/up`, '-s'],
        new Uint8Array(wire.payloadBytes).fill(0x61),
      );
      expect(largest.code).toBe(0);
      await until(() => heard.length === 1);
      for (const size of [limits.packetBytes + 1, 20_000_000]) {
        const huge = await run(
          publisher,
          [...as(BOX), '-t', `boxes/${BOX}/up`, '-s'],
          new Uint8Array(size).fill(0x61),
        );
        expect(huge.code).not.toBe(0);
      }
      expect(await stillServes()).toHaveLength(1);
    });

    test('a topic of very many levels ends the connection', async () => {
      expect((await publish(as(BOX), `boxes/${BOX}/up${'/x'.repeat(150)}`)).code).not.toBe(0);
      const box = await open({ username: BOX, password: secrets[BOX] ?? '' }, BOX);
      await expect(box.subscribe(`boxes/${BOX}/down${'/+'.repeat(150)}`)).rejects.toBeInstanceOf(LinkLost);
      expect(await stillServes()).toEqual([]);
    });

    test('the backend`s account hears and says what is its own, and no more', async () => {
      const up = await subscribe(as('backend', 'backend-2'), 'boxes/+/up', '#', 'boxes/+/down');
      await backend.publish({ topic: `boxes/${BOX}/down`, payload: Buffer.from('cmd'), retain: false });
      await publish(as(BOX), `boxes/${BOX}/up`);
      await until(() => up.lines().length > 0);
      expect(up.lines()).toEqual([`MSG boxes/${BOX}/up x`]);
      expect((await publish(as('backend', 'backend-3'), `boxes/${BOX}/up`)).code).not.toBe(0);
      expect((await publish(as('backend', 'backend-3'), `boxes/${BOX}/presence`)).code).not.toBe(0);
    });
  });
});

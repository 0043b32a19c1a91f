import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certifyBoxes } from '../../certify/boxes/certify-boxes.ts';
import type { CertifyReport } from '../../judge/certify/point.ts';
import { decodePayload, payloadOf } from '../../protocol/codec/frame.ts';
import type { Frame } from '../../protocol/message.ts';
import { startFleet } from '../../simulator/fleet/fleet.ts';
import { planFleet } from '../../simulator/fleet/fleet-plan.ts';
import { makeSigningKey } from '../../world/crypto/real-crypto.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import type { MqttClient, MqttMessage } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { openRealWorld } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import { BACKEND_ACCOUNT, startEmbeddedMqtt } from '../support/mqtt/embedded-mqtt-broker.ts';
import { runCommand } from '../support/sockets/up-process.ts';

/** What a box of somebody else does otherwise: what it publishes in place of this; undefined: nothing. */
type Otherwise = (message: MqttMessage) => MqttMessage | undefined;

/** Changes the frames of a payload. */
function withFrames(message: MqttMessage, change: (frame: Frame) => Frame): MqttMessage {
  const { frames } = decodePayload(message.payload);
  return { ...message, payload: payloadOf(frames.map(({ frame }) => change(frame))) };
}

function holds({ payload }: MqttMessage, kind: Frame['message']['kind']): boolean {
  return decodePayload(payload).frames.some(({ frame }) => frame.message.kind === kind);
}

/** A record is sent once, whatever comes of it. */
function sendsOnce(): Otherwise {
  const sent = new Set<string>();
  return (message) => {
    const kept = decodePayload(message.payload).frames.filter(({ frame: { epoch, sequence } }) => {
      const key = `${epoch}/${sequence}`;
      const isNew = sequence === 0 || !sent.has(key);
      sent.add(key);
      return isNew;
    });
    return kept.length === 0 ? undefined : { ...message, payload: payloadOf(kept.map(({ frame }) => frame)) };
  };
}

/** Each reply is another record when it comes again, as from a box that has carried its command out twice. */
function answersTwice(): Otherwise {
  return (message) => {
    const frames = decodePayload(message.payload).frames.map(({ frame }) => frame);
    const doubled = frames.flatMap((frame) =>
      frame.message.kind === 'reply' ? [frame, { ...frame, sequence: frame.sequence + 1_000 }] : [frame],
    );
    return { ...message, payload: payloadOf(doubled) };
  };
}

/** One box for each: what it does otherwise, and the points that have to find it. The first one is right. */
const BOXES: readonly (readonly [what: string, points: readonly string[], make: () => Otherwise])[] = [
  ['does what it should', [], () => (message) => message],
  [
    'sends frames with a wrong checksum',
    ['frames'],
    () => (message) =>
      holds(message, 'report') || holds(message, 'event') || holds(message, 'reply')
        ? {
            ...message,
            payload: message.payload.map((byte, index, all) => (index === all.length - 1 ? byte ^ 1 : byte)),
          }
        : message,
  ],
  [
    'publishes its birth where its frames are',
    ['directions'],
    () => (message) =>
      holds(message, 'birth')
        ? { ...message, topic: message.topic.replace(/presence$/, 'up'), retain: false }
        : message,
  ],
  [
    'carries out what has expired',
    ['expiry'],
    () => (message) =>
      withFrames(message, (frame) =>
        frame.message.kind === 'reply' && frame.message.outcome === 'expired'
          ? { ...frame, message: { ...frame.message, outcome: 'done' } }
          : frame,
      ),
  ],
  ['sends no record again', ['repeats'], sendsOnce],
  ['answers a command twice', ['at most once'], answersTwice],
  [
    'counts its boots no further',
    ['reset'],
    () => (message) => withFrames(message, (frame) => ({ ...frame, boot: 1 })),
  ],
  [
    'does not know the time',
    ['clock'],
    () => (message) => withFrames(message, (frame) => ({ ...frame, clockMs: 0 })),
  ],
  [
    'takes a lower revision',
    ['configuration'],
    () => (message) =>
      withFrames(message, (frame) =>
        frame.message.kind === 'reply' && frame.message.outcome === 'conflicting-state'
          ? { ...frame, message: { ...frame.message, outcome: 'done' } }
          : frame,
      ),
  ],
];

describe('boxtwin certify --boxes theirs, with our own boxes as if they were foreign', () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-certify-boxes-'));
  const ends: (() => Promise<void>)[] = [];
  const ids: string[] = [];
  let url = '';
  let whole: CertifyReport;

  beforeAll(async () => {
    const plans = planFleet(realRandom(1), BOXES.length).map((plan) => ({
      ...plan,
      driving: false,
      secret: plan.boxId,
    }));
    ids.push(...plans.map(({ boxId }) => boxId));
    const broker = await startEmbeddedMqtt({ authenticate: async (boxId, secret) => boxId === secret });
    ends.push(() => broker.close());
    url = `mqtt://${BACKEND_ACCOUNT.username}:${BACKEND_ACCOUNT.password}@127.0.0.1:${broker.port}`;
    const world = await openRealWorld({
      seed: 1,
      mqttUrl: url,
      amqpUrl: undefined,
      log: 'error',
      flash: join(place, 'flash.sqlite'),
      signingKey: await makeSigningKey(),
    });
    ends.push(() => world.close());
    const otherwise = new Map(BOXES.map(([, , make], index) => [ids[index] ?? '', make()]));
    const fleet = await startFleet({ ...world, mqtt: between(world.mqtt, otherwise) }, plans);
    ends.push(() => fleet.stop());
    const time = realTime();
    whole = await certifyBoxes({
      subject: 'boxes',
      mqtt: realMqttClient({ url }),
      boxIds: ids,
      listenMs: 20_000,
      time,
      only: [],
      account: { ...BACKEND_ACCOUNT, clientId: 'certify-test' },
      ids: realIds(time),
      progress: () => undefined,
    });
  }, 240_000);
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
    rmSync(place, { recursive: true, force: true });
  });

  test.each(BOXES.map(([what, points], index) => [what, points, index] as const))(
    'a box that %s fails at %j',
    (_, points, index) => {
      const own = whole.points.filter(({ id }) => id.endsWith(ids[index] ?? '-'));
      expect(own.length).toBeGreaterThan(10);
      const failed = own.filter(({ result }) => result === 'failed');
      if (points.length === 0) expect(failed).toEqual([]);
      const names = failed.map(({ id }) => id.replace(/^box\/(.*): [0-9a-f]{16}$/, '$1'));
      expect(names).toEqual(expect.arrayContaining([...points]));
    },
  );

  test('tells of points as text, as JSON and as JUnit, and where no box is heard of', async () => {
    const listed = await runCommand(['certify', '--boxes', 'theirs', '--list', '--json']);
    expect(JSON.parse(listed.output)).toContainEqual(expect.objectContaining({ id: 'box/expiry' }));
    const unheard = await runCommand([
      'certify',
      '--boxes',
      'theirs',
      '--mqtt',
      url,
      '--box',
      '00000000000000ff',
      '--listen',
      '1',
    ]);
    expect(unheard.errors).toMatch(/Nothing of 00000000000000ff was heard of within 1 s/);
    expect(unheard.code).toBe(1);
    const refused = await runCommand([
      'certify',
      '--boxes',
      'theirs',
      '--mqtt',
      url.replace(BACKEND_ACCOUNT.password, 'wrong'),
    ]);
    expect(refused.errors).toMatch(/The MQTT broker \(--mqtt\) refused backend/);
    expect(refused.errors).not.toContain('wrong');
    expect(refused.code).toBe(2);
  });
});

test('the commands of docs/certify.md that stand by themselves run as they stand', async () => {
  const page = readFileSync(new URL('../../docs/certify.md', import.meta.url), 'utf8');
  const commands = [...page.matchAll(/^npx boxtwin (.+)$/gm)].map(([, command = '']) => command);
  expect(commands.length).toBeGreaterThan(2);
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-certify-page-'));
  try {
    for (const command of commands) {
      const words = command
        .split(' ')
        .map((word) => (['certified', 'boxes.csv'].includes(word) ? join(place, word) : word));
      const { code, output, errors } = await runCommand(words);
      const option = words.indexOf('--write-credentials');
      const written = option === -1 ? undefined : words[option + 1];
      expect(errors).toBe(written === undefined ? '' : `boxtwin: written to ${written}\n`);
      expect(code, command).toBe(0);
      const shown = written === undefined ? output : readFileSync(written, 'utf8');
      expect(shown.split('\n').length, command).toBeGreaterThan(1);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

/** The same client for boxes that do otherwise. */
function between(mqtt: MqttClient, otherwise: ReadonlyMap<string, Otherwise>): MqttClient {
  return {
    async open(options, events) {
      const session = await mqtt.open(options, events);
      const change = otherwise.get(options.clientId);
      if (change === undefined) return session;
      return {
        present: session.present,
        subscribe: (filter: string) => session.subscribe(filter),
        end: () => session.end(),
        drop: () => session.drop(),
        async publish(message) {
          const changed = change(message);
          if (changed !== undefined) await session.publish(changed);
        },
      };
    },
  };
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import {
  type ConnectRequest,
  type MqttAccount,
  mayPublish,
  maySubscribe,
  mqttAccountOf,
  refuseConnect,
} from '../../../../brokers/mqtt/rules.ts';
import { topics } from '../../../../protocol/topics.ts';

const backend: MqttAccount = { kind: 'backend' };
const box = (boxId: string): MqttAccount => ({ kind: 'box', boxId });

const boxIds = fc.stringMatching(/^[0-9a-f]{16}$/);
const twoBoxes = fc
  .uniqueArray(boxIds, { minLength: 2, maxLength: 2 })
  .map(([a, b]) => [a ?? '', b ?? ''] as const);
/** Topics and filters of many forms, most of them similar to the allowed ones. */
const levels = fc.oneof(
  fc.constantFrom(
    'boxes',
    '07',
    'up',
    'down',
    'presence',
    '+',
    '#',
    '',
    '$SYS',
    '$share',
    '0123456789abcdef',
    'Boxes',
  ),
  boxIds,
  fc.string({ maxLength: 6 }),
);
const topicsOfAllSorts = fc.array(levels, { maxLength: 6 }).map((parts) => parts.join('/'));

/**
 * MQTT 3.1.1 section 4.7: whether a topic name matches a filter. Written from the standard, only for this
 * test.
 */
function matches(filter: string, topic: string): boolean {
  const [wanted, given] = [filter.split('/'), topic.split('/')];
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true;
    if (given[at] === undefined || (level !== '+' && level !== given[at])) return false;
  }
  return wanted.length === given.length;
}

describe('mqtt rules', () => {
  test('a box may use exactly the topics of the protocol, in their direction', () => {
    fc.assert(
      fc.property(boxIds, (boxId) => {
        const self = box(boxId);
        expect(mayPublish(self, topics.up(boxId), false)).toBe(true);
        expect(mayPublish(self, topics.presence(boxId), true)).toBe(true);
        expect(maySubscribe(self, topics.down(boxId))).toBe(true);
        expect(mayPublish(self, topics.down(boxId), false)).toBe(false);
        expect(maySubscribe(self, topics.up(boxId))).toBe(false);
        expect(maySubscribe(self, topics.presence(boxId))).toBe(false);
      }),
    );
  });

  test('the backend may use exactly the other ends of them', () => {
    fc.assert(
      fc.property(boxIds, (boxId) => {
        expect(maySubscribe(backend, topics.everyUp)).toBe(true);
        expect(maySubscribe(backend, topics.everyPresence)).toBe(true);
        expect(maySubscribe(backend, topics.up(boxId))).toBe(true);
        expect(maySubscribe(backend, 'boxes/07/+/up')).toBe(true);
        expect(mayPublish(backend, topics.down(boxId), false)).toBe(true);
        expect(mayPublish(backend, topics.up(boxId), false)).toBe(false);
        expect(mayPublish(backend, topics.presence(boxId), true)).toBe(false);
      }),
    );
  });

  test('every topic that a box may publish on is below its own id and has no wildcard', () => {
    fc.assert(
      fc.property(boxIds, topicsOfAllSorts, fc.boolean(), (boxId, topic, isRetained) => {
        if (!mayPublish(box(boxId), topic, isRetained)) return;
        expect(topic).toMatch(new RegExp(`^boxes/[0-9]{2}/${boxId}/`));
        expect(topic).not.toMatch(/[+#]/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no filter that a box may subscribe to matches a topic of another box', () => {
    fc.assert(
      fc.property(
        twoBoxes,
        topicsOfAllSorts,
        fc.constantFrom('up', 'down', 'presence'),
        ([own, other], filter, channel) => {
          const candidates = [
            filter,
            `boxes/07/${own}/${filter}`,
            `boxes/07/+/${channel}`,
            `boxes/+/+/${channel}`,
            `boxes/+/${own}/${channel}`,
            topics[channel](other),
            '#',
            'boxes/#',
          ];
          for (const candidate of candidates) {
            const shows = matches(candidate, topics[channel](other));
            expect(maySubscribe(box(own), candidate) && shows).toBe(false);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('two boxes have no topic in common', () => {
    fc.assert(
      fc.property(
        twoBoxes,
        fc.constantFrom('up', 'down', 'presence'),
        fc.boolean(),
        ([own, other], channel, isRetained) => {
          const topic = topics[channel](other);
          expect(mayPublish(box(own), topic, isRetained)).toBe(false);
          expect(maySubscribe(box(own), topic)).toBe(false);
        },
      ),
    );
  });

  test('only presence may be retained', () => {
    fc.assert(
      fc.property(boxIds, topicsOfAllSorts, (boxId, topic) => {
        const candidates = [topic, topics.up(boxId), topics.down(boxId)];
        for (const candidate of candidates) {
          if (candidate === topics.presence(boxId)) continue;
          expect(mayPublish(box(boxId), candidate, true)).toBe(false);
          expect(mayPublish(backend, candidate, true)).toBe(false);
        }
      }),
    );
  });

  test.each([
    '#',
    '+/+/+/up',
    'boxes/#',
    'boxes/+/#',
    'boxes/07/#',
    'boxes/+/+/#',
    'boxes/+/+/down',
    'boxes/+/+',
    'boxes/7/+/up',
    'boxes/007/+/up',
    'boxes/+/up',
    '$SYS/#',
    '$share/g/boxes/+/+/up',
    'boxes/+/+/up/',
  ])('the backend may not subscribe %s', (filter) => {
    expect(maySubscribe(backend, filter)).toBe(false);
  });

  test('a user name is that of the backend, of a box, or unknown', () => {
    expect(mqttAccountOf('backend', 'backend')).toEqual(backend);
    expect(mqttAccountOf('0123456789abcdef', 'backend')).toEqual(box('0123456789abcdef'));
    for (const nobody of [
      undefined,
      '',
      'Backend',
      '0123456789ABCDEF',
      '0123456789abcde',
      ' 0123456789abcdef',
      '0123456789abcdef\n',
    ]) {
      expect(mqttAccountOf(nobody, 'backend')).toBeUndefined();
    }
  });
});

describe('mqtt rules for a CONNECT', () => {
  const self = box('0123456789abcdef');
  const greeting = (more: Partial<ConnectRequest>): ConnectRequest => ({
    clientId: '0123456789abcdef',
    keepAliveS: 60,
    will: undefined,
    ...more,
  });

  test('a box may connect with its own id, with a will on its own presence', () => {
    expect(refuseConnect(self, greeting({}))).toBeUndefined();
    const will = { topic: topics.presence('0123456789abcdef'), retain: true };
    expect(refuseConnect(self, greeting({ will }))).toBeUndefined();
  });

  test.each(['fedcba9876543210', '', 'backend', '0123456789abcdef0', 'x'.repeat(5_000)])(
    'a box is refused with the client id %.20s',
    (clientId) => {
      expect(refuseConnect(self, greeting({ clientId }))).toMatchObject({ returnCode: 2 });
    },
  );

  test('the backend may use any client id except a box id, an empty one, or one that is too long', () => {
    expect(refuseConnect(backend, greeting({ clientId: 'backend-7' }))).toBeUndefined();
    for (const clientId of ['0123456789abcdef', '', 'x'.repeat(limits.mqtt.clientIdLength + 1)]) {
      expect(refuseConnect(backend, greeting({ clientId }))).toMatchObject({ returnCode: 2 });
    }
  });

  test.each([
    'boxes/07/fedcba9876543210/presence',
    'boxes/07/0123456789abcdef/down',
    'boxes/0123456789abcdef/presence',
    'boxes/+/0123456789abcdef/presence',
    'boxes/07/+/presence',
    '$SYS/x',
  ])('a will on %s is refused', (topic) => {
    expect(refuseConnect(self, greeting({ will: { topic, retain: false } }))).toMatchObject({
      returnCode: 5,
    });
  });

  test('a client without a keep-alive, or with a very long one, is refused', () => {
    for (const keepAliveS of [0, limits.mqtt.keepAliveS + 1, 65_535]) {
      expect(refuseConnect(self, greeting({ keepAliveS }))).toMatchObject({ returnCode: 5 });
    }
    expect(refuseConnect(self, greeting({ keepAliveS: limits.mqtt.keepAliveS }))).toBeUndefined();
  });
});

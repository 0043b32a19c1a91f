import { beforeEach, describe, expect, test } from 'vitest';
import { toAmqpMessage } from '../../../../backend/events/amqp-message.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { declareQueues } from '../../../../backend/events/topology.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type AmqpPublisherSession, AmqpRefused } from '../../../../world/amqp/amqp-publisher.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { START_MS } from '../../../support/store/store-rows.ts';

const QUEUE = { name: 'VehicleState_v1-test', fleetId: 'FLEET1' };
const OTHER = { name: 'VehicleState_v1-other', fleetId: 'FLEET2' };
const NOTHING = { refused: [], unreachable: [], otherType: [] };
const { messageTtlMs } = LIMITS.subscription;

describe('queues that are declared', () => {
  let world: VirtualWorld;
  let session: AmqpPublisherSession;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    const { amqp } = world.instance('backend');
    if (amqp === undefined) throw new Error('the virtual world has an AMQP broker');
    const ignored = { closed: () => undefined, blocked: () => undefined };
    session = await world.run(() => amqp.open({ connectTimeoutMs: 1_000 }, ignored));
  });
  const declare = (
    ...[queues, type]: [Parameters<typeof declareQueues>[1], Parameters<typeof declareQueues>[2]]
  ) => world.run(() => declareQueues(session, queues, type));
  /** Whether a message of the fleet reaches a queue. */
  const isBound = (fleetId: string) =>
    world.run(() =>
      session.publish(
        toAmqpMessage({
          ...writeStateReceived({
            messageId: '01KE6000000000000000000001',
            vehicleId: 'VEH01',
            fleetId,
            flowId: '6a0f5a8e-0000-4000-8000-000000000002',
            createdMs: START_MS,
            receivedMs: START_MS,
            triggeredBy: undefined,
            partition: 0,
            properties: {},
          }),
        }),
      ),
    );

  test.each([
    ['classic', 'quorum'],
    ['quorum', 'classic'],
    ['quorum', undefined],
  ] as const)(
    'of a %s queue that is there, declared as %s, stay what they are, and are bound',
    async (type, wanted) => {
      world.amqpBroker.declareQueue(QUEUE.name, { messageTtlMs, type });
      expect(await declare([QUEUE, OTHER], wanted)).toEqual({ ...NOTHING, otherType: [QUEUE.name] });
      expect(() => world.amqpBroker.declareQueue(QUEUE.name, { messageTtlMs, type })).not.toThrow();
      expect(await isBound('FLEET1')).toBe('confirmed');
      // The same again: it is there, and nothing is refused.
      expect(await declare([QUEUE, OTHER], wanted)).toEqual({ ...NOTHING, otherType: [QUEUE.name] });
    },
  );

  test('are refused where one of another type also has another time to live', async () => {
    world.amqpBroker.declareQueue(QUEUE.name, { messageTtlMs: 1, type: 'classic' });
    const { refused, otherType } = await declare([QUEUE, OTHER], 'quorum');
    expect(refused).toMatchObject([
      { name: QUEUE.name, detail: expect.stringContaining('another x-message-ttl') },
    ]);
    expect(otherType).toEqual([]);
    expect([await isBound('FLEET1'), await isBound('FLEET2')]).toEqual(['unroutable', 'confirmed']);
  });

  test('are refused where one is of a type that is no queue of ours', async () => {
    const refusing: AmqpPublisherSession = {
      ...session,
      declareExchange: () => Promise.resolve(),
      declareQueue: () =>
        Promise.reject(
          new AmqpRefused("PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'q'"),
        ),
    };
    const { refused } = await declareQueues(refusing, [QUEUE], 'quorum');
    expect(refused).toMatchObject([
      { detail: expect.stringContaining('than this service declares (quorum)') },
    ]);
  });

  test('are unreachable at a node that is down, and the others are there', async () => {
    await declare([QUEUE], 'classic');
    world.amqpBroker.setUnreachable(QUEUE.name, true);
    expect(await declare([QUEUE, OTHER], 'quorum')).toEqual({ ...NOTHING, unreachable: [QUEUE] });
    expect([await isBound('FLEET1'), await isBound('FLEET2')]).toEqual(['unroutable', 'confirmed']);
  });
});

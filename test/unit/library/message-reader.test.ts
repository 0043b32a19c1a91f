import { describe, expect, test } from 'vitest';
import { limits } from '../../../library/limits.ts';
import { MessageReader } from '../../../library/message-reader.ts';

/** A service that publishes what the test says. */
function published() {
  let send: (body: unknown) => void = () => undefined;
  const failed = Promise.withResolvers<void>();
  const reader = new MessageReader(async (take, end) => {
    send = take;
    end.addEventListener('abort', () => failed.resolve());
    return { ended: failed.promise };
  });
  const publish = (vehicleId: string, name = 'VehicleStateReceived') =>
    send({ metadata: { message_type: `service.${name}` }, data: { vehicle_id: vehicleId } });
  return { reader, publish, fail: failed.reject };
}

const vehicles = async (messages: AsyncIterable<{ readonly data: { readonly vehicle_id: string } }>) => {
  const seen: string[] = [];
  for await (const { data } of messages) seen.push(data.vehicle_id);
  return seen;
};

describe('a wait for a message', () => {
  test('takes the first that fits, and no other', async () => {
    const { reader, publish } = published();
    const next = reader.next({ type: 'DamageDetected', vehicleId: 'B' }, 60_000);
    await reader.open();
    publish('B');
    publish('A', 'DamageDetected');
    publish('B', 'DamageDetected');
    expect(await next).toMatchObject({ type: 'DamageDetected', data: { vehicle_id: 'B' } });
    await reader.close();
  });

  test('ends with the reason where the reading fails, and where the service is stopped', async () => {
    const { reader, fail } = published();
    const next = reader.next({}, 60_000);
    await reader.open();
    fail(new Error('The broker is gone.'));
    await expect(next).rejects.toThrow('The broker is gone.');
    await expect(reader.next({}, 60_000)).rejects.toThrow('The broker is gone.');

    const other = published().reader;
    const stopped = other.next({}, 60_000);
    await other.open();
    const closed = other.close();
    await expect(stopped).rejects.toThrow('The service was stopped while a message was awaited.');
    await closed;
  });

  test('is over at once in a stream that begins after the reading has failed', async () => {
    const { reader, fail } = published();
    await reader.open();
    fail(new Error('The broker is gone.'));
    await expect(reader.next({}, 60_000)).rejects.toThrow('The broker is gone.');
    await expect(vehicles(reader.stream({}) as never)).rejects.toThrow('The broker is gone.');
  });

  test('rejects with the error of its own condition', async () => {
    const { reader, publish } = published();
    const where = () => {
      throw new Error('A mistake of the test.');
    };
    const next = reader.next({ where }, 60_000);
    await reader.open();
    publish('A');
    await expect(next).rejects.toThrow('A mistake of the test.');
    await reader.close();
  });

  test('knows what came before it began', async () => {
    const { reader, publish } = published();
    await reader.open();
    publish('A');
    expect(await reader.next({ vehicleId: 'A' }, 1)).toMatchObject({
      others: [],
      before: { message: { data: { vehicle_id: 'A' } } },
    });
    await reader.close();
  });
});

describe('a stream of messages', () => {
  test('has those that come before anyone takes them, and ends with the service', async () => {
    const { reader, publish } = published();
    const messages = reader.stream({});
    await messages.opened;
    publish('A');
    publish('B');
    const seen = vehicles(messages);
    publish('C');
    await reader.close();
    expect(await seen).toEqual(['A', 'B', 'C']);
  });

  test('fails after what it has kept, with how many are missing, where nobody takes them', async () => {
    const { reader, publish } = published();
    const messages = reader.stream({});
    await messages.opened;
    for (let count = 0; count < limits.bufferedMessages + 7; count += 1) publish('A');
    let taken = 0;
    const all = async () => {
      for await (const _ of messages) taken += 1;
    };
    await expect(all()).rejects.toThrow('7 messages were dropped: messages() keeps 10000');
    expect(taken).toBe(limits.bufferedMessages);
    await reader.close();
  });

  test('ends with break, and takes nothing any more', async () => {
    const { reader, publish } = published();
    const messages = reader.stream({ vehicleId: 'B' });
    await messages.opened;
    publish('A');
    publish('B');
    for await (const { data } of messages) {
      expect(data.vehicle_id).toBe('B');
      break;
    }
    publish('B');
    expect(await messages.next()).toEqual({ done: true, value: undefined });
    await reader.close();
  });

  test('fails where nothing can be read', async () => {
    const reader = new MessageReader(() => Promise.reject(new Error('There is no broker.')));
    const messages = reader.stream({});
    await expect(messages.opened).rejects.toThrow('There is no broker.');
    await expect(messages.next()).rejects.toThrow('There is no broker.');
  });
});

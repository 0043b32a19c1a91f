import { readMessages } from '../deployment/messages/tail-reader.ts';
import { subscribedSource } from '../deployment/messages/tail-source.ts';
import type { ReadyFacts } from '../deployment/shared/ready-facts.ts';
import { jsonOf } from '../world/json.ts';
import type { BeginReading } from './message-reader.ts';
import type { ServiceReader } from './service-reader.ts';

/**
 * Reads a service over AMQP, from a subscription of its own, so that no other consumer misses a message; it is deleted
 * at the end. `data`: the directory of the deployment. Rejects where there is no broker for messages.
 */
export function amqpReading(facts: ReadyFacts, data: string, reader: ServiceReader): BeginReading {
  return async (take, end) => {
    if (facts.messages === null)
      throw new Error(
        "This service was started with amqp: 'none', so it publishes no messages. Start it without that option to wait for one.",
      );
    const client = await reader.client();
    const address = { ...client, base_url: facts.baseUrl, amqp_url: facts.messages.url, data };
    const source = await subscribedSource(address, [], 'test');
    const print: Parameters<typeof readMessages>[1]['print'] = async ({ body }) => {
      take(jsonOf(new TextDecoder().decode(body)));
      return true;
    };
    const read = async () => {
      try {
        await readMessages(source, { print, end, notice: () => undefined });
      } finally {
        await source.close();
      }
    };
    return { ended: read() };
  };
}

import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits, makerLimits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
import type { MakerClient } from './client.ts';
import { notificationPath } from './signature.ts';

export interface MakerSubscriptionsParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly clients: ReadonlyMap<string, MakerClient>;
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string;
  readonly secretOf: (maker: string) => string;
  readonly counters: Counters;
}

/** Registers the service with each maker, and again every few minutes. The returned function ends that. */
export function keepSubscribed(parts: MakerSubscriptionsParts): () => void {
  const { world, clients, counters } = parts;
  const { time } = world;
  let isEnded = false;
  const alarms = new Map<string, () => void>();

  const later = (client: MakerClient, delayMs: number, failures: number): void => {
    if (isEnded) return;
    const due = time.nowMs() + delayMs;
    alarms.set(
      client.maker.name,
      time.alarm(due, () => void subscribe(client, failures)),
    );
  };

  async function subscribe(client: MakerClient, failures: number): Promise<void> {
    const { name } = client.maker;
    const failure = await client.subscribe(`${parts.baseUrl}${notificationPath(name)}`, parts.secretOf(name));
    if (failure === undefined) return later(client, makerLimits.subscriptionMs, 0);
    counters.add('third-party.subscriptions-failed');
    if (failures === 0 && !isEnded)
      world.log.warn(
        { maker: name, reason: failure.detail },
        'a maker did not take the registration for its notifications; it is offered again',
      );
    const chance = world.random.stream(`third-party/subscription/${name}/${failures}`);
    const backoff = backoffMs(failures, limits.firstBackoffMs, limits.lastBackoffMs, chance.fraction());
    const askedMs = failure.kind === 'limited' ? (failure.retryAfterMs ?? 0) : 0;
    later(client, Math.max(backoff, askedMs), failures + 1);
  }

  for (const client of clients.values()) later(client, 0, 0);
  return () => {
    isEnded = true;
    for (const cancel of alarms.values()) cancel();
  };
}

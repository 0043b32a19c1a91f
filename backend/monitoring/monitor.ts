import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import type { OutboxPublisher } from '../events/outbox-publisher.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { PartitionsCondition } from '../partitions/partition-keeper.ts';
import type { Store } from '../store/port/store.ts';
import type { ServiceCondition } from './condition.ts';
import { gaugesOf, type StoreFigures } from './gauges.ts';
import { readinessOf, type ServiceReadiness } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { WriteProbe } from './write-probe.ts';

/** Checks the parts of the service on request. Never rejects. */
export interface Monitor {
  ready(): Promise<ServiceReadiness>;
  /** All metrics as Prometheus reads them. */
  metrics(): Promise<string>;
}

export interface MonitorParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<Store, 'outbox' | 'census'>;
  readonly writeProbe: WriteProbe;
  readonly ingest: Pick<Ingest, 'condition'>;
  /** Absent: there is no message broker. */
  readonly outboxPublisher: Pick<OutboxPublisher, 'condition'> | undefined;
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Metrics of the process; undefined: none. */
  readonly processMetrics: (() => Promise<string>) | undefined;
  areFilesGone(): boolean;
  /** Absent: this backend serves all boxes. */
  readonly partitions: (() => PartitionsCondition) | undefined;
  accounts(): ServiceCondition['accounts'];
  isStopping(): boolean;
}

export function makeMonitor(parts: MonitorParts): Monitor {
  const { world, store, ingest, outboxPublisher, counters, metrics } = parts;

  async function condition(): Promise<ServiceCondition> {
    const outbox = await orUndefined(store.outbox.size());
    const canWrite = outbox !== undefined && (await parts.writeProbe.canWrite());
    const { isConnected, mqttRefusal, isStoreFailing, fill, isHoldingBack, oldestMs } = ingest.condition();
    const refusal = isStoreFailing || !canWrite ? 'refuses' : 'works';
    return {
      isStopping: parts.isStopping(),
      store: outbox === undefined ? 'fails' : refusal,
      areFilesGone: parts.areFilesGone(),
      mqtt: isConnected ? 'open' : 'away',
      mqttRefusal,
      amqp: outboxPublisher?.condition() ?? 'none',
      accounts: parts.accounts(),
      intake: { fill, isHoldingBack, oldestMs },
      partitions: parts.partitions?.(),
      outbox,
    };
  }

  async function figures(): Promise<StoreFigures | undefined> {
    const census = await orUndefined(store.census.count());
    const drops = await orUndefined(store.outbox.drops());
    return census === undefined || drops === undefined ? undefined : { census, drops };
  }

  return {
    ready: async () => readinessOf(await condition(), world.time.nowMs()),
    async metrics() {
      const gauges = gaugesOf(await condition(), await figures(), world.time.nowMs());
      const own = await metrics.text(counters.read(), gauges);
      const ofProcess = await parts.processMetrics?.();
      return ofProcess === undefined ? own : `${own}${ofProcess}`;
    },
  };
}

/** An unreadable figure is unknown, which is not a failure here. */
function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch(() => undefined);
}

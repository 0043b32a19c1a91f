import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { Courier } from '../events/courier.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { gaugesOf, type StoreFigures } from '../metrics/gauges.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from '../store/store.ts';
import type { Condition } from './condition.ts';
import { type Readiness, readinessOf } from './health.ts';
import type { WriteProbe } from './write-probe.ts';

/** Looks at the parts of the service when somebody asks how it is. Never rejects. */
export interface Monitor {
  ready(): Promise<Readiness>;
  /** All metrics as Prometheus reads them. */
  metrics(): Promise<string>;
}

export interface MonitorParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<Store, 'outbox' | 'census'>;
  readonly writeProbe: WriteProbe;
  readonly ingest: Pick<Ingest, 'condition'>;
  /** Absent: there is no message broker. */
  readonly courier: Pick<Courier, 'condition'> | undefined;
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** What the process tells of itself; undefined: nothing. */
  readonly processMetrics: (() => Promise<string>) | undefined;
  areFilesGone(): boolean;
  accounts(): Condition['accounts'];
  isStopping(): boolean;
}

export function makeMonitor(parts: MonitorParts): Monitor {
  const { world, store, ingest, courier, counters, metrics } = parts;

  async function condition(): Promise<Condition> {
    const outbox = await orUndefined(store.outbox.size());
    const canWrite = outbox !== undefined && (await parts.writeProbe.canWrite());
    const { isLinked, isStoreFailing, fill, isBraking } = ingest.condition();
    const refusal = isStoreFailing || !canWrite ? 'refuses' : 'works';
    return {
      isStopping: parts.isStopping(),
      store: outbox === undefined ? 'fails' : refusal,
      areFilesGone: parts.areFilesGone(),
      mqtt: isLinked ? 'open' : 'away',
      amqp: courier?.condition() ?? 'none',
      accounts: parts.accounts(),
      intake: { fill, isBraking },
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

/** What cannot be read is not known: that is an answer here, not a failure. */
function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch(() => undefined);
}

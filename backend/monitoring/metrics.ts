import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ObservedDuration } from '../base/counters.ts';
import { type MetricSample, samplesOf } from './counted.ts';
import { METRICS, type MetricDefinition, type MetricName } from './metric-table.ts';

/** Measures answers and durations, and writes the text for Prometheus. */
export interface Metrics {
  observe(name: ObservedDuration, seconds: number): void;
  /** `route` as in the router (`/vehicles/:id`). */
  answered(route: string, status: number, seconds: number): void;
  /** The text of all metrics: the given counts and gauges, and the histograms so far. */
  text(counts: Readonly<Record<string, number>>, others: readonly MetricSample[]): Promise<string>;
}

const HISTOGRAMS: Readonly<Record<ObservedDuration, MetricName>> = {
  commit: 'boxtwin_commit_latency_seconds',
  courier: 'boxtwin_courier_latency_seconds',
};

/** With its own registry: two backends in one process share nothing. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const made = new Map<string, Counter | Gauge | Histogram>();
  for (const [name, metric] of Object.entries<MetricDefinition>(METRICS))
    made.set(name, make(registry, name, metric));

  function histogram(name: MetricName): Histogram {
    const found = made.get(name);
    if (!(found instanceof Histogram)) throw new Error(`${name} is no histogram.`);
    return found;
  }
  const latencies = {
    commit: histogram(HISTOGRAMS.commit),
    courier: histogram(HISTOGRAMS.courier),
  };
  const durations = histogram('boxtwin_http_request_duration_seconds');
  const requests = new Map<string, { readonly labels: MetricSample['labels']; value: number }>();

  return {
    observe: (name, seconds) => latencies[name].observe(Math.max(0, seconds)),
    answered(route, status, seconds) {
      durations.observe({ route }, Math.max(0, seconds));
      const labels = { route, status: `${Math.floor(status / 100)}xx` };
      const key = `${labels.status} ${route}`;
      const before = requests.get(key);
      if (before === undefined) requests.set(key, { labels, value: 1 });
      else before.value += 1;
    },
    text(counts, others) {
      const answered = [...requests.values()].map((request) => ({
        metric: 'boxtwin_http_requests_total' as const,
        ...request,
      }));
      for (const one of made.values()) if (!(one instanceof Histogram)) one.reset();
      for (const { metric, labels, value } of [...samplesOf(counts), ...answered, ...others]) {
        const one = made.get(metric);
        if (one instanceof Counter) one.inc(labels, value);
        else if (one instanceof Gauge) one.set(labels, value);
      }
      return registry.metrics();
    },
  };
}

function make(registry: Registry, name: string, metric: MetricDefinition): Counter | Gauge | Histogram {
  const { kind, help, labels = [], buckets = [] } = metric;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  switch (kind) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...buckets] });
    default:
      return kind satisfies never;
  }
}

import type { Time } from '../../world/time/time.ts';
import { FIGURES, type Health, type HealthCheck } from '../stream/health.ts';
import { record } from './comparison.ts';
import type { ServiceCaller } from './sources.ts';

/** What the service says of itself: its checks, and the figures that are drawn. */
export async function healthOf(time: Time, caller: ServiceCaller | undefined): Promise<Health> {
  const nothing = { atMs: time.nowMs(), checks: [], figures: {} };
  if (caller === undefined) return { ...nothing, silence: 'There is no service beside this fleet.' };
  try {
    const health = await caller.call('GET', '/health');
    const metrics = await caller.call('GET', '/metrics');
    const sums = metricSums(await metrics.text());
    return {
      atMs: time.nowMs(),
      checks: checksOf(await health.json()),
      figures: Object.fromEntries(
        FIGURES.flatMap(({ metric }) => {
          const sum = sums.get(metric);
          return sum === undefined ? [] : [[metric, sum]];
        }),
      ),
    };
  } catch (error) {
    return {
      ...nothing,
      silence: `The service does not answer: ${error instanceof Error ? error.message : 'no reason'}`,
    };
  }
}

function checksOf(health: unknown): readonly HealthCheck[] {
  const { checks } = record(record(health)['ready']);
  if (!Array.isArray(checks)) return [];
  return checks.map((check) => {
    const { name, status, reason } = record(check);
    return { name: String(name ?? ''), status: String(status ?? ''), reason: String(reason ?? '') };
  });
}

/** The samples of a text in the Prometheus exposition format 0.0.4, by name, summed over their labels. Total. */
export function metricSums(text: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-zA-Z_:][\w:]*)(?:\{.*\})?\s+(\S+)/.exec(line) ?? [];
    const number = Number(value);
    if (name === undefined || !Number.isFinite(number)) continue;
    sums.set(name, (sums.get(name) ?? 0) + number);
  }
  return sums;
}

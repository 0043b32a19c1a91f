import { jsonObject } from '../../world/json.ts';
import { type Time, valueWithin } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { ConsoleStatus } from '../stream/health.ts';
import { FIGURES, type Health, type HealthCheck } from '../stream/health.ts';
import { type ConsoleSources, controlRequest, reasonOf, type ServiceCaller } from './sources.ts';

/** The status of the service: its checks, and the figures that are drawn. */
export async function healthOf(time: Time, caller: ServiceCaller | undefined): Promise<Health> {
  const nothing = { atMs: time.nowMs(), checks: [], figures: {} };
  if (caller === undefined) return { ...nothing, silence: 'This fleet runs without a service.' };
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
      silence: `The service does not answer: ${reasonOf(error)}`,
    };
  }
}

/** Whether simulator and service answer, for every page: a page with outdated data says so. */
export function makeStatusReader(
  time: Time,
  { control }: Pick<ConsoleSources, 'control'>,
  caller: Pick<ServiceCaller, 'reach'> | undefined,
): () => Promise<ConsoleStatus> {
  return async () => {
    const [simulator, service] = await Promise.all([
      silenceOf(time, 'The simulator', async (signal) =>
        control(new Request(controlRequest('/fleet?limit=1'), { signal })),
      ),
      caller === undefined
        ? undefined
        : silenceOf(time, 'The service', async (signal) => caller.reach(signal)),
    ]);
    return {
      ...(simulator === undefined ? {} : { simulatorSilence: simulator }),
      ...(service === undefined ? {} : { serviceSilence: service }),
    };
  };
}

/**
 * Resolves with why there is no answer, as a sentence; undefined: there is one. A request that times out is aborted:
 * its connection may be dead, and only a new one reaches the other side when it is up again.
 */
async function silenceOf(
  time: Time,
  who: string,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<string | undefined> {
  const ending = new AbortController();
  try {
    const answer = await valueWithin(time, limits.statusMs, ask(ending.signal));
    if (answer === undefined) return `${who} does not answer: nothing within ${limits.statusMs / 1_000} s.`;
    return answer.status < 500 ? undefined : `${who} does not answer: ${answer.status}.`;
  } catch (error) {
    return `${who} does not answer: ${reasonOf(error)}.`;
  } finally {
    ending.abort();
  }
}

function checksOf(health: unknown): readonly HealthCheck[] {
  const { checks } = jsonObject(jsonObject(health)['ready']);
  if (!Array.isArray(checks)) return [];
  return checks.map((check) => {
    const { name, status, reason } = jsonObject(check);
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

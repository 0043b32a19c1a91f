import { PARTITIONS } from '../../../protocol/partitions.ts';
import { limits } from './limits.ts';

/** As much of what `GET /health/ready` answers as is looked at. */
export interface BackendHealth {
  readonly status: 'ready' | 'degraded' | 'not-ready';
  readonly checks: readonly { readonly name: string; readonly status: string; readonly reason: string }[];
  readonly partitions?: { readonly held: readonly number[]; readonly backends: number };
}

/** Asks the backend at that port; undefined: it does not answer. */
export async function readHealth(port: number): Promise<BackendHealth | undefined> {
  try {
    const signal = AbortSignal.timeout(limits.askMs);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    return (await answer.json()) as BackendHealth;
  } catch {
    return undefined;
  }
}

/** Whether all are ready, and each partition is served by one of them. */
export function isWell(all: readonly (BackendHealth | undefined)[]): boolean {
  if (!all.every((one) => one?.status === 'ready')) return false;
  const held = all.flatMap((one) => one?.partitions?.held ?? []);
  return held.length === PARTITIONS && new Set(held).size === PARTITIONS;
}

/** What the check of that name says at each backend; `silent`: the backend does not answer. */
export function checksOf(all: readonly (BackendHealth | undefined)[], name: string): readonly string[] {
  return all.map((one) => one?.checks.find((check) => check.name === name)?.status ?? 'silent');
}

/** For people: one line of all that is not as it should be. */
export function healthText(all: readonly (BackendHealth | undefined)[]): string {
  return all
    .map((one, index) => {
      const what = (one?.checks ?? []).filter(({ status }) => status !== 'ok').map(({ name }) => name);
      const { status = 'silent', partitions } = one ?? {};
      return `${index + 1} ${status} ${what.join(' ')} ${partitions?.held.length ?? 0} partitions`;
    })
    .join('; ');
}

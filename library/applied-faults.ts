import type { ControlApi } from '../deployment/http/control-api.ts';
import type { EndedFault, FaultEffect, FaultInForce } from '../simulator/control/fault-api.ts';

export interface FaultTime {
  /** How long: `90s`, `2m30s`. Absent: until it is removed. */
  readonly for?: string;
}

/** An applied weather or break. */
export interface AppliedFault {
  /** Resolves once it is over: its time has passed, or it was removed. */
  readonly over: Promise<void>;
  /**
   * Resolves with whether it has had an effect so far, or in all where it is over: `{ struck: 'yes', times: 3, … }`.
   * Rejects where it ended so long ago that it is not recorded any more.
   */
  strikes(): Promise<FaultEffect>;
  /** Removes it. Resolves with why it had no effect, or with nothing: it had one, or that is not known. */
  lift(): Promise<string | undefined>;
}

/** Applies it; an immediate one is over then. Rejects with its mistakes, or why it is not available. */
export async function applyFault(
  control: ControlApi,
  wish: Readonly<Record<string, unknown>>,
  { for: long }: FaultTime = {},
): Promise<AppliedFault> {
  const timed = long === undefined ? wish : { ...wish, for: long };
  const applied = (await control('POST', '/faults', timed)) as
    | FaultInForce
    | (EndedFault & { readonly id?: never });
  if (applied.id === undefined)
    return { over: Promise.resolve(), strikes: async () => applied, lift: async () => applied.missed };
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const { id, sinceMs, untilMs } = applied;
  const timer = untilMs === undefined ? undefined : setTimeout(resolve, untilMs - sinceMs);
  // A test that ends does not wait for it.
  timer?.unref();
  const reported = async () => {
    const { in_force: inForce, ended } = (await control('GET', '/faults')) as {
      readonly in_force: readonly FaultInForce[];
      readonly ended: readonly EndedFault[];
    };
    return { active: inForce.find((one) => one.id === id), ended: ended.find((one) => one.id === id) };
  };
  return {
    over,
    async strikes() {
      const { active, ended } = await reported();
      const found = active ?? ended;
      if (found === undefined) throw new Error('It has ended, and its entry was evicted by later faults.');
      return found;
    },
    async lift() {
      clearTimeout(timer);
      resolve();
      const lifted = await control('DELETE', `/faults/${id}`).catch(async (error: unknown) => {
        // It had expired before.
        if (String(error).includes(' 404 ')) return (await reported()).ended;
        throw error;
      });
      return (lifted as EndedFault | undefined)?.missed;
    },
  };
}

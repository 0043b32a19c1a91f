import type { z } from 'zod';
import type { ControlApi } from '../deployment/http/control-api.ts';
import type { WordTable } from '../scenarios/language/document/word-row.ts';
import type { BREAKS } from '../scenarios/language/steps/breaks.ts';
import type { WEATHER } from '../scenarios/language/steps/weather.ts';
import type { EndedFault, FaultEffect, FaultInForce } from '../simulator/control/fault-api.ts';

/** One word of a table with its settings, as a scenario has it: `{ latency: { base: '2s' } }`. */
type WishOf<Table extends WordTable> = {
  [Name in keyof Table & string]: { readonly [Key in Name]: z.input<Table[Name]['settings']> };
}[keyof Table & string];

/**
 * Weather of the scenario language (docs/scenarios.md, Weather): `{ coverage: 'none' }`, or a word that needs no
 * settings.
 */
export type Weather = WishOf<typeof WEATHER> | 'cut' | 'half_open' | 'stall' | 'session_lost' | 'take_over';
/** A break of a box (docs/scenarios.md, Breaks of a box): `{ 'flash-slow': { by: '1s' } }`. */
export type BoxBreak = WishOf<(typeof BREAKS)['box']> | 'brown-out' | 'power-loss' | 'flash-full' | 'wipe';
/** A break of a shared part: `{ exchange: 'down' }`, `{ store: { slow: { by: '1s' } } }`. */
export type PartBreak =
  /** Its connection to the MQTT broker: it shares its process with the tests, and does not die alone. */
  | { readonly backend: 'cut' }
  | {
      [Part in 'broker' | 'exchange' | 'store' | 'sim_provider' | 'maker']: {
        readonly [Key in Part]: WishOf<(typeof BREAKS)[Part]> | (keyof (typeof BREAKS)[Part] & string);
      };
    }['broker' | 'exchange' | 'store' | 'sim_provider' | 'maker'];

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

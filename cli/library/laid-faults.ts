import type { z } from 'zod';
import type { WordTable } from '../../scenarios/language/document/word-row.ts';
import type { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import type { WEATHER } from '../../scenarios/language/steps/weather.ts';
import type { EndedFault, FaultInForce, FaultStrikes } from '../../simulator/control/fault-face.ts';
import type { ControlApi } from '../shared/control-api.ts';

/** One word of a table with its settings, as a scenario has it: `{ latency: { base: '2s' } }`. */
type WishOf<Table extends WordTable> = {
  [Name in keyof Table & string]: { readonly [Key in Name]: z.input<Table[Name]['settings']> };
}[keyof Table & string];

/** Weather of the scenario language (docs/scenarios.md, Weather): `{ coverage: 'none' }`, or a word that needs no settings. */
export type Weather = WishOf<typeof WEATHER> | 'cut' | 'half_open' | 'stall' | 'session_lost' | 'take_over';
/** A break of a box (docs/scenarios.md, Breaks of a box): `{ 'flash-slow': { by: '1s' } }`. */
export type BoxBreak = WishOf<(typeof BREAKS)['box']> | 'brown-out' | 'power-loss' | 'flash-full' | 'wipe';
/** A break of a part that all share: `{ exchange: 'down' }`, `{ store: { slow: { by: '1s' } } }`. */
export type PartBreak =
  /** Its connection to the MQTT broker: it shares its process with whoever tests, and does not die alone. */
  | { readonly backend: 'cut' }
  | {
      [Part in 'broker' | 'exchange' | 'store' | 'sim_provider' | 'maker']: {
        readonly [Key in Part]: WishOf<(typeof BREAKS)[Part]> | (keyof (typeof BREAKS)[Part] & string);
      };
    }['broker' | 'exchange' | 'store' | 'sim_provider' | 'maker'];

export interface FaultTime {
  /** How long: `90s`, `2m30s`. Absent: until it is lifted. */
  readonly for?: string;
}

/** Weather or a break that was laid. */
export interface LaidFault {
  /** Resolves once it is over: its time has passed, or it was lifted. */
  readonly over: Promise<void>;
  /**
   * Resolves with whether it has struck so far, or in all where it is over: `{ struck: 'yes', times: 3, … }`. Rejects
   * where it has ended so long ago that nobody knows it any more.
   */
  strikes(): Promise<FaultStrikes>;
  /** Lifts it. Resolves with why it never struck, or with nothing: it did, or that is not known. */
  lift(): Promise<string | undefined>;
}

/** Lays it; what happens at once is over then. Rejects with what is wrong with it, or why it cannot be had. */
export async function layFault(
  control: ControlApi,
  wish: Readonly<Record<string, unknown>>,
  { for: long }: FaultTime = {},
): Promise<LaidFault> {
  const timed = long === undefined ? wish : { ...wish, for: long };
  const laid = (await control('POST', '/faults', timed)) as
    | FaultInForce
    | (EndedFault & { readonly id?: never });
  if (laid.id === undefined)
    return { over: Promise.resolve(), strikes: async () => laid, lift: async () => laid.missed };
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const { id, sinceMs, untilMs } = laid;
  const timer = untilMs === undefined ? undefined : setTimeout(resolve, untilMs - sinceMs);
  // A test that ends does not wait for it.
  timer?.unref();
  const told = async () => {
    const { in_force: inForce, ended } = (await control('GET', '/faults')) as {
      readonly in_force: readonly FaultInForce[];
      readonly ended: readonly EndedFault[];
    };
    return { standing: inForce.find((one) => one.id === id), ended: ended.find((one) => one.id === id) };
  };
  return {
    over,
    async strikes() {
      const { standing, ended } = await told();
      const found = standing ?? ended;
      if (found === undefined) throw new Error('It has ended, and so many have since that nobody knows it.');
      return found;
    },
    async lift() {
      clearTimeout(timer);
      resolve();
      const lifted = await control('DELETE', `/faults/${id}`).catch(async (error: unknown) => {
        // Its time was over before.
        if (String(error).includes(' 404 ')) return (await told()).ended;
        throw error;
      });
      return (lifted as EndedFault | undefined)?.missed;
    },
  };
}

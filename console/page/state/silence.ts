import type { ConsoleStatus } from '../../stream/health.ts';

/** The sources of the page's data. Without the console the others are unreachable too. */
export type Source = 'console' | 'simulator' | 'service';

/** What is known of a source. Times are of the page's clock, in milliseconds. */
export interface Heard {
  /** When it answered last; undefined: never. */
  readonly atMs: number | undefined;
  /** Why it does not answer; undefined: it does. */
  readonly silence: string | undefined;
}

export type Liveness = Readonly<Record<Source, Heard>>;

const UNHEARD: Heard = { atMs: undefined, silence: undefined };
/** Before the first poll: nothing is reported of any source. */
export const NEVER_HEARD: Liveness = { console: UNHEARD, simulator: UNHEARD, service: UNHEARD };

/**
 * The result of polling the console: its status; `refused`: the console answers, but not with its status; undefined:
 * the console does not answer. In the last two cases nothing new is known of the others.
 */
export type Look = ConsoleStatus | 'refused' | undefined;

/**
 * The result for an HTTP status other than 2xx; 0: there was no answer. A status of 500 or more may come from a proxy
 * in front of a console that has ended (RFC 9110 §15.6.3, §15.6.5), or from a console that has failed.
 */
export function lookOfError(httpStatus: number): Look {
  return httpStatus >= 400 && httpStatus < 500 ? 'refused' : undefined;
}

/** What is known after a poll. */
export function livenessAfter(before: Liveness, nowMs: number, look: Look): Liveness {
  if (look === undefined)
    return { ...before, console: { ...before.console, silence: 'The console does not answer.' } };
  if (look === 'refused') return { ...before, console: { atMs: nowMs, silence: undefined } };
  const heard = (source: Source, silence: string | undefined): Heard =>
    silence === undefined ? { atMs: nowMs, silence } : { ...before[source], silence };
  return {
    console: heard('console', undefined),
    simulator: heard('simulator', look.simulatorSilence),
    service: heard('service', look.serviceSilence),
  };
}

/** Why there is nothing new from a source; undefined: there is. */
export function silenceOf(liveness: Liveness, source: Source): string | undefined {
  return liveness.console.silence ?? liveness[source].silence;
}

/** The content of a banner: which source does not answer, and since when. */
export interface Silence {
  readonly source: Source;
  readonly why: string;
  /** The age of the page's data of it, in milliseconds; undefined: it has never answered here. */
  readonly ageMs: number | undefined;
}

/** One for each source that does not answer; if the console does not, only that one. */
export function silencesAt(liveness: Liveness, nowMs: number): readonly Silence[] {
  const silent = (['console', 'simulator', 'service'] as const).flatMap((source): Silence[] => {
    const { atMs, silence } = liveness[source];
    return silence === undefined
      ? []
      : [{ source, why: silence, ageMs: atMs === undefined ? undefined : Math.max(0, nowMs - atMs) }];
  });
  const [first] = silent;
  return first?.source === 'console' ? [first] : silent;
}

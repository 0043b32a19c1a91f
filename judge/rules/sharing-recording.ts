import type { AnsweredCall } from '../evidence/evidence.ts';

const SHARING = /^\/vehicles\/([^/]+)\/sharing$/;

/** A time in which a vehicle may have been shared with a fleet. */
interface SharedPeriod {
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly fromMs: number;
  /** When its request was answered. An end that was requested earlier may have come first. */
  readonly answeredMs: number;
  toMs: number;
}

/**
 * Which fleets may have seen a vehicle of another fleet, by the recorded calls of its owner: from the request
 * to share it (it may take effect at any time until the answer, or without one) until the answer to the
 * request that ended it.
 */
export class SharingRecording {
  readonly #periods: SharedPeriod[] = [];
  /** Times from the answer to the sharing request to the next request to end it. */
  readonly #certain: SharedPeriod[] = [];

  constructor(calls: readonly AnsweredCall[], partnerFleetId: string) {
    for (const { method, path, status, body, askedMs, answeredMs } of calls.toSorted(byAsked)) {
      const [, vehicleId] = SHARING.exec(path) ?? [];
      if (vehicleId === undefined || (status >= 400 && status < 500)) continue;
      if (method === 'PUT') {
        const { shared_with: told } = (typeof body === 'object' && body !== null ? body : {}) as {
          readonly shared_with?: unknown;
        };
        const fleetId = typeof told === 'string' ? told : partnerFleetId;
        this.#periods.push({
          vehicleId,
          fleetId,
          fromMs: askedMs,
          answeredMs,
          toMs: Number.POSITIVE_INFINITY,
        });
        if (status === 200 && told === fleetId)
          this.#certain.push({
            vehicleId,
            fleetId,
            fromMs: answeredMs,
            answeredMs,
            toMs: endAskedMs(calls, path, askedMs),
          });
      } else if (method === 'DELETE' && status === 204) {
        for (const period of this.#periods)
          if (period.vehicleId === vehicleId && period.answeredMs <= askedMs)
            period.toMs = Math.min(period.toMs, answeredMs);
      }
    }
  }

  /**
   * Whether the vehicle was shared with that fleet all the time from `fromMs` to `toMs`: an answer had confirmed it,
   * and its end was not requested.
   */
  mustHaveBeenShared(vehicleId: string, fleetId: string, fromMs: number, toMs: number): boolean {
    return this.#certain.some(
      (period) =>
        period.vehicleId === vehicleId &&
        period.fleetId === fleetId &&
        period.fromMs < fromMs &&
        period.toMs > toMs,
    );
  }

  /** Whether the vehicle may have been shared with any fleet at any time from `fromMs` to `toMs`. */
  mayHaveBeenSharedAtAll(vehicleId: string, fromMs: number, toMs: number): boolean {
    return this.#periods.some(
      (period) => period.vehicleId === vehicleId && period.fromMs <= toMs && period.toMs >= fromMs,
    );
  }

  /** Whether the vehicle may have been shared with that fleet at any time from `fromMs` to `toMs`. */
  mayHaveBeenShared(vehicleId: string, fleetId: string, fromMs: number, toMs: number): boolean {
    return this.#periods.some(
      (period) =>
        period.vehicleId === vehicleId &&
        period.fleetId === fleetId &&
        period.fromMs <= toMs &&
        period.toMs >= fromMs,
    );
  }
}

/** When the end of the sharing was first requested, after the sharing was requested or while it lasted. */
function endAskedMs(calls: readonly AnsweredCall[], path: string, fromMs: number): number {
  return calls
    .filter(
      ({ method, path: at, status, answeredMs }) =>
        method === 'DELETE' && at === path && answeredMs >= fromMs && (status < 400 || status >= 500),
    )
    .reduce((firstMs, one) => Math.min(firstMs, one.askedMs), Number.POSITIVE_INFINITY);
}

function byAsked(a: AnsweredCall, b: AnsweredCall): number {
  return a.askedMs - b.askedMs;
}

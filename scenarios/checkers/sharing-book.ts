import type { AnsweredCall } from '../run/evidence.ts';

const SHARING = /^\/vehicles\/([^/]+)\/sharing$/;

/** From when to when a vehicle may have been shared with a fleet. */
interface Span {
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly fromMs: number;
  toMs: number;
}

/**
 * Who may have seen a vehicle of another fleet, by the book of its owner's calls: from the moment at which sharing was
 * asked for (it may have come into force at any time until the answer, or without one) until its end was answered.
 */
export class SharingBook {
  readonly #spans: Span[] = [];

  constructor(calls: readonly AnsweredCall[], partnerFleetId: string) {
    for (const { method, path, status, body, askedMs, answeredMs } of calls.toSorted(byAsked)) {
      const [, vehicleId] = SHARING.exec(path) ?? [];
      if (vehicleId === undefined || (status >= 400 && status < 500)) continue;
      if (method === 'PUT') {
        const { shared_with: told } = (typeof body === 'object' && body !== null ? body : {}) as {
          readonly shared_with?: unknown;
        };
        const fleetId = typeof told === 'string' ? told : partnerFleetId;
        this.#spans.push({ vehicleId, fleetId, fromMs: askedMs, toMs: Number.POSITIVE_INFINITY });
      } else if (method === 'DELETE' && status === 204) {
        for (const span of this.#spans)
          if (span.vehicleId === vehicleId && span.fromMs <= askedMs)
            span.toMs = Math.min(span.toMs, answeredMs);
      }
    }
  }

  /** Whether that fleet may have had a part in the vehicle at any time from `fromMs` to `toMs`. */
  mayHaveBeen(vehicleId: string, fleetId: string, fromMs: number, toMs: number): boolean {
    return this.#spans.some(
      (span) =>
        span.vehicleId === vehicleId &&
        span.fleetId === fleetId &&
        span.fromMs <= toMs &&
        span.toMs >= fromMs,
    );
  }
}

function byAsked(a: AnsweredCall, b: AnsweredCall): number {
  return a.askedMs - b.askedMs;
}

import { BULK_PATH } from '../../../contract/operation.ts';
import { sleep, type Time } from '../../../world/time/time.ts';

/**
 * The configuration of a demonstration fleet: a box tracks nothing by default, and a demonstration should show
 * movement. In the form of the bulk endpoint.
 */
export const DEMO_FEATURES = {
  tracking: {
    time_interval_in_seconds: 15,
    distance_interval_in_meters: 250,
    heading_change_threshold_in_degrees: 45,
  },
  driving_events: {},
  parking_events: {},
} as const;

/** Vehicles in one request. */
const MOST_VEHICLES = 10_000;
/** How often boxes are checked for being up. */
const LOOK_MS = 100;

/** A box to configure. */
export interface DemoBox {
  readonly boxId: string;
  readonly vehicleId: string;
  /** It has a session, and would execute a request immediately. */
  isUp(): boolean;
}

export interface DemoFeatureOrder {
  readonly time: Time;
  readonly boxes: readonly DemoBox[];
  /** Answers one HTTP request of the fleet's client with a bearer token. */
  readonly call: (method: 'POST', path: string, body: string) => Promise<Response>;
  /** The timeout for boxes to come up; then the others get their request all the same. */
  readonly waitMs: number;
  /** No further requests are made. */
  readonly isEnded?: () => boolean;
}

/**
 * Requests the demonstration's features for every box, in groups as they come up: a request to a box that is not up
 * blocks it until the timeout. Resolves once everything is requested. Waits while the service has too many requests;
 * rejects on any other refusal.
 */
export async function orderDemoFeatures({
  time,
  boxes,
  call,
  waitMs,
  isEnded,
}: DemoFeatureOrder): Promise<void> {
  const untilMs = time.nowMs() + waitMs;
  let waiting = boxes;
  while (waiting.length > 0 && isEnded?.() !== true) {
    const isOver = time.nowMs() >= untilMs;
    const up = waiting.filter((box) => isOver || box.isUp()).slice(0, MOST_VEHICLES);
    if (up.length > 0) {
      const body = {
        items: up.map(({ vehicleId }) => ({ id: vehicleId })),
        feature_configuration: DEMO_FEATURES,
      };
      const answer = await call('POST', BULK_PATH, JSON.stringify(body));
      if (answer.status === 429) await sleep(time, 1_000 * Number(answer.headers.get('retry-after') ?? 1));
      else if (answer.status !== 201)
        throw new Error(`The demonstration could not be configured: ${answer.status} ${await answer.text()}`);
      else waiting = waiting.filter((box) => !up.includes(box));
    }
    if (waiting.length > 0) await sleep(time, LOOK_MS);
  }
}

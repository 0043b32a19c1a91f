import { sleep, type Time } from '../../../world/time/time.ts';

/**
 * What the fleet of a demonstration is configured to: a box tracks nothing by itself, and a fleet that is to be watched
 * should be seen moving. As the bulk endpoint takes it.
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

const BULK_PATH = '/configure-vehicle-telematics-unit-bulk';
/** Vehicles of one request. */
const MOST_VEHICLES = 10_000;
/** How often it is looked which boxes have come up. */
const LOOK_MS = 100;

/** A box that is to be configured. */
export interface DemoBox {
  readonly boxId: string;
  readonly vehicleId: string;
  /** It has a session, and would carry an order out at once. */
  isUp(): boolean;
}

export interface DemoFeatureOrder {
  readonly time: Time;
  readonly boxes: readonly DemoBox[];
  /** Answers one HTTP request of the fleet's client with a bearer token. */
  readonly call: (method: 'POST', path: string, body: string) => Promise<Response>;
  /** For so long it is waited for boxes to come up; the others are asked for all the same then. */
  readonly waitMs: number;
  /** Nothing is ordered any more. */
  readonly isEnded?: () => boolean;
}

/**
 * Orders the demonstration's features for every box, in groups as they come up: a box that is asked before is busy with
 * that until the time-out. Resolves once everything is ordered. Waits where the service has too
 * many requests; rejects where it refuses otherwise.
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

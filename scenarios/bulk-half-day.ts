import { z } from 'zod';
import type { FleetBox } from '../simulator/fleet.ts';
import { sleep } from '../world/time.ts';
import { runInSandbox } from '../world/virtual-sandbox.ts';
import { type BulkResults, judgeBulk, type Requested } from './bulk-verdict.ts';
import { Stage } from './stage.ts';

export interface BulkHalfDaySettings {
  readonly seed: number;
  /** At least 12. */
  readonly vehicles: number;
  /** Crashes of the service, links that die unnoticed. */
  readonly isRough: boolean;
}

export interface BulkHalfDay {
  readonly hash: string;
  readonly jobs: readonly BulkResults[];
  readonly crashes: number;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
}

const BULK = '/configure-vehicle-telematics-unit-bulk';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Minutes after the first job at which an absent box gets its coverage back; the others never do. */
const RETURNS = [20, 95, 310, 500, 715] as const;
const ABSENT_FOR_EVER = 2;
const UNKNOWN_ID = 'NOSUCH1';

const created = z.looseObject({ id: z.string() });

/**
 * Bulk jobs over 12 h: some boxes are there, some come back after hours, some never, later requests take their place,
 * and the service crashes. Then the results are compared with what the boxes themselves have in force.
 */
export function bulkHalfDay(settings: BulkHalfDaySettings): Promise<BulkHalfDay> {
  const stage = new Stage(settings);
  return runInSandbox(stage.world, () => stage.world.run(() => new Play(stage, settings).run()));
}

class Play {
  readonly #stage: Stage;
  readonly #isRough: boolean;
  readonly #requested: Requested[] = [];
  readonly #findings: string[] = [];
  #crashes = 0;

  constructor(stage: Stage, { isRough }: BulkHalfDaySettings) {
    this.#stage = stage;
    this.#isRough = isRough;
  }

  async run(): Promise<BulkHalfDay> {
    const { world, plans } = this.#stage;
    await this.#stage.raise();
    const boxes = [...this.#stage.fleet.boxes.values()];
    for (const box of boxes) box.park();
    await sleep(world.time, MINUTE_MS);
    const absent = boxes.slice(0, RETURNS.length + ABSENT_FOR_EVER);
    for (const box of absent) box.setCoverage(false);
    await sleep(world.time, 2 * MINUTE_MS);

    const beganMs = world.time.nowMs();
    const at = (minutes: number) => beganMs + minutes * MINUTE_MS;
    RETURNS.forEach((minutes, index) => {
      world.time.alarm(at(minutes), () => absent[index]?.setCoverage(true));
    });
    const all = plans.map((plan) => plan.vehicleId);
    await this.#job([...all, UNKNOWN_ID], {
      tracking: { time_interval_in_seconds: 120 },
      parking_events: { enabled: false },
    });
    await this.#until(at(180), boxes);
    // Returns later, is never back, and was there all the time.
    const some = [absent[3], absent[5], boxes.at(-1)].flatMap((box) =>
      box === undefined ? [] : [box.plan.vehicleId],
    );
    await this.#job(some, { tracking: { time_interval_in_seconds: 300 } });
    await this.#until(at(360), boxes);
    await this.#job(all, { auto_immobilizer_control: { delay_in_seconds: 77 } });
    await this.#until(at(480), boxes);
    await this.#put(boxes.at(-2), { time_interval_in_seconds: 33 });
    await this.#until(at(360 + 12 * 60 + 2), boxes);

    const { jobs, findings } = await judgeBulk(this.#stage, this.#requested, UNKNOWN_ID);
    await this.#stage.close();
    return { hash: world.hash(), jobs, crashes: this.#crashes, findings: [...this.#findings, ...findings] };
  }

  /** Lets time pass, and now and then something go wrong; often just when a box has come back. */
  async #until(untilMs: number, boxes: readonly FleetBox[]): Promise<void> {
    const { world } = this.#stage;
    const chance = world.random.stream(`bulk-half-day/${untilMs}`);
    while (world.time.nowMs() < untilMs) {
      const stepMs = this.#isRough ? chance.whole(1_000, 40 * MINUTE_MS) : HOUR_MS;
      await sleep(world.time, Math.min(stepMs, untilMs - world.time.nowMs()));
      if (!this.#isRough || world.time.nowMs() >= untilMs) continue;
      const box = chance.pick(boxes.slice(RETURNS.length + ABSENT_FOR_EVER));
      const what = chance.whole(0, 99);
      if (what < 40) await this.#crash(chance.whole(200, 60_000));
      else if (what < 70) box.cutLink();
      else {
        world.weather.halfOpen(box.plan.boxId, true);
        const endMs = world.time.nowMs() + chance.whole(MINUTE_MS, 20 * MINUTE_MS);
        world.time.alarm(endMs, () => world.weather.halfOpen(box.plan.boxId, false));
      }
    }
  }

  async #crash(downMs: number): Promise<void> {
    this.#crashes += 1;
    this.#stage.crashService();
    await sleep(this.#stage.world.time, downMs);
    await this.#stage.restartService();
  }

  async #job(vehicleIds: readonly string[], features: Readonly<Record<string, object>>): Promise<void> {
    const items = vehicleIds.map((id) => ({ id }));
    const token = await this.#stage.token();
    const body = JSON.stringify({ items, feature_configuration: features });
    const answer = await this.#stage.call('POST', BULK, token, body);
    if (answer.status !== 201) {
      this.#findings.push(`a job was answered with ${answer.status}: ${await answer.text()}`);
      return;
    }
    this.#requested.push({ jobId: created.parse(await answer.json()).id, vehicleIds, features });
    // In the middle of the attempts that it has begun.
    if (this.#isRough) {
      const chance = this.#stage.world.random.stream(`bulk-half-day/job/${this.#requested.length}`);
      await sleep(this.#stage.world.time, chance.whole(1, 1_500));
      await this.#crash(chance.whole(200, 5_000));
    }
  }

  /** Configures one vehicle by itself, as often as it takes. */
  async #put(box: FleetBox | undefined, tracking: object): Promise<void> {
    if (box === undefined) return;
    const path = `/vehicles/${box.plan.vehicleId}/telematics-unit/feature-configuration/tracking`;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { status } = await this.#stage.call(
        'PUT',
        path,
        await this.#stage.token(),
        JSON.stringify(tracking),
      );
      if (status === 200) {
        this.#requested.push({ jobId: undefined, vehicleIds: [box.plan.vehicleId], features: { tracking } });
        return;
      }
      await sleep(this.#stage.world.time, 2 * MINUTE_MS);
    }
    this.#findings.push(`${box.plan.vehicleId} could not be configured by itself`);
  }
}

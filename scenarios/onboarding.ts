import { z } from 'zod';
import type { FleetBox } from '../simulator/fleet.ts';
import type { Stream } from '../world/random.ts';
import { sleep } from '../world/time.ts';
import { runInSandbox } from '../world/virtual-sandbox.ts';
import { Stage } from './stage.ts';

export interface OnboardingSettings {
  readonly seed: number;
  readonly vehicles: number;
  readonly durationMs: number;
  /** Nothing goes wrong. */
  readonly isCalm?: boolean;
}

export interface Onboarding {
  readonly hash: string;
  /** By vehicle id: its setup as it was seen each second, repetitions left out, and what was last said of it. */
  readonly setups: ReadonlyMap<string, { readonly seen: readonly string[]; readonly detail: string }>;
  readonly faults: Readonly<Record<string, number>>;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
}

/** Longer than all attempts of a box that stays silent, with their waits. */
const HEAL_MS = 40 * 60_000;
const OBSTACLES = ['no-vehicle-bus', 'no-gnss', 'low-supply'] as const;

/**
 * Vehicles are onboarded to boxes on the shelf while links are cut, coverage goes, boxes are reset, installations are
 * at fault, and the service crashes. Then all faults end, and every setup must have come to one end.
 */
export function onboarding(settings: OnboardingSettings): Promise<Onboarding> {
  const stage = new Stage({ ...settings, isOnShelf: true });
  return runInSandbox(stage.world, () => stage.world.run(() => play(stage, settings)));
}

async function play(stage: Stage, settings: OnboardingSettings): Promise<Onboarding> {
  const { world } = stage;
  const chance = world.random.stream('onboarding');
  const watch = new Watch(stage);
  const faults: Record<string, number> = {};
  await stage.raise();
  await sleep(world.time, 30_000);
  const waiting = [...stage.plans];
  const endMs = world.time.nowMs() + settings.durationMs;
  while (world.time.nowMs() < endMs || waiting.length > 0) {
    const plan = chance.whole(0, 99) < 30 ? waiting.pop() : undefined;
    if (plan !== undefined) await watch.began(await stage.onboard(plan), plan.vehicleId);
    if (settings.isCalm !== true && chance.whole(0, 99) < 45) {
      const name = await disturb(stage, chance, watch.unfinished());
      faults[name] = (faults[name] ?? 0) + 1;
    }
    await watch.pass(chance.whole(1, 4));
  }
  for (const box of stage.fleet.boxes.values()) box.setCoverage(true);
  for (let second = 0; second < HEAL_MS / 1_000 && watch.unfinished().length > 0; second += 1)
    await watch.pass(1);
  // What comes late now must change nothing any more.
  await watch.pass(60);
  watch.judge();
  for (const one of await stage.store.ingest.quarantined({ limit: 5 })) {
    watch.findings.push(`${one.boxId} was put in quarantine: ${one.fault}`);
  }
  await stage.close();
  return { hash: world.hash(), setups: watch.setups, faults, findings: watch.findings };
}

/** One thing that goes wrong somewhere, most often where a setup is under way; its name. */
async function disturb(stage: Stage, chance: Stream, unfinished: readonly string[]): Promise<string> {
  const all = [...stage.fleet.boxes.values()];
  const busy = all.filter((box) => unfinished.includes(box.plan.vehicleId));
  const box = chance.pick(busy.length > 0 && chance.whole(0, 99) < 70 ? busy : all);
  const what = chance.whole(0, 99);
  if (what < 20) return done('cut', () => box.cutLink());
  if (what < 45) return done('coverage', () => goDark(stage, box, chance.whole(5_000, 240_000)));
  if (what < 60) return done('reset', () => box.reset('WATCHDOG'));
  if (what < 85) {
    const obstacle = chance.pick(OBSTACLES);
    return done('fault', () => box.setInstallationFault(obstacle, chance.whole(5_000, 60_000)));
  }
  stage.crashService();
  await sleep(stage.world.time, chance.whole(500, 30_000));
  await stage.restartService();
  return 'crash';
}

function done(name: string, act: () => void): string {
  act();
  return name;
}

function goDark(stage: Stage, box: FleetBox, durationMs: number): void {
  box.setCoverage(false);
  stage.world.time.alarm(stage.world.time.nowMs() + durationMs, () => box.setCoverage(true));
}

const ENDS: readonly string[] = ['SUCCEEDED', 'FAILED'];

const message = z.looseObject({ data: z.looseObject({ vehicle_id: z.string() }) });

/** Looks at every setup once a second. */
class Watch {
  readonly findings: string[] = [];
  readonly setups = new Map<string, { seen: string[]; detail: string }>();
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async began(outcome: string, vehicleId: string): Promise<void> {
    if (outcome !== 'created') this.findings.push(`${vehicleId} could not be onboarded: ${outcome}`);
    this.setups.set(vehicleId, { seen: [], detail: '' });
    await this.#look();
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await sleep(this.#stage.world.time, 1_000);
      await this.#look();
    }
  }

  /** Ids of the vehicles whose setup has come to no end. */
  unfinished(): readonly string[] {
    return [...this.setups].flatMap(([id, { seen }]) => (ENDS.includes(seen.at(-1) ?? '') ? [] : [id]));
  }

  async #look(): Promise<void> {
    for (const [vehicleId, setup] of this.setups) {
      const vehicle = await this.#stage.store.vehicles.find(vehicleId);
      setup.detail = vehicle?.setupDetail ?? 'missing';
      const status = vehicle?.setupStatus ?? 'missing';
      if (setup.seen.at(-1) !== status) setup.seen.push(status);
    }
  }

  /** Every setup ended, once; and messages are of vehicles that are set up only. */
  judge(): void {
    for (const [vehicleId, { seen, detail }] of this.setups) {
      const way = seen.join(' ');
      if (!/^PENDING (RUNNING |PENDING )*(SUCCEEDED|FAILED)$/.test(way)) {
        this.findings.push(`${vehicleId} went ${way}`);
      }
      if (seen.at(-1) === 'FAILED' && detail === '')
        this.findings.push(`${vehicleId} failed without a reason`);
    }
    for (const { body } of this.#stage.world.exchangeBroker.messages(this.#stage.queue)) {
      const { vehicle_id } = message.parse(JSON.parse(Buffer.from(body).toString('utf8'))).data;
      if (this.setups.get(vehicle_id)?.seen.at(-1) === 'SUCCEEDED') continue;
      this.findings.push(`a message tells of ${vehicle_id}, which is not set up`);
    }
  }
}

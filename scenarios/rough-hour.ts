import type { Stream } from '../world/random.ts';
import { runInSandbox } from '../world/virtual-sandbox.ts';
import { Stage } from './stage.ts';
import { verdictOf } from './verdict.ts';

export interface RoughHourSettings {
  readonly seed: number;
  readonly vehicles: number;
  readonly durationMs: number;
  readonly sink?: (line: string) => void;
}

export interface RoughHour {
  /** Of the whole trace: equal where two runs did the same, byte for byte. */
  readonly hash: string;
  readonly lines: number;
  readonly records: number;
  readonly messages: number;
  /** What was done to them, by name. */
  readonly faults: Readonly<Record<string, number>>;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
}

/** How long everything is left in peace at the end, so that what is pending can settle. */
const HEAL_MS = 10 * 60_000;

/**
 * A fleet drives while links are cut, coverage goes and returns, boxes brown out, and the service crashes and comes
 * back, all at times drawn from the seed. Then all faults end, and what was receipted is looked for.
 */
export function roughHour(settings: RoughHourSettings): Promise<RoughHour> {
  const stage = new Stage(settings);
  return runInSandbox(stage.world, () => stage.world.run(() => play(stage, settings)));
}

async function play(stage: Stage, { durationMs }: RoughHourSettings): Promise<RoughHour> {
  const { world } = stage;
  const chance = world.random.stream('rough-hour');
  const faults: Record<string, number> = {
    cut: 0,
    coverage: 0,
    'brown-out': 0,
    crash: 0,
    'lost-puback': 0,
    half_open: 0,
    command: 0,
  };
  const count = (name: keyof typeof faults) => {
    faults[name] = (faults[name] ?? 0) + 1;
  };
  const wait = (durationMs: number) =>
    new Promise<void>((resolve) => {
      world.time.alarm(world.time.nowMs() + durationMs, resolve);
    });
  await stage.raise();
  const boxes = [...stage.fleet.boxes.values()];
  const endMs = world.time.nowMs() + durationMs;
  const findings: string[] = [];
  const dark = new Map<(typeof boxes)[number], number>();
  const open = new Map<string, number>();
  while (world.time.nowMs() < endMs) {
    await wait(chance.whole(1_000, 20_000));
    const now = world.time.nowMs();
    for (const [box, untilMs] of dark) {
      if (untilMs > now) continue;
      box.setCoverage(true);
      dark.delete(box);
    }
    for (const [boxId, untilMs] of open) {
      if (untilMs > now) continue;
      world.weather.halfOpen(boxId, false);
      open.delete(boxId);
    }
    if (boxes.length === 0) continue;
    const box = chance.pick(boxes);
    const what = chance.whole(0, 99);
    if (what < 35) {
      count('cut');
      box.cutLink();
    } else if (what < 60) {
      count('coverage');
      box.setCoverage(false);
      dark.set(box, now + chance.whole(5_000, 300_000));
    } else if (what < 72) {
      count('brown-out');
      box.brownOut();
    } else if (what < 80) {
      count('lost-puback');
      world.weather.losePuback(box.plan.boxId);
    } else if (what < 90) {
      count('command');
      order(stage, chance, findings);
    } else if (what < 97) {
      count('half_open');
      world.weather.halfOpen(box.plan.boxId, true);
      open.set(box.plan.boxId, now + chance.whole(5_000, 200_000));
    } else {
      count('crash');
      stage.crashService();
      await wait(chance.whole(500, 30_000));
      await stage.restartService();
    }
  }
  for (const box of dark.keys()) box.setCoverage(true);
  for (const boxId of open.keys()) world.weather.halfOpen(boxId, false);
  await wait(HEAL_MS);
  const verdict = await verdictOf(stage);
  await stage.close();
  return {
    hash: world.hash(),
    lines: world.trace.count,
    faults,
    ...verdict,
    findings: [...findings, ...verdict.findings],
  };
}

const COMMANDS = [
  'box-commands/request-system-status',
  'box-commands/board-reset',
  'box-commands/modem-reset',
  'commands/unlock-central-lock',
  'commands/lock-central-lock',
  'commands/request-vehicle-state',
] as const;

/** Answers that a command may get while everything goes wrong: the service itself has no fault. */
const HONEST_STATUSES: readonly number[] = [200, 204, 409, 504];

/** Sends a command to any vehicle. Its answer may come much later, or never when the service crashes meanwhile. */
function order(stage: Stage, chance: Stream, findings: string[]): void {
  const { vehicleId } = chance.pick(stage.plans);
  const path = `/vehicles/${vehicleId}/${chance.pick(COMMANDS)}`;
  const answer = stage.token().then((token) => stage.call('POST', path, token));
  answer.then(
    ({ status }) => {
      if (!HONEST_STATUSES.includes(status))
        findings.push(`dishonest: POST ${path} was answered with ${status}`);
    },
    (error: unknown) => findings.push(`dishonest: POST ${path} failed with ${String(error)}`),
  );
}

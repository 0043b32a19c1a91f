import type { Scenario, Step } from '../../../../scenarios/language/scenario.ts';
import type { Evidence } from '../../../../scenarios/run/evidence.ts';
import type { SeenMessage } from '../../../../scenarios/run/judge.ts';
import { type Played, playSteps } from '../../../../scenarios/run/play.ts';
import { RunRecord } from '../../../../scenarios/run/record.ts';
import type { Answer, Asked, Player, Theatre } from '../../../../scenarios/run/theatre.ts';
import { seededRandom } from '../../../../world/seeded-random.ts';
import { sleep, type Time } from '../../../../world/time.ts';
import { Life } from '../../../../world/virtual-life.ts';
import { VirtualLoop } from '../../../../world/virtual-loop.ts';
import { virtualTime } from '../../../../world/virtual-time.ts';

export const START = 1_767_592_800_000;

export function playerOf(number: number, group = 'fleet-0'): Player {
  return {
    number,
    group: { as: group } as Player['group'],
    vehicleId: `VEH0${number}`,
    model: 'petrol-compact',
    boxId: `b${number}`,
    fleetId: 'OWN',
  };
}

/** A theatre without a fleet, over a virtual loop: it does what a test says, and tells when what was done. */
export class FakeTheatre implements Theatre {
  readonly world = 'virtual';
  readonly loop = new VirtualLoop(START);
  readonly time: Time = virtualTime(this.loop, new Life('test'));
  readonly random = seededRandom(1);
  readonly players: readonly Player[];
  /** What was done, with the seconds since the beginning. */
  readonly done: string[] = [];
  /** How the service answers, and how long that takes. */
  answer: (asked: Asked) => Partial<Answer> = () => ({});
  evidence = {} as Evidence;
  seen: (message: SeenMessage) => void = () => undefined;

  constructor(count: number) {
    this.players = Array.from({ length: count }, (_, index) => playerOf(index + 1));
  }

  raise = () => Promise.resolve();
  close = () => Promise.resolve();
  token = async (as: string) => ({
    token: `token of ${as}`,
    answer: { status: 200, headers: {}, body: undefined, tookMs: 0 },
  });
  fleetId = (name: string) => name.toUpperCase();
  onboarded = () => undefined;
  look = () => ({ truth: { locked: this.isLocked }, belief: {}, isConnected: this.isConnected, held: 0 });
  isLocked = true;
  isConnected = true;

  async act({ number }: Player, { name }: { readonly name: string }) {
    this.#say(`${name} of ${number}`);
    return { outcome: 'done' };
  }

  async weather({ name }: { readonly name: string }, players: readonly Player[]) {
    this.#say(`${name} over ${players.map(({ number }) => number).join(' ')}`);
    return async () => this.#say(`${name} ends`);
  }

  break: Theatre['break'] = async () => async () => undefined;

  async ask(asked: Asked): Promise<Answer> {
    this.#say(`${asked.method} ${asked.path}`);
    const { tookMs = 0, ...rest } = this.answer(asked);
    await sleep(this.time, tookMs);
    return { status: 200, headers: {}, body: undefined, tookMs, ...rest };
  }

  watch(_seen: unknown, came: (message: SeenMessage) => void): void {
    this.seen = came;
  }

  #say(what: string): void {
    this.done.push(`${(this.time.nowMs() - START) / 1_000} ${what}`);
  }
}

/** A step with its defaults. */
export function step(change: Partial<Step>): Step {
  return {
    when: { atMs: 0 },
    on: { pick: 'all' },
    expect: [],
    never: [],
    withinMs: 30_000,
    ...change,
  };
}

/** Plays these steps to their end, or to what they reject with. */
export function play(theatre: FakeTheatre, steps: readonly Step[], durationMs = 0): Promise<Played> {
  const scenario = { steps, limits: { durationMs, healMs: 0 } } as unknown as Scenario;
  const record = new RunRecord(theatre.time);
  theatre.watch(undefined, (message) => record.keep(message));
  return theatre.loop.runWhile(playSteps(scenario, theatre, record), { withinMs: 24 * 3_600_000 });
}

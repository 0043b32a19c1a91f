import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Random, Stream } from '../../world/random/random.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import {
  type Deployment,
  type Part,
  type PartService,
  startDeployment,
} from '../support/cluster/deployment.ts';
import { checksOf, healthText } from '../support/cluster/deployment-health.ts';
import {
  bothOf,
  haproxy,
  natsServer,
  postgresPrograms,
  rabbitServer,
  waitUntil,
  withService,
} from '../support/run/external-services.ts';
import { type Call, type CallLoad, countCalls, startCallLoad } from '../support/sockets/call-load.ts';

/** What became of the commands of one load. */
interface LoadReport {
  readonly calls: readonly Call[];
  readonly done: number;
  readonly withoutAnswer: readonly Call[];
  readonly strange: readonly Call[];
  /** Refused because the vehicle was not reached, or did not answer in time. */
  readonly missed: readonly Call[];
  /** By status and problem. */
  readonly counts: Readonly<Record<string, number>>;
}

const limits = {
  perSecond: 20,
  /** From the last kill until all backends are ready and all vehicles answer. */
  wellMs: 240_000,
  /** A part that was killed is away for so long at the most. */
  deadMs: 5_000,
  /** A request ends so soon after its backend. */
  inFlightMs: 2_000,
  /** For how many calls or vehicles a report shows what the broker carried, and how much of it. */
  toldCalls: 10,
  wireLines: 60,
  /** A vehicle without an answer: what came so long before is shown too. */
  beforeMs: 30_000,
} as const;

const COMMANDS = ['request-vehicle-state', 'request-vehicle-state', 'lock-central-lock'];
const SERVICES: readonly PartService[] = ['backend', 'shard', 'postgres', 'nats', 'rabbitmq'];

/** Breaks parts of a deployment while commands go on, and keeps account of both. */
class ChaosRun {
  readonly #deployment: Deployment;
  readonly #random: Random;
  readonly #stream: Stream;
  readonly #say: (text: string) => void;
  /** When which backend was killed, from the signal to the end of its requests. */
  readonly #kills: { readonly name: string; readonly atMs: number }[] = [];
  #load: CallLoad | undefined;
  #rounds = 0;

  constructor(deployment: Deployment, random: Random, say: (text: string) => void) {
    this.#deployment = deployment;
    this.#random = random;
    this.#stream = random.stream('chaos/parts');
    this.#say = say;
  }

  /** Sends commands all the while `work` runs. */
  async underLoad(title: string, work: () => Promise<void>): Promise<LoadReport> {
    const { api, vehicleIds } = this.#deployment;
    const random = this.#random.stream(`chaos/${title}`);
    const load = startCallLoad({
      api,
      vehicleIds,
      random,
      commands: COMMANDS,
      perSecond: limits.perSecond,
    });
    this.#load = load;
    try {
      await work();
    } catch (error) {
      // At once: those that come after it may take long.
      this.#say(`${title}: ${String(error)}`);
      throw error;
    } finally {
      await load.stop();
      this.#load = undefined;
      this.#say(`${title}: ${load.calls.length} commands, ${JSON.stringify(countCalls(load.calls))}`);
    }
    const { calls } = load;
    const details = Map.groupBy(calls, ({ what, detail }) => `${what} ${detail}`);
    for (const [detail, found] of details)
      if (/^(5|no answer)/.test(detail))
        this.#say(`${title}: ${found.length} times ${detail}, after ${spanOf(found)}`);
    return {
      calls,
      done: calls.filter(({ outcome }) => outcome === 'done').length,
      withoutAnswer: calls.filter(({ outcome }) => outcome === 'without-answer'),
      strange: calls.filter(({ outcome }) => outcome === 'strange'),
      missed: calls.filter(({ what }) => what.startsWith('504')),
      counts: countCalls(calls),
    };
  }

  /** Resolves once all backends are ready, and each vehicle has carried out a command since now. */
  async allWell(): Promise<void> {
    const load = this.#load;
    const sinceMs = Date.now();
    try {
      await waitUntil(() => this.#deployment.isWell(), limits.wellMs);
      await waitUntil(() => load?.allAnswered(sinceMs) ?? true, limits.wellMs);
    } catch (error) {
      const health = healthText(await this.#deployment.health());
      const logs = this.#deployment.parts.map(({ name, log }) => `--- ${name}\n${log.slice(-1_500)}`);
      const silent = load?.silent(sinceMs) ?? [];
      const wire = silent.slice(0, limits.toldCalls).map((vehicleId) => {
        const lines = this.#deployment.wire(vehicleId, sinceMs - limits.beforeMs, Date.now());
        return `--- ${vehicleId} since ${sinceMs - limits.beforeMs}\n${lines.slice(0, limits.wireLines).join('\n')}`;
      });
      const text = [...logs, ...wire].join('\n');
      throw new Error(`Not well: ${health}; silent: ${silent.join(' ')}\n${text}`, { cause: error });
    }
  }

  /** What the broker carried for each of these calls, and what the backends said: where a command without an answer ended. */
  sayWire(calls: readonly Call[]): void {
    for (const { vehicleId, flowId, sentMs, endedMs } of calls.slice(0, limits.toldCalls)) {
      const lines = this.#deployment.wire(vehicleId, sentMs - limits.inFlightMs, endedMs + limits.inFlightMs);
      this.#say(`${vehicleId}, flow ${flowId}, sent at ${sentMs}:\n  ${lines.join('\n  ')}`);
    }
    if (calls.length > 0)
      for (const { name, log } of this.#deployment.of('backend')) this.#say(`the log of ${name}:\n${log}`);
  }

  async sayHealth(): Promise<void> {
    this.#say(healthText(await this.#deployment.health()));
  }

  /**
   * Kills or restarts one part, then parts of two services at once, in turn, until the time is over and each service had its
   * turn.
   */
  async strike(durationMs: number): Promise<void> {
    await this.allWell();
    const untilMs = Date.now() + durationMs;
    const struck = new Map<string, number>();
    let turn: PartService[] = [];
    let count = 1;
    for (let strikes = 0; Date.now() < untilMs || strikes < SERVICES.length; strikes += count) {
      count = strikes % 3 === 0 ? 1 : 2;
      const services: PartService[] = [];
      while (services.length < count) {
        if (turn.length === 0) turn = SERVICES.filter((one) => !services.includes(one));
        const next = this.#stream.pick(turn);
        turn = turn.filter((one) => one !== next);
        services.push(next);
      }
      await this.#round(
        services.map((service) => this.#stream.pick(this.#deployment.of(service))),
        struck,
      );
    }
    this.#say(`struck: ${JSON.stringify(Object.fromEntries(struck))}`);
  }

  async #round(parts: readonly Part[], struck: Map<string, number>): Promise<void> {
    this.#rounds += 1;
    const draws = parts.map((part) => ({
      part,
      isKill: this.#stream.fraction() < 0.7,
      deadMs: this.#stream.whole(0, limits.deadMs),
    }));
    const beganMs = Date.now();
    await Promise.all(
      draws.map(async ({ part, isKill, deadMs }) => {
        const what = `${isKill ? 'kill -9' : 'restart'} ${part.service}`;
        struck.set(what, (struck.get(what) ?? 0) + 1);
        if (isKill) {
          if (part.service === 'backend') this.#kills.push({ name: part.name, atMs: Date.now() });
          await part.kill();
          await sleep(deadMs);
        }
        await part.restart();
      }),
    );
    const upMs = Date.now();
    await this.allWell();
    const text = draws.map(({ part, isKill, deadMs }) =>
      isKill ? `kill -9 ${part.name}, dead for ${deadMs} ms` : `restart ${part.name}`,
    );
    const seconds = (fromMs: number) => ((Date.now() - fromMs) / 1_000).toFixed(1);
    this.#say(
      `${this.#rounds}: ${text.join('; ')}: all well ${seconds(upMs)} s after it was up, ${seconds(beganMs)} s in all`,
    );
  }

  /**
   * Without an answer are only requests that were under way at a backend when it was killed, and the store knows of each
   * command what became of it; no command was carried out twice.
   */
  async expectAccounted({ calls, withoutAnswer }: LoadReport): Promise<void> {
    const outcomes = await this.#deployment.outcomes();
    const unexplained = withoutAnswer.filter(
      ({ sentMs, endedMs }) =>
        !this.#kills.some(({ atMs }) => sentMs <= atMs + limits.inFlightMs && endedMs >= atMs),
    );
    if (unexplained.length > 0) this.#say(`unexplained: ${JSON.stringify(unexplained)}`);
    expect(unexplained).toEqual([]);
    const fates = withoutAnswer.map(({ flowId }) => outcomes.get(flowId)?.join('+') ?? 'not taken');
    this.#say(`without an answer: ${withoutAnswer.length}, in the store: ${fates.join(' ')}`);
    const twice = calls.filter(({ flowId }) => (outcomes.get(flowId)?.length ?? 0) > 1);
    if (twice.length > 0) this.#say(`twice in the store: ${JSON.stringify(twice)}`);
    expect(fates.filter((fate) => fate === 'open')).toEqual([]);
    expect(twice).toEqual([]);
  }

  /** The ledger, with the boxes at rest: nothing lost, doubled or out of order. The boxes go on afterwards. */
  async expectNothingLost(): Promise<void> {
    const { code, counts, records, delivered, text } = await this.#deployment.ledger();
    this.#say(`ledger: ${records} records, ${delivered} delivered, ${JSON.stringify(counts)}`);
    expect(text).toBe('');
    expect(counts).toMatchObject({ lost: 0, doubled: 0, reordered: 0, unknown: 0, wiped: 0, overflowed: 0 });
    expect(code).toBe(0);
    expect(delivered).toBeGreaterThan(0);
  }
}

/** How long they took. */
function spanOf(calls: readonly Call[]): string {
  const tookMs = calls.map(({ sentMs, endedMs }) => endedMs - sentMs);
  return `${Math.min(...tookMs)} to ${Math.max(...tookMs)} ms`;
}

const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 1);
const VEHICLES = Number(process.env['CHAOS_VEHICLES'] ?? 40);
/** As what boxes subscribe: 0 spares NATS a replicated consumer for each. */
const SUBSCRIBE_QOS = process.env['CHAOS_SUBSCRIBE_QOS'] === '0' ? '0' : '1';
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
/** What is done again and again may take a few minutes beyond its time: what was killed has to come back. */
const TIMEOUT_MS = MINUTES * 60_000 + 600_000;

const say = (text: string): void => void process.stderr.write(`chaos: ${text}\n`);

await withService(bothOf(bothOf(natsServer, rabbitServer), bothOf(postgresPrograms, haproxy)), (found) => {
  const [[nats, rabbit], [postgres, balancer]] = found;
  describe(`three backends, two shards, PostgreSQL and two clusters, seed ${SEED}`, {
    timeout: TIMEOUT_MS,
  }, () => {
    let deployment: Deployment;
    let run: ChaosRun;
    beforeAll(async () => {
      say(
        `seed ${SEED} (CHAOS_SEED), ${VEHICLES} vehicles, ${MINUTES} min, subscriptions at QoS ${SUBSCRIBE_QOS}`,
      );
      deployment = await startDeployment(
        { nats, rabbit, postgres, balancer },
        { vehicles: VEHICLES, seed: SEED, subscribeQos: SUBSCRIBE_QOS },
      );
      run = new ChaosRun(deployment, seededRandom(SEED), say);
      await run.underLoad('warm-up', () => run.allWell());
    }, 600_000);
    afterAll(() => deployment.stop(), 120_000);

    test('a rolling restart of all backends fails no request, and no vehicle that is there is missed', async () => {
      const report = await run.underLoad('rolling restart', async () => {
        for (const backend of deployment.of('backend')) {
          await backend.restart();
          await run.allWell();
        }
      });
      run.sayWire(report.missed);
      expect(report.withoutAnswer).toEqual([]);
      expect(report.strange).toEqual([]);
      expect(report.missed).toEqual([]);
      expect(Object.keys(report.counts).filter((what) => what.startsWith('5'))).toEqual([]);
      expect(report.done).toBeGreaterThan(100);
      await run.expectNothingLost();
    });

    test('nothing is lost while parts of one or two services die or are started anew', async () => {
      const report = await run.underLoad('parts of one or two services', () => run.strike(MINUTES * 60_000));
      expect(report.strange).toEqual([]);
      await run.expectAccounted(report);
      expect(report.done).toBeGreaterThan(report.calls.length / 4);
      await run.expectNothingLost();
    });

    test.each([
      ['nats', 'mqtt', 'failed'],
      ['rabbitmq', 'amqp', 'degraded'],
    ] as const)(
      'without two of the three nodes of %s the health says so, nothing is lost, and all goes on',
      async (service, check, status) => {
        const report = await run.underLoad(`two of ${service}`, async () => {
          const pair = deployment.of(service).slice(0, 2);
          await Promise.all(pair.map((node) => node.kill()));
          // Each by itself: one that tries anew may say for a moment that it is well.
          const told = new Set<number>();
          await waitUntil(async () => {
            for (const [place, one] of checksOf(await deployment.health(), check).entries())
              if (one === status) told.add(place);
            return told.size === deployment.of('backend').length;
          }).finally(() => run.sayHealth());
          await sleep(5_000);
          await Promise.all(pair.map((node) => node.restart()));
          await run.allWell();
        });
        expect(report.strange).toEqual([]);
        await run.expectAccounted(report);
        await run.expectNothingLost();
      },
    );
  });
});

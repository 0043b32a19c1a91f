import { partitionLimits } from '../../../backend/base/limits.ts';
import type { LeaseLook } from '../../../backend/store/port/lease-store.ts';
import type { Move, Stage } from './explore.ts';
import { type Alarm, type Draining, KeeperBackend } from './keeper-backend.ts';
import { LeaseModel } from './lease-model.ts';

export interface KeeperStageOptions {
  /** The names of the backends. The first runs from the beginning; the others may start at any time. */
  readonly backends: readonly string[];
  readonly partitions: number;
  /** Time passes in such steps. */
  readonly stepMs: number;
}

/** Old differences of fencing numbers are alike. */
const MOST_FENCES = 3;

/** Partition keepers on one store. */
export class KeeperStage implements Stage {
  passedMs = 0;
  readonly #options: KeeperStageOptions;
  readonly #store: LeaseModel;
  readonly #backends = new Map<string, KeeperBackend>();
  readonly #clean: boolean[];

  constructor(options: KeeperStageOptions) {
    this.#options = options;
    this.#store = new LeaseModel(options.partitions);
    this.#clean = Array.from({ length: options.partitions }, () => true);
    this.#start(options.backends[0] ?? '');
  }

  moves(): readonly Move[] {
    const usual = (name: string): Move => ({ name, deviations: 0 });
    const deviation = (name: string): Move => ({ name, deviations: 1 });
    const moves: Move[] = [];
    for (const backend of this.#alive()) {
      const { name, call } = backend;
      if (!backend.isConnected) moves.push(usual(`${name} connects`));
      if (call !== undefined && !backend.isStuck) {
        const what = `${name} ${call.name}`;
        moves.push(usual(`${what} is answered`));
        if (call.done === undefined) moves.push(usual(`${what} is carried out`));
        moves.push(deviation(`${what} fails`), deviation(`${what} is never answered`));
      }
      for (const one of backend.draining)
        moves.push(usual(`${name} drain ${[...one.episodes.keys()].join()} ends`));
      for (const alarm of this.#due(backend)) moves.push(usual(`${name} ${alarm.name}`));
    }
    for (const name of this.#options.backends)
      if (!this.#backends.has(name)) moves.push(usual(`${name} starts`));
    moves.push({ name: 'time passes', deviations: this.#undone().filter(({ isLate }) => !isLate).length });
    for (const backend of this.#alive()) {
      const { name } = backend;
      if (backend.isConnected) moves.push(deviation(`${name} disconnects`));
      if (backend.phase === 'running') moves.push(deviation(`${name} is woken`), deviation(`${name} stops`));
      moves.push(deviation(`${name} is killed`));
    }
    return moves;
  }

  make(move: string): void {
    for (const backend of this.#backends.values()) if (backend.call === undefined) backend.handingOver = [];
    if (move === 'time passes') {
      for (const one of this.#undone()) one.isLate = true;
      this.passedMs += this.#options.stepMs;
      for (const backend of this.#alive()) backend.timePasses();
      return;
    }
    const [name = '', ...words] = move.split(' ');
    if (words[0] === 'starts') {
      this.#start(name);
      return;
    }
    const backend = this.#backends.get(name);
    if (backend === undefined) throw new Error(`There is no ${name}.`);
    const what = words.join(' ');
    if (what === 'connects' || what === 'disconnects') backend.isConnected = what === 'connects';
    else if (what === 'stops') backend.stop();
    else if (what === 'is killed') backend.kill();
    else if (what === 'is woken') backend.wake();
    else if (words[0] === backend.call?.name) this.#decide(backend, words.slice(1).join(' '));
    else {
      const alarm = this.#due(backend).find((one) => one.name === what);
      const draining = backend.draining.find(
        (one) => `drain ${[...one.episodes.keys()].join()} ends` === what,
      );
      if (alarm !== undefined) backend.fire(alarm);
      else if (draining !== undefined) backend.settle(draining);
      else throw new Error(`${move} is not possible.`);
    }
  }

  key(): string {
    const rows = this.#store.rows.map(
      ({ holder, expiresMs, isSettled }, index) =>
        `${holder}${this.#left(expiresMs)}${isSettled ? 's' : ''}${this.#clean[index] ? 'c' : ''}`,
    );
    const names = [...this.#store.backends].map(([name, ms]) => `${name}${this.#left(ms)}`);
    const backends = [...this.#backends.values()].map((backend) => this.#keyOf(backend));
    return [...rows, ...sorted(names), ...sorted(backends)].join(' ');
  }

  violation(): string | undefined {
    for (const backend of this.#backends.values()) {
      const wrong = backend.wrong ?? (backend.phase === 'killed' ? undefined : this.#wrongBelief(backend));
      if (wrong !== undefined) return `${backend.name} ${wrong}.`;
    }
    return undefined;
  }

  isAsPromised(): boolean {
    const able = this.#alive().filter(({ isStuck, phase }) => !isStuck && phase === 'running');
    if (this.#alive().some(({ isStuck, phase }) => !isStuck && phase === 'stopping')) return false;
    if (able.length === 0) return true;
    const counts = able.map(({ keeper, serving }) => {
      const held = this.#store.rows.filter((_, partition) => keeper.leaseOf(partition) !== undefined).length;
      return held === serving.size ? held : Number.NaN;
    });
    const all = counts.reduce((sum, count) => sum + count, 0);
    return all === this.#store.rows.length && Math.max(...counts) - Math.min(...counts) <= 1;
  }

  #start(name: string): void {
    // Clocks that differ by days.
    const offsetMs = this.#backends.size * 100_000_000;
    this.#backends.set(
      name,
      new KeeperBackend(name, offsetMs, () => this.passedMs, this.#store, this.#clean),
    );
  }

  #decide(backend: KeeperBackend, how: string): void {
    const { call } = backend;
    if (call === undefined) return;
    if (how === 'is never answered') {
      backend.isStuck = true;
      return;
    }
    if (how !== 'fails') call.done ??= { answer: call.carryOut() };
    if (how === 'is carried out') return;
    backend.end(how === 'fails' ? 'failed' : 'answered');
  }

  /** What a backend takes for granted, against what the store has. */
  #wrongBelief({ name, keeper, serving, phase }: KeeperBackend): string | undefined {
    for (const [partition, row] of this.#store.rows.entries()) {
      const lease = keeper.leaseOf(partition);
      const served = serving.get(partition);
      if (keeper.areInForce() && lease?.fence !== served?.fence)
        return `holds ${partition} under ${lease?.fence}, and its service was told ${served?.fence}`;
      if (lease === undefined) continue;
      if (served?.isBroken === true) return `goes on with ${partition} although its lease was over meanwhile`;
      if (phase === 'stopped') return `holds ${partition} although it has stopped`;
      if (row.holder !== name || row.fence !== lease.fence)
        return `holds ${partition} under ${lease.fence}, which ${row.holder === '' ? 'nobody' : row.holder} has under ${row.fence}`;
      if (row.expiresMs <= this.passedMs) return `holds ${partition}, whose lease has ended in the store`;
    }
    return undefined;
  }

  #alive(): readonly KeeperBackend[] {
    return [...this.#backends.values()].filter(({ phase }) => phase !== 'killed' && phase !== 'stopped');
  }

  #due(backend: KeeperBackend): readonly Alarm[] {
    return backend.alarms.filter(({ dueMs }) => dueMs <= this.passedMs);
  }

  /** What could happen now, and will be late if time passes first. */
  #undone(): readonly { isLate: boolean }[] {
    return this.#alive().flatMap((backend): { isLate: boolean }[] => [
      ...(backend.call === undefined || backend.isStuck ? [] : [backend.call]),
      ...backend.draining,
      ...this.#due(backend),
    ]);
  }

  #left(ms: number): number {
    return Math.max(0, ms - this.passedMs);
  }

  #keyOf(backend: KeeperBackend): string {
    const { name, phase, keeper, call, alarms, draining, serving, told } = backend;
    if (phase === 'killed' || phase === 'stopped') return `${name}=${phase}`;
    const fenceOf = (partition: number, fence: number | undefined) =>
      fence === undefined ? '-' : Math.min(MOST_FENCES, (this.#store.rows[partition]?.fence ?? 0) - fence);
    const { held, backends } = keeper.condition();
    const partitions = this.#store.rows.map((_, partition) => {
      const leased = fenceOf(partition, keeper.leaseOf(partition)?.fence);
      const episode = `${fenceOf(partition, serving.get(partition)?.fence)}${serving.get(partition)?.isBroken ? 'x' : ''}`;
      return `${held.includes(partition) ? 'h' : ''}${leased}${episode}${fenceOf(partition, told.get(partition))}`;
    });
    const flags = [
      phase,
      backend.isConnected,
      backend.isStuck,
      backend.hasLeft,
      backend.isInRound,
      backend.isWoken,
      Math.min(partitionLimits.unreachableMs, this.passedMs - backend.connectedMs),
    ];
    const calls =
      call === undefined
        ? ''
        : [
            call.name,
            call.name === 'leave' && backend.leavesUnreached,
            call.isLate,
            Math.min(partitionLimits.leaseMs, this.passedMs - call.askedMs),
            answerKey(call, fenceOf),
            call.name === 'release' && backend.released !== undefined
              ? [
                  backend.released.isSettled,
                  ...backend.released.leases.map((one) => [one.partition, fenceOf(one.partition, one.fence)]),
                ]
              : '',
          ].join();
    return [
      `${name}=${flags.join()}`,
      partitions.join(),
      backends,
      calls,
      alarms.map((one) => `${one.name}${this.#left(one.dueMs)}${one.isLate}`).join(),
      draining.map((one) => this.#drainingKey(backend, one)).join(),
      // Nothing waits for a call that is not there.
      (call === undefined ? [] : backend.handingOver)
        .map((one) => `${this.#drainingKey(backend, one)}${one.isSettled}`)
        .join(),
      held.join(),
    ].join('/');
  }

  #drainingKey({ serving }: KeeperBackend, { episodes, isLate, isOver }: Draining): string {
    return [...episodes]
      .map(([partition, episode]) => `${partition}${serving.get(partition) === episode}`)
      .concat(String(isLate), String(isOver))
      .join('+');
  }
}

function answerKey(
  { name, done }: { readonly name: string; readonly done: { readonly answer: unknown } | undefined },
  fenceOf: (partition: number, fence: number) => unknown,
): string {
  if (done === undefined) return 'asked';
  if (name !== 'look') return 'done';
  const { held, surplus, backends } = done.answer as LeaseLook;
  return JSON.stringify([
    held.map(({ partition, fence, isSettled }) => [partition, fenceOf(partition, fence), isSettled]),
    surplus,
    backends,
  ]);
}

const sorted = (texts: readonly string[]): readonly string[] =>
  texts.toSorted((one, other) => (one < other ? -1 : 1));

import type { AmqpAccount } from '../raw-amqp-client.ts';
import { type ProgramChannel, ProgramConnection, type QueueView } from './connection.ts';
import type { Actor, ClientProgram, ProgramStep } from './program.ts';
import { ACTORS, EXCHANGES, QUEUE_EXPIRES_MS, QUEUES, SHORT_TTL_MS } from './program.ts';
import { StepSender } from './steps.ts';

/** What one step brought about, line by line. */
export interface Observation {
  readonly step: string;
  readonly lines: readonly string[];
  /** What the step brings about depends on which of two queues is faster: the comparison ends before it. */
  readonly isOpen: boolean;
}

/** How long a run waits for what no answer announces: each broker has its own processes. */
export interface Patience {
  /** So many rounds of questions in a row must show nothing new. */
  readonly rounds: number;
  readonly pauseMs: number;
}

type Binding = Extract<ProgramStep, { does: 'bind' | 'unbind' }>;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const QUEUE_NUMBERS = [...Array(QUEUES).keys()];
const EXCHANGE_NUMBERS = [...Array(EXCHANGES).keys()];

/** Steps after which no message is ready that was not before. */
const KEEPS_READY: ReadonlySet<ProgramStep['does']> = new Set([
  'declare-exchange',
  'bind',
  'unbind',
  'purge',
  'consume',
  'qos',
  'get',
  'ack',
  'confirm',
  'idle',
]);

/** Runs programs against one broker, one after the other. */
export class ProgramRunner {
  readonly #account: AmqpAccount;
  readonly #janitor: ProgramConnection;

  constructor(account: AmqpAccount, janitor: ProgramConnection) {
    this.#account = account;
    this.#janitor = janitor;
  }

  static async open(account: AmqpAccount): Promise<ProgramRunner> {
    return new ProgramRunner(account, await ProgramConnection.open(account, ''));
  }

  close(): void {
    this.#janitor.cut();
  }

  async run(program: ClientProgram, prefix: string, patience: Patience): Promise<readonly Observation[]> {
    const run = new ProgramRun(this.#account, this.#janitor, program, prefix, patience);
    try {
      return await run.all();
    } finally {
      await run.end();
    }
  }
}

class ProgramRun {
  readonly #account: AmqpAccount;
  readonly #janitor: ProgramConnection;
  readonly #program: ClientProgram;
  readonly #sender: StepSender;
  readonly #prefix: string;
  readonly #patience: Patience;
  readonly #connections: [ProgramConnection | undefined, ProgramConnection | undefined] = [
    undefined,
    undefined,
  ];
  /** Who asks for the length of a queue: whoever declared it last. */
  readonly #watchers = new Map<number, ProgramConnection>();
  #views = new Map<number, QueueView>();
  readonly #bindings: Binding[] = [];
  readonly #hasShortTtl: boolean;
  readonly #expires: boolean;

  constructor(
    account: AmqpAccount,
    janitor: ProgramConnection,
    program: ClientProgram,
    prefix: string,
    patience: Patience,
  ) {
    this.#account = account;
    this.#janitor = janitor;
    this.#program = program;
    this.#sender = new StepSender(program, prefix);
    this.#prefix = prefix;
    this.#patience = patience;
    this.#hasShortTtl =
      program.queues.some(({ args }) => args['x-message-ttl'] === SHORT_TTL_MS) ||
      program.steps.some((step) => step.does === 'publish' && step.expiration === `${SHORT_TTL_MS}`);
    this.#expires = program.queues.some(({ args }) => args['x-expires'] !== undefined);
  }

  async all(): Promise<readonly Observation[]> {
    const prelude: readonly ProgramStep[] = [
      ...EXCHANGE_NUMBERS.map(
        (exchange) => ({ does: 'declare-exchange', by: '0.1', exchange, how: 'same' }) as const,
      ),
      ...QUEUE_NUMBERS.map((queue) => ({ does: 'declare-queue', by: '0.1', queue, how: 'same' }) as const),
    ];
    const seen: Observation[] = [];
    for (const step of [...prelude, ...this.#program.steps]) {
      const observation = await this.#observe(step);
      seen.push(observation);
      if (observation.isOpen) break;
    }
    return seen;
  }

  /** Removes everything that the program has left. */
  async end(): Promise<void> {
    for (const connection of this.#connections) if (connection?.isOpen === true) await connection.close();
    for (const queue of QUEUE_NUMBERS) {
      await this.#janitor.channel(1);
      this.#janitor.send(1, 'queue.delete', { queue: `${this.#prefix}q${queue}` });
      await this.#janitor.synchronize();
    }
    for (const exchange of EXCHANGE_NUMBERS) {
      await this.#janitor.channel(1);
      this.#janitor.send(1, 'exchange.delete', { exchange: `${this.#prefix}x${exchange}` });
      await this.#janitor.synchronize();
    }
  }

  async #observe(drawn: ProgramStep): Promise<Observation> {
    const step = this.#aimed(drawn);
    const [connection, channel] = await this.#actor(step.by);
    for (const each of this.#allChannels()) forgetStep(each);
    const settles = 'requeue' in step || step.does.startsWith('cl') || step.does === 'cut';
    const mayRace = settles && this.#severalDeadLetters(step.by);
    const mayRaceAtEnd = this.#connections.map((each) => each !== undefined && mayRaceAtItsEnd(each));
    // Its length is asked for from now on, by this connection: an exclusive queue answers no other.
    if (step.does === 'declare-queue' && step.how !== 'passive' && !this.#watchers.has(step.queue))
      this.#watchers.set(step.queue, connection);
    if (step.does === 'bind') this.#bindings.push(step);
    await this.#sender.send(step, connection, channel);
    await this.#settle(step);
    const hasRaced = this.#connections.some(
      (each, index) => each?.isOpen === false && mayRaceAtEnd[index] === true,
    );
    const lines = this.#connections.flatMap((each, index) =>
      each === undefined ? [] : wordsOf(each, index),
    );
    for (const [index, each] of this.#connections.entries())
      if (each?.isOpen === false) this.#connections[index === 0 ? 0 : 1] = undefined;
    return {
      step: JSON.stringify(step),
      lines: [...lines, ...[...this.#views].map(([queue, view]) => `~q${queue}: ${view}`)],
      isOpen: mayRace || hasRaced || this.#allChannels().some(({ servedBy }) => servedBy.size > 1),
    };
  }

  async #actor(by: ProgramStep['by']): Promise<[ProgramConnection, ProgramChannel]> {
    const [at, number] = by === '0.1' ? [0, 1] : by === '0.2' ? [0, 2] : by === '1.1' ? [1, 1] : [1, 2];
    const connection = this.#connections[at] ?? (await ProgramConnection.open(this.#account, this.#prefix));
    this.#connections[at] = connection;
    return [connection, await connection.channel(number)];
  }

  /** The step where it has something to do: at a channel that holds deliveries, or has a consumer, or for the last binding. */
  #aimed(step: ProgramStep): ProgramStep {
    const channelOf = (by: Actor) => this.#connections[Number(by[0])]?.channels.get(Number(by[2]));
    const actors = [step.by, ...ACTORS];
    switch (step.does) {
      case 'ack':
      case 'nack':
      case 'reject':
      case 'recover':
      case 'recover-async':
        return { ...step, by: actors.find((by) => (channelOf(by)?.held.size ?? 0) > 0) ?? step.by };
      case 'cancel': {
        const by = actors.find((each) => (channelOf(each)?.consumers.size ?? 0) > 0) ?? step.by;
        const tags = [...(channelOf(by)?.consumers.keys() ?? [])];
        return { ...step, by, tag: tags.includes(step.tag) ? step.tag : (tags[0] ?? step.tag) };
      }
      case 'unbind': {
        const last = this.#bindings.findLast(({ exchange }) => exchange === step.exchange);
        return last === undefined ? step : { ...last, does: 'unbind', by: step.by };
      }
      default:
        return step;
    }
  }

  #allChannels(): readonly ProgramChannel[] {
    return this.#connections.flatMap((each) => [...(each?.channels.values() ?? [])]);
  }

  /** Whether what a connection holds comes from several queues that may dead-letter it at the same time. */
  #severalDeadLetters(by: ProgramStep['by']): boolean {
    const connection = this.#connections[Number(by[0])];
    const queues = new Set(
      [...(connection?.channels.values() ?? [])].flatMap(({ held }) => [...held.values()]),
    );
    const dead = [...queues].filter(
      (queue) => this.#program.queues[Number(queue.at(-1))]?.args['x-dead-letter-exchange'] !== undefined,
    );
    return dead.length > 1;
  }

  async #settle(step: ProgramStep): Promise<void> {
    // What a step has made ready expires before the next one, or never.
    if (this.#hasShortTtl && !KEEPS_READY.has(step.does)) await pause(SHORT_TTL_MS + 20);
    if (step.does === 'idle' && this.#expires) await pause(QUEUE_EXPIRES_MS + 250);
    const { rounds, pauseMs } = this.#patience;
    for (let quiet = 0; quiet < rounds; ) {
      const open = this.#connections.filter((each) => each !== undefined);
      const arrived = () => open.reduce((sum, each) => sum + each.arrived, 0);
      const before = arrived();
      for (const each of open) await each.synchronize();
      const views = await this.#look();
      const isLocked = [...views.values()].includes('405');
      const isSame = JSON.stringify([...views]) === JSON.stringify([...this.#views]);
      this.#views = views;
      quiet = isSame && !isLocked && before === arrived() ? quiet + 1 : 0;
      // Nobody says when the broker has noticed the end of a connection.
      if (isLocked || open.some((each) => !each.isOpen)) await pause(10);
      if (pauseMs > 0) await pause(pauseMs);
    }
  }

  async #look(): Promise<Map<number, QueueView>> {
    const views = new Map<number, QueueView>(QUEUE_NUMBERS.map((queue) => [queue, '404']));
    const byWatcher = new Map<ProgramConnection, Map<number, string>>();
    for (const [queue, watcher] of this.#watchers) {
      const who = watcher.isOpen ? watcher : this.#janitor;
      byWatcher.set(who, (byWatcher.get(who) ?? new Map<number, string>()).set(queue, this.#queue(queue)));
    }
    for (const [watcher, queues] of byWatcher)
      for (const [queue, view] of await watcher.look(queues)) {
        views.set(queue, view);
        if (view === '404') this.#watchers.delete(queue);
      }
    return views;
  }

  #queue(number: number): string {
    return `${this.#prefix}q${number}`;
  }
}

function forgetStep(channel: ProgramChannel): void {
  channel.replies.length = 0;
  channel.deliveries.length = 0;
  channel.notices.length = 0;
  channel.outcomes.clear();
  channel.servedBy.clear();
}

/**
 * Whether at the end of a connection one of its channels may give back what another one takes for good, or several give
 * back to one queue: at RabbitMQ they end one after the other, in any order.
 */
function mayRaceAtItsEnd({ channels }: ProgramConnection): boolean {
  const all = [...channels.values()];
  const takes = all.some(({ consumers }) => [...consumers.values()].some(({ noAck }) => noAck));
  const holders = all.filter(({ held }) => held.size > 0);
  return (takes && holders.length > 0) || holders.length > 1;
}

/** What the channels of a connection received in a step. Answers, deliveries and notices have no common order. */
function wordsOf(connection: ProgramConnection, index: number): readonly string[] {
  const lines = [...connection.channels.values()].flatMap(
    ({ number, replies, deliveries, notices, outcomes }) => {
      const confirms = [...outcomes]
        .sort(([one], [other]) => one - other)
        .map(([tag, outcome]) => `${tag} ${outcome}`);
      // What one channel gives back at the end of a connection may reach another one of it before that ends too.
      return [...replies, ...(connection.isOpen ? deliveries : []), ...notices.sort(), ...confirms].map(
        (line) => `${index}.${number} ${line}`,
      );
    },
  );
  return [
    ...lines,
    ...connection.notices.map((line) => `${index} ${line}`),
    ...(connection.isOpen ? [] : [`${index} has ended`]),
  ];
}

import type { Call } from '../language/calls.ts';
import type { Step } from '../language/scenario.ts';
import { limits } from './limits.ts';
import type { RunRecord } from './record.ts';
import { BULK, type Kept, nameOf, type Planned, requestsOf } from './request.ts';
import type { Answer, Ending, Player, Theatre } from './theatre.ts';

/** The world came to a state in which nothing goes on any more. */
export class RunStuck extends Error {
  override readonly name = 'RunStuck';
}

/** What a step's deed left behind. */
export interface Done {
  /** By the player's number; 0 for a call about no vehicle. */
  readonly answers: ReadonlyMap<number, Answer>;
  readonly outcomes: ReadonlyMap<number, unknown>;
  /** Undefined: nothing lasts. */
  readonly ending?: Ending;
  readonly jobId?: string;
}

/** What calls keep for later ones. */
export class KeptThings implements Kept {
  readonly tokens = new Map<string, string>();
  readonly subscriptions = new Map<string, string>();
  jobId: string | undefined;
  #calls = 0;

  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }
}

/** Carries out what a step does. Resolves when calls are answered and weather is laid. */
export async function doDeed(
  step: Step,
  players: readonly Player[],
  theatre: Theatre,
  kept: KeptThings,
  record: RunRecord,
): Promise<Done> {
  const { does } = step;
  if (does === undefined) return nothing;
  switch (does.kind) {
    case 'vehicle': {
      const outcomes = new Map<number, unknown>();
      for (const player of players) {
        const { refusal, outcome } = await theatre.act(player, does.act);
        outcomes.set(player.number, refusal ?? outcome);
        record.note({
          kind: 'act',
          vehicle: player.number,
          name: does.act.name,
          ...(refusal === undefined ? {} : { refusal }),
        });
      }
      return { ...nothing, outcomes };
    }
    case 'weather':
      return { ...nothing, ending: await theatre.weather(does.weather, players) };
    case 'break':
      return { ...nothing, ending: await theatre.break(does.break, players, step.forMs !== undefined) };
    case 'call':
      return callAll(does.call, players, theatre, kept, record);
    default:
      return does satisfies never;
  }
}

const nothing: Done = { answers: new Map(), outcomes: new Map() };

async function callAll(
  call: Call,
  players: readonly Player[],
  theatre: Theatre,
  kept: KeptThings,
  record: RunRecord,
): Promise<Done> {
  if (call.name === 'token') {
    const { token = '', answer } = await theatre.token(call.as ?? 'owner');
    kept.tokens.set(call.settings, token);
    return { ...nothing, answers: new Map([[0, answer]]) };
  }
  const answers = new Map<number, Answer>();
  const waiting = [...requestsOf(call, players, kept, theatre)];
  const what = nameOf(call);
  const work = async (): Promise<void> => {
    for (let planned = waiting.shift(); planned !== undefined; planned = waiting.shift()) {
      const answer = await askOne(planned, what, theatre, kept, record);
      const number = planned.player?.number ?? 0;
      const before = answers.get(number);
      // Of several answers about one vehicle the one that went wrong is told.
      if (before === undefined || before.status < 400) answers.set(number, answer);
      learn(call, planned, answer, theatre, kept);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.callsAtOnce, waiting.length) }, work));
  return {
    ...nothing,
    answers,
    ...(call.name === 'bulk' && kept.jobId !== undefined ? { jobId: kept.jobId } : {}),
  };
}

async function askOne(
  { player, asked }: Planned,
  what: string,
  theatre: Theatre,
  kept: KeptThings,
  record: RunRecord,
): Promise<Answer> {
  const call = kept.nextCall();
  const about = player === undefined ? {} : { vehicle: player.number };
  record.note({ kind: 'call', call, ...about, what, as: asked.as });
  const answer = await withinPatience(theatre, `${asked.method} ${asked.path}`, theatre.ask(asked));
  const { type, detail } = problemOf(answer.body);
  record.note({
    kind: 'answer',
    call,
    ...about,
    status: answer.status,
    ...(type === undefined ? {} : { problem: type }),
    ...(detail === undefined ? {} : { detail }),
    tookMs: answer.tookMs,
  });
  return answer;
}

/** An answer that never comes would hold the run for ever. */
async function withinPatience(theatre: Theatre, what: string, answer: Promise<Answer>): Promise<Answer> {
  const { time } = theatre;
  return new Promise((resolve, reject) => {
    const takeBack = time.alarm(time.nowMs() + limits.patienceMs, () => {
      reject(new RunStuck(`${what} was not answered within ${limits.patienceMs / 60_000} min.`));
    });
    answer.then((given) => {
      takeBack();
      resolve(given);
    }, reject);
  });
}

/** Remembers what later steps refer to. */
function learn(call: Call, { player }: Planned, answer: Answer, theatre: Theatre, kept: KeptThings): void {
  if (answer.status < 200 || answer.status >= 300) return;
  const { id } = problemOf(answer.body);
  switch (call.name) {
    case 'bulk':
      kept.jobId = id;
      break;
    case 'subscribe':
      if (id !== undefined) kept.subscriptions.set(call.settings.name, id);
      break;
    case 'onboard':
      if (player !== undefined && id !== undefined) theatre.onboarded(player, id);
      break;
    case 'offboard':
      if (player !== undefined) theatre.onboarded(player, '');
      break;
    case 'request':
      if (call.settings.method === 'POST' && call.settings.path === BULK) kept.jobId = id;
      break;
    default:
      break;
  }
}

function problemOf(body: unknown): {
  readonly id?: string;
  readonly type?: string;
  readonly detail?: string;
} {
  if (typeof body !== 'object' || body === null) return {};
  const { id, type, detail } = body as Readonly<Record<string, unknown>>;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
  };
}

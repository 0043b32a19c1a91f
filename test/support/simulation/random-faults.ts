import type { ScenarioDocument } from '../../../scenarios/language/document/problem.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import type { Stream } from '../../../world/random/random.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { failuresOf, playScenario } from './play-scenario.ts';

export interface RandomFaultsSettings {
  readonly seed: number;
  readonly vehicles: number;
  readonly durationMs: number;
}

/** The result of a run. */
export interface RandomFaultsResult {
  /** Hash of the whole trace: equal if two runs are identical, byte by byte. */
  readonly hash: string;
  readonly records: number;
  readonly messages: number;
  /** The number of faults of each kind. */
  readonly faults: Readonly<Record<string, number>>;
  /** Descriptions of what went wrong; empty if nothing did. */
  readonly findings: readonly string[];
}

/**
 * A fleet drives while links are cut, coverage is lost and returns, boxes brown out, and the service crashes and
 * restarts, all at times drawn from the seed. Then all faults end, and every checker runs.
 */
export async function runRandomFaults(settings: RandomFaultsSettings): Promise<RandomFaultsResult> {
  const document = drawScenario(settings);
  const outcome = await playScenario(document);
  const faults: Record<string, number> = {};
  for (const step of document['steps'] as readonly Step[]) {
    const name = nameOf(step);
    faults[name] = (faults[name] ?? 0) + 1;
  }
  const seen = outcome.checkers.find(({ checker }) => checker === 'nothing-doubled')?.text ?? '';
  const [records = 0, messages = 0] = (seen.match(/\d+/g) ?? []).map(Number);
  return { hash: outcome.hash ?? '', records, messages, faults, findings: findingsOf(outcome) };
}

type Step = Readonly<Record<string, unknown>>;

const COMMANDS = [
  'request-system-status',
  'board-reset',
  'modem-reset',
  'unlock-central-lock',
  'lock-central-lock',
  'request-vehicle-state',
] as const;

/** Statuses allowed for a command during faults; 0: the service crashed. 500 would be a bug of the service. */
const ALLOWED_STATUSES: readonly number[] = [0, 200, 204, 409, 504];

function drawScenario({ seed, vehicles, durationMs }: RandomFaultsSettings): ScenarioDocument {
  const chance = seededRandom(seed).stream('rough-hour');
  const steps: Step[] = [];
  for (let atMs = chance.whole(1_000, 20_000); atMs < durationMs; atMs += chance.whole(1_000, 20_000)) {
    const step = drawStep(chance);
    steps.push({ at: `${atMs}ms`, on: { box: chance.whole(1, vehicles) }, ...step });
    if (nameOf(step) === 'crash') atMs += Number.parseInt(String(step['for']), 10);
  }
  return {
    name: 'rough-hour',
    about: 'Boxes, links and service break at any time.',
    seed,
    steps,
    fleet: [{ count: vehicles }],
    always: ['all'],
    limits: { duration: `${durationMs}ms` },
  };
}

function drawStep(chance: Stream): Step {
  const what = chance.whole(0, 99);
  const forMs = (least: number, most: number) => ({ for: `${chance.whole(least, most)}ms` });
  if (what < 35) return { weather: { cut: {} } };
  if (what < 60) return { weather: { coverage: 'none' }, ...forMs(5_000, 300_000) };
  if (what < 72) return { break: { box: { 'brown-out': {} } } };
  if (what < 80) return { weather: { lose: { message: 'puback', count: 1, connection: 'cut' } } };
  if (what < 90) return { call: { command: chance.pick(COMMANDS) } };
  if (what < 97) return { weather: { half_open: {} }, ...forMs(5_000, 200_000) };
  return { break: { backend: { crash: {} } }, ...forMs(500, 30_000) };
}

function nameOf({ weather, break: broken }: Step): string {
  const [part = {}] = Object.values((broken ?? {}) as Record<string, object>);
  return Object.keys((weather as object | undefined) ?? part)[0] ?? 'command';
}

function findingsOf(outcome: RunOutcome): readonly string[] {
  const unexpected = outcome.facts.flatMap((fact) =>
    fact.kind === 'answer' && !ALLOWED_STATUSES.includes(fact.status)
      ? [`call ${fact.call} was answered with ${fact.status}: ${fact.detail ?? ''}`]
      : [],
  );
  const found = outcome.checkers.flatMap(({ checker, findings }) =>
    findings.map(({ text }) => `${checker}: ${text}`),
  );
  return [...failuresOf(outcome), ...unexpected, ...found];
}

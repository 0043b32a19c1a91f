import { describe, expect, test } from 'vitest';
import type { ScenarioDocument } from '../../scenarios/language/document/problem.ts';
import type { Stream } from '../../world/random/random.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { playAndInspect } from '../support/simulation/play-scenario.ts';

interface OnboardingSettings {
  readonly seed: number;
  readonly vehicles: number;
  readonly durationMs: number;
  /** Without faults. */
  readonly isCalm?: boolean;
}

interface Onboarding {
  readonly hash: string;
  /** By vehicle id: its setup as answers told it, repetitions left out, and why it stands as it does in the end. */
  readonly setups: ReadonlyMap<string, { readonly seen: readonly string[]; readonly detail: string }>;
  readonly faults: ReadonlySet<string>;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
}

const OBSTACLES = ['no-vehicle-bus', 'no-gnss', 'low-supply'] as const;
/** Longer than all attempts of a box that stays silent, with their waits. */
const PATIENCE = '90m';

/**
 * Vehicles are onboarded to boxes on the shelf while links are cut, coverage is lost, boxes are reset, installations are
 * faulty, and the service crashes. Every setup must end exactly once.
 */
function onboarding(settings: OnboardingSettings): Promise<Onboarding> {
  const { document, faults } = drawOnboarding(settings);
  return playAndInspect(document, async (evidence, testbed, findings) => {
    const setups = new Map<string, { readonly seen: string[]; readonly detail: string }>();
    for (const vehicle of testbed.vehicles)
      setups.set(vehicle.vehicleId, {
        seen: [],
        detail: (await evidence.setup(vehicle))?.detail ?? 'missing',
      });
    for (const { vehicle, body } of await evidence.calls()) {
      const { id, setup_status: said } = (body ?? {}) as {
        readonly id?: string;
        readonly setup_status?: string;
      };
      const seen = setups.get(vehicle?.vehicleId ?? id ?? '')?.seen;
      if (said !== undefined && seen?.at(-1) !== said) seen?.push(said);
    }
    return { hash: testbed.hash(), setups, faults, findings: [...findings, ...disorder(setups)] };
  });
}

function disorder(setups: Onboarding['setups']): readonly string[] {
  return [...setups].flatMap(([vehicleId, { seen }]) =>
    /^PENDING (RUNNING |PENDING )*(SUCCEEDED|FAILED)$/.test(seen.join(' '))
      ? []
      : [`${vehicleId} went ${seen.join(' ')}`],
  );
}

type Step = Readonly<Record<string, unknown>>;

function drawOnboarding({ seed, vehicles, durationMs, isCalm = false }: OnboardingSettings) {
  const chance = seededRandom(seed).stream('onboarding');
  const steps: Step[] = [];
  const faults = new Set<string>();
  const onboardedMs: number[] = [];
  for (let atMs = 30_000; atMs < durationMs || onboardedMs.length < vehicles; ) {
    const at = `${atMs}ms`;
    if (chance.whole(0, 99) < 30 && onboardedMs.length < vehicles) {
      const ends = { vehicle: { setup_status: { one_of: ['SUCCEEDED', 'FAILED'] } } };
      const does = { call: { onboard: {} }, within: PATIENCE, expect: [{ status: 201 }, ends] };
      steps.push({ at, on: { box: onboardedMs.length + 1 }, ...does });
      onboardedMs.push(atMs);
    }
    // The service is there when a vehicle is made, and answers.
    atMs += chance.whole(1, 4) * 1_000;
    if (isCalm || chance.whole(0, 99) >= 45) continue;
    const { name, step, downMs = 0 } = drawFault(chance);
    faults.add(name);
    steps.push({ at: `${atMs}ms`, on: { box: someBox(chance, vehicles, onboardedMs, atMs) }, ...step });
    atMs += downMs + 500;
  }
  steps.push({ delay: '60s', call: { get: '/vehicles/{vehicle}' }, expect: { status: 200 } });
  const document: ScenarioDocument = {
    name: 'onboarding',
    about: 'Vehicles are onboarded while everything goes wrong.',
    seed,
    steps,
    fleet: [{ count: vehicles, on_shelf: true }],
    always: ['all'],
  };
  return { document, faults };
}

/** Most often one whose setup is under way. */
function someBox(chance: Stream, vehicles: number, onboardedMs: readonly number[], atMs: number): number {
  const busy = onboardedMs.flatMap((fromMs, index) => (atMs - fromMs < 180_000 ? [index + 1] : []));
  const isBusy = chance.whole(0, 99) < 70;
  return busy.length > 0 && isBusy ? chance.pick(busy) : chance.whole(1, vehicles);
}

function drawFault(chance: Stream): { readonly name: string; readonly step: Step; readonly downMs?: number } {
  const what = chance.whole(0, 99);
  const forMs = (ms: number) => ({ for: `${ms}ms` });
  if (what < 20) return { name: 'cut', step: { weather: { cut: {} } } };
  if (what < 45)
    return {
      name: 'coverage',
      step: { weather: { coverage: 'none' }, ...forMs(chance.whole(5_000, 240_000)) },
    };
  if (what < 60) return { name: 'reset', step: { break: { box: { watchdog: {} } } } };
  if (what < 85) {
    const obstacle = chance.pick(OBSTACLES);
    const step = { break: { box: { installation: { obstacle } } }, ...forMs(chance.whole(5_000, 60_000)) };
    return { name: 'fault', step };
  }
  const downMs = chance.whole(500, 30_000);
  return { name: 'crash', step: { break: { backend: { crash: {} } }, ...forMs(downMs) }, downMs };
}

const MINUTE_MS = 60_000;

describe('twenty vehicles that are onboarded to boxes on the shelf', () => {
  test('are set up at the first attempt if nothing goes wrong, or fail for what their installation lacks', async () => {
    const { setups, findings } = await onboarding({
      seed: 3,
      vehicles: 20,
      durationMs: 5 * MINUTE_MS,
      isCalm: true,
    });
    expect(findings).toEqual([]);
    expect(setups.size).toBe(20);
    for (const { seen, detail } of setups.values()) {
      expect(['PENDING RUNNING SUCCEEDED', 'PENDING RUNNING FAILED']).toContain(seen.join(' '));
      // A parked vehicle of a model without a body bus is silent.
      if (seen.at(-1) === 'FAILED') expect(detail).toMatch(/no answer on OBD or CAN|no GNSS fix/);
    }
    expect([...setups.values()].filter(({ seen }) => seen.at(-1) === 'SUCCEEDED').length).toBeGreaterThan(10);
  }, 120_000);

  test.each([21, 22, 23])(
    'each get one result despite cuts, resets, faults and crashes of the service (seed %i)',
    async (seed) => {
      const { setups, findings, faults } = await onboarding({
        seed,
        vehicles: 20,
        durationMs: 15 * MINUTE_MS,
      });
      expect(findings).toEqual([]);
      expect(setups.size).toBe(20);
      expect(faults).toEqual(new Set(['coverage', 'crash', 'cut', 'fault', 'reset']));
    },
    120_000,
  );

  test('have the same results when the run is repeated', async () => {
    const play = () => onboarding({ seed: 24, vehicles: 6, durationMs: 4 * MINUTE_MS });
    const [first, again] = [await play(), await play()];
    expect(again).toEqual(first);
  }, 120_000);
});

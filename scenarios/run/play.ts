import { sleep } from '../../world/time.ts';
import type { Expectation } from '../language/expectations.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import { type Awaited, awaitMet, awaitNever, doneBy } from './await.ts';
import { castOf } from './cast.ts';
import { type Done, doDeed, KeptThings } from './deeds.ts';
import { isPerVehicle, type Judged, judge, type Knowledge } from './judge.ts';
import { limits } from './limits.ts';
import type { ExpectationOutcome } from './outcome.ts';
import type { RunRecord } from './record.ts';
import type { Ending, Player, Theatre } from './theatre.ts';

/** What the steps came to. */
export interface Played {
  readonly startMs: number;
  readonly expectations: readonly ExpectationOutcome[];
}

/** A step while it is played. */
interface Scene {
  readonly step: Step;
  readonly index: number;
  /** Resolves when it is over. */
  readonly over: PromiseWithResolvers<void>;
  players: readonly Player[];
  beganMs: number;
  done: Done | undefined;
  /** When what it laid was in force: undefined while it has not begun; endMs undefined while it goes on. */
  span: { readonly fromMs: number; toMs: number | undefined } | undefined;
}

/**
 * Plays all steps of a scenario in a theatre that has been raised, and takes back at the end what still lasts.
 * Rejects with `RunStuck` where an answer never comes.
 */
export async function playSteps(scenario: Scenario, theatre: Theatre, record: RunRecord): Promise<Played> {
  const { time } = theatre;
  const startMs = time.nowMs();
  record.beganMs = startMs;
  const kept = new KeptThings();
  const chosen = new Map<string, readonly Player[]>();
  const endings = new Set<Ending>();
  const scenes = scenario.steps.map(
    (step, index): Scene => ({
      step,
      index,
      over: Promise.withResolvers<void>(),
      players: [],
      beganMs: 0,
      done: undefined,
      span: undefined,
    }),
  );
  const labelled = new Map(
    scenes.flatMap((one) => (one.step.label === undefined ? [] : [[one.step.label, one]])),
  );

  const cue = async ({ step: { when }, index }: Scene): Promise<void> => {
    if ('atMs' in when) return sleep(time, Math.max(0, startMs + when.atMs - time.nowMs()));
    if ('after' in when) await labelled.get(when.after)?.over.promise;
    else await Promise.all(scenes.slice(0, index).map(({ over }) => over.promise));
    if (when.delayMs > 0) await sleep(time, when.delayMs);
    return undefined;
  };

  /** When weather was laid or taken back for the last time, or something broke or was mended. */
  let faultMs = Number.NEGATIVE_INFINITY;
  const noteFault = ({ does }: Step): void => {
    if (does?.kind === 'weather' || does?.kind === 'break') faultMs = time.nowMs();
  };

  const perform = async (scene: Scene): Promise<void> => {
    const { step, index } = scene;
    await cue(scene);
    scene.beganMs = time.nowMs();
    scene.players = castOf(step.on, theatre.players, chosen, theatre.random, step.label ?? `${index}`);
    if (step.label !== undefined) chosen.set(step.label, scene.players);
    record.note({ kind: 'step', step: index, phase: 'begins' });
    noteFault(step);
    const doing = doDeed(step, scene.players, theatre, kept, record).then((done) => {
      noteFault(step);
      scene.done = done;
    });
    const acting = doing.then(() => last(scene, scene.done?.ending));
    await Promise.all([acting, ...watchAll(scene, doing)]);
    record.note({ kind: 'step', step: index, phase: 'ends' });
    scene.over.resolve();
  };

  /** What lasts with a `for` ends after it; without one it stays until the end of the run. */
  const last = async (scene: Scene, ending: Ending | undefined): Promise<void> => {
    if (ending === undefined) return;
    const span = { fromMs: time.nowMs(), toMs: undefined as number | undefined };
    scene.span = span;
    const end = async (): Promise<void> => {
      if (!endings.delete(end)) return;
      await ending();
      noteFault(scene.step);
      span.toMs = time.nowMs();
    };
    endings.add(end);
    if (scene.step.forMs === undefined) return;
    await sleep(time, scene.step.forMs);
    await end();
  };

  const knowledge = (scene: Scene): Knowledge => ({
    theatre,
    answerOf: (label, player) => {
      const of = label === undefined ? scene : labelled.get(label);
      return of?.done?.answers.get(player?.number ?? 0) ?? of?.done?.answers.get(0);
    },
    outcomeOf: (player) => scene.done?.outcomes.get(player.number),
    messages: (player) => record.messages(player.vehicleId, messagesFromMs(scene)),
    spansOf: (label) =>
      scenes
        .filter(({ step }) => step.label === label || step.does?.kind === label)
        .flatMap(({ span }) =>
          span === undefined ? [] : [{ fromMs: span.fromMs, toMs: span.toMs ?? time.nowMs() }],
        ),
    jobId: (label) => (label === undefined ? kept.jobId : labelled.get(label)?.done?.jobId),
  });

  /**
   * A message that the step's own deed causes, or that comes while it waits. Where it is about a fault, also one that
   * came since the fault began: it may have arrived before this step did.
   */
  const messagesFromMs = (scene: Scene): number => {
    const about = [...scene.step.expect, ...scene.step.never].flatMap((one) =>
      one.kind === 'message' && one.with?.occurred_during !== undefined ? [one.with.occurred_during] : [],
    );
    const starts = scenes.flatMap(({ step, span }) =>
      span !== undefined && about.some((label) => step.label === label || step.does?.kind === label)
        ? [span.fromMs]
        : [],
    );
    return Math.min(scene.beganMs, ...starts);
  };

  /**
   * What was so before is not what came of it: looked at when the step's deed is done, and a fault has had time to be
   * noticed; for the last time `withinMs` behind the beginning of the step all the same.
   */
  const whenDone = async ({ beganMs, step: { withinMs } }: Scene, doing: Promise<void>): Promise<void> => {
    const deadlineMs = beganMs + withinMs;
    await doneBy(time, deadlineMs, doing);
    const firstMs = Math.min(faultMs + limits.noticeMs, deadlineMs);
    if (time.nowMs() < firstMs) await sleep(time, firstMs - time.nowMs());
  };

  const watchAll = (scene: Scene, doing: Promise<void>): readonly Promise<void>[] => {
    const { expect, never } = scene.step;
    return [
      ...expect.map((one) => ({ one, isNever: false })),
      ...never.map((one) => ({ one, isNever: true })),
    ].flatMap(({ one, isNever }, expectation) => {
      const cast = casts(scene, one);
      if (cast.length === 0 && !isNever) {
        // Nobody to be right about would be right for ever: a wrong selection must not pass.
        const text = `${one.kind}: the step selects no vehicle`;
        tell(scene, expectation, isNever, undefined, { isMet: false, text, atMs: time.nowMs() });
      }
      return cast.map(async (player) => {
        const look = (): Promise<Judged> => judge(one, player, knowledge(scene));
        const wait = isNever ? awaitNever : awaitMet;
        if (!isNever && mayHoldBefore(one)) await whenDone(scene, doing);
        const leftMs = Math.max(0, scene.beganMs + scene.step.withinMs - time.nowMs());
        tell(scene, expectation, isNever, player, await wait(time, leftMs, look));
      });
    });
  };

  /** An answer to a call about no vehicle is expected once, however many the step selects. */
  const casts = (scene: Scene, expectation: Step['expect'][number]): readonly (Player | undefined)[] => {
    if (!isPerVehicle(expectation)) return [undefined];
    if (expectation.kind === 'answer' || expectation.kind === 'took') {
      const { does } = (expectation.kind === 'answer' && expectation.of !== undefined
        ? labelled.get(expectation.of)?.step
        : scene.step) ?? { does: undefined };
      if (does?.kind === 'call' && isOnce(does.call)) return [undefined];
    }
    return scene.players;
  };

  const tell = (
    { step, index }: Scene,
    expectation: number,
    isNever: boolean,
    player: Player | undefined,
    { isMet, text, atMs }: Awaited,
  ): void => {
    const vehicle = player === undefined ? {} : { vehicle: player.number };
    record.note({ kind: 'expectation', step: index, expectation, ...vehicle, isMet, text });
    record.judged({
      step: index,
      ...(step.label === undefined ? {} : { label: step.label }),
      expectation,
      isNever,
      ...vehicle,
      isMet,
      atMs,
      text,
    });
  };

  await Promise.all(scenes.map(perform));
  const { durationMs = 0 } = scenario.limits;
  await sleep(time, Math.max(0, startMs + durationMs - time.nowMs()));
  for (const end of [...endings]) await end();
  return { startMs, expectations: record.expectations };
}

/** Whether it can be so without what the step does: neither an answer nor a new message can. */
function mayHoldBefore({ kind }: Expectation): boolean {
  return kind !== 'answer' && kind !== 'took' && kind !== 'phone' && kind !== 'message';
}

/** A call that is one request, whoever is selected. */
function isOnce(call: Extract<Step['does'], { readonly kind: 'call' }>['call']): boolean {
  switch (call.name) {
    case 'bulk':
    case 'token':
    case 'subscribe':
    case 'unsubscribe':
      return true;
    case 'get':
      return !/\{(?:vehicle|box)\}/.test(call.settings);
    case 'request':
      return !/\{(?:vehicle|box)\}/.test(call.settings.path);
    default:
      return false;
  }
}

import { pause } from '../../deployment/shared/pause.ts';
import { type Act, type Episode, roundOf } from '../../judge/client/episodes.ts';
import type { PointName } from '../../judge/client/points.ts';
import { errorText } from '../../world/error-text.ts';
import type { Stream } from '../../world/random/random.ts';
import type { Time } from '../../world/time/time.ts';
import { perform, type Stage } from './act.ts';
import type { EventLog } from './event-log.ts';
import { limits } from './limits.ts';

/** What a run is played with. */
export interface PlayParts {
  readonly stage: Stage;
  readonly log: EventLog;
  readonly time: Time;
  readonly chance: Stream;
  /** Absent: every episode. */
  readonly only: readonly PointName[] | undefined;
  /** No round begins after that time, except the first. */
  readonly lengthMs: number;
  /** When the quota of the client is renewed. */
  quotaResetMs(): number | undefined;
  /** Ends the run early. */
  readonly ended: AbortSignal;
  /** The progress, a line each. */
  tell(line: string): void;
}

/** Plays the episodes, round after round, and a calm time after them. Resolves at the end, or soon after `ended`. */
export async function play(parts: PlayParts): Promise<void> {
  const { time, ended, only } = parts;
  const startMs = time.nowMs();
  do {
    const { inTurn, byQuota } = roundOf(only, () => parts.chance.fraction());
    const due = [...byQuota];
    for (const episode of inTurn) {
      const [next] = due;
      if (next !== undefined && isQuotaNear(parts, episode)) {
        due.shift();
        await playByQuota(parts, next);
      }
      await playEpisode(parts, episode);
    }
    for (const episode of due) await playByQuota(parts, episode);
  } while (!ended.aborted && time.nowMs() - startMs < parts.lengthMs);
  const calmMs = Math.max(limits.calmMs, startMs + limits.shortestRunMs - time.nowMs());
  await pause(parts, calmMs);
}

/** Whether the quota is renewed during this episode, or too soon after it. */
function isQuotaNear({ time, quotaResetMs }: PlayParts, { lengthS }: Episode): boolean {
  const leftMs = (quotaResetMs() ?? Number.POSITIVE_INFINITY) - time.nowMs();
  return leftMs >= limits.quotaLeadMs && leftMs < limits.quotaLeadMs + lengthS * 1_000 + limits.pauseMs;
}

/** Waits until the quota is renewed so soon that its Retry-After is short. A client without a request has none. */
async function playByQuota(parts: PlayParts, episode: Episode): Promise<void> {
  const resetMs = parts.quotaResetMs();
  if (resetMs === undefined) return;
  await pause(parts, resetMs - limits.quotaLeadMs - parts.time.nowMs());
  await playEpisode(parts, episode);
}

async function playEpisode(parts: PlayParts, episode: Episode): Promise<void> {
  const { log, ended, tell } = parts;
  if (ended.aborted) return;
  tell(`${episode.name}: ${episode.about}`);
  log.add({ kind: 'episode', name: episode.name, phase: 'begin' });
  await performAll(parts, episode, episode.begin);
  await pause(parts, episode.lengthS * 1_000);
  await performAll(parts, episode, episode.end);
  log.add({ kind: 'episode', name: episode.name, phase: 'end' });
  await pause(parts, limits.pauseMs);
}

/** A refusal does not end the run: its effect is then not observed. */
async function performAll(
  { stage, tell }: PlayParts,
  { name, lengthS }: Episode,
  acts: readonly Act[],
): Promise<void> {
  for (const act of acts) {
    await perform(stage, act, lengthS).catch((error: unknown) => {
      tell(`${name} could not be caused: ${errorText(error)}`);
    });
  }
}

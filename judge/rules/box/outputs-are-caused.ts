import { REQUEST_KINDS } from '../../checkers.ts';
import type { BoxHistory, OutputMove } from '../../evidence/box-history.ts';
import type { ClockError } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { Checker } from '../check.ts';
import { type RequestRecording, readRequests } from '../commands/request-recording.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { judgeImmobilizer, mayImmobilize } from './automatic-immobilizer.ts';
import { mostErrorMs } from './box-moments.ts';
import { movesOf, movesOfAction } from './command-moves.ts';

/** A request to move parts of the vehicle, and its time span. */
interface Cause {
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly parts: ReadonlyMap<string, boolean>;
}

/**
 * Checks each move of the outputs against its possible causes: a command that has not expired, by the true time, or a
 * phone in range. The one exception is the automatic immobilizer, which has its own time. What is put back was moved
 * before.
 */
export const outputsAreCaused: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const times = new RunTimes(scope);
  const findings = new Findings();
  const isWireWhole = evidence.unrecorded().frames === 0;
  let moves = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const history = evidence.boxHistory(vehicle);
    moves += history.moves.length;
    const requests = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    const causes = causesOf(requests, history, evidence.clockErrors(vehicle));
    if (isWireWhole && history.isWhole)
      for (const move of history.moves) judge(vehicle, move, causes, history, findings);
    judgeImmobilizer(vehicle, evidence, causes, times, findings);
  }
  return findings.result([[moves, 'move']]);
};

function causesOf(
  { requests }: RequestRecording,
  { phones }: BoxHistory,
  clocks: readonly ClockError[],
): readonly Cause[] {
  const ofCommands = [...requests.values()].flatMap(({ requestId, command, sentMs, expiresMs }): Cause[] => {
    const parts = movesOf(command);
    if (parts.size === 0) return [];
    const slackMs = Math.max(limits.boxClockMs, mostErrorMs(clocks, sentMs, expiresMs));
    return [{ what: `${command}, request ${requestId}`, fromMs: sentMs, toMs: expiresMs + slackMs, parts }];
  });
  const ofPhones = phones.flatMap(({ askedMs, action, token, outcome }): Cause[] => {
    // A refused or hindered request moves nothing.
    if (outcome === 'refused' || outcome === 'hindered') return [];
    const toMs = askedMs + limits.phoneWaitsMs + limits.accessMs + limits.boxClockMs;
    return [{ what: `${action}, token ${token.id}`, fromMs: askedMs, toMs, parts: movesOfAction(action) }];
  });
  return [...ofCommands, ...ofPhones];
}

function judge(
  vehicle: SimulatedVehicle,
  move: OutputMove,
  causes: readonly Cause[],
  { moves, memories }: BoxHistory,
  findings: Findings,
): void {
  const { atMs, part, to } = move;
  const about = { vehicle, atMs };
  const what = `${part} to ${String(to)} in ${nameOf(vehicle)}`;
  const open = causes.filter((one) => one.parts.has(part) && one.fromMs <= atMs && atMs <= one.toMs);
  if (open.some(({ parts }) => parts.get(part) === to)) return;
  if (part === 'drivingEnabled' && !to && (open.length === 0 || mayImmobilize(memories, atMs))) return;
  if (open.length === 0) {
    const last = causes.findLast((one) => one.parts.has(part) && one.toMs < atMs);
    const after =
      last === undefined ? '' : `; the last was ${last.what}, over ${(atMs - last.toMs) / 1_000} s before`;
    findings.add('moved for nobody', `${what}: nobody had asked for it${after}`, about);
    return;
  }
  // Putting back is allowed only for parts that were moved for the same cause.
  const hasMoved = open.some(({ fromMs, parts }) =>
    moves.some(
      (one) =>
        one.part === part &&
        one.atMs >= fromMs &&
        one.atMs <= atMs &&
        one.to === parts.get(part) &&
        one.before === to &&
        one.isAccepted,
    ),
  );
  if (!hasMoved)
    findings.add(
      'put back what had not been moved',
      `${what}, for ${open.map((one) => one.what).join(', ')}`,
      about,
    );
}

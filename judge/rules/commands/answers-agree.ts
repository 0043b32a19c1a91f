import { COMMAND_ACTIONS } from '../../../simulator/firmware/commands/command-actions.ts';
import { REQUEST_KINDS } from '../../checkers.ts';
import type { BoxHistory } from '../../evidence/box-history.ts';
import type { AnsweredCall, OutputAction } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { movesOf } from '../box/command-moves.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { type RequestRecording, readRequests, type SeenRequest } from './request-recording.ts';

const COMMAND = /^\/vehicles\/[^/]+\/(?:box-)?commands\/([a-z-]+)$/;

/** Details of a 504 in which the service says for certain that nothing was done. */
const CERTAIN = /did not connect|was not sent|was not carried out/;

/** A 404 that is no refusal before the command: its detail states the outcome of the request. */
const OFFBOARDED_MEANWHILE = /was offboarded while the request was carried out/;

/**
 * Compares each answer to a command with the wire and with the box's own log. 200 and 204: one of the requests that
 * were sent meanwhile was answered `done`, and moved the outputs if the command does. After a reset in between the box
 * answers by their state: then the physics must agree. A refusal (4xx), and a 504 (or a 404 of a vehicle that was
 * offboarded meanwhile) that says that nothing was done: no request that can only be this call's was carried out. Any
 * other 504 or such 404, a 5xx and an answer that never came may be either.
 */
export const answersAgree: Checker = async ({ evidence, vehicles }) => {
  const findings = new Findings();
  const isWireWhole = evidence.unrecorded().frames === 0;
  const byPlayer = new Map<number, AnsweredCall[]>();
  for (const call of await evidence.calls()) {
    if (call.vehicle?.boxId === undefined || call.method !== 'POST' || !COMMAND.test(call.path)) continue;
    const of = byPlayer.get(call.vehicle.number) ?? [];
    byPlayer.set(call.vehicle.number, of);
    of.push(call);
  }
  let count = 0;
  for (const vehicle of vehicles) {
    const calls = byPlayer.get(vehicle.number);
    if (calls === undefined) continue;
    const recording = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    const acted = await evidence.outputActions(vehicle);
    const boots = bootsOf(evidence.boxHistory(vehicle));
    const stoodAfterBoot = (command: string, fromMs: number, toMs: number): boolean => {
      const bootMs = boots === undefined ? fromMs : boots.find((atMs) => atMs >= fromMs && atMs <= toMs);
      return (
        bootMs !== undefined && stoodSo(movesOf(command), evidence.truthsBetween(vehicle, bootMs, toMs) ?? [])
      );
    };
    count += calls.length;
    const judged = isWireWhole ? judgeCalls(vehicle, calls, recording, acted, stoodAfterBoot) : [];
    for (const { text, kind, atMs } of judged) findings.add(kind, text, { vehicle, atMs });
  }
  return isWireWhole
    ? findings.result([[count, 'answer']])
    : nothingCompared('the recording of frames was full, and absence proves nothing');
};

interface AnswerDisagreement {
  readonly kind: string;
  readonly text: string;
  readonly atMs: number;
}

function judgeCalls(
  vehicle: SimulatedVehicle,
  calls: readonly AnsweredCall[],
  recording: RequestRecording,
  acted: readonly OutputAction[],
  /** Whether the box booted within that time, and the outputs then were as after the command. */
  stoodAfterBoot: (command: string, fromMs: number, toMs: number) => boolean,
): readonly AnswerDisagreement[] {
  const moved = new Set(acted.map(({ requestId }) => requestId));
  const requests = [...recording.requests.values()];
  const found: AnswerDisagreement[] = [];
  /** Requests that a success has claimed: two successes need two. */
  const claimed = new Set<string>();
  // Calls choose in the order of their answers: an earlier call may have had to wait for its turn.
  const inOrder = calls.toSorted(
    (a, b) => Number(isSuccess(b)) - Number(isSuccess(a)) || a.answeredMs - b.answeredMs,
  );
  for (const call of inOrder) {
    const command = COMMAND.exec(call.path)?.[1] ?? '';
    const own = requests.filter((one) => isDuring(one, call, command));
    const what = `${call.status} to call ${call.call}, ${command}, of ${nameOf(vehicle)}`;
    const report = (kind: string, why: string) =>
      found.push({ kind, text: `${what}: ${why}`, atMs: call.answeredMs });
    if (isSuccess(call)) {
      const done = own.find(({ requestId }) => {
        const reply = recording.replies.get(requestId);
        return !claimed.has(requestId) && reply?.outcome === 'done' && reply.atMs <= call.answeredMs;
      });
      if (done === undefined)
        report('a success that was none', `the box had not answered ${idsOf(own)} with 'done'`);
      else {
        claimed.add(done.requestId);
        const hasMoved = moved.has(done.requestId) || stoodAfterBoot(command, done.sentMs, call.answeredMs);
        if (movesOutputs(command) && !hasMoved)
          report('a success that moved nothing', `the outputs of the box did not move at ${idsOf([done])}`);
      }
    } else if (isRefusal(call)) {
      for (const request of own) {
        const { requestId } = request;
        const isOnlyIts = calls.every((other) => other === call || !isDuring(request, other, command));
        const isDone =
          moved.has(requestId) ||
          (!movesOutputs(command) && recording.replies.get(requestId)?.outcome === 'done');
        if (isOnlyIts && isDone)
          report(
            'a refusal that was carried out',
            `the box carried request ${requestId} out (${call.detail ?? ''})`,
          );
      }
    }
  }
  return found;
}

/** When the box booted; undefined: not all of it is known. */
function bootsOf({ memories, isWhole }: BoxHistory): readonly number[] | undefined {
  if (!isWhole) return undefined;
  return memories.flatMap(({ atMs, boot }, index) => {
    const before = memories[index - 1];
    return before !== undefined && before.boot !== boot ? [atMs] : [];
  });
}

/** At one of these moments, or it is unknown. What is not part of the truth, such as lights, proves nothing. */
function stoodSo(
  moves: ReadonlyMap<string, boolean>,
  truths: readonly Readonly<Record<string, unknown>>[],
): boolean {
  const isSo = (truth: Readonly<Record<string, unknown>>): boolean =>
    [...moves].every(([part, to]) => truth[part] === undefined || truth[part] === to);
  return truths.length === 0 || truths.some(isSo);
}

function isSuccess({ status }: AnsweredCall): boolean {
  return status === 200 || status === 204;
}

function isRefusal({ status, detail = '' }: AnsweredCall): boolean {
  if (status === 504 || OFFBOARDED_MEANWHILE.test(detail)) return CERTAIN.test(detail);
  return status >= 400 && status < 500;
}

function isDuring(
  { command, sentMs }: SeenRequest,
  { askedMs, answeredMs, path }: AnsweredCall,
  name: string,
): boolean {
  return command === name && path.endsWith(`/${name}`) && sentMs >= askedMs && sentMs <= answeredMs;
}

function movesOutputs(command: string): boolean {
  return (
    Object.hasOwn(COMMAND_ACTIONS, command) &&
    COMMAND_ACTIONS[command as keyof typeof COMMAND_ACTIONS].do === 'actuate'
  );
}

function idsOf(requests: readonly SeenRequest[]): string {
  return requests.length === 0
    ? 'any request: none crossed the wire'
    : requests.map(({ requestId }) => `request ${requestId}`).join(' or ');
}

import { REQUEST_KINDS } from '../../checkers.ts';
import type { BoxHistory, PhoneQuestion } from '../../evidence/box-history.ts';
import type { ClockError } from '../../evidence/evidence.ts';
import type { Fact } from '../../evidence/fact.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { counted } from '../../wording.ts';
import type { Checker, CheckScope } from '../check.ts';
import { type RequestRecording, readRequests } from '../commands/request-recording.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { errorsBetween, memoriesBetween } from './box-moments.ts';
import { movesOfAction } from './command-moves.ts';

/** What is known of one vehicle when a phone's request is judged. */
interface PhoneScene {
  readonly vehicle: SimulatedVehicle;
  readonly history: BoxHistory;
  readonly clocks: readonly ClockError[];
  /** When the box entered a session. */
  readonly readyMs: readonly number[];
  /** The setups in another vehicle: when they were requested, and when they were seen done. */
  readonly setups: readonly { readonly sentMs: number; readonly doneMs: number }[];
  readonly truths: (question: PhoneQuestion) => readonly Readonly<Record<string, unknown>>[];
}

/**
 * Compares answers to phones with the issued tokens and the physics: what a token does not allow is not done, what it
 * allows is not refused, and a reported hindrance existed. The rules are those of docs/bluetooth.md; nothing of the
 * firmware is used.
 */
export const phonesAreEntitled: Checker = async (scope) => {
  const findings = new Findings();
  let asked = 0;
  for (const vehicle of scope.vehicles) {
    if (vehicle.boxId === undefined) continue;
    const history = scope.evidence.boxHistory(vehicle);
    if (history.phones.length === 0) continue;
    asked += history.phones.length;
    const requests = await readRequests(scope.evidence.frames(vehicle, REQUEST_KINDS));
    const scene = sceneOf(scope, vehicle, history, requests);
    for (const question of history.phones) judge(scene, question, findings);
  }
  return findings.result([[asked, 'question']]);
};

function sceneOf(
  { evidence, facts }: CheckScope,
  vehicle: SimulatedVehicle,
  history: BoxHistory,
  { requests, replies }: RequestRecording,
): PhoneScene {
  const setups = [...requests.values()].flatMap(({ requestId, command, sentMs }) => {
    const reply = replies.get(requestId);
    return command === 'begin-setup' && reply?.outcome === 'done' ? [{ sentMs, doneMs: reply.atMs }] : [];
  });
  return {
    vehicle,
    history,
    setups,
    clocks: evidence.clockErrors(vehicle),
    readyMs: facts.filter((fact) => isReadyFact(fact, vehicle)).map(({ atMs }) => atMs),
    truths: ({ askedMs, answeredMs }) =>
      evidence.truthsBetween(vehicle, askedMs - limits.outputSlackMs, answeredMs) ?? [],
  };
}

function isReadyFact(fact: Fact, { number }: SimulatedVehicle): boolean {
  return fact.kind === 'connectivity' && fact.vehicle === number && fact.state === 'ready';
}

function judge(scene: PhoneScene, question: PhoneQuestion, findings: Findings): void {
  const { vehicle } = scene;
  const { action, outcome, askedMs: atMs, token, detail } = question;
  const what = `${action} with token ${token.id} in ${nameOf(vehicle)}`;
  const about = { vehicle, atMs };
  if (outcome === 'done') {
    for (const reason of reasonsAgainst(scene, question))
      findings.add('done without a right', `${what}: ${reason}`, about);
    const truths = scene.truths(question);
    if (
      !MAY_MOVE.has(action) &&
      truths.length > 0 &&
      truths.every(({ speedKph }) => Number(speedKph) >= limits.tellableSpeedKph)
    )
      findings.add('done in a moving vehicle', what, about);
    const undone = undoneOf(question, truths);
    if (undone !== undefined) findings.add('done, and it is not so', `${what}: ${undone}`, about);
  } else if (outcome === 'refused' && !mayBeRefused(scene, question))
    findings.add('refused without a reason', `${what}: ${detail}`, about);
  else if (outcome === 'hindered' && !wasHindered(scene, question))
    findings.add('hindered by nothing', `${what}: ${detail}`, about);
}

/**
 * The parts that were at no moment in the requested state, in words; undefined: none. With a broken sensor the box
 * cannot know.
 */
function undoneOf(
  { action }: PhoneQuestion,
  truths: readonly Readonly<Record<string, unknown>>[],
): string | undefined {
  const asked = [...movesOfAction(action)].filter(([part]) =>
    truths.every((truth) => truth[part] !== undefined && !isBroken(truth, part)),
  );
  if (truths.length === 0 || truths.some((truth) => asked.every(([part, to]) => truth[part] === to))) return;
  return asked.map(([part, to]) => `${part} was never ${String(to)}`).join(', ');
}

function isBroken({ sensors }: Readonly<Record<string, unknown>>, part: string): boolean {
  return typeof sensors === 'object' && sensors !== null && part in sensors;
}

/** What a phone may request while driving: a restart must stay possible. */
const MAY_MOVE: ReadonlySet<string> = new Set(['enable-driving']);

/** Why that action was not allowed. */
function reasonsAgainst(scene: PhoneScene, question: PhoneQuestion): readonly string[] {
  const { action, askedMs, answeredMs, token } = question;
  const { clocks, readyMs, setups, history } = scene;
  const reasons: string[] = [];
  if (!token.isGenuine) reasons.push('the token is not genuine');
  if (token.boxId !== scene.vehicle.boxId) reasons.push('the token is for another box');
  if (!token.allows.includes(action)) reasons.push('the token does not allow it');
  const errors = errorsBetween(clocks, askedMs, answeredMs);
  if (errors.length > 0 && errors.every((error) => error === undefined))
    reasons.push('the box did not know the time');
  // A clock that has jumped back cannot tell.
  const earliestMs = askedMs + Math.min(0, ...errors.map((error) => error ?? 0)) - limits.clockSlackMs;
  if (earliestMs > token.expiresMs)
    reasons.push(`the token expired ${(askedMs - token.expiresMs) / 1_000} s before`);
  const { withdrawnMs } = token;
  if (withdrawnMs !== undefined && hasHeard(scene, withdrawnMs, askedMs, readyMs))
    reasons.push('the token was withdrawn, and the box had been in a session since');
  if (setups.some(({ sentMs, doneMs }) => token.issuedMs < sentMs - limits.boxClockMs && doneMs < askedMs))
    reasons.push("the token is of the box's last vehicle");
  const done = usesOf(history, question, ['done']).filter(({ askedMs: atMs }) => atMs < askedMs).length;
  if (done >= token.uses)
    reasons.push(`the token was for ${counted(token.uses, 'use')}, and ${done} were made`);
  return reasons;
}

/** Whether the box was in a session when the token was withdrawn, or entered one in time before the request. */
function hasHeard(
  { history }: PhoneScene,
  withdrawnMs: number,
  askedMs: number,
  readyMs: readonly number[],
): boolean {
  const wiped = new Set(memoriesBetween(history.memories, withdrawnMs, askedMs).map(({ epoch }) => epoch))
    .size;
  if (wiped > 1) return false;
  return readyMs.some((atMs) => atMs > withdrawnMs && atMs < askedMs - limits.boxClockMs);
}

/**
 * Earlier uses of the token, or concurrent ones by another phone, with one of these outcomes, since the flash was last
 * wiped.
 */
function usesOf(
  { phones, memories }: BoxHistory,
  question: PhoneQuestion,
  outcomes: readonly PhoneQuestion['outcome'][],
): readonly PhoneQuestion[] {
  const { askedMs, token } = question;
  const epochAt = (atMs: number) => memories.findLast((one) => one.atMs <= atMs)?.epoch;
  const epoch = epochAt(askedMs);
  return phones.filter(
    (one) =>
      one !== question &&
      one.token.id === token.id &&
      one.askedMs <= askedMs &&
      outcomes.includes(one.outcome) &&
      epochAt(one.askedMs) === epoch,
  );
}

/** Whether there was any documented reason to refuse that. */
function mayBeRefused(scene: PhoneScene, question: PhoneQuestion): boolean {
  const { action, askedMs, answeredMs, token } = question;
  const { history, clocks } = scene;
  if (!token.isGenuine || token.boxId !== scene.vehicle.boxId || !token.allows.includes(action)) return true;
  if (token.withdrawnMs !== undefined && token.withdrawnMs <= answeredMs) return true;
  const then = memoriesBetween(history.memories, askedMs, answeredMs);
  const errors = errorsBetween(clocks, askedMs, answeredMs);
  if (then.length === 0 || then.some(({ knowsTime }) => !knowsTime) || errors.includes(undefined))
    return true;
  // It uses the latest possible time.
  const aheadMs = Math.max(0, ...errors.map((error) => error ?? 0)) + limits.tokenEarlyMs;
  if (answeredMs + aheadMs > token.expiresMs) return true;
  // Of two concurrent requests either may be the first.
  if (usesOf(history, question, ['done', 'failed', 'silent']).length >= token.uses) return true;
  if (new Set(history.phones.map((one) => one.token.id)).size > limits.tokensOfABox) return true;
  const errorMs = Math.max(0, ...clocks.map((one) => Math.abs(one.errorMs ?? 0))) + limits.boxClockMs;
  const setUpMs = history.memories.filter(({ isSettingUp }) => isSettingUp).at(-1)?.atMs;
  return setUpMs !== undefined && token.issuedMs < setUpMs + limits.setupMs + errorMs;
}

/** Whether the physics confirm the reported hindrance; hindrances within the box are not checked. */
function wasHindered(scene: PhoneScene, question: PhoneQuestion): boolean {
  const truths = scene.truths(question);
  if (truths.length === 0) return true;
  switch (question.detail) {
    case 'the vehicle is moving':
      return truths.some(({ speedKph }) => Number(speedKph) > 0);
    case 'a door is open':
      return truths.some(({ doorOpen, anyDoorOpen }) => doorOpen === true || anyDoorOpen === true);
    case 'the top case is open':
      return truths.some(({ topCaseOpen }) => topCaseOpen === true);
    default:
      return true;
  }
}

import { CommandError } from '../../../deployment/shared/command-error.ts';
import {
  kindsIn,
  type LastingState,
  lastingStatesOf,
  reaches,
} from '../../../scenarios/causes/lasting-state.ts';
import { valueAt } from '../../../world/json.ts';
import { type CallSimulator, simulatorRefusal } from '../../shared/simulator-client.ts';
import { faultWords } from './actions.ts';
import type { ActiveFault } from './active-faults.ts';

/** What is to be undone. */
export interface UndoWish {
  /** As it was typed: a vehicle, or `all`. */
  readonly vehicle: string;
  /** The box as the control API describes it; undefined: of all. */
  readonly box: unknown;
  /** An action as it was typed; undefined: every one. */
  readonly kind: string | undefined;
  readonly isJson: boolean;
}

/**
 * Ends the active faults of one vehicle alone, or of all, and what an action or `provoke` has left behind in the vehicle.
 * Throws a `CommandError` where there is nothing of it, or the simulator refuses.
 */
export async function undo(
  call: CallSimulator,
  wish: UndoWish,
  active: readonly ActiveFault[],
): Promise<void> {
  const meant = faultsMeant(wish, active);
  for (const one of meant) {
    const answer = await call('DELETE', `/faults/${one.id}`);
    if (answer.status >= 400) throw new CommandError(simulatorRefusal(answer), 1);
    const whose = wish.box === undefined ? await nameOf(call, one) : wish.vehicle;
    tell(wish, answer.body, `${whose}: ${faultWords(one.fault)} has ended`);
  }
  const ended =
    wish.box === undefined
      ? 0
      : await endStates(
          call,
          wish,
          active.filter((one) => !meant.includes(one)),
        );
  if (meant.length + ended === 0) throw new CommandError(nothingToUndo(wish, active));
}

/** A fault of others too goes on for them: it is removed where "all" is named. */
function faultsMeant(wish: UndoWish, active: readonly ActiveFault[]): readonly ActiveFault[] {
  const isOwn = ({ boxes }: ActiveFault): boolean =>
    wish.box === undefined || (boxes?.length === 1 && boxes[0] === boxIdOf(wish));
  return active.filter((one) => isOwn(one) && isOfKind(one, wish.kind));
}

/** Ends the states that no other fault holds; returns how many. */
async function endStates(
  call: CallSimulator,
  wish: UndoWish,
  others: readonly ActiveFault[],
): Promise<number> {
  const boxId = boxIdOf(wish);
  const { body: box } = await call('GET', `/boxes/${boxId}`);
  const isHeld = ({ faultKind }: LastingState): boolean =>
    others.some((one) => reaches(one, boxId) && isOfKind(one, faultKind));
  const states = lastingStatesOf(box).filter(
    (state) =>
      (wish.kind === undefined || [state.action, state.faultKind].includes(wish.kind)) && !isHeld(state),
  );
  for (const state of states) {
    const answer = await call('POST', `/boxes/${boxId}/${state.action}`, state.endingBody);
    if (answer.status >= 400) throw new CommandError(simulatorRefusal(answer), 1);
    if (state.isPresent(answer.body))
      throw new CommandError(`${wish.vehicle} still ${state.says}: its surroundings cause that.`, 1);
    const done = { vehicle: wish.vehicle, action: state.action, body: state.endingBody };
    tell(wish, done, `${wish.vehicle}: ${state.ended}`);
  }
  return states.length;
}

function tell({ isJson }: UndoWish, value: unknown, text: string): void {
  process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`);
}

function boxIdOf({ box }: UndoWish): string {
  return String(valueAt(box, 'boxId'));
}

/** `broker.restart` is a restart of the broker. */
function isOfKind({ fault }: ActiveFault, kind: string | undefined): boolean {
  const kinds = kindsIn(fault);
  return kind === undefined || kind.split('.').every((name) => kinds.includes(name));
}

/** Whose fault it is: a vehicle, so many, or `all` where it is of no box. */
async function nameOf(call: CallSimulator, { boxes = [] }: ActiveFault): Promise<string> {
  const [boxId] = boxes;
  if (boxId === undefined) return 'all';
  if (boxes.length > 1) return `${boxes.length} vehicles`;
  const { body } = await call('GET', `/boxes/${encodeURIComponent(boxId)}`);
  return String(valueAt(body, 'vehicleId') ?? boxId);
}

function nothingToUndo(wish: UndoWish, active: readonly ActiveFault[]): string {
  const { vehicle, kind, box } = wish;
  const named = kind === undefined ? '' : ` "${kind}"`;
  if (box === undefined) return `There is no active fault${named}.`;
  const shared = active.filter((one) => reaches(one, boxIdOf(wish)) && isOfKind(one, kind));
  const hint = shared.map(
    (one) =>
      ` ${faultWords(one.fault)} is active for ${one.boxes?.length} vehicles: "boxtwin do all ${faultName(one)} --undo" ends it for all of them.`,
  );
  return `There is no active fault${named} of ${vehicle} alone.${hint.join('')}`;
}

function faultName({ fault }: ActiveFault): string {
  return faultWords(fault).split(' ')[0] ?? '';
}

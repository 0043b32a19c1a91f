import { limits as radioLimits } from '../../simulator/radio/limits.ts';
import { valueAt } from '../../world/json.ts';

/** What an action of the control API has done to a box or its vehicle, and what another such action ends. */
export interface LastingState {
  /** The cause that brings it about, by its name. */
  readonly cause: string;
  /** The action of the control API, `POST /boxes/{id}/{action}`, and its body that ends the state. */
  readonly action: string;
  readonly endingBody: Readonly<Record<string, unknown>>;
  /** The weather or break that has the same effect. */
  readonly faultKind: string;
  /** Completes 'The vehicle ...'. */
  readonly says: string;
  /** The opposite, as news. */
  readonly ended: string;
  /** Of a box as the control API describes it. */
  readonly isPresent: (box: unknown) => boolean;
}

const LASTING_STATES: readonly LastingState[] = [
  {
    cause: 'no-coverage',
    action: 'coverage',
    endingBody: { available: true },
    faultKind: 'coverage',
    says: 'has no coverage',
    ended: 'it has coverage again',
    isPresent: (box) => valueAt(box, 'truth', 'hasCoverage') === false && !isOutOfReach(box),
  },
  {
    cause: 'box-is-silent',
    action: 'silence',
    endingBody: { seconds: 0 },
    faultKind: 'hang',
    says: 'has a box that hangs',
    ended: 'its box no longer hangs',
    isPresent: (box) => typeof valueAt(box, 'belief', 'hangsUntilMs') === 'number',
  },
  {
    cause: 'box-fails',
    action: 'box-error',
    endingBody: {},
    faultKind: 'error',
    says: 'has a broken box, which answers every command with an error',
    ended: 'its box works again',
    isPresent: (box) => valueAt(box, 'belief', 'fault') != null,
  },
];

/** An active fault as the control API shows it. */
export interface ShownFault {
  readonly fault: Readonly<Record<string, unknown>>;
  readonly boxes?: readonly string[] | undefined;
}

/** The states that a box is in, as the control API describes it. */
export function lastingStatesOf(box: unknown): readonly LastingState[] {
  return LASTING_STATES.filter(({ isPresent }) => isPresent(box));
}

/** Whether a fault reaches a box: its own, or one that also reaches others. */
export function reaches({ boxes = [] }: ShownFault, boxId: string): boolean {
  return boxes.includes(boxId);
}

/** The names in a fault: `{"weather": {"coverage": "none"}}` is of the kinds `weather` and `coverage`. */
export function kindsIn(fault: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fault).flatMap(([name, value]) => [
    name,
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? kindsIn(value as Readonly<Record<string, unknown>>)
      : []),
  ]);
}

/** What keeps a cause from being brought about with a vehicle now, and the words of `boxtwin do` that end it. */
export interface Obstacle {
  /** `8B13V has no coverage, from an earlier provoke or action` */
  readonly says: string;
  /** `8B13V coverage --undo` */
  readonly undoing: string;
}

/**
 * The first obstacle, or undefined: there is none. The state that the cause itself makes is none, unless an active fault
 * holds it.
 */
export function obstacleOf(
  vehicleId: string,
  box: unknown,
  faults: readonly ShownFault[],
  cause: string,
): Obstacle | undefined {
  const boxId = String(valueAt(box, 'boxId'));
  for (const { faultKind, says, action, cause: ownCause } of lastingStatesOf(box)) {
    const holding = faults.find((one) => kindsIn(one.fault).includes(faultKind) && reaches(one, boxId));
    if (holding !== undefined) {
      const whose = holding.boxes?.length === 1 ? vehicleId : 'all';
      return { says: `${vehicleId} ${says}, from an active fault`, undoing: `${whose} ${faultKind} --undo` };
    }
    if (ownCause !== cause)
      return {
        says: `${vehicleId} ${says}, from an earlier provoke or action`,
        undoing: `${vehicleId} ${action} --undo`,
      };
  }
  return undefined;
}

/** A vehicle with its ignition on, where no site reaches it: it has coverage again once it has moved on. */
function isOutOfReach(box: unknown): boolean {
  const level = valueAt(box, 'truth', 'signalLevelDbm');
  const isOn = valueAt(box, 'truth', 'ignitionOn') === true;
  return isOn && typeof level === 'number' && level < radioLimits.leastDbm;
}

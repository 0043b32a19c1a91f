import { type ConfigurationGuard, inOrder } from '../../contract/guards.ts';
import { type ProblemKind, problem, type Refusal } from '../../contract/problems.ts';
import { generationOf, type SettingRequirement, unmetRequirement } from '../../protocol/hardware.ts';
import type { Setting } from '../../protocol/settings.ts';
import { setupDetailOf } from '../commands/guards.ts';
import type { BoxReadiness } from '../commands/readiness.ts';
import type { VehicleConfiguration } from '../store/port/configuration-store.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { hasBox } from '../vehicles/find-vehicle.ts';

/** The input of the guards of a configuration. */
export interface ConfigurationContext {
  readonly vehicle: Vehicle;
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
  readonly callerFleetId: string;
  readonly readiness: BoxReadiness;
  /** Of the features to put. */
  readonly settings: readonly Setting[];
  /** Names of the features to put. */
  readonly activated: readonly string[];
  readonly inForce: VehicleConfiguration;
}

type Check = (context: ConfigurationContext) => Refusal | undefined;

/** What each guard of the contract checks, except the connection: without one nothing is sent (configurator.ts). */
const CHECKS: Readonly<Record<Exclude<ConfigurationGuard, 'connection'>, Check>> = {
  'setup-status': ({ vehicle }) =>
    vehicle.setupStatus === 'SUCCEEDED'
      ? undefined
      : problem('conflicting-setup-status', setupDetailOf(vehicle)),
  'shared-owner-only': ({ vehicle, callerFleetId }) =>
    vehicle.fleetId === callerFleetId
      ? undefined
      : problem('shared-with-partner', 'Only the owner of the vehicle may configure it.'),
  'command-not-supported': ({ vehicle }) =>
    hasBox(vehicle)
      ? undefined
      : problem('command-not-supported', 'The vehicle has no telematics unit that could be configured.'),
  'incompatible-unit': (context) => refusalOfLack('incompatible-telematics-unit-model', context),
  'incompatible-installation': (context) => refusalOfLack('incompatible-installation-variant', context),
  'not-ready': ({ readiness }) =>
    readiness === 'not-ready'
      ? problem(
          'conflicting-resource',
          'The telematics unit is starting or updating; it cannot be configured yet.',
        )
      : undefined,
  activating: ({ activated, inForce }) => {
    const name = activated.find((one) => inForce.features[one]?.status === 'ACTIVATING');
    return name === undefined
      ? undefined
      : problem('conflicting-operation', `${name} is being activated; wait until it is ACTIVE.`);
  },
};

const IN_ORDER = inOrder(Object.keys(CHECKS) as (keyof typeof CHECKS)[]);

/** The problem of a box that does not meet a need. */
export function lackProblem({ installation }: SettingRequirement): ProblemKind {
  return installation === undefined
    ? 'incompatible-telematics-unit-model'
    : 'incompatible-installation-variant';
}

/** The first objection; undefined: the request may be sent, unless another command of the vehicle is open. */
export function objectionTo(context: ConfigurationContext): Refusal | undefined {
  for (const guard of IN_ORDER) {
    const refusal = CHECKS[guard](context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The refusal of a box that does not meet a need of the features, if that is this problem. */
function refusalOfLack(
  kind: ProblemKind,
  { vehicle, installation, settings }: ConfigurationContext,
): Refusal | undefined {
  const { generation, hardwareRevision } = vehicle.box;
  const need = unmetRequirement(settings, {
    generation: generationOf(hardwareRevision, generation),
    hardwareRevision,
    installation,
  });
  return need === undefined || lackProblem(need) !== kind
    ? undefined
    : problem(kind, `The telematics unit ${need.lacks}.`);
}

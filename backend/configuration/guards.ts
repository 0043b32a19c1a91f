import { generationOf, type SettingRequirement, unmetRequirement } from '../../protocol/hardware.ts';
import type { Setting } from '../../protocol/settings.ts';
import { setupDetailOf } from '../commands/guards.ts';
import type { BoxReadiness } from '../commands/readiness.ts';
import { type ProblemKind, problem, type Refusal } from '../http/problem.ts';
import type { VehicleConfiguration } from '../store/port/configuration-store.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { hasBox } from '../vehicles/find-vehicle.ts';

/** What the guards of a configuration look at. */
export interface ConfigurationContext {
  readonly vehicle: Vehicle;
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
  readonly callerFleetId: string;
  readonly readiness: BoxReadiness;
  /** Of the features that are to be put. */
  readonly settings: readonly Setting[];
  /** Names of the features that are to be put. */
  readonly activated: readonly string[];
  readonly inForce: VehicleConfiguration;
}

type Check = (context: ConfigurationContext) => Refusal | undefined;

/** The guards of a configuration. Their order is the order of refusals: the first that objects wins. */
const CHECKS: readonly Check[] = [isSetUp, isOwners, hasUnit, isCompatible, isReady, isNotActivating];

/** The problem of a box that does not meet a need. */
export function lackProblem({ installation }: SettingRequirement): ProblemKind {
  return installation === undefined
    ? 'incompatible-telematics-unit-model'
    : 'incompatible-installation-variant';
}

/** The first objection; undefined: the box may be asked, unless another command of the vehicle is open. */
export function objectionTo(context: ConfigurationContext): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isSetUp({ vehicle }: ConfigurationContext): Refusal | undefined {
  if (vehicle.setupStatus === 'SUCCEEDED') return undefined;
  return problem('conflicting-setup-status', setupDetailOf(vehicle));
}

function isOwners({ vehicle, callerFleetId }: ConfigurationContext): Refusal | undefined {
  if (vehicle.fleetId === callerFleetId) return undefined;
  return problem('shared-with-partner', 'Only the owner of the vehicle may configure it.');
}

function hasUnit({ vehicle }: ConfigurationContext): Refusal | undefined {
  if (hasBox(vehicle)) return undefined;
  return problem('command-not-supported', 'The vehicle has no telematics unit that could be configured.');
}

function isCompatible({ vehicle, installation, settings }: ConfigurationContext): Refusal | undefined {
  const { generation, hardwareRevision } = vehicle.box;
  const need = unmetRequirement(settings, {
    generation: generationOf(hardwareRevision, generation),
    hardwareRevision,
    installation,
  });
  if (need === undefined) return undefined;
  return problem(lackProblem(need), `The telematics unit ${need.lacks}.`);
}

function isReady({ readiness }: ConfigurationContext): Refusal | undefined {
  if (readiness !== 'not-ready') return undefined;
  return problem(
    'conflicting-resource',
    'The telematics unit is starting or updating; it cannot be configured yet.',
  );
}

function isNotActivating({ activated, inForce }: ConfigurationContext): Refusal | undefined {
  const name = activated.find((one) => inForce.features[one]?.status === 'ACTIVATING');
  if (name === undefined) return undefined;
  return problem('conflicting-operation', `${name} is being activated; wait until it is ACTIVE.`);
}

import type { FeatureName } from '../../contract/features.ts';
import { type Operation, type OperationKind, problemsOf } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { ProblemKind } from '../../contract/problems.ts';

/** One way in which an operation is refused with a problem. */
export interface ProblemCause {
  readonly operation: Operation;
  readonly problem: ProblemKind;
  /** The name of a cause (causes.ts). */
  readonly cause: string;
}

/** A cause of a problem: for every operation that has the problem, or for those that `of` accepts. */
type CauseRow = readonly [cause: string, of?: (operation: Operation) => boolean];

const kinds =
  (...wanted: readonly OperationKind[]) =>
  ({ kind }: Operation): boolean =>
    wanted.includes(kind);
const named =
  (...wanted: readonly string[]) =>
  ({ name = '' }: Operation): boolean =>
    wanted.includes(name);
const puts =
  (...wanted: readonly FeatureName[]) =>
  (operation: Operation): boolean =>
    operation.kind === 'configure' && named(...wanted)(operation);
const ofCommands = kinds('box-command', 'vehicle-command', 'connectivity-command');
const ofVehicles = kinds('vehicle-command');
const ofConfiguration = kinds('configure', 'deactivate');
const isWorkshop = ({ guards }: Operation) => guards.includes('incompatible-firmware');
const hasParameter =
  (parameter: string) =>
  ({ path }: Operation): boolean =>
    path.includes(parameter);

/** The causes of each problem. */
const CAUSES_OF: Readonly<Record<ProblemKind, readonly CauseRow[]>> = {
  'method-not-allowed': [['wrong-method']],
  'missing-credentials': [['no-token']],
  'invalid-credentials': [['unreadable-token'], ['forged-token'], ['expired-token']],
  'forbidden-resource': [['token-without-scope']],
  'missing-permissions': [['permission-withdrawn']],
  'too-many-requests': [['quota-used-up']],
  'validation-error': [['unknown-parameter']],
  'internal-server-error': [['store-fails'], ['provider-fails', kinds('connectivity-command')]],
  'unsupported-media-type': [['text-body']],
  'payload-too-large': [['large-body']],
  'resource-not-found': [
    ['unknown-id', hasParameter('{')],
    ['vehicle-of-another-fleet', hasParameter('{id}')],
    ['job-of-another-fleet', hasParameter('{job_id}')],
    ['subscription-of-another-fleet', hasParameter('{subscription_id}')],
    ['unknown-unit', kinds('onboard')],
    ['unknown-to-its-maker', kinds('onboard')],
  ],
  'conflicting-setup-status': [['setup-is-not-over']],
  'shared-with-partner': [
    ['shared-and-asked-by-the-owner', ({ guards }) => guards.includes('shared-partner-only')],
    ['shared-and-asked-by-the-partner', ({ guards }) => guards.includes('shared-owner-only')],
  ],
  'command-not-supported': [
    ['vehicle-lacks-it', ofCommands],
    ['vehicle-has-no-box', ofConfiguration],
  ],
  'incompatible-firmware-version': [['old-firmware']],
  'incompatible-telematics-unit-model': [
    ['box-of-the-first-generation', named('damage-detection')],
    ['box-without-the-sensor', named('smoke-detection')],
  ],
  'incompatible-installation-variant': [['hardwired-box']],
  'resource-conflict': [['provider-cannot-detach']],
  'conflicting-resource': [
    ['box-is-starting', (operation) => ofCommands(operation) || ofConfiguration(operation)],
    ['setup-is-not-over', isWorkshop],
    ['unit-is-taken', kinds('onboard')],
    ['vin-is-taken', kinds('onboard', 'change')],
    ['shared-and-asked-by-the-owner', kinds('offboard')],
    ['shared-with-a-third', kinds('share')],
    ['shared-with-nobody', kinds('unshare')],
    ['discriminator-is-taken', kinds('subscribe')],
  ],
  'conflicting-command': [['another-command-is-open']],
  'conflicting-operation': [
    ['another-command-is-open'],
    ['damage-detection-is-calibrating', puts('damage-detection')],
  ],
  'conflicting-state': [
    ['vehicle-moves'],
    ['door-is-open', named('lock-central-lock', 'lock-and-disable-driving')],
    ['lid-is-open', named('lock-top-case')],
  ],
  'resource-modified': [['stale-etag']],
  'telematics-unit-error': [['box-fails']],
  'third-party-error': [['maker-fails']],
  'no-connection': [
    ['no-coverage'],
    ['box-is-silent'],
    ['maker-is-silent', ofVehicles],
    ['car-is-asleep', ofVehicles],
  ],
};

/** Every pair of operation and problem with its causes; a pair may have several. */
export const PROBLEM_TABLE: readonly ProblemCause[] = OPERATIONS.flatMap((operation) =>
  problemsOf(operation).flatMap((problem) =>
    CAUSES_OF[problem]
      .filter(([, of]) => of?.(operation) !== false)
      .map(([cause]) => ({ operation, problem, cause })),
  ),
);

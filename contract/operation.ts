import type { GuardName } from './guards.ts';
import type { Permission, Scope } from './permissions.ts';
import type { ProblemKind } from './problems.ts';

export const BULK_PATH = '/configure-vehicle-telematics-unit-bulk';
export const SUBSCRIPTIONS_PATH = '/message-subscriptions';

/** One operation of the API behind a token. The service, its documents and its judges read this table. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's form: `/vehicles/{id}/box-commands/ble-reset`. */
  readonly path: string;
  readonly kind: OperationKind;
  /** Its heading in the OpenAPI document. */
  readonly tag: string;
  readonly summary: string;
  readonly permission: Permission;
  /** The scope that follows from the permission. */
  readonly scope: Scope;
  /** Of a command or a feature: its name in the path. */
  readonly name?: string;
  /** The reasons in the state of the vehicle against it, in the order of refusals. */
  readonly guards: readonly GuardName[];
  /** Its problems, in addition to those of every operation (`COMMON_PROBLEMS`). */
  readonly problems: readonly ProblemKind[];
}

export type OperationKind =
  | 'box-command'
  | 'vehicle-command'
  | 'connectivity-command'
  | 'list'
  | 'read'
  | 'onboard'
  | 'change'
  | 'offboard'
  | 'share'
  | 'unshare'
  | 'read-configuration'
  | 'configure'
  | 'deactivate'
  | 'bulk'
  | 'read-bulk'
  | 'subscribe'
  | 'list-subscriptions'
  | 'read-subscription'
  | 'cancel-subscription';

/** The problems of every operation behind a token, except `internal-server-error`. */
export const COMMON_PROBLEMS = [
  'method-not-allowed',
  'validation-error',
  'missing-credentials',
  'invalid-credentials',
  'forbidden-resource',
  'missing-permissions',
  'payload-too-large',
  'unsupported-media-type',
  'too-many-requests',
] as const satisfies readonly ProblemKind[];

/** Problems of requests with a body: that of a GET is not read. */
const OF_BODIES: ReadonlySet<ProblemKind> = new Set(['payload-too-large', 'unsupported-media-type']);

/** `POST /vehicles/{id}/commands/unlock-central-lock` */
export function operationName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The capability of a property or of a command: `top_case_lock` and `top-case-lock` are TOP_CASE_LOCK. */
export function capabilityName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/** The capability that a vehicle must have for a command; undefined for any other operation. */
export function capabilityOf({ kind, name }: Operation): string | undefined {
  return name !== undefined && kind.endsWith('-command') ? capabilityName(name) : undefined;
}

/** Every problem that an operation may answer. */
export function problemsOf({ method, problems }: Operation): readonly ProblemKind[] {
  const common = COMMON_PROBLEMS.filter((kind) => method !== 'GET' || !OF_BODIES.has(kind));
  return [...new Set<ProblemKind>([...common, 'internal-server-error', ...problems])];
}

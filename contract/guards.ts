import type { ProblemKind } from './problems.ts';

/**
 * The reasons against a command or a change of a configuration, in the order of refusals: of several that apply, the
 * first is answered. An operation names its own in contract/operations.ts, a command in contract/command-operations.ts.
 * Each of them also has `conflicting-command`: another command of the same vehicle is open.
 */
export const GUARDS = [
  { name: 'setup-status', problem: 'conflicting-setup-status' },
  { name: 'shared-partner-only', problem: 'shared-with-partner' },
  { name: 'shared-owner-only', problem: 'shared-with-partner' },
  { name: 'command-not-supported', problem: 'command-not-supported' },
  { name: 'incompatible-firmware', problem: 'incompatible-firmware-version' },
  { name: 'incompatible-unit', problem: 'incompatible-telematics-unit-model' },
  { name: 'incompatible-installation', problem: 'incompatible-installation-variant' },
  { name: 'sim-provider', problem: 'resource-conflict' },
  { name: 'not-ready', problem: 'conflicting-resource' },
  { name: 'activating', problem: 'conflicting-operation' },
  { name: 'conflicting-command', problem: 'conflicting-command' },
  { name: 'conflicting-state', problem: 'conflicting-state' },
  { name: 'connection', problem: 'no-connection' },
] as const satisfies readonly { readonly name: string; readonly problem: ProblemKind }[];

export type GuardName = (typeof GUARDS)[number]['name'];

/** The guards of every change of a configuration. A feature that not every box can have adds its own. */
export const CONFIGURATION_GUARDS = [
  'setup-status',
  'shared-owner-only',
  'command-not-supported',
  'not-ready',
  'activating',
  'connection',
] as const satisfies readonly GuardName[];

/** The guards of features that not every box can have. */
export type FeatureGuard = 'incompatible-unit' | 'incompatible-installation';
export type ConfigurationGuard = (typeof CONFIGURATION_GUARDS)[number] | FeatureGuard;
export type CommandGuard = Exclude<GuardName, FeatureGuard | 'activating' | 'conflicting-command'>;

/** The problem with which a guard refuses. */
export function problemOfGuard(name: GuardName): ProblemKind {
  const { problem } = GUARDS.find((guard) => guard.name === name) as (typeof GUARDS)[number];
  return problem;
}

/** The same guards in the order of refusals. */
export function inOrder<Name extends GuardName>(names: readonly Name[]): readonly Name[] {
  return names.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(name: GuardName): number {
  return GUARDS.findIndex((guard) => guard.name === name);
}

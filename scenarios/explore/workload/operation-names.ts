/**
 * The kinds of work of a drawn scenario (operations.ts), which `--focus` takes. They have their own file, so that the
 * command line can list them without loading their implementation.
 */
export const OPERATION_NAMES = [
  'commands',
  'connectivity',
  'configuration',
  'bulk',
  'sharing',
  'tokens',
  'subscriptions',
  'onboarding',
  'access',
  'record',
  'driving',
  'bluetooth',
  'maker',
  'updates',
  'motors',
  'incidents',
  'outages',
  'immobilizer',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

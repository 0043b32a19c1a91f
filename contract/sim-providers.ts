/** A provider of SIM cards, and the connectivity commands of its interface. */
export interface SimProvider {
  readonly name: string;
  readonly commands: readonly ConnectivityCommandName[];
}

/** Commands for a SIM (docs/api.md, Connectivity commands). */
export const CONNECTIVITY_COMMANDS = [
  'network-detach',
  'request-sim-activation',
  'request-sim-suspension',
] as const;

export type ConnectivityCommandName = (typeof CONNECTIVITY_COMMANDS)[number];

/** One supports everything, one cannot detach, one can neither suspend nor activate. */
export const SIM_PROVIDERS: readonly SimProvider[] = [
  { name: 'meridian', commands: CONNECTIVITY_COMMANDS },
  { name: 'harbour', commands: ['request-sim-activation', 'request-sim-suspension'] },
  { name: 'tundra', commands: ['network-detach'] },
];

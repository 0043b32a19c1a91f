/** A provider of SIM cards, and which connectivity commands its own interface has. */
export interface SimProvider {
  readonly name: string;
  readonly commands: readonly ConnectivityCommandName[];
}

/** What can be asked of a card, in the order of service.md 4.2. */
export const CONNECTIVITY_COMMANDS = [
  'network-detach',
  'request-sim-activation',
  'request-sim-suspension',
] as const;

export type ConnectivityCommandName = (typeof CONNECTIVITY_COMMANDS)[number];

/** One does everything, one cannot detach, one can neither suspend nor activate. */
export const SIM_PROVIDERS: readonly SimProvider[] = [
  { name: 'meridian', commands: CONNECTIVITY_COMMANDS },
  { name: 'harbour', commands: ['request-sim-activation', 'request-sim-suspension'] },
  { name: 'tundra', commands: ['network-detach'] },
];

export function findSimProvider(name: string): SimProvider | undefined {
  return SIM_PROVIDERS.find((provider) => provider.name === name);
}

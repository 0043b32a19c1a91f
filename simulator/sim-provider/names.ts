/**
 * The simulated providers of SIM cards. The first supports everything, each of the others lacks something.
 */
export const SIM_PROVIDER_NAMES = ['meridian', 'harbour', 'tundra'] as const;

export type SimProviderName = (typeof SIM_PROVIDER_NAMES)[number];

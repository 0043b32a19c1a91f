/** The simulated providers of SIM cards. The first can do everything, the others lack something each. */
export const SIM_PROVIDER_NAMES = ['meridian', 'harbour', 'tundra'] as const;

export type SimProviderName = (typeof SIM_PROVIDER_NAMES)[number];

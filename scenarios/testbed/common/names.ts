/** Names and secrets of a testbed; they protect nothing. */
export const BACKEND = { username: 'backend', password: 'backend of the theatre' } as const;
export const BASE_URL = 'http://service.virtual';
export const SIMS_URL = 'http://sim-providers.virtual';
export const SIM_KEYS = { meridian: 'key-meridian', harbour: 'key-harbour', tundra: 'key-tundra' } as const;
export const MAKER = { name: 'northwind', url: 'http://northwind.virtual', apiKey: 'key-northwind' } as const;

/** The fleets of a testbed: the main one, a second one to share vehicles with, and an unrelated one. */
export const FLEETS = ['own', 'partner', 'stranger'] as const;
export type FleetName = (typeof FLEETS)[number];

const FLEET_IDS: Readonly<Record<FleetName, string>> = {
  own: 'OWNFLEET',
  partner: 'PARTNER',
  stranger: 'STRANGER',
};

export function isFleetName(name: string): name is FleetName {
  return Object.hasOwn(FLEET_IDS, name);
}

export function fleetIdOf(name: FleetName): string {
  return FLEET_IDS[name];
}

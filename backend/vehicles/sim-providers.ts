import { capabilityName } from '../../contract/operation.ts';
import { SIM_PROVIDERS } from '../../contract/sim-providers.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';

/** By the name of a provider: its commands, and the capabilities of a box with its SIM. */
const OF_PROVIDER: ReadonlyMap<
  string,
  { readonly can: readonly string[]; readonly asked: readonly string[] }
> = new Map(
  SIM_PROVIDERS.map(({ name, commands }) => {
    const can = commands.map(capabilityName);
    return [name, { can, asked: [...new Set([capabilityName('network-detach'), ...can])] }];
  }),
);

/** Each list is there once: what is made of it can be kept by it. */
const NONE: readonly string[] = [];
const OF_ANY_SIM: readonly string[] = [capabilityName('network-detach')];

/**
 * What the provider of a vehicle's SIM can do, UPPER_SNAKE_CASE; nothing without a SIM or a known provider.
 */
export function simProviderCapabilities({ sim }: Pick<Vehicle, 'sim'>): readonly string[] {
  return (sim === undefined ? undefined : OF_PROVIDER.get(sim.provider)?.can) ?? NONE;
}

/**
 * The vehicle's connectivity commands: those of its provider. Every SIM can be detached from its network in principle;
 * a provider that cannot do so is a conflict with a separate problem type. A box whose SIM is unknown has none.
 */
export function connectivityCapabilities(vehicle: Pick<Vehicle, 'boxId' | 'sim'>): readonly string[] {
  if (vehicle.boxId === undefined || vehicle.sim === undefined) return NONE;
  return OF_PROVIDER.get(vehicle.sim.provider)?.asked ?? OF_ANY_SIM;
}

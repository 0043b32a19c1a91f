import type { Vehicle } from '../store/vehicle-store.ts';
import { capabilityName } from '../vehicles/capabilities.ts';
import { findSimProvider } from './providers.ts';

/** What the provider of a vehicle's card can do, UPPER_SNAKE_CASE; nothing where there is no card, or its provider is not known. */
export function simProviderCapabilities({ sim }: Pick<Vehicle, 'sim'>): readonly string[] {
  const provider = sim === undefined ? undefined : findSimProvider(sim.provider);
  return (provider?.commands ?? []).map(capabilityName);
}

/**
 * The connectivity commands that count as the vehicle's own: what its provider can do. Every card can be detached from
 * its network, as far as it is concerned; that its provider cannot do it is a conflict of its own. A box whose card is
 * not known has none.
 */
export function connectivityCapabilities(vehicle: Pick<Vehicle, 'boxId' | 'sim'>): readonly string[] {
  if (vehicle.boxId === undefined || vehicle.sim === undefined) return [];
  return [...new Set([capabilityName('network-detach'), ...simProviderCapabilities(vehicle)])];
}

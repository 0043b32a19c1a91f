import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { capabilityName } from '../vehicles/capabilities.ts';
import { findSimProvider } from './providers.ts';

/**
 * What the provider of a vehicle's SIM can do, UPPER_SNAKE_CASE; nothing without a SIM or a known provider.
 */
export function simProviderCapabilities({ sim }: Pick<Vehicle, 'sim'>): readonly string[] {
  const provider = sim === undefined ? undefined : findSimProvider(sim.provider);
  return (provider?.commands ?? []).map(capabilityName);
}

/**
 * The vehicle's connectivity commands: those of its provider. Every SIM can be detached from its network in principle;
 * a provider that cannot do so is a conflict with a separate problem type. A box whose SIM is unknown has none.
 */
export function connectivityCapabilities(vehicle: Pick<Vehicle, 'boxId' | 'sim'>): readonly string[] {
  if (vehicle.boxId === undefined || vehicle.sim === undefined) return [];
  return [...new Set([capabilityName('network-detach'), ...simProviderCapabilities(vehicle)])];
}

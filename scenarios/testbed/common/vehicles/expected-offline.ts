import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import { limits } from '../../../../simulator/limits.ts';
import { limits as radioLimits } from '../../../../simulator/radio/limits.ts';

/**
 * Whether a box is expected to be offline: its supply is low or cut, its card is suspended and stays so until it is
 * activated, or its vehicle is parked out of reach of all sites. Asks the card itself, since the box only knows that
 * no network accepts it.
 */
export function isExpectedOffline(box: Pick<FleetBox, 'snapshot' | 'truth' | 'sim'>): boolean {
  return box.sim() === 'suspended' || isPoweredDown(box) || standsOutOfReach(box);
}

/** A modem retries in poor places only while the ignition is off, so one left on stays without a network. */
function standsOutOfReach(box: Pick<FleetBox, 'truth'>): boolean {
  const truth = box.truth();
  const { hasCoverage, signalLevelDbm, speedKph, driverWish } = truth;
  const staysThere = speedKph === 0 && (driverWish === 'rest' || cannotDrive(truth));
  return staysThere && hasCoverage === false && Number(signalLevelDbm) < radioLimits.leastDbm;
}

/** It cannot be driven: it has no energy left, or is blocked until a person changes something. */
function cannotDrive({
  drivingEnabled,
  anyDoorOpen,
  compartmentLocked,
  chargingAdapterConnected,
  energyLeft,
}: Readonly<Record<string, unknown>>): boolean {
  const isKeptBack = drivingEnabled === false || anyDoorOpen === true || chargingAdapterConnected === true;
  return isKeptBack || compartmentLocked === false || (typeof energyLeft === 'number' && energyLeft <= 0);
}

/**
 * Whether a box has powered down because its supply is low or cut, as it should. It only returns with the
 * supply and keeps its records in flash, so waiting cannot heal this.
 */
export function isPoweredDown(box: Pick<FleetBox, 'snapshot' | 'truth'>): boolean {
  if (box.snapshot()['power'] !== 'asleep') return false;
  const { supplyMillivolts, ignitionOn } = box.truth();
  return Number(supplyMillivolts) < (ignitionOn === true ? limits.restoreMillivolts : limits.wakeMillivolts);
}

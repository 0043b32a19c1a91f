import type { VehicleModel } from '../../../protocol/models/model.ts';
import { limits } from '../limits.ts';
import { hybridAfter } from './hybrid.ts';

/** The energy that a vehicle has for driving. */
export interface EnergyStores {
  /** Litres, or kilowatt-hours if the vehicle burns nothing. */
  readonly energy: number;
  /** In the traction battery of a plug-in hybrid; 0 in all other vehicles. */
  readonly tractionKwh: number;
}

/** The engine's state during a segment. `filling`: refuelling or swapping batteries. */
export const ENGINE_STATES = ['off', 'ignition', 'running', 'filling', 'charging'] as const;
export type EngineState = (typeof ENGINE_STATES)[number];

/** How energy is used from one moment on. */
export interface EnergyUse {
  readonly engine: EngineState;
  readonly elapsedS: number;
  readonly wayM: number;
  /** The consumption relative to a steady 50 km/h. */
  readonly share: number;
  /** The share of a plug-in hybrid's engine although the battery could do all of the work. */
  readonly engineHelps: number;
}

type Drive = Pick<VehicleModel, 'fuelType' | 'body'>;

/** Litres or kilowatt-hours that count as none, so that rounding leaves no remainder. */
const EMPTY = 1e-9;
/** Kilowatt-hours below a full battery that are no longer charged. */
const FULL = 1e-6;
/** Up to this share a battery takes the plug's full power; when full it takes this share of it. */
const TAPER_FROM = 0.8;
const LAST_SHARE = 0.1;
const HOUR_S = 3_600;

/** The stores after this use, by closed formulas. */
export function storesAfter(from: EnergyStores, use: EnergyUse, model: Drive): EnergyStores {
  if (use.engine === 'charging') return chargedBy(from, use.elapsedS, model);
  const { energy, tractionKwh } = from;
  if (use.engine === 'filling') {
    const filled = energy + fillingRate(model) * use.elapsedS;
    return { energy: Math.min(filled, model.body.energyCapacity), tractionKwh };
  }
  const isElectric = model.fuelType === 'ELECTRIC';
  const idle = isElectric ? limits.idleKwhPerS : limits.idleLitresPerS;
  const used = needed(model.body.consumptionPer100Km, idle, use);
  if (model.body.hybrid === undefined) return { energy: left(energy, used), tractionKwh };
  const neededKwh = needed(model.body.hybrid.consumptionPer100Km, limits.idleKwhPerS, use);
  const { capacityKwh } = model.body.hybrid;
  const after = hybridAfter(from, { litres: used, kwh: neededKwh }, capacityKwh, use.engineHelps);
  return { energy: left(after.energy, 0), tractionKwh: left(after.tractionKwh, 0) };
}

function needed(per100Km: number, idlePerS: number, { engine, elapsedS, wayM, share }: EnergyUse): number {
  return (per100Km / 100_000) * share * wayM + (engine === 'running' ? idlePerS * elapsedS : 0);
}

function left(store: number, used: number): number {
  return store - used < EMPTY ? 0 : store - used;
}

/** Whether nothing is left to drive with. */
export function isOutOfEnergy({ energy, tractionKwh }: EnergyStores): boolean {
  return energy <= 0 && tractionKwh <= 0;
}

/** Whether a driver needs to refuel, charge or swap batteries. */
export function needsRefill({ energy }: EnergyStores, { body }: Drive): boolean {
  return energy < (body.energyCapacity * limits.lowEnergyPercent) / 100;
}

/** How long the energy lasts at idle, in seconds. */
export function idleS({ energy, tractionKwh }: EnergyStores, model: Drive): number {
  if (model.fuelType === 'ELECTRIC') return energy / limits.idleKwhPerS;
  return energy / limits.idleLitresPerS + tractionKwh / limits.idleKwhPerS;
}

/** How a driver refuels on the way, and for how many seconds. */
export function fillingUp(
  { energy }: EnergyStores,
  model: Drive,
): { readonly engine: 'filling' | 'charging'; readonly durationS: number } {
  const { body, fuelType } = model;
  const wanted = (body.energyCapacity * limits.filledPercent) / 100;
  if (fuelType !== 'ELECTRIC' || body.chargeKw === undefined) {
    return { engine: 'filling', durationS: (wanted - energy) / fillingRate(model) };
  }
  return {
    engine: 'charging',
    durationS: curveS({ capacityKwh: body.energyCapacity, kw: body.chargeKw }, energy, wanted),
  };
}

/** Energy per second at the pump, or at the service point of a vehicle without a plug. */
function fillingRate({ fuelType }: Drive): number {
  return fuelType === 'ELECTRIC' ? limits.chargerKwhPerS : limits.pumpLitresPerS;
}

/** The plug that charges the traction battery; undefined: the vehicle has none. */
export function plugOf({ body, fuelType }: Drive): ChargingPlug | undefined {
  if (body.chargeKw === undefined) return undefined;
  const capacityKwh = fuelType === 'ELECTRIC' ? body.energyCapacity : body.hybrid?.capacityKwh;
  return capacityKwh === undefined ? undefined : { capacityKwh, kw: body.chargeKw };
}

export interface ChargingPlug {
  readonly capacityKwh: number;
  readonly kw: number;
}

/** Seconds until the plugged-in traction battery is full; 0: it is full, or there is no plug. */
export function untilFullS(stores: EnergyStores, model: Drive): number {
  const plug = plugOf(model);
  if (plug === undefined) return 0;
  const kwh = model.fuelType === 'ELECTRIC' ? stores.energy : stores.tractionKwh;
  return kwh > plug.capacityKwh - FULL ? 0 : curveS(plug, kwh, plug.capacityKwh);
}

function chargedBy(from: EnergyStores, elapsedS: number, model: Drive): EnergyStores {
  const plug = plugOf(model);
  if (plug === undefined) return from;
  return model.fuelType === 'ELECTRIC'
    ? { ...from, energy: curve(plug, from.energy, elapsedS) }
    : { ...from, tractionKwh: curve(plug, from.tractionKwh, elapsedS) };
}

/**
 * The charging curve. Up to the knee the power is constant; above it the power falls linearly with time, so
 * its square falls linearly with the charge, like the square of a braking vehicle's speed with distance.
 */
function curve(plug: ChargingPlug, fromKwh: number, elapsedS: number): number {
  const { fullPower, kneeKwh, lastPower, fall } = shapeOf(plug);
  const straightS = Math.max(kneeKwh - fromKwh, 0) / fullPower;
  if (elapsedS <= straightS) return fromKwh + fullPower * elapsedS;
  const beginKwh = Math.max(fromKwh, kneeKwh);
  const power = powerAt(plug, beginKwh);
  const taperS = Math.min(elapsedS - straightS, (power - lastPower) / fall);
  const kwh = beginKwh + power * taperS - (fall * taperS * taperS) / 2;
  return kwh > plug.capacityKwh - FULL ? plug.capacityKwh : kwh;
}

/** Seconds of charging from one charge to a higher one. */
function curveS(plug: ChargingPlug, fromKwh: number, toKwh: number): number {
  const { fullPower, kneeKwh, fall } = shapeOf(plug);
  const straightS = Math.max(Math.min(kneeKwh, toKwh) - fromKwh, 0) / fullPower;
  if (toKwh <= kneeKwh) return straightS;
  return straightS + Math.max(powerAt(plug, fromKwh) - powerAt(plug, toKwh), 0) / fall;
}

function shapeOf({ capacityKwh, kw }: ChargingPlug) {
  const fullPower = kw / HOUR_S;
  const kneeKwh = capacityKwh * TAPER_FROM;
  const lastPower = fullPower * LAST_SHARE;
  const fall = (fullPower * fullPower - lastPower * lastPower) / (2 * (capacityKwh - kneeKwh));
  return { fullPower, kneeKwh, lastPower, fall };
}

/** The power in kilowatt-hours per second that a battery takes at this charge. */
function powerAt(plug: ChargingPlug, kwh: number): number {
  const { fullPower, kneeKwh, lastPower, fall } = shapeOf(plug);
  if (kwh <= kneeKwh) return fullPower;
  const square = fullPower * fullPower - 2 * fall * (Math.min(kwh, plug.capacityKwh) - kneeKwh);
  return Math.max(Math.sqrt(Math.max(square, 0)), lastPower);
}

/** City driving takes more than the standard consumption because of red lights. */
const CITY_FACTOR = 1.1;

/** The range in a city, in km. */
export function rangeKm({ energy, tractionKwh }: EnergyStores, { body }: Drive): number {
  const own = (energy / (body.consumptionPer100Km * CITY_FACTOR)) * 100;
  if (body.hybrid === undefined) return own;
  return own + (tractionKwh / (body.hybrid.consumptionPer100Km * CITY_FACTOR)) * 100;
}

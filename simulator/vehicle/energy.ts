import type { VehicleModel } from '../../protocol/models/model.ts';
import { hybridAfter } from './hybrid.ts';
import { limits } from './limits.ts';

/** What a vehicle has to drive with. */
export interface Stores {
  /** Litres, or kilowatt-hours where the vehicle burns nothing. */
  readonly energy: number;
  /** In the traction battery of a plug-in hybrid; 0 in all others. */
  readonly tractionKwh: number;
}

/** How the engine stands while nothing changes. `filling`: at the pump, or somebody swaps its batteries. */
export type Engine = 'off' | 'ignition' | 'running' | 'filling' | 'charging';

/** What is done with the stores from one moment on. */
export interface Use {
  readonly engine: Engine;
  readonly elapsedS: number;
  readonly wayM: number;
  /** How much more, or less, the way takes than one at a steady 50 km/h. */
  readonly share: number;
  /** What the engine of a plug-in hybrid does of it though the battery could do all. */
  readonly engineHelps: number;
}

type Drive = Pick<VehicleModel, 'fuelType' | 'body'>;

/** Litres or kilowatt-hours that count as none, so that rounding leaves no last drop. */
const EMPTY = 1e-9;
/** What is missing to a full battery and is not charged any more, in kilowatt-hours. */
const FULL = 1e-6;
/** Up to this share a battery takes all that the plug gives; when it is full it takes this share of it. */
const TAPER_FROM = 0.8;
const LAST_SHARE = 0.1;
const HOUR_S = 3_600;

/** The stores after such a use, by closed formulas. */
export function storesAfter(from: Stores, use: Use, model: Drive): Stores {
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

function needed(per100Km: number, idlePerS: number, { engine, elapsedS, wayM, share }: Use): number {
  return (per100Km / 100_000) * share * wayM + (engine === 'running' ? idlePerS * elapsedS : 0);
}

function left(store: number, used: number): number {
  return store - used < EMPTY ? 0 : store - used;
}

/** Nothing is left that drives it. */
export function isSpent({ energy, tractionKwh }: Stores): boolean {
  return energy <= 0 && tractionKwh <= 0;
}

/** Whether a driver looks for a pump, a plug or fresh batteries. */
export function isLow({ energy }: Stores, { body }: Drive): boolean {
  return energy < (body.energyCapacity * limits.lowEnergyPercent) / 100;
}

/** How long an idling vehicle lasts, in seconds. */
export function idleS({ energy, tractionKwh }: Stores, model: Drive): number {
  if (model.fuelType === 'ELECTRIC') return energy / limits.idleKwhPerS;
  return energy / limits.idleLitresPerS + tractionKwh / limits.idleKwhPerS;
}

/** How a driver fills up who is under way, and for how many seconds. */
export function fillingUp(
  { energy }: Stores,
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

/** Energy a second at the pump, or at the stand where a vehicle without a plug is served. */
function fillingRate({ fuelType }: Drive): number {
  return fuelType === 'ELECTRIC' ? limits.chargerKwhPerS : limits.pumpLitresPerS;
}

/** The traction battery that the plug charges; undefined: the vehicle has no plug. */
export function plugOf({ body, fuelType }: Drive): Plug | undefined {
  if (body.chargeKw === undefined) return undefined;
  const capacityKwh = fuelType === 'ELECTRIC' ? body.energyCapacity : body.hybrid?.capacityKwh;
  return capacityKwh === undefined ? undefined : { capacityKwh, kw: body.chargeKw };
}

export interface Plug {
  readonly capacityKwh: number;
  readonly kw: number;
}

/** Seconds until the traction battery is full at the plug; 0: it is, or there is no plug. */
export function untilFullS(stores: Stores, model: Drive): number {
  const plug = plugOf(model);
  if (plug === undefined) return 0;
  const kwh = model.fuelType === 'ELECTRIC' ? stores.energy : stores.tractionKwh;
  return kwh > plug.capacityKwh - FULL ? 0 : curveS(plug, kwh, plug.capacityKwh);
}

function chargedBy(from: Stores, elapsedS: number, model: Drive): Stores {
  const plug = plugOf(model);
  if (plug === undefined) return from;
  return model.fuelType === 'ELECTRIC'
    ? { ...from, energy: curve(plug, from.energy, elapsedS) }
    : { ...from, tractionKwh: curve(plug, from.tractionKwh, elapsedS) };
}

/**
 * The charging curve. Up to the knee the power is constant; behind it the power falls evenly with time, so that its
 * square falls evenly with the charge, as the square of a speed does along the way of a vehicle that brakes.
 */
function curve(plug: Plug, fromKwh: number, elapsedS: number): number {
  const { fullPower, kneeKwh, lastPower, fall } = shapeOf(plug);
  const straightS = Math.max(kneeKwh - fromKwh, 0) / fullPower;
  if (elapsedS <= straightS) return fromKwh + fullPower * elapsedS;
  const beginKwh = Math.max(fromKwh, kneeKwh);
  const power = powerAt(plug, beginKwh);
  const taperS = Math.min(elapsedS - straightS, (power - lastPower) / fall);
  const kwh = beginKwh + power * taperS - (fall * taperS * taperS) / 2;
  return kwh > plug.capacityKwh - FULL ? plug.capacityKwh : kwh;
}

/** Seconds at the plug from one charge to a higher one. */
function curveS(plug: Plug, fromKwh: number, toKwh: number): number {
  const { fullPower, kneeKwh, fall } = shapeOf(plug);
  const straightS = Math.max(Math.min(kneeKwh, toKwh) - fromKwh, 0) / fullPower;
  if (toKwh <= kneeKwh) return straightS;
  return straightS + Math.max(powerAt(plug, fromKwh) - powerAt(plug, toKwh), 0) / fall;
}

function shapeOf({ capacityKwh, kw }: Plug) {
  const fullPower = kw / HOUR_S;
  const kneeKwh = capacityKwh * TAPER_FROM;
  const lastPower = fullPower * LAST_SHARE;
  const fall = (fullPower * fullPower - lastPower * lastPower) / (2 * (capacityKwh - kneeKwh));
  return { fullPower, kneeKwh, lastPower, fall };
}

/** Kilowatt-hours a second that a battery takes at that charge. */
function powerAt(plug: Plug, kwh: number): number {
  const { fullPower, kneeKwh, lastPower, fall } = shapeOf(plug);
  if (kwh <= kneeKwh) return fullPower;
  const square = fullPower * fullPower - 2 * fall * (Math.min(kwh, plug.capacityKwh) - kneeKwh);
  return Math.max(Math.sqrt(Math.max(square, 0)), lastPower);
}

/** Driving takes more than the standard consumption: red lights. */
const CITY_FACTOR = 1.1;

/** How far the stores last in a city, in km. */
export function rangeKm({ energy, tractionKwh }: Stores, { body }: Drive): number {
  const own = (energy / (body.consumptionPer100Km * CITY_FACTOR)) * 100;
  if (body.hybrid === undefined) return own;
  return own + (tractionKwh / (body.hybrid.consumptionPer100Km * CITY_FACTOR)) * 100;
}

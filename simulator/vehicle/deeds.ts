import { has, type VehicleModel } from '../../protocol/models/model.ts';
import { isSwitch, QUANTITIES, type Quantity } from '../../protocol/models/quantities.ts';
import { sharesOf } from './drive-batteries.ts';
import type { Journey } from './driver.ts';
import { plugOf } from './energy.ts';
import {
  AIDS,
  type Aid,
  CARDS,
  type CardState,
  codesAt,
  type Dues,
  type Equipment,
  type Gear,
  INTERVALS,
  OPENINGS,
  type Opening,
  SEATS,
  type Seat,
  type SensorState,
} from './equipment.ts';
import { isPlugged } from './equipped.ts';
import { causedCodes, type NextFault, type TroubleCode } from './faults.ts';
import { hasLevel, LEVEL_NAMES, type LevelName, type Levels } from './levels.ts';
import type { Condition } from './stretch.ts';

/** What people do to a vehicle's equipment. Percent 0 to 100; days count from today, km from the mileage. */
export type Deed =
  | { readonly kind: 'opening'; readonly what: Opening; readonly open: boolean }
  | { readonly kind: 'charge'; readonly connected: boolean }
  | { readonly kind: 'refuel'; readonly percent: number }
  | { readonly kind: 'belt'; readonly seat: Seat; readonly fastened: boolean | undefined }
  | { readonly kind: 'key'; readonly present: boolean }
  | { readonly kind: 'card'; readonly slot: number; readonly state: CardState }
  | { readonly kind: 'gear'; readonly position: Gear | undefined }
  | { readonly kind: 'aid'; readonly what: Aid; readonly enabled: boolean }
  | { readonly kind: 'wear'; readonly what: LevelName; readonly percent: number }
  | { readonly kind: 'due'; readonly what: keyof Dues; readonly left: number }
  | { readonly kind: 'trouble-code'; readonly code: TroubleCode; readonly active: boolean }
  | { readonly kind: 'workshop' }
  | { readonly kind: 'sensor'; readonly quantity: Quantity; readonly state: SensorState }
  | { readonly kind: 'battery'; readonly port: number; readonly percent: number | undefined };

/** The vehicle to which it is done. */
export interface Scene {
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly condition: Condition;
  readonly equipment: Equipment;
  readonly atMs: number;
  readonly mileageKm: number;
  /** The next thing that will break, after so many were mended. */
  readonly faultAfter: (count: number, mileageKm: number) => NextFault;
}

/** What comes of it: what has changed, or why it cannot be done, with what to do about it. */
export type Outcome =
  | { readonly refusal: string }
  | {
      readonly equipment?: Equipment;
      readonly pluggedIn?: boolean;
      readonly stores?: Partial<Pick<Condition, 'energy'>>;
    };

type Doing<Kind extends Deed['kind']> = (deed: Extract<Deed, { kind: Kind }>, scene: Scene) => Outcome;

const DEEDS: { readonly [Kind in Deed['kind']]: Doing<Kind> } = {
  opening: ({ what, open }, scene) =>
    lacking(scene, OPENINGS[what], what.replaceAll('_', ' ')) ??
    changed(scene, { openings: { ...scene.equipment.openings, [what]: open } }),
  charge: ({ connected }, scene) => plugging(connected, scene),
  refuel: ({ percent }, scene) => refuelling(percent, scene),
  belt: ({ seat, fastened }, scene) => {
    const { [seat]: _held, ...others } = scene.equipment.belts;
    const belts = fastened === undefined ? others : { ...others, [seat]: fastened };
    return lacking(scene, SEATS[seat], `belt at ${seat.replaceAll('_', ' ')}`) ?? changed(scene, { belts });
  },
  key: ({ present }, scene) =>
    lacking(scene, 'keyPresent', 'place for its key that tells of it') ??
    changed(scene, { keyPresent: present }),
  card: ({ slot, state }, scene) => {
    const cards = scene.equipment.cards.map((before, index) => (index === slot - 1 ? state : before));
    const quantity = CARDS[slot - 1];
    if (quantity === undefined) return { refusal: `There are ${CARDS.length} slots for cards.` };
    return lacking(scene, quantity, `slot ${slot} for a card`) ?? changed(scene, { cards });
  },
  gear: ({ position }, scene) =>
    lacking(scene, 'gear', 'selector lever') ?? changed(scene, { gear: position }),
  aid: ({ what, enabled }, scene) =>
    lacking(scene, AIDS[what], `${what.toUpperCase()} that can be switched off`) ??
    changed(scene, { aids: { ...scene.equipment.aids, [what]: enabled } }),
  wear: ({ what, percent }, scene) =>
    hasLevel(scene.model, what)
      ? changed(scene, { ...latched(scene), levels: withLevels(scene, [what], percent) })
      : lack(scene, what.replaceAll('_', ' ')),
  due: ({ what, left }, scene) => {
    const isDay = what.endsWith('Day');
    const at = isDay ? Math.floor(scene.atMs / DAY_MS) + Math.round(left) : scene.mileageKm + left;
    return changed(scene, { dues: { ...scene.equipment.dues, [what]: at } });
  },
  'trouble-code': ({ code, active }, scene) => troubling(code, active, scene),
  workshop: (_deed, scene) => mended(scene),
  sensor: ({ quantity, state }, scene) => sensing(quantity, state, scene),
  battery: ({ port, percent }, scene) => swapping(port, percent, scene),
};

const DAY_MS = 86_400_000;

/** What comes of a deed. Decides only. */
export function outcomeOf<Kind extends Deed['kind']>(
  deed: Extract<Deed, { kind: Kind }>,
  scene: Scene,
): Outcome {
  const doing = DEEDS[deed.kind as Kind] as Doing<Kind>;
  return doing(deed, scene);
}

function changed({ equipment }: Scene, change: Partial<Equipment>): Outcome {
  return { equipment: { ...equipment, ...change } };
}

function lack({ model }: Scene, part: string): { readonly refusal: string } {
  return { refusal: `A vehicle of the model ${model.name} has no ${part}.` };
}

function lacking(scene: Scene, quantity: Quantity, part: string) {
  return has(scene.model, quantity) ? undefined : lack(scene, part);
}

/** Why nobody can do anything to its stores now; undefined: it is parked. */
function unparked({ journey, condition }: Scene): { readonly refusal: string } | undefined {
  const isParked =
    condition.speedMps === 0 && !journey.switches.ignitionOn && journey.stretch.move === undefined;
  return isParked ? undefined : { refusal: 'The ignition is on. Let the vehicle park first.' };
}

function plugging(connected: boolean, scene: Scene): Outcome {
  if (plugOf(scene.model) === undefined) return lack(scene, 'plug to charge at');
  const { journey } = scene;
  if (connected) return isPlugged(journey) ? { pluggedIn: true } : (unparked(scene) ?? { pluggedIn: true });
  if (!journey.switches.pluggedIn && isPlugged(journey))
    return { refusal: 'The driver charges on the way, with an empty battery. Let the vehicle park first.' };
  return { pluggedIn: false };
}

function refuelling(percent: number, scene: Scene): Outcome {
  const { model, condition } = scene;
  if (model.fuelType === 'ELECTRIC') return lack(scene, 'tank');
  const wanted = (model.body.energyCapacity * percent) / 100;
  if (wanted < condition.energy) return { refusal: 'There is more than that in the tank.' };
  return unparked(scene) ?? { stores: { energy: wanted } };
}

function swapping(port: number, percent: number | undefined, scene: Scene): Outcome {
  const { model, equipment, condition } = scene;
  const { batteries } = equipment;
  const before = batteries[port - 1];
  if (before === undefined) return lack(scene, `battery port ${port}`);
  const shut = unparked(scene);
  if (shut !== undefined) return shut;
  const { energyCapacity } = model.body;
  const held = sharesOf(batteries, condition.energy, energyCapacity);
  const put = percent === undefined ? undefined : (energyCapacity / batteries.length) * (percent / 100);
  const after = batteries.map((battery, index) => {
    if (index === port - 1) return { kwh: put, swaps: battery.swaps + 1 };
    return { ...battery, kwh: battery.kwh === undefined ? undefined : (held[index] ?? 0) };
  });
  const energy = after.reduce((sum, { kwh }) => sum + (kwh ?? 0), 0);
  return { equipment: { ...equipment, batteries: after }, stores: { energy } };
}

/** What is caused now is stored: it outlasts its cause. */
function latched({ equipment, model, ...moment }: Scene): Pick<Equipment, 'codes'> {
  return { codes: codesAt(equipment, model, moment) };
}

function withLevels(
  { equipment, atMs, mileageKm }: Scene,
  names: readonly LevelName[],
  percent: number,
): Levels {
  const made = names.map((name) => [name, { percent, mileageKm, atMs }]);
  return { ...equipment.levels, ...(Object.fromEntries(made) as Partial<Levels>) };
}

function troubling(code: TroubleCode, active: boolean, scene: Scene): Outcome {
  if (!has(scene.model, 'troubleCodes')) return lack(scene, 'diagnosis that tells trouble codes');
  const { codes, levels, next } = scene.equipment;
  if (active) return changed(scene, { codes: [...new Set([...codes, code])].sort((a, b) => a - b) });
  if (causedCodes(levels, next, scene.model, scene).includes(code))
    return { refusal: 'Its cause is still there. Take the vehicle to the workshop.' };
  return changed(scene, { codes: codes.filter((one) => one !== code) });
}

/** Everything is full, new and cleared again; what was broken is mended. */
function mended(scene: Scene): Outcome {
  const { equipment, mileageKm, atMs, faultAfter } = scene;
  const today = Math.floor(atMs / DAY_MS);
  const isBroken = mileageKm >= equipment.next.mileageKm;
  return changed(scene, {
    levels: withLevels(scene, LEVEL_NAMES, 100),
    dues: {
      serviceKm: mileageKm + INTERVALS.serviceKm,
      oilKm: mileageKm + INTERVALS.oilKm,
      serviceDay: today + INTERVALS.serviceDays,
      oilDay: today + INTERVALS.oilDays,
      brakeFluidDay: today + INTERVALS.brakeFluidDays,
    },
    codes: [],
    next: isBroken ? faultAfter(equipment.next.count + 1, mileageKm) : equipment.next,
    sensors: {},
  });
}

function sensing(quantity: Quantity, state: SensorState, scene: Scene): Outcome {
  const { model, equipment } = scene;
  const rows = model.rows.filter((row) => row.quantity === quantity);
  if (rows.length === 0) return lack(scene, `signal of ${quantity}`);
  // On the diagnostic port a control unit can keep silent; every other signal needs a raw number for it.
  const canTell = rows.every(
    ({ source, unavailable, failure }) =>
      source.from === 'obd' ||
      source.from === 'trouble-codes' ||
      unavailable !== undefined ||
      failure !== undefined,
  );
  const { [quantity]: _before, ...others } = equipment.sensors;
  if (state === 'works') return changed(scene, { sensors: others });
  if (!canTell) {
    const what = isSwitch(quantity) ? 'a wire that is high or low' : QUANTITIES[quantity].kind;
    return {
      refusal: `The signal of ${quantity} has no raw number for it (${what}). Choose another quantity.`,
    };
  }
  return changed(scene, { sensors: { ...others, [quantity]: state } });
}

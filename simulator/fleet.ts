import type { Generation, ResetReason } from '../protocol/message.ts';
import type { SettingName } from '../protocol/settings.ts';
import type { World } from '../world/world.ts';
import type { Offer } from './firmware/image.ts';
import type { BoxState, Fault, SimState } from './firmware/state.ts';
import { BoxHost, vehicleKey } from './host.ts';
import { limits } from './limits.ts';
import type { BluetoothSide } from './phones.ts';
import type { RadioSetting } from './radio/setting.ts';
import type { Route } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import type { Deed } from './vehicle/deeds.ts';
import type { Maneuver } from './vehicle/maneuver.ts';
import type { Mechanics } from './vehicle/mechanics.ts';
import { unpackMemory } from './vehicle/memory.ts';
import type { Road } from './vehicle/road.ts';
import type { DriveOrder, Incident, InstallationFault } from './vehicle/senses.ts';
import type { Supply } from './vehicle/supply.ts';
import { makeVehicle } from './vehicle/vehicle.ts';

/** One virtual vehicle and its box. */
export interface BoxPlan {
  /** 16 hex digits */
  readonly boxId: string;
  readonly secret: string;
  /** Empty: the box is on the shelf, its vehicle is on no record yet. */
  readonly vehicleId: string;
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  readonly model: string;
  /** Of a route that is known by this name; where on it the vehicle starts, 0 to 1. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly vin: string;
  readonly licensePlate: string;
  /** The card in the box: who it is of, and its 19 digits (ITU-T E.118). */
  readonly sim: { readonly provider: string; readonly iccid: string };
  /** Settings that are in force until the first configuration comes, where they differ from the standard. */
  readonly factorySettings?: Readonly<Partial<Record<SettingName, number>>>;
  /** Room in the journal; absent: `limits.journalRecords`. */
  readonly journalRecords?: number;
  /** How true to the road link, motors and receiver are; absent: `ideal`. */
  readonly radio?: RadioSetting;
}

export type SimulatorWorld = Pick<
  World,
  'time' | 'random' | 'mint' | 'seal' | 'flash' | 'link' | 'http' | 'trace' | 'log'
>;

export interface Fleet {
  readonly boxes: ReadonlyMap<string, FleetBox>;
  /** Ends all boxes: what is in flash stays, links end without a goodbye. */
  stop(): Promise<void>;
}

/** Who watches a box while it works. What is told must not change the box. */
export interface Watcher {
  /** The firmware has taken a step: glance.ts tells what may be of interest. */
  stepped(state: BoxState): void;
  /** The outputs have moved as this request of the backend asked. */
  acted(requestId: string, commandCode: number): void;
}

/** What the control face can do to one box and its vehicle. Every call acts at once. */
export interface FleetBox {
  readonly plan: BoxPlan;
  /** Tokens, and phones beside the vehicle. */
  readonly bluetooth: BluetoothSide;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /** As a vehicle's (vehicle/senses.ts): what it was is kept from now on, and can be asked for. */
  remember(room: number): void;
  truths(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined;
  /** What the box believes: firmware state without its journal's bytes. Plain JSON. */
  belief(): Record<string, unknown>;
  /** Who watches it; undefined: nobody. */
  watcher?: Watcher | undefined;
  /** Drives; with a route's name it is put onto that route first, where it stands. `pace`: share of the usual speed. */
  drive(how?: DriveOrder): void;
  /** The driver does that as soon as the vehicle is fast enough. False: nobody drives, or there is no such bend. */
  maneuver(what: Maneuver): boolean;
  /** Something happens to the vehicle: an impact, a bump, a tow, smoke. */
  suffer(incident: Incident): void;
  /** The names of the routes that it can be put onto. */
  routes(): readonly string[];
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  /** Radio coverage; without it the link dies without a goodbye. */
  setCoverage(hasCoverage: boolean): void;
  /** 0 to 31; undefined: as the place has it. */
  setSignalQuality(csq: number | undefined): void;
  /** Whether satellites are heard; without them the box knows no place. */
  setSky(isHeard: boolean): void;
  /** The vehicle goes abroad, or home: its network is lost, and after the gap it is among others. */
  crossBorder(isAbroad: boolean, gapMs: number): void;
  brownOut(): void;
  /** The supply becomes low, is cut (the box then lives on its backup battery), or is as it should be. */
  setSupply(supply: Supply): void;
  /** What is wrong with how the box is built in, for that long or until it is mended; undefined: it is mended. */
  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void;
  /** The lid of the top case, at a standstill; it opens only where it is not locked. */
  openTopCase(isOpen: boolean): void;
  /** Shuts the battery compartment. */
  shutCompartment(): void;
  /** Puts a standing vehicle on its centre stand, or takes it off. */
  putOnStand(isExtended: boolean): void;
  /** Somebody does something to its equipment; kept over restarts. A text that comes back says why it cannot be done. */
  tend(deed: Deed): string | undefined;
  /** Parts jam, will jam after one more movement, or work again; kept over restarts. */
  setMechanics(change: Readonly<Partial<Mechanics>>): void;
  /** Something in the box breaks, which it says to the next command or to all; undefined: it is mended. */
  setFault(fault: Fault | undefined): void;
  /** The counter of the box's clock jumps forward, or back; kept over restarts. */
  jumpClock(byMs: number): void;
  /** The flash takes no further record: the oldest make room. It is mended by a restart of the program too. */
  setFlashFull(isFull: boolean): void;
  /** The flash is wiped, but for the program in it, and the box starts anew: with a new journal epoch. */
  wipe(): void;
  /** The box's application hangs for that long, or until the watchdog resets it; 0: it goes on. */
  hang(forMs: number): void;
  /** A workshop puts another program in: the box goes down, and runs it from then on, over restarts too. */
  putFirmware(version: readonly [major: number, minor: number]): void;
  /** The maker's update server has a program for the box, which takes it over the air. */
  offerUpdate(offer: Offer): void;
  /** Severs the link as a network would, coverage stays. */
  cutLink(): void;
  /** The reset button (USER), the watchdog, or another cause from outside. */
  reset(reason: ResetReason): void;
  /**
   * What the SIM provider makes of the card: a suspended one gets onto no network, also after a restart of all; a
   * detached one loses its network and gets onto one again after some seconds.
   */
  setSim(to: SimState): void;
  /** The card as it is. */
  sim(): SimState;
}

/**
 * Gives all boxes power, one shortly after the other. Box and vehicle go on from what the flash holds of them.
 * Resolves once all vehicles are there; rejects where the flash cannot be read. `routes`: what plans may name. `road`: where they
 * keep their distance to each other; absent: each drives as if it were alone.
 */
export async function startFleet(
  world: SimulatorWorld,
  plans: readonly BoxPlan[],
  routes: ReadonlyMap<string, Route> = ROUTES,
  road?: Road,
): Promise<Fleet> {
  const boxes = new Map<string, BoxHost>();
  const kept = await Promise.all(plans.map((plan) => world.flash.load(plan.boxId)));
  for (const [index, plan] of plans.entries()) {
    const page = kept[index]?.get(vehicleKey);
    const memory = page === undefined ? undefined : unpackMemory(page);
    const vehicle = makeVehicle(plan, world.random, world.time.nowMs(), memory, routes, road);
    const box = new BoxHost(plan, world, vehicle);
    boxes.set(plan.boxId, box);
    box.start(index * limits.fleetStaggerMs);
  }
  return {
    boxes,
    stop: async () => {
      await Promise.all([...boxes.values()].map((box) => box.stop()));
    },
  };
}

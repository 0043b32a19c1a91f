import type { Generation, ResetReason } from '../protocol/message.ts';
import type { SettingName } from '../protocol/settings.ts';
import type { World } from '../world/world.ts';
import type { SimState } from './firmware/state.ts';
import { BoxHost, vehicleKey } from './host.ts';
import { limits } from './limits.ts';
import { unpackMemory } from './vehicle/memory.ts';
import { makeVehicle } from './vehicle/vehicle.ts';

/** One virtual vehicle and its box. */
export interface BoxPlan {
  /** 16 hex digits */
  readonly boxId: string;
  readonly secret: string;
  readonly vehicleId: string;
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  readonly model: string;
  /** Of a built-in route; where on it the vehicle starts, 0 to 1. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly vin: string;
  readonly licensePlate: string;
  /** Settings that are in force until the first configuration comes, where they differ from the standard. */
  readonly factorySettings?: Readonly<Partial<Record<SettingName, number>>>;
  /** Room in the journal; absent: `limits.journalRecords`. */
  readonly journalRecords?: number;
}

export type SimulatorWorld = Pick<
  World,
  'time' | 'random' | 'mint' | 'flash' | 'link' | 'http' | 'trace' | 'log'
>;

export interface Fleet {
  readonly boxes: ReadonlyMap<string, FleetBox>;
  /** Ends all boxes: what is in flash stays, links end without a goodbye. */
  stop(): Promise<void>;
}

/** What the control face can do to one box and its vehicle. Every call acts at once. */
export interface FleetBox {
  readonly plan: BoxPlan;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /** What the box believes: firmware state without its journal's bytes. Plain JSON. */
  belief(): Record<string, unknown>;
  drive(): void;
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  /** Radio coverage; without it the link dies without a goodbye. */
  setCoverage(hasCoverage: boolean): void;
  setSignalQuality(csq: number): void;
  brownOut(): void;
  /** Severs the link as a network would, coverage stays. */
  cutLink(): void;
  /** The reset button (USER), the watchdog, or another cause from outside. */
  reset(reason: ResetReason): void;
  /** What the SIM provider makes of the card: only an active one gets onto a network. */
  setSim(to: SimState): void;
}

/**
 * Gives all boxes power, one shortly after the other. Box and vehicle go on from what the flash holds of them.
 * Resolves once all vehicles are there; rejects where the flash cannot be read.
 */
export async function startFleet(world: SimulatorWorld, plans: readonly BoxPlan[]): Promise<Fleet> {
  const boxes = new Map<string, BoxHost>();
  const kept = await Promise.all(plans.map((plan) => world.flash.load(plan.boxId)));
  for (const [index, plan] of plans.entries()) {
    const page = kept[index]?.get(vehicleKey);
    const memory = page === undefined ? undefined : unpackMemory(page);
    const vehicle = makeVehicle(plan, world.random, world.time.nowMs(), memory);
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

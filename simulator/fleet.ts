import type { Generation } from '../protocol/message.ts';
import type { World } from '../world/world.ts';

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
}

export type SimulatorWorld = Pick<World, 'time' | 'random' | 'mint' | 'flash' | 'link' | 'http' | 'trace' | 'log'>;

/** Plans a fleet from a seed: both models, both generations, firmware 2.20 to 2.40. Equal arguments, equal plan. */
export declare function planFleet(random: World['random'], count: number): readonly BoxPlan[];

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
}

export declare function startFleet(world: SimulatorWorld, plans: readonly BoxPlan[]): Promise<Fleet>;

import type { BluetoothAction, BluetoothToken } from '../../protocol/bluetooth.ts';
import type { ResetReason } from '../../protocol/message.ts';
import type { BoxPlan } from '../box-plan.ts';
import type { KnownToken } from '../firmware/bluetooth/bluetooth-pages.ts';
import type { PhoneOutcome } from '../firmware/bluetooth/phone-request.ts';
import type { BoxFault, SimState } from '../firmware/core/box-hardware.ts';
import type { BoxState } from '../firmware/core/state.ts';
import type { UpdateOffer } from '../firmware/update/image.ts';
import type { Maneuver } from '../vehicle/driving/maneuver.ts';
import type { Mechanics } from '../vehicle/driving/mechanics.ts';
import type { Supply } from '../vehicle/energy/supply.ts';
import type { VehicleOperation } from '../vehicle/equipment/vehicle-operations.ts';
import type { DriveOrder, Incident, InstallationFault } from '../vehicle/sensing/vehicle-ports.ts';
import type { BoxStatus } from './box-status.ts';

/** Observes a box. Its callbacks must not change the box. */
export interface BoxWatcher {
  /** The firmware has taken a step: simulator/box/box-status.ts summarizes the new state. */
  stepped(state: BoxState): void;
  /** The outputs have moved as this request of the backend asked. */
  acted(requestId: string, commandCode: number): void;
  /**
   * An output has moved a part, or has tried to, for any reason. `before`: its former position; lights and horn do not.
   */
  moved(move: {
    readonly part: string;
    readonly to: boolean;
    readonly before: boolean | undefined;
    readonly isAccepted: boolean;
    readonly speedKph: number;
  }): void;
}

/** The operations of the control API on one box and its vehicle. Every call acts immediately. */
export interface FleetBox {
  readonly plan: BoxPlan;
  /** Tokens, and phones near the vehicle. */
  readonly bluetooth: BluetoothControls;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /** What people hold in the vehicle (simulator/vehicle/sensing/vehicle-ports.ts). Plain JSON. */
  held(): Record<string, unknown>;
  /** As a vehicle's (simulator/vehicle/sensing/vehicle-ports.ts): keeps past states from now on, for queries. */
  keepHistory(room: number): void;
  truthsBetween(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined;
  /** The box's own view: its firmware state without its journal's bytes. Plain JSON. */
  snapshot(): Record<string, unknown>;
  /** The state of its firmware, read only. */
  firmware(): BoxState;
  /** Its session is ready: it takes commands. */
  isReady(): boolean;
  /** Cheaper than a snapshot. */
  status(): BoxStatus;
  /** Its observer, if any. */
  watcher?: BoxWatcher | undefined;
  /** Drives; with a route's name it is put onto that route first, if stationary. `pace`: share of the usual speed. */
  drive(how?: DriveOrder): void;
  /** The driver performs it once the vehicle is fast enough. False: the vehicle is parked, or there is no such bend. */
  maneuver(what: Maneuver): boolean;
  /** Applies an incident to the vehicle: an impact, a bump, a tow, smoke. */
  applyIncident(incident: Incident): void;
  /** The names of the routes that it can be put onto. */
  routes(): readonly string[];
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  /** Radio coverage; without it the connection ends without a disconnect. */
  setCoverage(hasCoverage: boolean): void;
  /** 0 to 31; undefined: by the coverage at its position. */
  setSignalQuality(csq: number | undefined): void;
  /** Whether satellites are received; without them the box has no position. */
  setGnssReception(isHeard: boolean): void;
  /** The vehicle goes abroad, or home: its network is lost, and after the gap it finds others. */
  crossBorder(isAbroad: boolean, gapMs: number): void;
  brownOut(): void;
  /** The supply becomes low, is cut (the box then runs on its backup battery), or normal. */
  setSupply(supply: Supply): void;
  /** A fault of the box's installation, for that long or until it is repaired; undefined: it is repaired. */
  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void;
  /** The lid of the top case, at a standstill; it opens only where it is not locked. */
  openTopCase(isOpen: boolean): void;
  /** Shuts the battery compartment. */
  shutCompartment(): void;
  /** Puts a stationary vehicle on its centre stand, or takes it off. */
  putOnStand(isExtended: boolean): void;
  /** Operates its equipment; kept over restarts. A returned text says why it cannot be done. */
  operate(operation: VehicleOperation): string | undefined;
  /** Parts jam, will jam after one more movement, or work again; kept over restarts. */
  setMechanics(change: Readonly<Partial<Mechanics>>): void;
  /** A fault inside the box, which it reports to the next command or to all; undefined: it is repaired. */
  setFault(fault: BoxFault | undefined): void;
  /** The counter of the box's clock jumps forward, or back; kept over restarts. */
  jumpClock(byMs: number): void;
  /** The clock's counter runs faster by this many millionths, or slower; 0: at its own rate. */
  setClockDrift(ppm: number): void;
  /** The supply fails and is back immediately; a pending write is not carried out. */
  losePower(): void;
  /** The flash takes no further record: the oldest ones are evicted. A restart of the program also repairs it. */
  setFlashFull(isFull: boolean): void;
  /** The flash is wiped, except for the program in it, and the box restarts with a new journal epoch. */
  wipe(): void;
  /** The box's application hangs for that long, or until the watchdog resets it; 0: it continues. */
  hang(forMs: number): void;
  /** A workshop installs another program: the box goes down, and runs it from then on, over restarts too. */
  putFirmware(version: readonly [major: number, minor: number]): void;
  /** The maker's update server offers a program, which the box installs over the air. */
  offerUpdate(offer: UpdateOffer): void;
  /** Severs the link as a network would; coverage stays. */
  cutConnection(): void;
  /** The reset button (USER), the watchdog, or another cause from outside. */
  reset(reason: ResetReason): void;
  /**
   * Sets the card's state at the SIM provider: a suspended one registers with no network, also after a restart of
   * the program; a detached one loses its network and registers again after some seconds.
   */
  setSim(to: SimState): void;
  /** The card's current state. */
  sim(): SimState;
}

/** The result for a phone. `silent`: it got no answer, and `detail` gives the externally known reason. */
export interface PhoneAnswer {
  readonly outcome: PhoneOutcome | 'silent';
  readonly detail: string;
}

/** A token as it is returned once, when it is issued. */
export interface IssuedToken {
  readonly id: string;
  readonly expiresMs: number;
  readonly text: string;
}

/** The operations of the control API on the tokens of one box, and on phones near it. */
export interface BluetoothControls {
  /** Makes a token; undefined: the box has its maximum number of tokens, until one of them expires. */
  issueToken(
    order: Pick<BluetoothToken, 'allows' | 'uses'> & { readonly validForMs: number },
  ): IssuedToken | undefined;
  /** The tokens that were issued and have not expired. */
  tokens(): readonly KnownToken[];
  /** Withdraws one. The box is notified immediately, or in its next session. False: there is none of that id. */
  withdrawToken(id: string): boolean;
  /** A phone near the vehicle requests an action. Never rejects. */
  usePhone(token: string, action: BluetoothAction, device?: string): Promise<PhoneAnswer>;
}

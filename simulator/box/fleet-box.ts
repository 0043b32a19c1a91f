import type { BluetoothAction, BluetoothToken } from '../../protocol/bluetooth.ts';
import type { ResetReason } from '../../protocol/message.ts';
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
import type { BoxPlan } from './box-plan.ts';
import type { BoxStatus } from './box-status.ts';

/** Who watches a box while it works. What is told must not change the box. */
export interface BoxWatcher {
  /** The firmware has taken a step: simulator/box/box-status.ts tells what may be of interest. */
  stepped(state: BoxState): void;
  /** The outputs have moved as this request of the backend asked. */
  acted(requestId: string, commandCode: number): void;
  /** An output has moved a part, or has tried to, for whatever reason. `before`: how that stood; lights and horn do not. */
  moved(move: {
    readonly part: string;
    readonly to: boolean;
    readonly before: boolean | undefined;
    readonly isAccepted: boolean;
    readonly speedKph: number;
  }): void;
}

/** What the control API can do to one box and its vehicle. Every call acts at once. */
export interface FleetBox {
  readonly plan: BoxPlan;
  /** Tokens, and phones beside the vehicle. */
  readonly bluetooth: BluetoothControls;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /** What people hold in the vehicle (simulator/vehicle/sensing/vehicle-ports.ts). Plain JSON. */
  held(): Record<string, unknown>;
  /** As a vehicle's (simulator/vehicle/sensing/vehicle-ports.ts): what it was is kept from now on, and can be asked for. */
  keepHistory(room: number): void;
  truthsBetween(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined;
  /** What the box believes to be so: its firmware state without its journal's bytes. Plain JSON. */
  snapshot(): Record<string, unknown>;
  /** The state of its firmware itself: whoever looks at it changes nothing. */
  firmware(): BoxState;
  /** Its session is ready: it takes commands. */
  isReady(): boolean;
  /** Cheaper than a snapshot. */
  status(): BoxStatus;
  /** Who watches it; undefined: nobody. */
  watcher?: BoxWatcher | undefined;
  /** Drives; with a route's name it is put onto that route first, where it stands. `pace`: share of the usual speed. */
  drive(how?: DriveOrder): void;
  /** The driver does that as soon as the vehicle is fast enough. False: nobody drives, or there is no such bend. */
  maneuver(what: Maneuver): boolean;
  /** Something happens to the vehicle: an impact, a bump, a tow, smoke. */
  applyIncident(incident: Incident): void;
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
  setGnssReception(isHeard: boolean): void;
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
  operate(operation: VehicleOperation): string | undefined;
  /** Parts jam, will jam after one more movement, or work again; kept over restarts. */
  setMechanics(change: Readonly<Partial<Mechanics>>): void;
  /** Something in the box breaks, which it says to the next command or to all; undefined: it is mended. */
  setFault(fault: BoxFault | undefined): void;
  /** The counter of the box's clock jumps forward, or back; kept over restarts. */
  jumpClock(byMs: number): void;
  /** The clock's counter runs faster than it does by so many millionths, or slower; 0: as it does by itself. */
  setClockDrift(ppm: number): void;
  /** The supply fails and is back at once; what the box was about to write is not written. */
  losePower(): void;
  /** The flash takes no further record: the oldest make room. It is mended by a restart of the program too. */
  setFlashFull(isFull: boolean): void;
  /** The flash is wiped, but for the program in it, and the box starts anew: with a new journal epoch. */
  wipe(): void;
  /** The box's application hangs for that long, or until the watchdog resets it; 0: it goes on. */
  hang(forMs: number): void;
  /** A workshop puts another program in: the box goes down, and runs it from then on, over restarts too. */
  putFirmware(version: readonly [major: number, minor: number]): void;
  /** The maker's update server has a program for the box, which takes it over the air. */
  offerUpdate(offer: UpdateOffer): void;
  /** Severs the link as a network would, coverage stays. */
  cutConnection(): void;
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

/** What comes back to a phone. `silent`: nothing answered it, and `detail` says what is known of that from outside. */
export interface PhoneAnswer {
  readonly outcome: PhoneOutcome | 'silent';
  readonly detail: string;
}

/** A token as it is handed to somebody, once. */
export interface IssuedToken {
  readonly id: string;
  readonly expiresMs: number;
  readonly text: string;
}

/** What the control API does with the tokens of one box, and with phones beside it. */
export interface BluetoothControls {
  /** Makes a token; undefined: the box has as many as it can keep apart, until one of them expires. */
  issueToken(
    order: Pick<BluetoothToken, 'allows' | 'uses'> & { readonly validForMs: number },
  ): IssuedToken | undefined;
  /** The tokens that were issued and have not expired. */
  tokens(): readonly KnownToken[];
  /** Withdraws one. The box hears of it at once, or with its next session. False: there is none of that id. */
  withdrawToken(id: string): boolean;
  /** Somebody with a phone stands beside the vehicle and asks for that. Never rejects. */
  usePhone(token: string, action: BluetoothAction, device?: string): Promise<PhoneAnswer>;
}

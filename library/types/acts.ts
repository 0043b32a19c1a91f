// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

import type { QuantityName } from './snapshots.ts';

/** Every action on a box or its vehicle, by name, with its settings. */
export interface Acts {
  /**
   * The driver shuts the doors, turns the ignition on and drives along the route until another action:
   * at this share of the usual speed and, where another route is named, from its beginning, to which the
   * parked vehicle is moved.
   */
  readonly drive: { readonly route?: string; readonly pace?: number };
  /**
   * The driver does this on the way as soon as the vehicle is fast enough: brakes hard and drives on,
   * takes the next bend sharply, or brakes to standstill at once. The acceleration is what the vehicle
   * really undergoes.
   */
  readonly maneuver: {
    readonly what: 'heavy-braking' | 'harsh-cornering' | 'emergency-stop';
    readonly acceleration_in_mg?: number;
  };
  /** The driver brakes to standstill and turns the ignition off. */
  readonly park: Readonly<Record<string, never>>;
  /** A door is opened, after braking to standstill where the vehicle moves; or all are shut. */
  readonly doors: { readonly open: boolean };
  /** The ignition is turned on; or off, after braking to standstill where the vehicle moves. */
  readonly ignition: { readonly on: boolean };
  /** Radio coverage ends, and the link dies without a goodbye; or coverage returns. */
  readonly coverage: { readonly available: boolean };
  /**
   * The signal quality becomes this CSQ (3GPP TS 27.007: 0 is -113 dBm or less, 31 is -51 dBm or more);
   * null: as the place has it.
   */
  readonly signal: { readonly csq: number | null };
  /** The supply voltage sinks below what the box needs, for a few seconds; it starts again after it. */
  readonly 'brown-out': Readonly<Record<string, never>>;
  /**
   * The installation of the box has a fault, for duration_s seconds or until `none`; a setup during that
   * time fails.
   */
  readonly setup: {
    readonly obstacle: 'none' | 'no-vehicle-bus' | 'no-gnss' | 'low-supply';
    readonly duration_s?: number;
  };
  /**
   * The lid of the top case is opened, while it is unlocked and the vehicle is stationary; or it is
   * closed.
   */
  readonly 'top-case': { readonly open: boolean };
  /** The battery compartment is shut by hand; it is opened by the command unlock-battery-compartment. */
  readonly 'shut-battery-compartment': Readonly<Record<string, never>>;
  /** A stationary vehicle is put on its centre stand, or taken off it. */
  readonly 'center-stand': { readonly extended: boolean };
  /**
   * What the box moves jams at once (jammed), or after it has moved once more (failing), so that
   * commands fail in part or in whole; `works` mends it. Parts that are not named stay as they are.
   */
  readonly mechanics: {
    readonly lock?: 'works' | 'failing' | 'jammed';
    readonly immobilizer?: 'works' | 'failing' | 'jammed';
    readonly top_case?: 'works' | 'failing' | 'jammed';
    readonly battery_compartment?: 'works' | 'failing' | 'jammed';
  };
  /**
   * Something in the box breaks: it answers the next command or configuration (once), or every one until
   * it is mended, with this error. Without a text it is mended, as it is by a restart of the program.
   */
  readonly 'box-error': { readonly text?: string; readonly once?: boolean };
  /**
   * The box's application hangs: commands arrive and are not answered, for this number of seconds or
   * until its watchdog resets it (2 min); commands that have not expired are then carried out. 0 ends
   * the hang.
   */
  readonly silence: { readonly seconds: number };
  /**
   * A workshop puts another firmware into the box, which goes down for it and keeps it over restarts.
   * Undo it with the version that it had.
   */
  readonly firmware: { readonly version: string };
  /**
   * The maker of the box offers it another firmware over the air: it downloads it, checks it, installs
   * it once the vehicle is parked with its ignition off, and rolls it back if it fails. `image` is its
   * state at the server.
   */
  readonly update: {
    readonly version: string;
    readonly image?: 'right' | 'corrupt' | 'too-large' | 'cut-off' | 'fails-self-test';
  };
  /**
   * The supply of the box is low (a flat battery), cut (it lives on its backup battery, as long as that
   * lasts), or good again. It is low for ten minutes with the ignition off, or the backup battery is
   * nearly empty: the box powers down.
   */
  readonly supply: { readonly state: 'good' | 'low' | 'cut' };
  /** The network severs the connection of the box; coverage stays, and the box connects again. */
  readonly 'cut-link': Readonly<Record<string, never>>;
  /** The box is reset from outside, with this reason in its next system status. */
  readonly reset: {
    readonly reason: 'GENERAL' | 'BACKUP' | 'WATCHDOG' | 'SOFTWARE' | 'USER' | 'UNKNOWN' | 'POWER_DOWN_MODE';
  };
  /** The SIM provider activates, suspends or detaches the card; only an active one gets onto a network. */
  readonly sim: { readonly state: 'active' | 'suspended' | 'detached' };
  /**
   * The counter of the box's clock jumps by this number of seconds, backwards if negative; kept over
   * restarts. Timestamps and expiry checks of the box are wrong until the backend sends its time.
   */
  readonly 'clock-jump': { readonly seconds: number };
  /**
   * The flash has room for no more records than it holds: the oldest report makes room for the next
   * record and leaves a tombstone. `full: false` mends it, and so does a restart of the program.
   */
  readonly 'flash-full': { readonly full: boolean };
  /**
   * The flash of the box is wiped, as in a repair: its records, configuration and tokens are gone, the
   * program in it stays, and the box starts with a new journal epoch.
   */
  readonly wipe: Readonly<Record<string, never>>;
  /** The box hears no satellite and does not know where it is; or it hears them again. */
  readonly gnss: { readonly available: boolean };
  /**
   * The vehicle goes abroad, or home again: its network is lost, and after gap_s seconds the box is
   * among other networks.
   */
  readonly border: { readonly abroad: boolean; readonly gap_s?: number };
  /**
   * A collision from this side: the body of the vehicle undergoes this acceleration for that long. The
   * driver drives on.
   */
  readonly crash: {
    readonly acceleration_in_mg: number;
    readonly duration_ms?: number;
    readonly direction?: 'front' | 'rear' | 'left' | 'right';
  };
  /** A collision with the parked vehicle. */
  readonly shock: {
    readonly acceleration_in_mg: number;
    readonly duration_ms?: number;
    readonly direction?: 'front' | 'rear' | 'left' | 'right';
  };
  /**
   * Something dents the body on this side, which rings as strongly as this; the vehicle as a whole does
   * not move.
   */
  readonly bump: { readonly strength_in_mg: number; readonly side?: 'front' | 'rear' | 'left' | 'right' };
  /** The parked vehicle is towed that far along its street, on its wheels or taken up at one end. */
  readonly tow: { readonly distance_m: number; readonly lifted?: boolean };
  /**
   * Smoke in the vehicle: this concentration of fine particles, in micrograms per cubic metre, for this
   * number of seconds; then it is aired.
   */
  readonly smoke: {
    readonly concentration_in_micrograms_per_cubic_meter: number;
    readonly duration_s: number;
  };
  /** The windows, the sunroof or the convertible top are opened or shut. */
  readonly openings: { readonly what: 'windows' | 'sunroof' | 'convertible_top'; readonly open: boolean };
  /**
   * The charging plug of a parked vehicle is put in, and it charges until it is full; or the plug is
   * pulled.
   */
  readonly charge: { readonly connected: boolean };
  /** The tank of a parked vehicle is filled up, to that share of it. */
  readonly refuel: { readonly to_percent?: number };
  /**
   * The drive battery in a port of a parked vehicle is taken out, and another one with that charge put
   * in; null leaves the port empty.
   */
  readonly 'swap-battery': { readonly port: number; readonly level_in_percent: number | null };
  /** The belt at a seat is fastened or open, independent of the driver; null leaves it to the passengers. */
  readonly belts: {
    readonly seat: 'front_left' | 'front_right' | 'row2_left' | 'row2_middle' | 'row2_right';
    readonly fastened: boolean | null;
  };
  /** The vehicle key is put into its place in the vehicle, or taken away. */
  readonly key: { readonly present: boolean };
  /**
   * A card is put into a slot of the card holder or taken out; a slot that is not configured was taught
   * no card.
   */
  readonly cards: { readonly slot: number; readonly state: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED' };
  /**
   * The selector lever of a standing vehicle with the ignition on is held there; SPORT also while it
   * drives. null leaves it to the driver.
   */
  readonly gear: { readonly position: 'PARK' | 'REVERSE' | 'NEUTRAL' | 'DRIVE' | 'SPORT' | null };
  /** The anti-lock brakes or the stability program are switched off, or on again. */
  readonly 'driving-aids': { readonly what: 'abs' | 'esp'; readonly enabled: boolean };
  /**
   * A level becomes this, in percent of what it should be: fluids, brake lining, tyre pressure, starter
   * battery. Indicators and trouble codes follow from it.
   */
  readonly wear: {
    readonly what:
      | 'oil'
      | 'coolant'
      | 'brake_fluid'
      | 'brake_lining'
      | 'washer_fluid'
      | 'adblue'
      | 'starter_battery'
      | 'tire_front_left'
      | 'tire_front_right'
      | 'tire_rear_left'
      | 'tire_rear_right'
      | 'tire_front'
      | 'tire_rear';
    readonly to: number;
  };
  /** Kilometers or days until a service is due; below 0 it is overdue. */
  readonly due: {
    readonly what: 'service' | 'oil' | 'brake_fluid';
    readonly in_km?: number;
    readonly in_days?: number;
  };
  /**
   * A control unit stores this trouble code (SAE J2012), and the indicators follow; or it is cleared,
   * where its cause is gone.
   */
  readonly 'trouble-code': { readonly code: string; readonly active: boolean };
  /** A workshop mends the vehicle: levels are full, services done, trouble codes cleared, sensors work. */
  readonly workshop: Readonly<Record<string, never>>;
  /** A sensor fails or has no value, and its signal says so; or it works again. */
  readonly sensor: { readonly quantity: QuantityName; readonly state: 'works' | 'failed' | 'unavailable' };
}

import type { FeatureName } from '../../../contract/features.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { CheckerName } from '../../../judge/checkers.ts';
import type { Generation } from '../../../protocol/message.ts';
import type { MqttSessionKind, RadioSetting, SimProviderName } from '../../../simulator/box-plan.ts';
import type { DriveColumns } from '../../../simulator/recorded-drives/columns.ts';
import type { Expectation } from '../expectations/expectations.ts';
import type { Break } from '../steps/breaks.ts';
import type { ScenarioCall } from '../steps/calls.ts';
import type { GeoPlace } from '../steps/geo-place.ts';
import type { Trigger } from '../steps/triggers.ts';
import type { VehicleAct } from '../steps/vehicle-acts.ts';
import type { Weather } from '../steps/weather.ts';
import type { Variation } from '../vary/vary.ts';
import type { Ms } from './quantity.ts';

/**
 * A scenario as it is run: read and checked, with defaults filled in, spans in milliseconds, sizes in bytes
 * and rates in bits per second. Plain JSON data (without undefined).
 */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly seed: number;
  /** At least one group. */
  readonly fleet: readonly FleetGroup[];
  readonly clients: readonly ClientPlan[];
  /** How many backends share the boxes and the store; absent: one serves all. */
  readonly backends?: number;
  /** The limit of calls a minute of each client; absent: none. */
  readonly rateLimit?: number;
  /** In the order of the file. Labels are unique. */
  readonly steps: readonly Step[];
  /** The line of each step in the file that it was read from, from 1; absent: it was not read from a text. */
  readonly stepLines?: readonly number[];
  /** Each once, in the order of the table; `all` is expanded. */
  readonly always: readonly CheckerName[];
  readonly vary: readonly Variation[];
  /** A step without the effect that it states makes the run fail; absent: it is a warning. */
  readonly isStrict?: true;
  readonly limits: {
    /** How long the run lasts at least; absent: until its last step has ended. */
    readonly durationMs?: Ms;
    /** How long pending work may take to settle after that, with all faults ended. */
    readonly healMs: Ms;
  };
}

/** Vehicles of one kind. Absent settings are drawn from the seed, for each vehicle separately. */
export interface FleetGroup {
  /** The name by which steps select it; by default `fleet-0` and so on. */
  readonly as: string;
  readonly count: number;
  /** A model of protocol/models; with `maker` one of the maker's models. */
  readonly model?: string;
  /** `2.31`. Never with `maker`. */
  readonly firmware?: string;
  readonly sim?: SimProviderName;
  /** Its vehicles have this maker's telematics instead of a box. */
  readonly maker?: 'northwind';
  readonly generation?: Generation;
  readonly hardwareRevision?: number;
  /** The route's name on which it starts; absent: a route at home is drawn. */
  readonly route?: string;
  /**
   * A file next to the scenario with a drive that its vehicles replay: GPX, GeoJSON or CSV. Never with `maker` or
   * `route`.
   */
  readonly recordedDrive?: string;
  /** The columns of that file, as in a mapping file; absent: by their names. */
  readonly driveColumns?: DriveColumns;
  readonly isDriving?: boolean;
  /**
   * What is configured before the first step. `demo`: as by `boxtwin up`; otherwise these features, `{}` for
   * none.
   */
  readonly features: 'demo' | Readonly<Partial<Record<FeatureName, Readonly<Record<string, unknown>>>>>;
  /** Whether the maintenance set is booked. */
  readonly isMaintained: boolean;
  /** Whether the boxes are in stock, in no vehicle record yet. */
  readonly isOnShelf: boolean;
  /** The fleet that owns the vehicles: `own`, or the second one, `partner`. */
  readonly fleet: 'own' | 'partner';
  /** How many records the journal holds; absent: the default. */
  readonly journalRecords?: number;
  /** Whether the broker keeps the sessions of the boxes while they are away; absent: `clean`. */
  readonly mqttSession?: MqttSessionKind;
  /** Absent: `ideal`. */
  readonly radio?: RadioSetting;
}

/** A client in addition to those of `CALLERS`. */
export interface ClientPlan {
  readonly name: string;
  readonly fleet: 'own' | 'partner' | 'stranger';
  /** Absent: every permission. */
  readonly permissions?: readonly Permission[];
}

/** One step. It has at most one action (`does`), and then checks its expectations. */
export interface Step {
  readonly label?: string;
  readonly when: StepStart;
  /**
   * Its trigger; absent: none. The delay of `when` is then counted from the trigger, and the step waits for it
   * immediately.
   */
  readonly trigger?: Trigger & { readonly delayMs: Ms };
  /** Absent: once. */
  readonly repeat?: Repeat;
  /** How long its weather or break lasts, only for those that last; absent: until the end of the run. */
  readonly forMs?: Ms;
  /** The vehicles that it acts on, and for which each expectation must hold. */
  readonly on: Selection;
  /** The place of its weather; absent: everywhere. */
  readonly place?: GeoPlace;
  readonly does?: StepAction;
  /** Each must hold at some time within `withinMs`, after the step's action. Earlier states do not count. */
  readonly expect: readonly Expectation[];
  /** None may hold at any time within `withinMs`. */
  readonly never: readonly Expectation[];
  /** Counted from the beginning of the step. Default 30 s; 0: immediately. */
  readonly withinMs: Ms;
}

/** The rounds of a step: so many, or until `forMs` is over, `everyMs` from beginning to beginning. */
export type Repeat =
  | { readonly everyMs: Ms; readonly times: number }
  | { readonly everyMs: Ms; readonly forMs: Ms };

/** The number of rounds of a step. */
export function roundsOf(repeat: Repeat | undefined): number {
  if (repeat === undefined) return 1;
  return 'times' in repeat ? repeat.times : Math.ceil(repeat.forMs / repeat.everyMs);
}

/**
 * When a step begins. A step has ended when its call is answered, its `for` has ended and all of its
 * expectations were met. A fault that lasts without a `for` does not delay this.
 */
export type StepStart =
  /** The time since the beginning of the scenario. Steps with the same time may happen in any order. */
  | { readonly atMs: Ms }
  /** The time since the labelled step ended. */
  | { readonly after: string; readonly delayMs: Ms }
  /** The time since every step before it in the file ended. */
  | { readonly afterAll: true; readonly delayMs: Ms };

export type StepAction =
  | { readonly kind: 'vehicle'; readonly act: VehicleAct }
  | { readonly kind: 'call'; readonly call: ScenarioCall }
  | { readonly kind: 'weather'; readonly weather: Weather }
  | { readonly kind: 'break'; readonly break: Break };

/** Which vehicles of the fleet or of one group. Vehicles are numbered from 1, in the order of the fleet. */
export interface Selection {
  /** The `as` of a group; absent: all groups. */
  readonly group?: string;
  readonly pick:
    | 'all'
    /** The vehicle with this number, from 1. */
    | { readonly box: number }
    /** A number of vehicles, drawn from the seed by the step's place or label; all if there are fewer. */
    | { readonly count: number }
    /** A share of the vehicles, rounded, at least one; drawn in the same way. */
    | { readonly fraction: number }
    /** The vehicles that the labelled step selected. */
    | { readonly sameAs: string }
    /** All others. */
    | { readonly othersThan: string };
}

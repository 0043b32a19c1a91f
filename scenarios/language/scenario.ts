import type { Permission } from '../../backend/access/permissions.ts';
import type { FeatureName } from '../../backend/configuration/features.ts';
import type { Generation } from '../../protocol/message.ts';
import type { RadioSetting } from '../../simulator/radio/setting.ts';
import type { SimProviderName } from '../../simulator/sim-provider/names.ts';
import type { Break } from './breaks.ts';
import type { Call } from './calls.ts';
import type { CheckerName } from './checkers.ts';
import type { Expectation } from './expectations.ts';
import type { Ms } from './quantity.ts';
import type { Variation } from './vary.ts';
import type { VehicleAct } from './vehicle-acts.ts';
import type { Weather } from './weather.ts';

/**
 * A scenario as it is run: read, checked, every default in its place, every span in milliseconds, every size in bytes,
 * every rate in bits a second. Plain JSON data (without undefined).
 */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly seed: number;
  /** At least one group. */
  readonly fleet: readonly FleetGroup[];
  readonly clients: readonly ClientPlan[];
  /** In the order of the file. Labels are unique. */
  readonly steps: readonly Step[];
  /** Each once, in the order of the table; `all` is written out. */
  readonly always: readonly CheckerName[];
  readonly vary: readonly Variation[];
  readonly limits: {
    /** The run goes on so long at least from its beginning; absent: until its last step is over. */
    readonly durationMs?: Ms;
    /** After that, and with all faults ended: how long what is pending may take to settle. */
    readonly healMs: Ms;
  };
}

/** Vehicles that are alike. What is absent is drawn from the seed, for each vehicle on its own. */
export interface FleetGroup {
  /** By which steps name it: `fleet-0` and so on where the file says nothing. */
  readonly as: string;
  readonly count: number;
  /** Of protocol/models; with `maker` one of its models. */
  readonly model?: string;
  /** `2.31`. Never with `maker`. */
  readonly firmware?: string;
  readonly sim?: SimProviderName;
  /** Its vehicles have this maker's telematics in place of a box. */
  readonly maker?: 'northwind';
  readonly generation?: Generation;
  readonly hardwareRevision?: number;
  /** Where it starts: a route's name, without it one at home. */
  readonly route?: string;
  readonly isDriving?: boolean;
  /** Configured before the first step. `demo`: as `boxtwin up` does; else these features, and `{}` is none. */
  readonly features: 'demo' | Readonly<Partial<Record<FeatureName, Readonly<Record<string, unknown>>>>>;
  /** The maintenance set is booked. */
  readonly isMaintained: boolean;
  /** The boxes are in the stock, in no vehicle record yet. */
  readonly isOnShelf: boolean;
  /** Whose vehicles they are: `own`, or the second fleet, `partner`. */
  readonly fleet: 'own' | 'partner';
  /** Room in the journal; absent: the usual. */
  readonly journalRecords?: number;
  /** Absent: `ideal`. */
  readonly radio?: RadioSetting;
}

/** A client beside those of `CALLERS`. */
export interface ClientPlan {
  readonly name: string;
  readonly fleet: 'own' | 'partner' | 'stranger';
  /** Absent: every permission. */
  readonly permissions?: readonly Permission[];
}

/** One step. It does at most one thing (`does`), and then looks for what is expected. */
export interface Step {
  readonly label?: string;
  readonly when: When;
  /** What it lays or breaks ends so long after it began. Only where that lasts; absent: it stays to the end. */
  readonly forMs?: Ms;
  /** The vehicles that it is done to, and that each expectation has to hold for. */
  readonly on: Selection;
  readonly does?: Deed;
  /** Every one has to come to hold within `withinMs`, once what the step does is done: what was so before counts for none. */
  readonly expect: readonly Expectation[];
  /** None may hold at any time within `withinMs`. */
  readonly never: readonly Expectation[];
  /** From the beginning of the step. 30 s where the file says nothing; 0: at once. */
  readonly withinMs: Ms;
}

/**
 * When a step begins. A step is over when its call is answered, its `for` has ended, and all its expectations have come
 * to hold; what lasts without a `for` holds nobody up.
 */
export type When =
  /** So long after the beginning of the scenario. Steps with the same time may happen in any order. */
  | { readonly atMs: Ms }
  /** So long after the labelled step is over. */
  | { readonly after: string; readonly delayMs: Ms }
  /** So long after every step that stands before it in the file is over. */
  | { readonly afterAll: true; readonly delayMs: Ms };

export type Deed =
  | { readonly kind: 'vehicle'; readonly act: VehicleAct }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'weather'; readonly weather: Weather }
  | { readonly kind: 'break'; readonly break: Break };

/** Which vehicles, of the whole fleet or of one group. Vehicles count from 1, in the order of the fleet. */
export interface Selection {
  /** The `as` of a group; absent: of all groups. */
  readonly group?: string;
  readonly pick:
    | 'all'
    /** The vehicle with this number, from 1. */
    | { readonly box: number }
    /** So many, drawn from the seed by the step's place or label; all where there are fewer. */
    | { readonly count: number }
    /** This share, rounded, and at least one; drawn in the same way. */
    | { readonly fraction: number }
    /** Those that the labelled step selected. */
    | { readonly sameAs: string }
    /** All but those. */
    | { readonly othersThan: string };
}

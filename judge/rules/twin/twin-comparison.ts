import { MAINTENANCE } from '../../../contract/properties.ts';
import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../../evidence/simulated-vehicle.ts';
import { valueText } from '../../wording.ts';
import type { CheckScope } from '../check.ts';
import { limits } from '../limits.ts';
import {
  type AllowedDifference,
  allowedDifference,
  type SignalPath,
  signalPathOf,
} from './allowed-differences.ts';
import { hasFailed, type PhysicalTruth, type Precision, type TrueProperty } from './true-match.ts';
import {
  ENDING,
  MAKER_STEPS,
  MEASURED_BY_BOX,
  propertiesFedBy,
  TRUE_VALUES,
  WATCHED_WHEN_PARKED,
} from './true-values.ts';
import { truthsOf, truthsOfEveryMillisecond, truthsOfEveryMoment } from './twin-moments.ts';

/** A property as the API answers it. */
export interface ApiProperty {
  readonly timestamp: string;
  readonly value: unknown;
}

/** The answer of the API about one vehicle, and other knowledge of it. */
interface AnsweredTwin {
  /** Undefined: a maker's car, which reports its own properties. */
  readonly model: VehicleModel | undefined;
  /** Undefined: there is no box. */
  readonly snapshot: VehicleSnapshot | undefined;
  readonly state: ReadonlyMap<string, ApiProperty>;
  readonly isBooked: boolean;
}

const FAILURE = 'SENSOR_FAILURE';

/** Compares the twin of one vehicle with its physics. */
export class TwinComparison {
  readonly #scope: CheckScope;
  readonly #vehicle: SimulatedVehicle;
  readonly #twin: AnsweredTwin;
  /** By the time that the API returns. */
  readonly #truths = new Map<number, readonly PhysicalTruth[] | undefined>();
  /** Values that were compared, and those of them that must be true now. */
  compared = 0;
  comparedNow = 0;
  readonly allowed = new Map<AllowedDifference, number>();
  readonly differences: { readonly kind: string; readonly text: string }[] = [];

  constructor(scope: CheckScope, vehicle: SimulatedVehicle, twin: AnsweredTwin) {
    this.#scope = scope;
    this.#vehicle = vehicle;
    this.#twin = twin;
  }

  allow(reason: AllowedDifference): void {
    this.allowed.set(reason, (this.allowed.get(reason) ?? 0) + 1);
  }

  async compare(): Promise<void> {
    const { state, model, snapshot } = this.#twin;
    for (const [name, property] of state) this.#judge(name, property);
    if (snapshot === undefined || model === undefined || state.size === 0) return;
    for (const [name, property] of state) if (ENDING.has(name)) this.#judgeEnded(name, property, snapshot);
    for (const name of [...propertiesFedBy(model), ...MEASURED_BY_BOX])
      if (!state.has(name)) this.#judgeAbsent(name, snapshot);
    if (this.differences.length === 0) return;
    // This is checked only now: a record that the box gave up was the last report of something.
    const { lost } = await this.#scope.evidence.everStored(this.#vehicle);
    if (lost === 0) return;
    for (const _ of this.differences.splice(0)) this.allow('its journal has given records up');
  }

  /** What the API returns besides the vehicle state: its faults count unless the box cannot have reported it yet. */
  compareRecord(faults: readonly string[]): void {
    const { snapshot } = this.#twin;
    const reason = snapshot === undefined ? undefined : allowedDifference(snapshot, 'box');
    if (reason !== undefined) return;
    this.compared += 1;
    for (const text of faults) this.#addDifference('the record is not what the box is', text);
  }

  #judge(name: string, { value, timestamp }: ApiProperty): void {
    const { model, snapshot } = this.#twin;
    const row = TRUE_VALUES[name];
    const makerStep = snapshot === undefined ? MAKER_STEPS.get(name) : undefined;
    if (snapshot === undefined && makerStep === undefined) {
      this.allow("its maker's car tells it by polls");
      return;
    }
    if (row === undefined) {
      this.#addDifference('a property without a physics', `${name} is ${valueText(value)}`);
      return;
    }
    if (model !== undefined && row.quantity !== undefined && !propertiesFedBy(model).has(name)) {
      this.#addDifference(
        'a property that the model lacks',
        `${name} is ${valueText(value)}, and ${model.name} has none`,
      );
      return;
    }
    const precision: Precision = { model, makerStep };
    const secondMs = Date.parse(timestamp);
    const truths = this.#truthsAt(secondMs);
    if (truths === undefined) this.allow('what it was then is not kept any more');
    else if (truths.length === 0) {
      this.compared += 1;
      this.#addDifference(
        'a time that cannot have been',
        `${name} is of ${timestamp}, which no clock of its box can have said`,
      );
    } else {
      this.compared += 1;
      const wrong = this.#faultOf(row, value, { truths, precision, secondMs });
      if (wrong !== undefined)
        this.#addDifference(
          wrong,
          `${name} is ${valueText(value)} of ${timestamp}, and it was ${valueRangeText(row, truths, precision)}`,
        );
    }
    if (snapshot !== undefined && WATCHED_WHEN_PARKED.has(name))
      this.#judgeNow(name, value, { row, snapshot, precision });
  }

  /**
   * What the box measures itself depends only on the place: the value may have been true between two of the moments.
   */
  #faultOf(row: TrueProperty, value: unknown, at: Parameters<typeof faultOf>[2]): string | undefined {
    const fault = faultOf(row, value, at);
    if (fault === undefined || row.quantity !== undefined) return fault;
    const truths = truthsOfEveryMoment(this.#scope, this.#vehicle, at.secondMs);
    if (truths === undefined) {
      this.allow('it can be of too many moments');
      return undefined;
    }
    if (faultOf(row, value, { ...at, truths }) === undefined) return undefined;
    const close = truthsOfEveryMillisecond(this.#scope, this.#vehicle, at.secondMs);
    return close === undefined ? fault : faultOf(row, value, { ...at, truths: close });
  }

  /** A stationary vehicle with its ignition off: what a box can monitor must be true now. */
  #judgeNow(
    name: string,
    value: unknown,
    {
      row,
      snapshot,
      precision,
    }: { readonly row: TrueProperty; readonly snapshot: VehicleSnapshot; readonly precision: Precision },
  ): void {
    const { truth } = snapshot;
    if (truth['ignitionOn'] !== false || truth['speedKph'] !== 0) return;
    const reason = allowedDifference(snapshot, this.#signalPathOf(name));
    const now = row.says(truth, precision);
    if (reason !== undefined) this.allow(reason);
    else if (now === undefined || this.#wasSilentWhenRead(name, row, precision))
      this.allow('its sensor does not work');
    else {
      this.compared += 1;
      this.comparedNow += 1;
      if (!row.fits(value, [truth], precision, 0))
        this.#addDifference(
          'a parked vehicle is not what it is now',
          `${name} is ${valueText(value)}, and it is ${valueText(now)}`,
        );
    }
  }

  /** The reading at rest was the last one: a sensor that was repaired after it is not read again. */
  #wasSilentWhenRead(name: string, row: TrueProperty, precision: Precision): boolean {
    const truths = this.#truthsAt(this.#lastReportedMs(this.#signalPathOf(name))) ?? [];
    return truths.some((truth) => row.says(truth, precision) === undefined);
  }

  /**
   * Absent is correct if it could not be reported: by the truth when a property of the same source was last reported.
   */
  #judgeAbsent(name: string, snapshot: VehicleSnapshot): void {
    const { model, isBooked } = this.#twin;
    const row = TRUE_VALUES[name];
    if (row === undefined || (MAINTENANCE.has(name) && !isBooked)) return;
    const signalPath = this.#signalPathOf(name);
    const reason = allowedDifference(snapshot, signalPath);
    if (reason !== undefined) {
      this.allow(reason);
      return;
    }
    const truths = this.#truthsAt(this.#lastReportedMs(signalPath));
    if (truths === undefined || truths.length === 0) {
      this.allow('what it was then is not kept any more');
      return;
    }
    this.compared += 1;
    const said = truths.map((truth) => row.says(truth, { model }));
    if (said.every((one) => one !== undefined))
      this.#addDifference('a property is absent', `${name} is absent, and it was ${valueText(said[0])}`);
  }

  /**
   * A property that ends with something else is absent once a property of the same source was reported after that end.
   */
  #judgeEnded(name: string, { timestamp, value }: ApiProperty, snapshot: VehicleSnapshot): void {
    const signalPath = this.#signalPathOf(name);
    const row = TRUE_VALUES[name];
    if (row === undefined || allowedDifference(snapshot, signalPath) !== undefined) return;
    const lastMs = this.#lastReportedMs(signalPath);
    if (lastMs < Date.parse(timestamp) + limits.lapsedMs) return;
    // A time can also match a moment before the box knew the time; the value is from later.
    const fromMs = Date.parse(timestamp);
    const truths = (this.#truthsAt(lastMs) ?? []).filter(({ atMs }) => Number(atMs) >= fromMs);
    if (truths.length === 0) return;
    this.compared += 1;
    // A broken sensor reports nothing, and ends nothing.
    const isSilent = truths.some(({ sensors }) => Object.keys((sensors ?? {}) as object).length > 0);
    if (isSilent || !truths.every((truth) => row.says(truth, { model: this.#twin.model }) === undefined))
      return;
    this.#addDifference(
      'a property that has ended',
      `${name} is ${valueText(value)} of ${timestamp}, and at ${new Date(lastMs).toISOString()} there was none`,
    );
  }

  /** When a property of the same source was last reported, or any property if none was. */
  #lastReportedMs(signalPath: SignalPath): number {
    const told = [...this.#twin.state];
    const alike = told.filter(([name]) => this.#signalPathOf(name) === signalPath);
    return (alike.length === 0 ? told : alike).reduce(
      (latest, [, { timestamp }]) => Math.max(latest, Date.parse(timestamp)),
      0,
    );
  }

  #signalPathOf(name: string): SignalPath {
    return signalPathOf(this.#twin.model, name);
  }

  #truthsAt(secondMs: number): readonly PhysicalTruth[] | undefined {
    if (!this.#truths.has(secondMs))
      this.#truths.set(secondMs, truthsOf(this.#scope, this.#vehicle, secondMs));
    return this.#truths.get(secondMs);
  }

  #addDifference(kind: string, text: string): void {
    this.differences.push({ kind, text });
  }
}

/** The error of a value, in the common words of such findings; undefined: it was true. */
function faultOf(
  row: TrueProperty,
  value: unknown,
  {
    truths,
    precision,
    secondMs,
  }: { readonly truths: readonly PhysicalTruth[]; readonly precision: Precision; readonly secondMs: number },
): string | undefined {
  if (value === FAILURE) {
    const isSo = row.quantity !== undefined && hasFailed(truths, row.quantity);
    return isSo ? undefined : 'a sensor failure without one';
  }
  return row.fits(value, truths, precision, secondMs) ? undefined : 'the twin is not true';
}

/** Its true values, from the first of the moments to the last. */
function valueRangeText(row: TrueProperty, truths: readonly PhysicalTruth[], precision: Precision): string {
  const said = truths.map((truth) => valueText(row.says(truth, precision)));
  const [first = 'unknown'] = said;
  const last = said.at(-1) ?? first;
  return first === last ? first : `${first} to ${last}`;
}

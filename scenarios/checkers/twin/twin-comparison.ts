import type { VehicleModel } from '../../../protocol/models/model.ts';
import { valueText } from '../../run/match.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../../testbed/port/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { limits } from '../limits.ts';
import { hasFailed, type PhysicalTruth, type Precision, type TrueProperty } from './true-match.ts';
import {
  isOfMaintenance,
  LAPSING,
  MAKER_STEPS,
  MEASURED_BY_BOX,
  propertiesFedBy,
  TRUE_VALUES,
  WATCHED_WHEN_PARKED,
} from './true-values.ts';
import { type Excuse, excuseOf, type SignalPath, signalPathOf } from './twin-excuses.ts';
import { truthsOf, truthsOfEveryMillisecond, truthsOfEveryMoment } from './twin-moments.ts';

/** A property as the API answers it. */
export interface ApiProperty {
  readonly timestamp: string;
  readonly value: unknown;
}

/** What the API tells of one vehicle, and what is known of it otherwise. */
interface AnsweredTwin {
  /** Undefined: a maker's car, which speaks for itself. */
  readonly model: VehicleModel | undefined;
  /** Undefined: there is no box. */
  readonly snapshot: VehicleSnapshot | undefined;
  readonly state: ReadonlyMap<string, ApiProperty>;
  readonly isBooked: boolean;
}

const FAILURE = 'SENSOR_FAILURE';

/** The twin of one vehicle, held against its physics. */
export class TwinComparison {
  readonly #scope: CheckScope;
  readonly #vehicle: SimulatedVehicle;
  readonly #twin: AnsweredTwin;
  /** By the time that the API gives. */
  readonly #truths = new Map<number, readonly PhysicalTruth[] | undefined>();
  /** Values that were compared, and those of them that are to be so now. */
  compared = 0;
  comparedNow = 0;
  readonly excused = new Map<Excuse, number>();
  readonly differences: { readonly kind: string; readonly text: string }[] = [];

  constructor(scope: CheckScope, vehicle: SimulatedVehicle, twin: AnsweredTwin) {
    this.#scope = scope;
    this.#vehicle = vehicle;
    this.#twin = twin;
  }

  excuse(reason: Excuse): void {
    this.excused.set(reason, (this.excused.get(reason) ?? 0) + 1);
  }

  async compare(): Promise<void> {
    const { state, model, snapshot } = this.#twin;
    for (const [name, property] of state) this.#judge(name, property);
    if (snapshot === undefined || model === undefined || state.size === 0) return;
    for (const [name, property] of state) if (LAPSING.has(name)) this.#judgeEnded(name, property, snapshot);
    for (const name of [...propertiesFedBy(model), ...MEASURED_BY_BOX])
      if (!state.has(name)) this.#judgeAbsent(name, snapshot);
    if (this.differences.length === 0) return;
    // Only now is it worth asking: a record that the box gave up was the last word on something.
    const { lost } = await this.#scope.evidence.everStored(this.#vehicle);
    if (lost === 0) return;
    for (const _ of this.differences.splice(0)) this.excuse('its journal has given records up');
  }

  /** What the API says beside the vehicle state: the faults of it count unless the box cannot have told it yet. */
  compareRecord(faults: readonly string[]): void {
    const { snapshot } = this.#twin;
    const excuse = snapshot === undefined ? undefined : excuseOf(snapshot, 'box');
    if (excuse !== undefined) return;
    this.compared += 1;
    for (const text of faults) this.#addDifference('the record is not what the box is', text);
  }

  #judge(name: string, { value, timestamp }: ApiProperty): void {
    const { model, snapshot } = this.#twin;
    const row = TRUE_VALUES[name];
    const makerStep = snapshot === undefined ? MAKER_STEPS.get(name) : undefined;
    if (snapshot === undefined && makerStep === undefined) {
      this.excuse("its maker's car tells it by polls");
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
    if (truths === undefined) this.excuse('what it was then is not kept any more');
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

  /** What the box measures itself changes with the place alone: it may have been so between two of the moments. */
  #faultOf(row: TrueProperty, value: unknown, at: Parameters<typeof faultOf>[2]): string | undefined {
    const fault = faultOf(row, value, at);
    if (fault === undefined || row.quantity !== undefined) return fault;
    const truths = truthsOfEveryMoment(this.#scope, this.#vehicle, at.secondMs);
    if (truths === undefined) {
      this.excuse('it can be of too many moments');
      return undefined;
    }
    if (faultOf(row, value, { ...at, truths }) === undefined) return undefined;
    const close = truthsOfEveryMillisecond(this.#scope, this.#vehicle, at.secondMs);
    return close === undefined ? fault : faultOf(row, value, { ...at, truths: close });
  }

  /** A vehicle that stands with its ignition off: what a box can watch is so now. */
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
    const excuse = excuseOf(snapshot, this.#signalPathOf(name));
    const now = row.says(truth, precision);
    if (excuse !== undefined) this.excuse(excuse);
    else if (now === undefined || this.#wasSilentWhenRead(name, row, precision))
      this.excuse('its sensor does not work');
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

  /** The reading at rest was the last one: a sensor that was mended after it is not read again. */
  #wasSilentWhenRead(name: string, row: TrueProperty, precision: Precision): boolean {
    const truths = this.#truthsAt(this.#lastReportedMs(this.#signalPathOf(name))) ?? [];
    return truths.some((truth) => row.says(truth, precision) === undefined);
  }

  /** Absent is right where nobody could have told it: by what was so when what comes the same way was told last. */
  #judgeAbsent(name: string, snapshot: VehicleSnapshot): void {
    const { model, isBooked } = this.#twin;
    const row = TRUE_VALUES[name];
    if (row === undefined || (isOfMaintenance(name) && !isBooked)) return;
    const signalPath = this.#signalPathOf(name);
    const excuse = excuseOf(snapshot, signalPath);
    if (excuse !== undefined) {
      this.excuse(excuse);
      return;
    }
    const truths = this.#truthsAt(this.#lastReportedMs(signalPath));
    if (truths === undefined || truths.length === 0) {
      this.excuse('what it was then is not kept any more');
      return;
    }
    this.compared += 1;
    const said = truths.map((truth) => row.says(truth, { model }));
    if (said.every((one) => one !== undefined))
      this.#addDifference('a property is absent', `${name} is absent, and it was ${valueText(said[0])}`);
  }

  /** What ends with something else is not there any more once what comes the same way was told after that end. */
  #judgeEnded(name: string, { timestamp, value }: ApiProperty, snapshot: VehicleSnapshot): void {
    const signalPath = this.#signalPathOf(name);
    const row = TRUE_VALUES[name];
    if (row === undefined || excuseOf(snapshot, signalPath) !== undefined) return;
    const lastMs = this.#lastReportedMs(signalPath);
    if (lastMs < Date.parse(timestamp) + limits.lapsedMs) return;
    // A time can mean a moment from before the box knew the time, too; its own value is from later than that.
    const fromMs = Date.parse(timestamp);
    const truths = (this.#truthsAt(lastMs) ?? []).filter(({ atMs }) => Number(atMs) >= fromMs);
    if (truths.length === 0) return;
    this.compared += 1;
    // A sensor that does not work tells nothing, and ends nothing.
    const isSilent = truths.some(({ sensors }) => Object.keys((sensors ?? {}) as object).length > 0);
    if (isSilent || !truths.every((truth) => row.says(truth, { model: this.#twin.model }) === undefined))
      return;
    this.#addDifference(
      'a property that has ended',
      `${name} is ${valueText(value)} of ${timestamp}, and at ${new Date(lastMs).toISOString()} there was none`,
    );
  }

  /** When something that comes the same way was told last, or anything at all where nothing was. */
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

/** What is wrong with a value, in the words that all such findings have; undefined: it was so. */
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

/** What it was, from the first of the moments to the last. */
function valueRangeText(row: TrueProperty, truths: readonly PhysicalTruth[], precision: Precision): string {
  const said = truths.map((truth) => valueText(row.says(truth, precision)));
  const [first = 'unknown'] = said;
  const last = said.at(-1) ?? first;
  return first === last ? first : `${first} to ${last}`;
}

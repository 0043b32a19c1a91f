import type { VehicleModel } from '../../protocol/models/model.ts';
import { show } from '../run/match.ts';
import type { Look, Player } from '../run/theatre.ts';
import type { CheckScope } from './check.ts';
import { type Grain, hasFailed, type TrueValue, type Truth } from './true-match.ts';
import { fedBy, isOfMaintenance, MAKER_STEPS, OWN, TRUE_VALUES, WATCHED } from './true-values.ts';
import { type Excuse, excuseOf, type Through, throughOf } from './twin-excuses.ts';
import { truthsOf } from './twin-moments.ts';

/** A property as the API answers it. */
export interface Property {
  readonly timestamp: string;
  readonly value: unknown;
}

/** What the API tells of one vehicle, and what is known of it otherwise. */
interface Told {
  /** Undefined: a maker's car, which speaks for itself. */
  readonly model: VehicleModel | undefined;
  /** Undefined: there is no box. */
  readonly look: Look | undefined;
  readonly state: ReadonlyMap<string, Property>;
  readonly isBooked: boolean;
}

const FAILURE = 'SENSOR_FAILURE';

/** The twin of one vehicle, held against its physics. */
export class Comparison {
  readonly #scope: CheckScope;
  readonly #player: Player;
  readonly #told: Told;
  /** By the time that the API gives. */
  readonly #truths = new Map<number, readonly Truth[] | undefined>();
  /** Values that were compared, and those of them that are to be so now. */
  compared = 0;
  comparedNow = 0;
  readonly excused = new Map<Excuse, number>();
  readonly differences: { readonly kind: string; readonly text: string }[] = [];

  constructor(scope: CheckScope, player: Player, told: Told) {
    this.#scope = scope;
    this.#player = player;
    this.#told = told;
  }

  excuse(reason: Excuse): void {
    this.excused.set(reason, (this.excused.get(reason) ?? 0) + 1);
  }

  async compare(): Promise<void> {
    const { state, model, look } = this.#told;
    for (const [name, property] of state) this.#judge(name, property);
    if (look === undefined || model === undefined || state.size === 0) return;
    for (const name of [...fedBy(model), ...OWN]) if (!state.has(name)) this.#judgeAbsent(name, look);
    if (this.differences.length === 0) return;
    // Only now is it worth asking: a record that the box gave up was the last word on something.
    const { lost } = await this.#scope.evidence.everStored(this.#player);
    if (lost === 0) return;
    for (const _ of this.differences.splice(0)) this.excuse('its journal has given records up');
  }

  #judge(name: string, { value, timestamp }: Property): void {
    const { model, look } = this.#told;
    const row = TRUE_VALUES[name];
    const makerStep = look === undefined ? MAKER_STEPS.get(name) : undefined;
    if (look === undefined && makerStep === undefined) {
      this.excuse("its maker's car tells it by polls");
      return;
    }
    if (row === undefined) {
      this.#differ('a property without a physics', `${name} is ${show(value)}`);
      return;
    }
    if (model !== undefined && row.quantity !== undefined && !fedBy(model).has(name)) {
      this.#differ(
        'a property that the model lacks',
        `${name} is ${show(value)}, and ${model.name} has none`,
      );
      return;
    }
    const grain: Grain = { model, makerStep };
    const secondMs = Date.parse(timestamp);
    const truths = this.#truthsAt(secondMs);
    if (truths === undefined) this.excuse('what it was then is not kept any more');
    else if (truths.length === 0) {
      this.compared += 1;
      this.#differ(
        'a time that cannot have been',
        `${name} is of ${timestamp}, which no clock of its box can have said`,
      );
    } else {
      this.compared += 1;
      const wrong = faultOf(row, value, { truths, grain, secondMs });
      if (wrong !== undefined)
        this.#differ(
          wrong,
          `${name} is ${show(value)} of ${timestamp}, and it was ${shown(row, truths, grain)}`,
        );
    }
    if (look !== undefined && WATCHED.has(name)) this.#judgeNow(name, value, { row, look, grain });
  }

  /** A vehicle that stands with its ignition off: what a box can watch is so now. */
  #judgeNow(
    name: string,
    value: unknown,
    { row, look, grain }: { readonly row: TrueValue; readonly look: Look; readonly grain: Grain },
  ): void {
    const { truth } = look;
    if (truth['ignitionOn'] !== false || truth['speedKph'] !== 0) return;
    const excuse = excuseOf(look, this.#through(name));
    const now = row.says(truth, grain);
    if (excuse !== undefined) this.excuse(excuse);
    else if (now === undefined) this.excuse('its sensor does not work');
    else {
      this.compared += 1;
      this.comparedNow += 1;
      if (!row.fits(value, [truth], grain, 0))
        this.#differ(
          'a parked vehicle is not what it is now',
          `${name} is ${show(value)}, and it is ${show(now)}`,
        );
    }
  }

  /** Absent is right where nobody could have told it: by what was so when what comes the same way was told last. */
  #judgeAbsent(name: string, look: Look): void {
    const { model, isBooked } = this.#told;
    const row = TRUE_VALUES[name];
    if (row === undefined || (isOfMaintenance(name) && !isBooked)) return;
    const through = this.#through(name);
    const excuse = excuseOf(look, through);
    if (excuse !== undefined) {
      this.excuse(excuse);
      return;
    }
    const truths = this.#truthsAt(this.#lastTold(through));
    if (truths === undefined || truths.length === 0) {
      this.excuse('what it was then is not kept any more');
      return;
    }
    this.compared += 1;
    const said = truths.map((truth) => row.says(truth, { model }));
    if (said.every((one) => one !== undefined))
      this.#differ('a property is absent', `${name} is absent, and it was ${show(said[0])}`);
  }

  /** When something that comes the same way was told last, or anything at all where nothing was. */
  #lastTold(through: Through): number {
    const told = [...this.#told.state];
    const alike = told.filter(([name]) => this.#through(name) === through);
    return (alike.length === 0 ? told : alike).reduce(
      (latest, [, { timestamp }]) => Math.max(latest, Date.parse(timestamp)),
      0,
    );
  }

  #through(name: string): Through {
    return throughOf(this.#told.model, name);
  }

  #truthsAt(secondMs: number): readonly Truth[] | undefined {
    if (!this.#truths.has(secondMs))
      this.#truths.set(secondMs, truthsOf(this.#scope, this.#player, secondMs));
    return this.#truths.get(secondMs);
  }

  #differ(kind: string, text: string): void {
    this.differences.push({ kind, text });
  }
}

/** What is wrong with a value, in the words that all such findings have; undefined: it was so. */
function faultOf(
  row: TrueValue,
  value: unknown,
  {
    truths,
    grain,
    secondMs,
  }: { readonly truths: readonly Truth[]; readonly grain: Grain; readonly secondMs: number },
): string | undefined {
  if (value === FAILURE) {
    const isSo = row.quantity !== undefined && hasFailed(truths, row.quantity);
    return isSo ? undefined : 'a sensor failure without one';
  }
  return row.fits(value, truths, grain, secondMs) ? undefined : 'the twin is not true';
}

/** What it was, from the first of the moments to the last. */
function shown(row: TrueValue, truths: readonly Truth[], grain: Grain): string {
  const said = truths.map((truth) => show(row.says(truth, grain)));
  const [first = 'unknown'] = said;
  const last = said.at(-1) ?? first;
  return first === last ? first : `${first} to ${last}`;
}

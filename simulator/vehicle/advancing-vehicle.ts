import { knownModel } from '../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { petrolCompact } from '../../protocol/models/petrol-compact.ts';
import type { Random } from '../../world/random/random.ts';
import type { BoxPlan } from '../box-plan.ts';
import type { Route } from '../routes/route.ts';
import { routeNamed } from '../routes/routes.ts';
import { afterChange, afterSegment, standingJourney } from './driving/driver.ts';
import { handlingOf } from './driving/handling.ts';
import type { DriveContext, DriverChange, Journey } from './driving/journey.ts';
import { ALL_WORK } from './driving/mechanics.ts';
import { stopping } from './driving/moves.ts';
import { type RoadUser, roadPlace, type Traffic } from './driving/traffic.ts';
import { nextDipMs, startingDips } from './energy/low-voltage.ts';
import { backupPercentAt } from './energy/supply.ts';
import { Maintenance } from './equipment/maintenance.ts';
import { type CabinSmoke, nextSmokeMs } from './equipment/smoke.ts';
import { type AccelerationExtremes, extremesIn, NO_ACCELERATION, widened } from './forces.ts';
import { beginning, drawnBuild, firstMemory } from './memory/first-memory.ts';
import { memoryOf, physicalStateOf, type VehicleMemory } from './memory/memory.ts';
import { MemoryCache } from './memory/memory-cache.ts';
import { VehicleHistory } from './memory/vehicle-history.ts';
import { truthAt, type VehicleOrigin, type VehicleState, viewAt } from './memory/vehicle-state.ts';
import { type PhysicalState, physicalStateAt } from './motion-segment.ts';
import { airOf } from './motion-segments.ts';
import {
  type AccelerationInterval,
  AccelerometerBuffer,
  drivingAccelerations,
} from './sensing/accelerometer-buffer.ts';
import { type LookThresholds, nextSignificantLookMs } from './sensing/next-significant-look.ts';
import { SensorView } from './sensing/sensor-inputs.ts';
import { SignalCache } from './sensing/signal-cache.ts';
import type { SensorInputs } from './sensing/vehicle-ports.ts';
import { airAroundC } from './surroundings/air.ts';
import { type Antennas, antennasOf, edgeOfReach } from './surroundings/antennas.ts';
import { nextTowMs, type Tow, towEndMs, towedM } from './surroundings/towing.ts';
import { type BoxSurroundings, undisturbedSurroundings } from './vehicle-view.ts';

/** The part of a plan that a vehicle needs; a vehicle without a box gives another id instead of `boxId`. */
export type VehiclePlan = Pick<BoxPlan, 'boxId' | 'model' | 'route' | 'startFraction' | 'driving' | 'radio'>;

/**
 * A vehicle over time, without people's actions on it (simulator/vehicle/vehicle.ts). A class, not a closure: a fleet
 * holds a hundred thousand of them, and each function of a closure would be an object of each.
 */
export abstract class AdvancingVehicle {
  protected readonly model: VehicleModel;
  protected readonly madeMs: number;
  protected readonly mileageStartKm: number;
  protected readonly maintenance: Maintenance;
  protected readonly antennas: Antennas;
  protected readonly accelerometer = new AccelerometerBuffer();
  protected journey: Journey;
  protected context: DriveContext;
  protected surroundings: BoxSurroundings;
  /** It was put somewhere else than the plan says. */
  protected isChosen: boolean;
  protected atMs: number;
  protected tow: Tow | undefined;
  protected smoke: CabinSmoke | undefined;
  readonly #plannedRoute: string;
  readonly #origin: VehicleOrigin;
  readonly #traffic: Traffic | undefined;
  readonly #roadUser: RoadUser | undefined;
  readonly #signalCache = new SignalCache();
  readonly #memoryCache = new MemoryCache();
  #ignitionOffMs: number;
  #history: VehicleHistory | undefined;
  /** The extremes since the last look, up to the beginning of the segment or to the look itself. */
  #extremes: AccelerationExtremes = NO_ACCELERATION;
  #feltS = 0;

  /** The arguments: see `makeVehicle`. */
  constructor(
    plan: VehiclePlan,
    random: Random,
    atMs: number,
    memory: VehicleMemory | undefined,
    routes: ReadonlyMap<string, Route>,
    traffic: Traffic | undefined,
  ) {
    const { boxId } = plan;
    const chance = (what: string) => random.stream(`box/${boxId}/vehicle/${what}`);
    const model = knownModel(plan.model) ?? MAKER_MODELS.get(plan.model) ?? petrolCompact;
    // The chosen route applies until the plan names another one, and for a replayed one until the next start.
    const isReplay = plan.driving && routes.get(plan.route)?.drive !== undefined;
    const chosen = !isReplay && memory?.chosen?.instead === plan.route ? memory.chosen : undefined;
    const route = routeNamed(chosen?.route ?? plan.route, routes);
    const build = drawnBuild(chance('body'));
    const { first, startM } = beginning(plan, route, {
      memory,
      chosen,
      made: () => firstMemory(model, build, plan.driving, chance('traction')),
    });
    this.context = {
      model,
      route,
      startM,
      style: { limitShare: build.limitShare, body: model.body, handling: handlingOf(model) },
      chance: chance('streets'),
      weather: random.stream('air').whole(0, 0xffff_ffff - 1),
      madeMs: atMs,
      // Until it has joined the traffic.
      ...(traffic === undefined ? {} : { roomM: () => 0 }),
    };
    const mileageKm = first.startMileageKm + first.wayM / 1_000;
    this.model = model;
    this.madeMs = atMs;
    this.atMs = atMs;
    this.mileageStartKm = first.startMileageKm;
    this.maintenance = new Maintenance(chance, model, { atMs, mileageKm }, first.energy, memory?.equipment);
    const firstC = airAroundC(airOf(first, this.context), 0);
    const physicalState = physicalStateOf(first, model, firstC);
    this.journey = standingJourney(physicalState, first.switches, first, this.context);
    this.isChosen = chosen !== undefined || route.drive !== undefined;
    this.surroundings = undisturbedSurroundings(atMs, memory?.mechanics ?? ALL_WORK);
    this.antennas = antennasOf(random, `box/${boxId}`, chance('radio').whole(12, 28), plan.radio);
    this.#plannedRoute = plan.route;
    this.#origin = { madeMs: atMs, mileageStartKm: this.mileageStartKm, antennas: this.antennas };
    this.#ignitionOffMs = atMs;
    this.#traffic = traffic;
    if (traffic === undefined) return;
    this.#roadUser = {
      nextMs: () => atMs + this.journey.segment.untilS * 1_000,
      decideNext: () => this.#decideNext(),
      placeAt: (thenMs) => roadPlace(this.journey, this.context, (thenMs - atMs) / 1_000),
    };
    const roadAheadM = traffic.join(this.#roadUser);
    this.context = { ...this.context, roomM: (atS) => roadAheadM(atMs + atS * 1_000) };
  }

  advance(toMs: number): void {
    if (!(toMs > this.atMs)) return;
    this.#history?.add(this.atMs, this.state());
    this.#traffic?.advance(toMs);
    this.atMs = toMs;
    while (this.journey.segment.untilS <= this.nowS()) {
      this.#shake(this.madeMs + this.journey.segment.untilS * 1_000);
      this.#decideNext();
    }
    this.#shake(toMs);
    if (this.tow !== undefined && toMs >= towEndMs(this.tow)) this.letDown();
  }

  extremes(): AccelerationExtremes {
    this.#feel(this.nowS());
    const found = this.#extremes;
    this.#extremes = NO_ACCELERATION;
    return found;
  }

  sensors(): SensorInputs {
    const view = viewAt(this.state(), this.atMs, this.#origin);
    return new SensorView(view, this.tow, this.smoke, (thenMs) => this.#felt(thenMs), this.#signalCache);
  }

  truth(): Record<string, unknown> {
    const truth = truthAt(this.state(), this.atMs, this.#origin);
    if (this.#traffic === undefined || this.#roadUser === undefined) return truth;
    const stoppingM = stopping(this.now().speedMps).lengthM;
    return { ...truth, isKerbFree: this.#traffic.isKerbFree(this.#roadUser, stoppingM, this.atMs) };
  }

  keepHistory(room: number): void {
    this.#history ??= new VehicleHistory(room);
    this.#history.add(this.atMs, this.state());
  }

  truthsBetween(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined {
    this.#history?.add(this.atMs, this.state());
    const moments = this.#history?.moments(fromMs, Math.min(toMs, this.atMs));
    return moments?.map((moment) => truthAt(moment.state, moment.atMs, this.#origin));
  }

  memory(): VehicleMemory {
    return this.snapshot()();
  }

  snapshot(): () => VehicleMemory {
    const { model, madeMs, atMs: thenMs, mileageStartKm, journey } = this;
    // Not the whole journey: that would keep its future moves in memory.
    const { segment, switches, intent } = journey;
    const { cut, mechanics } = this.surroundings;
    const { startM, route } = this.place();
    const { equipment } = this.maintenance;
    const instead = this.isChosen || this.tow !== undefined ? this.#plannedRoute : undefined;
    const memory = () => {
      const physicalState = physicalStateAt(segment, (thenMs - madeMs) / 1_000, model);
      return memoryOf(
        { switches, intent },
        { ...physicalState, backupPercent: backupPercentAt(cut, physicalState, thenMs) },
        {
          startMileageKm: mileageStartKm,
          mechanics,
          equipment,
          ...(instead === undefined ? {} : { chosen: { route: route.name, startM, instead } }),
        },
      );
    };
    const isAtRest = segment.engine === 'off' && cut === undefined && this.tow === undefined;
    return this.#memoryCache.of({ journey, mechanics, equipment, startM, route }, isAtRest, memory);
  }

  nextSignificantLookMs(thresholds: LookThresholds): number {
    if (this.tow !== undefined || thresholds.fromMs <= this.atMs) return thresholds.fromMs;
    const { journey, context, antennas } = this;
    const edge = edgeOfReach(antennas, context, this.surroundings.csq, this.now().wayM);
    return nextSignificantLookMs(journey, context, this.madeMs, thresholds, edge);
  }

  nextChangeMs(): number | undefined {
    const own = { madeMs: this.madeMs, nextShakeMs: this.accelerometer.nextMs() };
    return nextChangeMs(this.state(), this.atMs, own);
  }

  protected nowS(): number {
    return (this.atMs - this.madeMs) / 1_000;
  }

  protected now(): PhysicalState {
    return physicalStateAt(this.journey.segment, this.nowS(), this.model);
  }

  protected isUnderWay(): boolean {
    return this.journey.segment.move !== undefined;
  }

  /** Under tow it is not where its wheels have brought it. */
  protected place(): DriveContext {
    const { context, tow } = this;
    return tow === undefined ? context : { ...context, startM: context.startM + towedM(tow, this.atMs) };
  }

  protected state(): VehicleState {
    return {
      journey: this.journey,
      context: this.context,
      surroundings: this.surroundings,
      equipment: this.maintenance.equipment,
      tow: this.tow,
      smoke: this.smoke,
      ignitionOffMs: this.#ignitionOffMs,
    };
  }

  protected letDown(): void {
    if (this.tow === undefined) return;
    this.context = this.place();
    this.isChosen = true;
    this.tow = undefined;
  }

  protected become(after: Journey): void {
    this.#goOnAs(after, this.atMs);
    this.#traffic?.changed();
  }

  protected change(what: DriverChange): void {
    const after = afterChange(this.journey, this.nowS(), what, this.context);
    if (after.segment !== this.journey.segment) this.#feel(this.nowS());
    this.become(after);
  }

  /** Continues with this journey from then on; if that starts the engine, the starter causes voltage dips. */
  #goOnAs(after: Journey, thenMs: number): void {
    const { levels } = this.maintenance.equipment;
    const mileageKm = this.mileageStartKm + after.segment.from.wayM / 1_000;
    const dips = startingDips(this.journey, after, levels, this.model, { atMs: thenMs, mileageKm });
    if (dips.length > 0) this.surroundings = { ...this.surroundings, dips };
    if (this.journey.switches.ignitionOn && !after.switches.ignitionOn)
      this.#ignitionOffMs = this.madeMs + after.segment.from.atS * 1_000;
    this.journey = after;
  }

  #decideNext(): void {
    const endS = this.journey.segment.untilS;
    this.#feel(endS);
    this.#goOnAs(afterSegment(this.journey, this.context), Math.ceil(this.madeMs + endS * 1_000));
    this.#history?.add(this.madeMs + this.journey.segment.from.atS * 1_000, this.state());
  }

  /** External vibrations of the vehicle up to that time, within the present segment. */
  #shake(untilMs: number): void {
    if (this.accelerometer.nextMs() > untilMs) return;
    const { segment } = this.journey;
    const speedKphAt = (atMs: number): number =>
      physicalStateAt(segment, (atMs - this.madeMs) / 1_000, this.model).speedMps * 3.6;
    this.accelerometer.advance(untilMs, speedKphAt);
  }

  #feel(toS: number): void {
    const { segment } = this.journey;
    const fromS = Math.max(this.#feltS, segment.from.atS);
    this.#feltS = Math.max(toS, this.#feltS);
    if (segment.move !== undefined)
      this.#extremes = widened(this.#extremes, extremesIn(segment, this.context, fromS, toS));
    this.accelerometer.add(drivingAccelerations(segment, this.context, [fromS, toS], this.madeMs));
  }

  /** The content of the accelerometer's buffer then, unless it was dropped since. */
  #felt(thenMs: number): readonly AccelerationInterval[] {
    const isNow = this.atMs === thenMs;
    if (isNow) this.#feel(this.nowS());
    const recent = this.accelerometer.recent();
    return isNow ? recent : recent.filter(({ toMs }) => toMs <= thenMs);
  }
}

/**
 * The next spontaneous change of a vehicle with this state at `nowMs` that wakes a sleeping box;
 * undefined: nothing is planned. Epoch milliseconds. `madeMs`: the origin of the vehicle's seconds;
 * `nextShakeMs`: when its accelerometer next has a new interval, infinite if it has none.
 */
function nextChangeMs(
  { journey, surroundings, tow, smoke }: VehicleState,
  nowMs: number,
  { madeMs, nextShakeMs }: { readonly madeMs: number; readonly nextShakeMs: number },
): number | undefined {
  const { engine, untilS } = journey.segment;
  const isFed = engine === 'filling' || engine === 'charging';
  // A recorded drive continues automatically after a pause.
  const goesOn = engine === 'off' && journey.leg !== undefined;
  const ahead = [
    surroundings.brownOutUntilMs,
    surroundings.gapUntilMs,
    surroundings.acquiresUntilMs,
    surroundings.fault?.untilMs ?? 0,
  ];
  const nextMs = Math.min(
    isFed || goesOn ? Math.ceil(madeMs + untilS * 1_000) : Number.POSITIVE_INFINITY,
    ...ahead.filter((ms) => ms > nowMs),
    nextDipMs(surroundings.dips, nowMs),
    nextShakeMs,
    nextTowMs(tow, nowMs),
    nextSmokeMs(smoke, nowMs),
  );
  return Number.isFinite(nextMs) ? nextMs : undefined;
}

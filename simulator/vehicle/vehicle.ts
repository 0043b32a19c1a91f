/**
 * A vehicle on its loop, and its driver. It advances from event to event; between events everything is a
 * closed formula, so that a look costs the same after a month of parking, and has no effect. Invariants
 * (test/properties/vehicle.test.ts):
 *
 *   - mileage and distance never fall; energy is 0 up to a full tank, and never rises while the vehicle moves
 *   - the position moves no faster than the speed allows, and the speed changes no faster than the vehicle
 *     can
 *   - the speed is within all limits, and 0 with the ignition off, driving disabled, or a door open
 *   - a vehicle that is locked or immobilised with the ignition off does not start
 *   - an open door or lid is never locked; a jammed part does not move
 *   - a vehicle on its centre stand, or with its battery compartment open, does not move
 *   - heading is in [0, 360), percentages in [0, 100], latitude and longitude on the loop
 */
import { hasPart } from '../../protocol/models/model.ts';
import type { Random } from '../../world/random/random.ts';
import { clamp } from '../arithmetic.ts';
import type { Route } from '../routes/route.ts';
import { ROUTES } from '../routes/routes.ts';
import { AdvancingVehicle, type VehiclePlan } from './advancing-vehicle.ts';
import { movePart } from './driving/actuators.ts';
import { afterLocking, afterSupply, isManeuverPossible, withSwitches } from './driving/driver.ts';
import type { DriverChange } from './driving/journey.ts';
import type { Maneuver } from './driving/maneuver.ts';
import { type Mechanics, mechanicsWith } from './driving/mechanics.ts';
import { withoutReplay } from './driving/replay.ts';
import type { Traffic } from './driving/traffic.ts';
import { exchangeDips } from './energy/low-voltage.ts';
import { backupPercentAt, type Supply, withBackup } from './energy/supply.ts';
import type { VehicleOperation } from './equipment/vehicle-operations.ts';
import { limits } from './limits.ts';
import { SHUT } from './memory/first-memory.ts';
import type { VehicleMemory } from './memory/memory.ts';
import { bumpAcceleration, impactAcceleration } from './sensing/accelerometer-buffer.ts';
import type {
  Actuation,
  DriveOrder,
  Incident,
  InstallationFault,
  MakeVehicle,
  Vehicle,
} from './sensing/vehicle-ports.ts';
import type { BoxSurroundings } from './vehicle-view.ts';

/** A vehicle that can be stored when the program ends. */
export interface PersistentVehicle extends Vehicle {
  memory(): VehicleMemory;
  /**
   * The memory of this moment, built when the function is called; later changes do not affect it. Returns the
   * same function as the last time if the memory is certainly the same.
   */
  snapshot(): () => VehicleMemory;
}

/**
 * Makes a vehicle that drives or is parked, locked and immobilised, according to the plan; or restores it
 * from `memory`, stationary. Random numbers come from the streams `box/<id>/vehicle/...`. `traffic`: the
 * vehicles to which it keeps its distance.
 */
export function makeVehicle(
  plan: VehiclePlan,
  random: Random,
  atMs: number,
  memory?: VehicleMemory,
  routes: ReadonlyMap<string, Route> = ROUTES,
  traffic?: Traffic,
): PersistentVehicle {
  return new OperatedVehicle(plan, random, atMs, memory, routes, traffic);
}

/** The effects of people, incidents and the box's outputs on a vehicle. */
class OperatedVehicle extends AdvancingVehicle implements PersistentVehicle {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(
    plan: VehiclePlan,
    random: Random,
    atMs: number,
    memory: VehicleMemory | undefined,
    routes: ReadonlyMap<string, Route>,
    traffic: Traffic | undefined,
  ) {
    super(plan, random, atMs, memory, routes, traffic);
    this.#routes = routes;
  }

  applyIncident(incident: Incident): void {
    const { atMs } = this;
    const speedKph = this.now().speedMps * 3.6;
    if (incident.what === 'impact') this.accelerometer.expect(impactAcceleration(incident, atMs, speedKph));
    else if (incident.what === 'bump') this.accelerometer.expect(bumpAcceleration(incident, atMs, speedKph));
    else if (incident.what === 'smoke') this.smoke = { ...incident, sinceMs: atMs };
    else if (!this.journey.switches.ignitionOn) {
      this.letDown();
      this.tow = { ...incident, sinceMs: atMs };
    }
  }

  actuate({ set, to }: Actuation): boolean {
    const { model, atMs, journey } = this;
    if (set === 'attention') {
      const isWired = model.rows.length === 0 || model.vehicleCommands.includes('draw-attention');
      if (!isWired) return false;
      this.#surround({ attentionUntilMs: to ? atMs + limits.attentionMs : atMs });
      return true;
    }
    const motion = { speedMps: this.now().speedMps, isUnderWay: this.isUnderWay() };
    const moving = movePart(model, this.surroundings.mechanics, journey.switches, motion, { set, to });
    if (!moving.moved) return moving.accepted;
    this.#surround({ mechanics: moving.mechanics });
    if (set === 'locked') this.become(afterLocking(journey, this.nowS(), to, this.context));
    else if (set === 'topCaseLocked') this.journey = withSwitches(journey, { topCaseLocked: to });
    else this.change({ switches: { [set]: to } });
    return true;
  }

  drive({ route: wanted, pace }: DriveOrder = {}): void {
    this.letDown();
    const found = wanted === undefined ? undefined : this.#routes.get(wanted);
    const target = found ?? this.context.route;
    const isReplayed = target.drive !== undefined && this.journey.leg === undefined;
    if (isReplayed || target !== this.context.route) {
      if (this.isUnderWay()) return;
      // It is moved there: its distance so far is not along this route.
      this.context = { ...this.context, route: target, startM: 0 - this.now().wayM };
      this.isChosen = true;
      this.journey = withoutReplay(this.journey);
    }
    this.change({
      switches: SHUT,
      intent: {
        wish: 'drive',
        switchOff: false,
        openDoor: false,
        ...(pace === undefined ? {} : { pace: clamp(pace, limits.slowestPace, limits.fastestPace) }),
      },
    });
  }

  maneuver(what: Maneuver): boolean {
    const { wish, pace } = this.journey.intent;
    if (wish !== 'drive' || this.context.route.drive !== undefined) return false;
    if (!isManeuverPossible(what, this.context, this.now().wayM, pace)) return false;
    this.change({ intent: { maneuver: what } });
    return true;
  }

  routes(): readonly string[] {
    return [...this.#routes.keys()];
  }

  park(): void {
    this.change({
      switches: { doorOpen: false },
      intent: { wish: 'rest', switchOff: true, openDoor: false },
    });
  }

  openDoor(isOpen: boolean): void {
    this.change(isOpen ? { intent: { openDoor: true } } : CLOSED);
  }

  openTopCase(isOpen: boolean): void {
    const { topCaseLocked } = this.journey.switches;
    if (isOpen && (!hasPart(this.model, 'topCaseOpen') || topCaseLocked || this.isUnderWay())) return;
    this.journey = withSwitches(this.journey, { topCaseOpen: isOpen });
  }

  shutCompartment(): void {
    this.change({ switches: { compartmentLocked: true } });
  }

  putOnStand(isExtended: boolean): void {
    if (!hasPart(this.model, 'standExtended') || this.isUnderWay()) return;
    this.journey = withSwitches(this.journey, { standExtended: isExtended });
  }

  operate(operation: VehicleOperation): string | undefined {
    const { journey, maintenance, atMs } = this;
    const physicalState = this.now();
    const mileageKm = this.mileageStartKm + physicalState.wayM / 1_000;
    const exchange = exchangeDips(maintenance.equipment.levels, this.model, { atMs, mileageKm });
    const result = maintenance.operate(operation, { journey, physicalState, atMs, mileageKm });
    if ('refusal' in result) return result.refusal;
    if (operation.kind === 'workshop' && exchange.length > 0) this.#surround({ dips: exchange });
    const { stores, pluggedIn } = result;
    if (stores !== undefined) this.become(afterSupply(this.journey, this.nowS(), stores, this.context));
    if (pluggedIn !== undefined) this.change({ switches: { pluggedIn } });
    return undefined;
  }

  held(): Record<string, unknown> {
    const { belts, gear } = this.maintenance.equipment;
    return { belts, gear: gear ?? null };
  }

  setMechanics(what: Readonly<Partial<Mechanics>>): void {
    this.#surround({ mechanics: mechanicsWith(this.surroundings.mechanics, what) });
  }

  turnIgnition(isOn: boolean): void {
    if (isOn) this.letDown();
    this.change(isOn ? { switches: { ignitionOn: true } } : { intent: { wish: 'rest', switchOff: true } });
  }

  setCoverage(hasCoverage: boolean): void {
    this.#surround({ hasCoverage });
  }

  setGnssReception(hearsSatellites: boolean): void {
    this.#surround({ hearsSatellites });
  }

  crossBorder(isAbroad: boolean, gapMs: number): void {
    if (isAbroad !== this.surroundings.isAbroad) this.#surround({ isAbroad, gapUntilMs: this.atMs + gapMs });
  }

  setSignalQuality(given: number | undefined): void {
    const csq = given === undefined || !Number.isNaN(given) ? given : 0;
    this.#surround({ csq: csq === undefined ? undefined : clamp(Math.round(csq), 0, 31) });
  }

  startReceiver(fixAtMs: number): void {
    this.#surround({ acquiresUntilMs: fixAtMs });
  }

  setInstallationFault(
    what: InstallationFault | undefined,
    durationMs: number = Number.POSITIVE_INFINITY,
  ): void {
    this.#surround({ fault: what === undefined ? undefined : { what, untilMs: this.atMs + durationMs } });
  }

  setSupply(supply: Supply): void {
    const { surroundings, atMs } = this;
    if (supply === surroundings.supply) return;
    const backupPercent = backupPercentAt(surroundings.cut, this.now(), atMs);
    if (surroundings.cut !== undefined) this.journey = withBackup(this.journey, this.nowS(), backupPercent);
    this.#surround({ supply, cut: supply === 'cut' ? { sinceMs: atMs, backupPercent } : undefined });
  }

  brownOut(): void {
    this.#surround({ brownOutUntilMs: this.atMs + limits.brownOutMs });
  }

  #surround(change: Partial<BoxSurroundings>): void {
    this.surroundings = { ...this.surroundings, ...change };
  }
}

const CLOSED: DriverChange = { switches: { doorOpen: false }, intent: { openDoor: false } };

makeVehicle satisfies MakeVehicle;

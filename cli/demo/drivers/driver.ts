import type { Vehicle } from '../../../backend/store/port/stored-vehicle.ts';
import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { DriverPlan } from '../../../simulator/drivers/driver-plan.ts';
import { decideDriverStep, driverViewOf } from '../../../simulator/drivers/driver-step.ts';
import type { VehicleOperation } from '../../../simulator/vehicle/equipment/vehicle-operations.ts';
import { limits } from '../../limits.ts';
import type { DriversCall } from './drivers-client.ts';

/** A vehicle that can be driven: one with a box, or a maker's car. */
export interface DrivenVehicle {
  readonly vehicleId: string;
  readonly model: VehicleModel;
  readonly plan: DriverPlan;
  /** Other ids by which it is known: of its box, of its maker. */
  readonly otherIds: readonly string[];
  truth(): Readonly<Record<string, unknown>>;
  /** Whether a command would reach it. */
  isReachable(): boolean;
  drive(): void;
  park(): void;
  operate(operation: VehicleOperation): void;
}

/** What a driver asks of the service. */
export interface RentalService {
  readonly call: DriversCall;
  /** The vehicle as the store has it, where drivers may drive it: set up, in operation, not shared, the fleet's own. */
  find(vehicleId: string): Promise<Vehicle | undefined>;
  /** Command capabilities of a model, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
}

type Rental = Vehicle['rentalStatus'];

/** Commands with which a rental begins and ends, the better one first. */
const OPENING = ['unlock-and-enable-driving', 'enable-driving'] as const;
const CLOSING = ['lock-and-disable-driving', 'disable-driving'] as const;

/**
 * The drivers of one vehicle. Each rental is a change of the vehicle over the API, each trip begins with a command and
 * ends with one, as a program for rentals would do it. What a client has changed they leave alone.
 */
export class Driver {
  readonly driven: DrivenVehicle;
  readonly #service: RentalService;
  /** The rental as the drivers have left it; undefined: not known since the start. */
  #rental: Rental | undefined;
  #leftUntilMs = Number.NEGATIVE_INFINITY;
  #returnTries = 0;

  constructor(driven: DrivenVehicle, service: RentalService) {
    this.driven = driven;
    this.#service = service;
  }

  /** A client has taken the vehicle: it is left alone until then. */
  leaveUntil(untilMs: number): void {
    this.#leftUntilMs = Math.max(this.#leftUntilMs, untilMs);
    this.#rental = undefined;
  }

  isLeft(nowMs: number): boolean {
    return nowMs < this.#leftUntilMs;
  }

  /** Does what is due now, one step; resolves with when to look again. Rejects where the service fails. */
  async act(nowMs: number): Promise<number> {
    const { driven } = this;
    if (this.isLeft(nowMs)) return this.#leftUntilMs;
    const activity = driven.plan.at(nowMs);
    const vehicle = await this.#service.find(driven.vehicleId);
    if (vehicle === undefined) return nowMs + limits.driversRareMs;
    const truth = driven.truth();
    if (this.#isTaken(vehicle.rentalStatus, truth)) {
      this.leaveUntil(vehicle.rentalStatus.modifiedMs + limits.driversLeaveMs);
      if (this.isLeft(nowMs)) return this.#leftUntilMs;
    }
    this.#rental = vehicle.rentalStatus;
    const isRented = vehicle.rentalStatus.value === 'IN_RENTAL';
    const seen = driverViewOf(truth, isRented);
    const step = decideDriverStep(activity, seen, driven.model, nowMs);
    switch (step.what) {
      case 'begin':
        return (await this.#begin(vehicle)) === 'later' ? nowMs + limits.driversRetryMs : activity.untilMs;
      case 'rent':
        return (await this.#rent(vehicle, 'IN_RENTAL')) ? activity.untilMs : nowMs + limits.driversRetryMs;
      case 'park':
        driven.park();
        return nowMs + limits.driversLookMs;
      case 'return':
        return (await this.#return(vehicle)) ? nowMs : nowMs + limits.driversRetryMs;
      case 'supply':
        for (const operation of step.operations) driven.operate(operation);
        return nowMs + limits.driversLookMs;
      case 'nothing': {
        if (activity.kind === 'trip')
          return seen.drives ? activity.untilMs : Math.min(activity.untilMs, nowMs + limits.driversRetryMs);
        // It is still to come to a standstill, or to find a place at the kerb.
        return seen.stands && !seen.drives ? activity.untilMs : nowMs + limits.driversLookMs;
      }
      default:
        return step satisfies never;
    }
  }

  /** A client has changed the rental: since the drivers did, or, after a start, of a vehicle that nobody drives. */
  #isTaken(rental: Rental, truth: Readonly<Record<string, unknown>>): boolean {
    const own = this.#rental;
    if (own !== undefined) return own.modifiedMs !== rental.modifiedMs || own.value !== rental.value;
    return rental.value === 'IN_RENTAL' && truth['driverWish'] === 'rest';
  }

  /** `never`: not with this trip, since the vehicle cannot be opened; to try again and again would only fill queues. */
  async #begin(vehicle: Vehicle): Promise<'begun' | 'later' | 'never'> {
    const { driven } = this;
    const isOpen = () => {
      const { drivingEnabled, locked } = driven.truth();
      return drivingEnabled === true && locked !== true;
    };
    if (!isOpen() && this.#commandOf(OPENING) === undefined) return 'never';
    if (!driven.isReachable() || !(await this.#rent(vehicle, 'IN_RENTAL'))) return 'later';
    if (!isOpen() && !(await this.#command(OPENING))) {
      await this.#rentAnew('NOT_IN_RENTAL');
      return 'never';
    }
    // A client may have taken it while the service was asked.
    if (!this.isLeft(Number(driven.truth()['atMs']))) driven.drive();
    return 'begun';
  }

  /** Locks up, then ends the rental; also where the vehicle cannot be locked, after some tries. */
  async #return(vehicle: Vehicle): Promise<boolean> {
    const { driven } = this;
    const truth = driven.truth();
    const isShut = truth['drivingEnabled'] === false && truth['locked'] !== false;
    if (!isShut && this.#returnTries < limits.driversReturnTries) {
      this.#returnTries += 1;
      if (!driven.isReachable() || !(await this.#command(CLOSING))) return false;
    }
    this.#returnTries = 0;
    return this.#rent(vehicle, 'NOT_IN_RENTAL');
  }

  async #rentAnew(value: Rental['value']): Promise<boolean> {
    const vehicle = await this.#service.find(this.driven.vehicleId);
    return vehicle !== undefined && this.#rent(vehicle, value);
  }

  /** Changes the rental, unless somebody has changed it meanwhile. */
  async #rent(vehicle: Vehicle, value: Rental['value']): Promise<boolean> {
    const change = { rental_status: { value } };
    const answer = await this.#service.call('PATCH', `/vehicles/${vehicle.id}`, change, vehicle.revision);
    await answer.body?.cancel();
    if (answer.status !== 200) return false;
    this.#rental = (await this.#service.find(vehicle.id))?.rentalStatus;
    return true;
  }

  /** The first of these commands that the vehicle has. */
  #commandOf(names: readonly string[]): string | undefined {
    const known = this.#service.capabilitiesOf(this.driven.model.name);
    return names.find((one) => known.includes(one.replaceAll('-', '_').toUpperCase()));
  }

  async #command(names: readonly string[]): Promise<boolean> {
    const name = this.#commandOf(names);
    if (name === undefined) return false;
    const answer = await this.#service.call('POST', `/vehicles/${this.driven.vehicleId}/commands/${name}`);
    await answer.body?.cancel();
    return answer.status === 200;
  }
}

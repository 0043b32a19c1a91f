import type { Vehicle } from '../../../backend/store/port/stored-vehicle.ts';
import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { DriverPlan } from '../../../simulator/drivers/driver-plan.ts';
import { decideDriverStep, driverViewOf } from '../../../simulator/drivers/driver-step.ts';
import type { VehicleOperation } from '../../../simulator/vehicle/equipment/vehicle-operations.ts';
import { limits } from '../../shared/limits.ts';
import type { DriversCall } from './drivers-client.ts';
import type { VehicleTurns } from './vehicle-turns.ts';

/** A vehicle that can be driven: one with a box, or a maker's car. */
export interface DrivenVehicle {
  readonly vehicleId: string;
  readonly model: VehicleModel;
  readonly plan: DriverPlan;
  /** Its other ids: of its box, of its maker. */
  readonly otherIds: readonly string[];
  truth(): Readonly<Record<string, unknown>>;
  /** Whether a command would reach it. */
  isReachable(): boolean;
  drive(): void;
  park(): void;
  operate(operation: VehicleOperation): void;
}

/** What a driver calls of the service. */
export interface RentalService {
  readonly call: DriversCall;
  /** The vehicle in the store, where drivers may drive it: set up, in operation, not shared, the fleet's own. */
  find(vehicleId: string): Promise<Vehicle | undefined>;
  /** Command capabilities of a model, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
}

type Rental = Vehicle['rentalStatus'];

/** Commands with which a rental begins and ends, in order of preference. */
const OPENING = ['unlock-and-enable-driving', 'enable-driving'] as const;
const CLOSING = ['lock-and-disable-driving', 'disable-driving'] as const;

/**
 * The driver of one vehicle. Each rental is a change of the vehicle over the API, each trip begins and ends with a
 * command, as a program for rentals would do it. It does not touch what a client has changed.
 */
export class Driver {
  readonly driven: DrivenVehicle;
  readonly #service: RentalService;
  readonly #turns: VehicleTurns;
  /** The rental as the driver last wrote it; undefined: not known since the start. */
  #rental: Rental | undefined;
  #leftUntilMs = Number.NEGATIVE_INFINITY;
  #returnTries = 0;

  constructor(driven: DrivenVehicle, service: RentalService, turns: VehicleTurns) {
    this.driven = driven;
    this.#service = service;
    this.#turns = turns;
  }

  /** A client uses the vehicle: no driver touches it until then. */
  leaveUntil(untilMs: number): void {
    this.#leftUntilMs = Math.max(this.#leftUntilMs, untilMs);
    this.#rental = undefined;
  }

  isLeft(nowMs: number): boolean {
    return nowMs < this.#leftUntilMs;
  }

  #isLeftNow(): boolean {
    return this.isLeft(Number(this.driven.truth()['atMs']));
  }

  /** Performs the step that is due; resolves with the time of the next step. Rejects where the service fails. */
  async act(nowMs: number): Promise<number> {
    const { driven } = this;
    if (this.isLeft(nowMs)) return this.#leftUntilMs;
    if (this.#turns.hasClient(driven.vehicleId)) return nowMs + limits.driversLookMs;
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
        // It still has to stop, or to find a place at the kerb.
        return seen.isAtRest && !seen.drives ? activity.untilMs : nowMs + limits.driversLookMs;
      }
      default:
        return step satisfies never;
    }
  }

  /**
   * A client has changed the rental: since the driver did, or, after a start, of a vehicle that is not being driven.
   */
  #isTaken(rental: Rental, truth: Readonly<Record<string, unknown>>): boolean {
    const own = this.#rental;
    if (own !== undefined) return own.modifiedMs !== rental.modifiedMs || own.value !== rental.value;
    return rental.value === 'IN_RENTAL' && truth['driverWish'] === 'rest';
  }

  /** A client has taken the vehicle since this step began, or it must not be driven any more. */
  async #isClients(): Promise<boolean> {
    if (this.#isLeftNow()) return true;
    const vehicle = await this.#service.find(this.driven.vehicleId);
    return vehicle === undefined || this.#isTaken(vehicle.rentalStatus, this.driven.truth());
  }

  /** `never`: not during this trip, since the vehicle cannot be opened; further attempts would only fill queues. */
  async #begin(vehicle: Vehicle): Promise<'begun' | 'later' | 'never'> {
    const { driven } = this;
    const isOpen = () => {
      const { drivingEnabled, locked } = driven.truth();
      return drivingEnabled === true && locked !== true;
    };
    if (!isOpen() && this.#commandOf(OPENING) === undefined) return 'never';
    if (!driven.isReachable() || !(await this.#rent(vehicle, 'IN_RENTAL'))) return 'later';
    if (!isOpen() && !(await this.#command(OPENING))) {
      if (await this.#isClients()) return 'later';
      await this.#rentAnew('NOT_IN_RENTAL');
      return 'never';
    }
    // A client may need it, or have taken it or its rental, during the calls to the service.
    if ((await this.#isClients()) || this.#turns.hasClient(driven.vehicleId)) return 'later';
    driven.drive();
    return 'begun';
  }

  /** Locks the vehicle, then ends the rental; also where locking fails after several attempts. */
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

  /** Changes the rental, unless it was changed meanwhile. */
  async #rent(vehicle: Vehicle, value: Rental['value']): Promise<boolean> {
    const change = { rental_status: { value } };
    const { id, revision } = vehicle;
    const answer = await this.#service.call('PATCH', `/vehicles/${id}`, { body: change, revision });
    await answer?.body?.cancel();
    if (answer?.status !== 200) return false;
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
    const { vehicleId } = this.driven;
    const answer = await this.#service.call('POST', `/vehicles/${vehicleId}/commands/${name}`, {
      // A client may have taken the vehicle while the driver waited for its quota.
      inTurn: async (send) => ((await this.#isClients()) ? undefined : this.#turns.ofDriver(vehicleId, send)),
    });
    await answer?.body?.cancel();
    return answer?.status === 200;
  }
}

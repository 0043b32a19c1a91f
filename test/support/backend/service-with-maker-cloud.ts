import { z } from 'zod';
import { vehicleStateReceived } from '../../../backend/events/message.ts';

import type { MakerBehaviour } from '../../../simulator/maker-cloud/behaviour.ts';
import type { Car } from '../../../simulator/maker-cloud/car.ts';
import { sleep } from '../../../world/time/time.ts';
import { TestFleet } from '../simulation/test-fleet.ts';

const problem = z.looseObject({ type: z.string(), detail: z.string() });

/** A service, a maker's cloud and two of its cars: the first drives, the second is parked and locked. */
export class ServiceWithMakerCloud {
  readonly fleet: TestFleet;

  private constructor(fleet: TestFleet) {
    this.fleet = fleet;
  }

  /** Runs `body` with a new service; nothing has been reported or asked for 5 s before it. */
  static on<T>(body: (stage: ServiceWithMakerCloud) => Promise<T>): Promise<T> {
    return TestFleet.play({ seed: 3, vehicles: 0, makerVehicles: 2 }, async (fleet) => {
      await sleep(fleet.world.time, 5_000);
      return body(new ServiceWithMakerCloud(fleet));
    });
  }

  get driving(): Car {
    return this.#car(0);
  }

  get parked(): Car {
    return this.#car(1);
  }

  get nowMs(): number {
    return this.fleet.world.time.nowMs();
  }

  wait(durationMs: number): Promise<void> {
    return sleep(this.fleet.world.time, durationMs);
  }

  calls(calls: MakerBehaviour['calls']): void {
    this.fleet.cloud.setBehaviour({ ...this.fleet.cloud.behaviour(), calls });
  }

  push(push: boolean): void {
    this.fleet.cloud.setBehaviour({ ...this.fleet.cloud.behaviour(), push });
  }

  /** Sends a command; returns the answer and how long it took. */
  async command(car: Car, name: string, family = 'commands') {
    const fromMs = this.nowMs;
    const path = `/vehicles/${car.plan.vehicleId}/${family}/${name}`;
    const response = await this.fleet.call('POST', path, await this.fleet.token());
    const body: unknown = response.status === 204 ? {} : await response.json();
    return { status: response.status, body, tookMs: this.nowMs - fromMs };
  }

  /** A command that is refused: status, problem and detail. */
  async refusal(car: Car, name: string, family = 'commands') {
    const { status, body, tookMs } = await this.command(car, name, family);
    const { type, detail } = problem.parse(body);
    return { status, type: type.replace('/problems/', ''), detail, tookMs };
  }

  async vehicle(car: Car) {
    const vehicle = await this.fleet.store.vehicles.find(car.plan.vehicleId);
    if (vehicle === undefined) throw new Error('the vehicle is gone');
    return vehicle;
  }

  async shown(car: Car) {
    const response = await this.fleet.call(
      'GET',
      `/vehicles/${car.plan.vehicleId}`,
      await this.fleet.token(),
    );
    return (await response.json()) as Record<string, unknown>;
  }

  /** The published messages of a car, oldest first. */
  messages(car: Car) {
    return this.fleet
      .messages()
      .map((message) => vehicleStateReceived.parse(message.body))
      .filter((message) => message.data.vehicle_id === car.plan.vehicleId);
  }

  count(name: string): number {
    return this.fleet.counters()[`third-party.${name}`] ?? 0;
  }

  #car(index: number): Car {
    const car = this.fleet.cars[index];
    if (car === undefined) throw new Error('there is no such car');
    return car;
  }
}

import { z } from 'zod';
import { vehicleStateReceived } from '../../../../backend/events/message.ts';
import { Stage } from '../../../../scenarios/stage.ts';
import type { Behaviour } from '../../../../simulator/maker-cloud/behaviour.ts';
import type { Car } from '../../../../simulator/maker-cloud/car.ts';
import { sleep } from '../../../../world/time.ts';
import { runInSandbox } from '../../../../world/virtual-sandbox.ts';

const problem = z.looseObject({ type: z.string(), detail: z.string() });

/** A service, a maker's cloud and two of its cars: the first drives, the second is parked and locked. */
export class MakerStage {
  readonly stage: Stage;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Lets `body` happen on a stage of its own; nothing has been told or asked for 5 s before it. */
  static on<T>(body: (stage: MakerStage) => Promise<T>): Promise<T> {
    const stage = new Stage({ seed: 3, vehicles: 0, makerVehicles: 2 });
    return runInSandbox(stage.world, () =>
      stage.world.run(async () => {
        await stage.raise();
        await sleep(stage.world.time, 5_000);
        const result = await body(new MakerStage(stage));
        await stage.close();
        return result;
      }),
    );
  }

  get driving(): Car {
    return this.#car(0);
  }

  get parked(): Car {
    return this.#car(1);
  }

  get nowMs(): number {
    return this.stage.world.time.nowMs();
  }

  wait(durationMs: number): Promise<void> {
    return sleep(this.stage.world.time, durationMs);
  }

  calls(calls: Behaviour['calls']): void {
    this.stage.cloud.behave({ ...this.stage.cloud.behaviour(), calls });
  }

  push(push: boolean): void {
    this.stage.cloud.behave({ ...this.stage.cloud.behaviour(), push });
  }

  /** Sends a command, and says what came and how long it took. */
  async command(car: Car, name: string, family = 'commands') {
    const fromMs = this.nowMs;
    const path = `/vehicles/${car.plan.vehicleId}/${family}/${name}`;
    const response = await this.stage.call('POST', path, await this.stage.token());
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
    const vehicle = await this.stage.store.vehicles.find(car.plan.vehicleId);
    if (vehicle === undefined) throw new Error('the vehicle is gone');
    return vehicle;
  }

  async shown(car: Car) {
    const response = await this.stage.call(
      'GET',
      `/vehicles/${car.plan.vehicleId}`,
      await this.stage.token(),
    );
    return (await response.json()) as Record<string, unknown>;
  }

  /** The messages of a car that were published, oldest first. */
  messages(car: Car) {
    return this.stage.world.exchangeBroker
      .messages(this.stage.queue)
      .map((message) => vehicleStateReceived.parse(JSON.parse(Buffer.from(message.body).toString('utf8'))))
      .filter((message) => message.data.vehicle_id === car.plan.vehicleId);
  }

  count(name: string): number {
    return this.stage.counters()[`third-party.${name}`] ?? 0;
  }

  #car(index: number): Car {
    const car = this.stage.cloud.cars.get(this.stage.carPlans[index]?.carId ?? '');
    if (car === undefined) throw new Error('there is no such car');
    return car;
  }
}

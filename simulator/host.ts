import type { ResetReason } from '../protocol/message.ts';
import { type FlashOperation, LatePage } from '../world/flash.ts';
import { beliefOf } from './belief.ts';
import { factsOf } from './facts.ts';
import { nextAlarm } from './firmware/alarm.ts';
import { newBox } from './firmware/boot.ts';
import type { Effect } from './firmware/effect.ts';
import type { Offer } from './firmware/image.ts';
import type { Input } from './firmware/input.ts';
import { countersKey } from './firmware/pages.ts';
import type { BoxState, Fault, SimState } from './firmware/state.ts';
import { step } from './firmware/step.ts';
import type { BoxPlan, FleetBox, SimulatorWorld, Watcher } from './fleet.ts';
import { tellActed } from './glance.ts';
import { Handles } from './handles.ts';
import { limits } from './limits.ts';
import { Line, type LineEvents } from './line.ts';
import { Lookout } from './lookout.ts';
import { Phones } from './phones.ts';
import { Road } from './road.ts';
import { jumpKey, jumpPage, readJump } from './rtc-page.ts';
import { suspendedKey, suspensionPage } from './sim-page.ts';
import { packMemory, type VehicleMemory } from './vehicle/memory.ts';
import type { Actuation, Vehicle } from './vehicle/senses.ts';
import type { KeptVehicle } from './vehicle/vehicle.ts';

/** The page of a box's flash in which the host keeps the vehicle; the firmware knows nothing of it. */
export const vehicleKey = 'vehicle';

/** An input that waits its turn. It is made only then, with what the vehicle shows at that time. */
interface Waiting {
  readonly make: (vehicle: Vehicle) => Input;
  /** The connection it came by: without that it means nothing any more. */
  readonly line?: Line;
  /** Durable before the input acts. */
  readonly page?: FlashOperation | undefined;
  readonly done?: () => void;
}

/** What a step has come to. */
type Decided = ReturnType<typeof step>;

const TICK: Waiting = { make: (vehicle) => ({ kind: 'tick', senses: vehicle.sense() }) };

/**
 * Performs what the firmware of one box decides, in a world. One input at a time; the flash writes of a step are
 * durable before anything else of it happens, and before the next input is looked at. One alarm at most. Where the
 * flash takes no write the box stands still with that input and tries again: nothing is lost and nothing happens twice.
 */
export class BoxHost extends Handles implements FleetBox {
  readonly plan: BoxPlan;
  readonly bluetooth: Phones;
  watcher: Watcher | undefined;
  readonly #world: SimulatorWorld;
  readonly #vehicle: KeptVehicle;
  readonly #who: string;
  readonly #lookout = new Lookout();
  #state: BoxState;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #isWorking = false;
  /** The vehicle as flash holds it; undefined: not known. */
  #kept: (() => VehicleMemory) | undefined;
  /** What came of the first input that waits, once that is written. */
  #durable: Decided | undefined;
  #line: Line | undefined;
  /** Undefined: an ideal one. */
  readonly #road: Road | undefined;
  #lastAt = 0;
  /** How far the clock's counter has jumped in all. */
  #jumpedMs = 0;
  #alarmAt: number | undefined;
  #cancelAlarm: () => void = () => undefined;
  #cancelBoot: () => void = () => undefined;
  #isFlashFull = false;
  #isStopped = false;

  constructor(plan: BoxPlan, world: SimulatorWorld, vehicle: KeptVehicle) {
    super();
    this.plan = plan;
    this.#world = world;
    this.#vehicle = vehicle;
    this.#who = `box/${plan.boxId}`;
    this.#state = newBox(factsOf(plan, world.random));
    if (plan.radio === 'road') this.#road = new Road(plan, world, vehicle, () => this.#at());
    this.bluetooth = new Phones(plan, world, (make, page) => this.#deliver({ make, page }));
  }

  /** Gives it power after `delayMs`: it boots with what its flash holds. */
  start(delayMs: number): void {
    this.#bootLater('GENERAL', delayMs);
  }

  async #boot(reason: ResetReason): Promise<void> {
    const kept = await this.#world.flash.load(this.plan.boxId);
    if (this.#isStopped) return;
    const pages = new Map(kept);
    this.bluetooth.load(pages);
    const jumpedMs = readJump(pages.get(jumpKey));
    if (pages.delete(jumpKey) && jumpedMs !== this.#jumpedMs) {
      // The counter runs on while nobody simulates it, as far off as it was.
      const byMs = jumpedMs - this.#jumpedMs;
      this.#jumpedMs = jumpedMs;
      this.#deliver({ make: () => ({ kind: 'clock-jump', byMs }) });
    }
    if (pages.delete(suspendedKey)) this.#deliver({ make: () => ({ kind: 'sim', to: 'suspended' }) });
    this.#world.trace.note({ who: this.#who, what: 'boot', detail: reason });
    // Named by the time too: a second boot of a seed must not draw what the first one drew.
    const stream = this.#world.random.stream(`${this.#who}/boot/${this.#world.time.nowMs()}`);
    const entropy = stream.whole(0, 0xffff_ffff - 1);
    this.#road?.booted(reason);
    this.#deliver({ make: () => ({ kind: 'boot', pages, reason, entropy }) });
  }

  /** Ends it as if its power were cut; resolves once its flash is settled. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#road?.stop();
    this.bluetooth.stop();
    this.#cancelAlarm();
    this.#cancelBoot();
    this.#line?.end('drop');
    this.#line = undefined;
    this.#waiting = [];
    await this.#running;
    try {
      this.#vehicle.advance(this.#at());
      await this.#world.flash.write(this.plan.boxId, [vehiclePage(this.#vehicle.snapshot())]);
    } catch (error) {
      this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A vehicle could not be kept.');
    }
  }

  protected ask<T>(what: (vehicle: Vehicle) => T): T {
    this.#vehicle.advance(this.#at());
    return what(this.#vehicle);
  }

  belief(): Record<string, unknown> {
    return beliefOf(this.#state, this.#at());
  }

  setFault(fault: Fault | undefined): void {
    this.#deliver({ make: () => ({ kind: 'fault', fault }) });
  }

  jumpClock(byMs: number): void {
    this.#jumpedMs += byMs;
    const page = jumpPage(this.#jumpedMs);
    this.#deliver({ make: () => ({ kind: 'clock-jump', byMs }), page });
    this.#tick();
  }

  setFlashFull(isFull: boolean): void {
    const { journalRecords } = factsOf(this.plan, this.#world.random);
    this.#deliver({ make: () => ({ kind: 'room', records: isFull ? undefined : journalRecords }) });
  }

  /** A flash without counters counts as wiped: its next boot begins an epoch, and erases what else is there. */
  wipe(): void {
    this.#deliver({ make: () => ({ kind: 'reset', reason: 'GENERAL' }), page: { erase: countersKey } });
  }

  hang(forMs: number): void {
    this.#deliver({ make: () => ({ kind: 'hang', forMs }) });
    this.#tick();
  }

  putFirmware(version: readonly [major: number, minor: number]): void {
    this.#deliver({ make: () => ({ kind: 'firmware', version }) });
  }

  offerUpdate(offer: Offer): void {
    this.#deliver({ make: () => ({ kind: 'update', offer }) });
    this.#tick();
  }

  cutLink(): void {
    this.#line?.cut();
  }

  /** The reset button (USER), the watchdog, or any other cause from outside. */
  reset(reason: ResetReason): void {
    this.#deliver({ make: () => ({ kind: 'reset', reason }) });
  }

  /** What the SIM provider makes of the card. */
  setSim(to: SimState): void {
    this.#deliver({ make: () => ({ kind: 'sim', to }), page: suspensionPage(to) });
  }

  sim(): SimState {
    return this.#state.ram.sim;
  }

  /** True time, never falling even where the world's clock is set back. */
  #at(): number {
    this.#lastAt = Math.max(this.#lastAt, this.#world.time.nowMs());
    return this.#lastAt;
  }

  /** Something happens to the vehicle; an input line wakes the box. */
  protected touch(change: (vehicle: Vehicle) => void): void {
    this.#vehicle.advance(this.#at());
    change(this.#vehicle);
    this.#lookout.forget();
    this.#tick();
  }

  #tick(): void {
    this.#deliver(TICK);
  }

  #deliver(waiting: Waiting): void {
    if (this.#isStopped) return;
    this.#waiting.push(waiting);
    if (!this.#isWorking && !this.#isFlashFull) this.#work();
  }

  /** Takes the waiting inputs one by one. Runs through without a pause where nothing is written. */
  #work(): void {
    this.#isWorking = true;
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        if (next.line === undefined || next.line === this.#line) {
          const decided = this.#durable ?? this.#decide(next);
          if (decided === undefined) return;
          this.#durable = undefined;
          this.#carryOut(next, decided);
        }
        this.#waiting.shift();
      }
      this.#setAlarm();
    } catch (error) {
      const context = { box: this.plan.boxId, error: String(error) };
      this.#world.log.error(context, 'A box failed and stands still.');
      this.#isStopped = true;
    }
    this.#isWorking = false;
  }

  /** What comes of an input; undefined: that is being written, and the work goes on once it is durable. */
  #decide(input: Waiting): Decided | undefined {
    const at = this.#at();
    this.#vehicle.advance(at);
    const decided = step(this.#state, at, input.make(this.#vehicle));
    const [first] = decided.effects;
    const operations = first?.kind === 'write' ? [...first.operations] : [];
    if (input.page !== undefined) operations.push(input.page);
    if (operations.length === 0) return decided;
    // In the same write as the records: after a crash no report is ahead of the vehicle that made it. A parked one is
    // in flash already, unless its page goes with all others.
    const memory = this.#vehicle.snapshot();
    const isErased = operations.some((one) => 'erase' in one && one.erase === vehicleKey);
    if (memory !== this.#kept || isErased) operations.push(vehiclePage(memory));
    this.#running = this.#world.flash.write(this.plan.boxId, operations).then(
      () => {
        this.#kept = memory;
        this.#isWorking = false;
        this.#durable = decided;
        if (!this.#isStopped) this.#work();
      },
      (error: unknown) => {
        this.#isWorking = false;
        if (!this.#isStopped) this.#waitForRoom(error);
      },
    );
    return undefined;
  }

  #carryOut(input: Waiting, { state, effects }: Decided): void {
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.bluetooth.after(state);
    this.watcher?.stepped(state);
    input.done?.();
  }

  /** The medium refused, nothing was written; the inputs wait until the next try. */
  #waitForRoom(error: unknown): void {
    this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A box cannot write to its flash.');
    this.#isFlashFull = true;
    this.#cancelAlarm();
    this.#alarmAt = undefined;
    this.#cancelAlarm = this.#world.time.alarm(this.#world.time.nowMs() + limits.flashRetryMs, () => {
      this.#isFlashFull = false;
      this.#work();
    });
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'write':
        return;
      case 'connect':
        this.#world.trace.note({ who: this.#who, what: 'connect', detail: String(effect.connection) });
        this.#line?.end('drop');
        this.#line = new Line(this.plan, this.#world, effect.will, this.#events, this.#road);
        return;
      case 'subscribe':
        this.#line?.subscribe(effect.filter);
        return;
      case 'publish':
        this.#line?.publish(effect.token, effect.publication);
        return;
      case 'disconnect':
      case 'drop':
        this.#hangUp(effect.kind === 'drop' ? 'drop' : 'goodbye');
        return;
      case 'actuate': {
        const { actuations } = effect;
        this.#move(actuations, (accepted) => {
          if (accepted) tellActed(this.#state, this.watcher);
          this.#deliver({ make: (vehicle) => ({ kind: 'actuated', accepted, senses: vehicle.sense() }) });
        });
        return;
      }
      case 'immobilize':
        this.#move([{ set: 'drivingEnabled', to: false }], (accepted) =>
          this.#deliver({ make: (vehicle) => ({ kind: 'immobilized', accepted, senses: vehicle.sense() }) }),
        );
        return;
      case 'answer-phone':
        this.bluetooth.answer(effect.call, effect);
        return;
      case 'reset':
        this.#world.trace.note({ who: this.#who, what: 'reset', detail: effect.reason });
        this.#road?.stopMotors();
        this.#bootLater(effect.reason, effect.downMs);
        return;
      default:
        effect satisfies never;
    }
  }

  /** Moves the outputs one after the other; behind one that was refused nothing is tried. On a road it takes a while. */
  #move(actuations: readonly Actuation[], moved: (accepted: boolean) => void): void {
    const move = (): void => {
      this.#lookout.forget();
      moved(actuations.every((actuation) => this.#vehicle.actuate(actuation)));
    };
    if (this.#road === undefined) move();
    else this.#road.afterMotors(actuations, move);
  }

  #hangUp(how: 'goodbye' | 'drop'): void {
    const line = this.#line;
    this.#line = undefined;
    if (this.#road === undefined) line?.end(how);
    else this.#road.hangUp(line, how);
  }

  #bootLater(reason: ResetReason, downMs: number): void {
    this.#cancelBoot();
    this.#cancelBoot = this.#world.time.alarm(this.#world.time.nowMs() + downMs, () => {
      this.#boot(reason).catch((error: unknown) => {
        this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A box cannot read its flash.');
        this.#bootLater(reason, limits.flashRetryMs);
      });
    });
  }

  readonly #events: LineEvents = {
    opened: (line) => this.#deliver({ line, make: () => ({ kind: 'opened' }) }),
    subscribed: (line) => this.#deliver({ line, make: () => ({ kind: 'subscribed' }) }),
    acknowledged: (line, token) => this.#deliver({ line, make: () => ({ kind: 'acknowledged', token }) }),
    received: (line, bytes, done) =>
      this.#deliver({
        line,
        make: (vehicle) => ({ kind: 'received', bytes, senses: vehicle.sense() }),
        done,
      }),
    closed: (line) => this.#deliver({ line, make: () => ({ kind: 'closed' }) }),
  };

  /** One alarm: what the firmware waits for, or what will wake it. */
  #setAlarm(): void {
    if (this.#isStopped) return;
    const own = nextAlarm(this.#state, this.#lookout.nextLookMs(this.#state, this.#vehicle));
    const vehicle = this.#state.ram.power === 'off' ? undefined : this.#vehicle.nextChangeMs();
    const due = Math.min(own ?? Number.POSITIVE_INFINITY, vehicle ?? Number.POSITIVE_INFINITY);
    if (due === this.#alarmAt) return;
    this.#cancelAlarm();
    this.#cancelAlarm = () => undefined;
    this.#alarmAt = undefined;
    if (!Number.isFinite(due)) return;
    this.#alarmAt = due;
    this.#cancelAlarm = this.#world.time.alarm(due, () => {
      this.#alarmAt = undefined;
      this.#tick();
    });
  }
}

function vehiclePage(memory: () => VehicleMemory): FlashOperation {
  return new LatePage(vehicleKey, () => packMemory(memory()));
}

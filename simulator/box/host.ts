import type { ResetReason } from '../../protocol/message.ts';
import type { BoxPlan } from '../box-plan.ts';
import { newBox } from '../firmware/core/boot.ts';
import type { BoxFacts, SimState } from '../firmware/core/box-hardware.ts';
import type { FirmwareEffect } from '../firmware/core/effect.ts';
import type { FirmwareInput } from '../firmware/core/input.ts';
import { nextAlarm } from '../firmware/core/next-alarm.ts';
import type { BoxState } from '../firmware/core/state.ts';
import { step } from '../firmware/core/step.ts';
import { counterMs } from '../firmware/power/rtc.ts';
import { limits } from '../limits.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import type { VehicleMemory } from '../vehicle/memory/memory.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import type { PersistentVehicle } from '../vehicle/vehicle.ts';
import { factsOf } from './box-facts.ts';
import { boxSnapshotOf } from './box-snapshot.ts';
import { type BoxStatus, boxStatusAt, isBoxReady, notifyActed } from './box-status.ts';
import { BrokerConnection } from './broker-connection.ts';
import type { BoxWatcher, FleetBox } from './fleet-box.ts';
import { HardwareControls } from './hardware-controls.ts';
import { jumpKey, readJump, suspendedKey, vehiclePage, vehiclePageKey } from './hardware-pages.ts';
import { NextLook } from './next-look.ts';
import { Outputs } from './outputs.ts';
import { ConnectionInputs, type PendingInput, TICK } from './pending-input.ts';
import { Phones } from './phones.ts';
import { RoadTiming } from './road-timing.ts';

/** One for all boxes. */
const NOTHING = (): void => undefined;

/** Inputs that act on the box whether or not its processor works. */
const OF_HARDWARE: ReadonlySet<FirmwareInput['kind']> = new Set([
  'sim',
  'fault',
  'clock-jump',
  'clock-drift',
  'room',
  'firmware',
  'update',
]);

/**
 * Carries out the effects of one box's firmware in a world. One input at a time; the flash writes of a step are
 * durable before its other effects, and before the next input is handled. One alarm at most. If the flash refuses
 * a write the box pauses at that input and retries: nothing is lost and nothing happens twice.
 */
export class BoxHost extends HardwareControls implements FleetBox {
  readonly plan: BoxPlan;
  readonly bluetooth: Phones;
  watcher: BoxWatcher | undefined;
  readonly #world: SimulatorWorld;
  readonly #vehicle: PersistentVehicle;
  /** Called whenever the box becomes ready or not ready. */
  readonly #readyChanged: (isReady: boolean) => void;
  readonly #who: string;
  readonly #nextLook = new NextLook();
  #state: BoxState;
  #pendingInputs: PendingInput[] = [];
  #running: Promise<void> | undefined;
  #isWorking = false;
  /** The vehicle as flash holds it; undefined: not known. */
  #savedMemory: (() => VehicleMemory) | undefined;
  /** Incremented when the power fails: the result of a pending write is then ignored. */
  #powerCuts = 0;
  /** The kind of the first waiting input, while its effects are being written. */
  #writtenKind: FirmwareInput['kind'] | undefined;
  /** The result of the first waiting input, once it is written. */
  #writtenResult: ReturnType<typeof step> | undefined;
  readonly #events = new ConnectionInputs((input) => this.enqueue(input));
  #connection: BrokerConnection | undefined;
  /** Undefined: an ideal one. */
  readonly #timing: RoadTiming | undefined;
  #lastAt = 0;
  #alarmAt: number | undefined;
  #cancelAlarm: () => void = NOTHING;
  #cancelBoot: () => void = NOTHING;
  #isFlashFull = false;
  #isStopped = false;

  constructor(
    plan: BoxPlan,
    world: SimulatorWorld,
    vehicle: PersistentVehicle,
    readyChanged: (isReady: boolean) => void = NOTHING,
  ) {
    super();
    this.plan = plan;
    this.#world = world;
    this.#vehicle = vehicle;
    this.#readyChanged = readyChanged;
    this.#who = `box/${plan.boxId}`;
    this.#state = newBox(factsOf(plan, world.random));
    if (plan.radio === 'road') this.#timing = new RoadTiming(plan, world, vehicle, () => this.#nowMs());
    this.bluetooth = new Phones(plan, world, (make, page) => this.enqueue({ make, page }));
  }

  /** Gives it power after `delayMs`: it boots with what its flash holds. */
  start(delayMs: number): void {
    this.#scheduleBoot('GENERAL', delayMs);
  }

  async #boot(reason: ResetReason): Promise<void> {
    const kept = await this.#world.flash.load(this.plan.boxId);
    if (this.#isStopped) return;
    const pages = new Map(kept);
    this.bluetooth.load(pages);
    const jumpedMs = readJump(pages.get(jumpKey));
    if (pages.delete(jumpKey) && jumpedMs !== this.jumpedMs) {
      // The counter runs on while it is not simulated, with the same offset.
      const byMs = jumpedMs - this.jumpedMs;
      this.jumpedMs = jumpedMs;
      this.enqueue({ make: () => ({ kind: 'clock-jump', byMs }) });
    }
    if (pages.delete(suspendedKey)) this.enqueue({ make: () => ({ kind: 'sim', to: 'suspended' }) });
    this.#world.trace.note({ who: this.#who, what: 'boot', detail: reason });
    // The time is part of the name: a second boot with the same seed must draw other numbers than the first one.
    const stream = this.#world.random.stream(`${this.#who}/boot/${this.#world.time.nowMs()}`);
    const entropy = stream.whole(0, 0xffff_ffff - 1);
    this.#timing?.booted(reason);
    this.enqueue({ make: () => ({ kind: 'boot', pages, reason, entropy }) });
  }

  /** Ends it as by a power cut; resolves once no flash call is pending. */
  async stop(): Promise<void> {
    this.#standStill();
    this.#timing?.stop();
    this.bluetooth.stop();
    this.#cancelAlarm();
    this.#cancelBoot();
    this.#connection?.end('drop');
    this.#connection = undefined;
    this.#pendingInputs = [];
    await this.#running;
    try {
      this.#vehicle.advance(this.#nowMs());
      await this.#world.flash.write(this.plan.boxId, [vehiclePage(this.#vehicle.snapshot())]);
    } catch (error) {
      this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A vehicle could not be kept.');
    }
  }

  /** From now on it does nothing, and counts as not ready. */
  #standStill(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (isBoxReady(this.#state)) this.#readyChanged(false);
  }

  protected readVehicle<T>(what: (vehicle: Vehicle) => T): T {
    this.#vehicle.advance(this.#nowMs());
    return what(this.#vehicle);
  }

  snapshot(): Record<string, unknown> {
    return boxSnapshotOf(this.#state, this.#nowMs());
  }

  firmware(): BoxState {
    return this.#state;
  }

  isReady(): boolean {
    return isBoxReady(this.#state);
  }

  status(): BoxStatus {
    return boxStatusAt(this.#state);
  }

  /** Only for callers that have abandoned the pending write: it neither succeeds nor fails. */
  losePower(): void {
    if (this.#isStopped) return;
    const [first] = this.#pendingInputs;
    const kind = this.#writtenKind;
    // The input under way is lost with the processor, unless it acts on the hardware.
    if (kind !== undefined && first?.page === undefined && !OF_HARDWARE.has(kind))
      this.#pendingInputs.shift();
    this.#pendingInputs.unshift({ make: () => ({ kind: 'power-cut' }) });
    this.#powerCuts += 1;
    this.#writtenKind = undefined;
    this.#writtenResult = undefined;
    this.#running = undefined;
    this.#isFlashFull = false;
    this.#processPending();
  }

  cutConnection(): void {
    this.#connection?.cut();
  }

  protected noticedSim(): SimState {
    return this.#state.ram.sim;
  }

  /** True time, never falling even where the world's clock is set back. */
  #nowMs(): number {
    this.#lastAt = Math.max(this.#lastAt, this.#world.time.nowMs());
    return this.#lastAt;
  }

  /** Changes the vehicle; an input line wakes the box. */
  protected changeVehicle(change: (vehicle: Vehicle) => void): void {
    this.#vehicle.advance(this.#nowMs());
    change(this.#vehicle);
    this.#nextLook.invalidate();
    this.#tick();
  }

  protected builtFacts(): BoxFacts {
    return factsOf(this.plan, this.#world.random);
  }

  #tick(): void {
    this.enqueue(TICK);
  }

  protected enqueue(input: PendingInput): void {
    if (this.#isStopped) return;
    this.#pendingInputs.push(input);
    if (!this.#isWorking && !this.#isFlashFull) this.#processPending();
  }

  /** Takes the waiting inputs one by one. Runs through without a pause where nothing is written. */
  #processPending(): void {
    this.#isWorking = true;
    try {
      for (let pending = this.#pendingInputs[0]; pending !== undefined; pending = this.#pendingInputs[0]) {
        if (pending.connection === undefined || pending.connection === this.#connection) {
          const result = this.#writtenResult ?? this.#decide(pending);
          if (result === undefined) return;
          this.#writtenResult = undefined;
          this.#carryOut(pending, result);
        }
        this.#pendingInputs.shift();
      }
      this.#setAlarm();
    } catch (error) {
      const context = { box: this.plan.boxId, error: String(error) };
      this.#world.log.error(context, 'A box failed and has stopped.');
      this.#standStill();
    }
    this.#isWorking = false;
  }

  /** The result of an input; undefined: it is being written, and the work continues once it is durable. */
  #decide(pending: PendingInput): ReturnType<typeof step> | undefined {
    const at = this.#nowMs();
    this.#vehicle.advance(at);
    const input = pending.make(this.#vehicle);
    const result = step(this.#state, at, input);
    const [first] = result.effects;
    const operations = first?.kind === 'write' ? [...first.operations] : [];
    if (pending.page !== undefined) operations.push(pending.page);
    if (operations.length === 0) return result;
    // In the same write as the records: after a crash no report is ahead of the vehicle that made it. A parked one is
    // in flash already, unless all pages are erased.
    const memory = this.#vehicle.snapshot();
    const isErased = operations.some((one) => 'erase' in one && one.erase === vehiclePageKey);
    if (memory !== this.#savedMemory || isErased) operations.push(vehiclePage(memory));
    const powerCuts = this.#powerCuts;
    this.#writtenKind = input.kind;
    this.#running = this.#world.flash.write(this.plan.boxId, operations).then(
      () => {
        if (powerCuts !== this.#powerCuts) return;
        this.#writtenKind = undefined;
        this.#savedMemory = memory;
        this.#isWorking = false;
        this.#writtenResult = result;
        if (!this.#isStopped) this.#processPending();
      },
      (error: unknown) => {
        if (powerCuts !== this.#powerCuts) return;
        this.#writtenKind = undefined;
        this.#isWorking = false;
        if (!this.#isStopped) this.#retryWrite(error);
      },
    );
    return undefined;
  }

  #carryOut(pending: PendingInput, { state, effects }: ReturnType<typeof step>): void {
    const wasReady = isBoxReady(this.#state);
    this.#state = state;
    if (isBoxReady(state) !== wasReady) this.#readyChanged(!wasReady);
    for (const effect of effects) this.#perform(effect);
    this.bluetooth.afterStep(state);
    this.watcher?.stepped(state);
    pending.done?.();
  }

  /** The medium refused, nothing was written; the inputs wait until the next try. */
  #retryWrite(error: unknown): void {
    this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A box cannot write to its flash.');
    this.#isFlashFull = true;
    this.#cancelAlarm();
    this.#alarmAt = undefined;
    this.#cancelAlarm = this.#world.time.alarm(this.#world.time.nowMs() + limits.flashRetryMs, () => {
      this.#isFlashFull = false;
      this.#processPending();
    });
  }

  #perform(effect: FirmwareEffect): void {
    switch (effect.kind) {
      case 'write':
        return;
      case 'connect':
        this.#world.trace.note({ who: this.#who, what: 'connect', detail: String(effect.connection) });
        this.#connection?.end('drop');
        this.#connection = new BrokerConnection(
          this.plan,
          this.#world,
          effect.will,
          this.#events,
          this.#timing,
        );
        return;
      case 'subscribe':
        this.#connection?.subscribe(effect.filter);
        return;
      case 'publish':
        this.#connection?.publish(effect.token, effect.publication);
        return;
      case 'disconnect':
      case 'drop':
        this.#disconnect(effect.kind === 'drop' ? 'drop' : 'goodbye');
        return;
      case 'actuate':
        this.#outputs().actuate(effect);
        return;
      case 'immobilize':
        this.#outputs().immobilize();
        return;
      case 'answer-phone':
        this.bluetooth.answer(effect.call, effect);
        return;
      case 'reset':
        this.#world.trace.note({ who: this.#who, what: 'reset', detail: effect.reason });
        this.#timing?.stopMotors();
        this.#scheduleBoot(effect.reason, effect.downMs);
        return;
      default:
        effect satisfies never;
    }
  }

  /** Made for each use: a fleet of a hundred thousand keeps none. */
  #outputs(): Outputs {
    return new Outputs({
      vehicle: () => this.readVehicle((one) => one),
      counterMs: () => counterMs(this.#state.facts, this.#nowMs()),
      watcher: () => this.watcher,
      moved: () => this.#nextLook.invalidate(),
      tell: (make, areAllMoved) => {
        if (areAllMoved) notifyActed(this.#state, this.watcher);
        this.enqueue({ make });
      },
      timing: this.#timing,
    });
  }

  #disconnect(how: 'goodbye' | 'drop'): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (this.#timing === undefined) connection?.end(how);
    else this.#timing.hangUp(connection, how);
  }

  #scheduleBoot(reason: ResetReason, downMs: number): void {
    this.#cancelBoot();
    this.#cancelBoot = this.#world.time.alarm(this.#world.time.nowMs() + downMs, () => {
      this.#cancelBoot = NOTHING;
      this.#boot(reason).catch((error: unknown) => {
        this.#world.log.warn({ box: this.plan.boxId, error: String(error) }, 'A box cannot read its flash.');
        this.#scheduleBoot(reason, limits.flashRetryMs);
      });
    });
  }

  /** One alarm: the firmware's own, or the next change that wakes it. */
  #setAlarm(): void {
    if (this.#isStopped) return;
    const own = nextAlarm(this.#state, this.#nextLook.dueMs(this.#state, this.#vehicle));
    const vehicle = this.#state.ram.power === 'off' ? undefined : this.#vehicle.nextChangeMs();
    const due = Math.min(own ?? Number.POSITIVE_INFINITY, vehicle ?? Number.POSITIVE_INFINITY);
    if (due === this.#alarmAt) return;
    this.#cancelAlarm();
    this.#cancelAlarm = NOTHING;
    this.#alarmAt = undefined;
    if (!Number.isFinite(due)) return;
    this.#alarmAt = due;
    this.#cancelAlarm = this.#world.time.alarm(due, () => {
      this.#alarmAt = undefined;
      this.#tick();
    });
  }
}

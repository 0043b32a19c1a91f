import { randomUUID } from 'node:crypto';
import type { Booking, Bookings, Status } from './bookings.ts';
import { NoAnswer, pause, problemOf, type ServiceApi } from './service-api.ts';
import { commandFor, meaningOf, type Target, type VehicleState } from './vehicle.ts';

export interface RentalOptions {
  readonly centsPerKm: number;
  /** Reports that were under way when the vehicle was closed have so long to come. */
  readonly billAfterMs: number;
  /** A vehicle that did not open within this time is closed again, in case it did. */
  readonly openingMs: number;
}

interface VehicleRecord {
  readonly rental_status: { readonly value: string };
  readonly custom_fields: Readonly<Record<string, string>>;
  readonly capabilities: { readonly commands: readonly string[] };
  readonly latest_vehicle_state: VehicleState;
}

const LOOK_MS = 200;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 8_000;
/** What is forbidden stays so until somebody changes it, which takes people. */
const FORBIDDEN_PAUSE_MS = 15_000;

/** The service does not let this client do it. */
class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** Whether a command before this one may have been carried out. */
  readonly isInDoubt: boolean;

  constructor(why: string, isInDoubt: boolean) {
    super(why);
    this.isInDoubt = isInDoubt;
  }
}

/**
 * Carries every booking on until nothing is left to do. What is to be done follows from its row alone, so that it does
 * not matter whether this process began it: one that starts again goes on where it was.
 */
export class Rental {
  readonly #bookings: Bookings;
  readonly #api: ServiceApi;
  readonly #options: RentalOptions;
  readonly #end: AbortSignal;
  /** Bookings under way, and those that wait after a failure. */
  readonly #busy = new Set<string>();
  /** What is forbidden of a vehicle, such as `8B13V open`: the next driver's wish changes nothing about that. */
  readonly #forbidden = new Map<string, { readonly why: string; readonly untilMs: number }>();

  constructor(bookings: Bookings, api: ServiceApi, options: RentalOptions, end: AbortSignal) {
    this.#bookings = bookings;
    this.#api = api;
    this.#options = options;
    this.#end = end;
  }

  /** Until `end`. */
  async run(): Promise<void> {
    const under: Set<Promise<void>> = new Set();
    while (!this.#end.aborted) {
      for (const booking of this.#bookings.unfinished()) {
        if (this.#busy.has(booking.id)) continue;
        this.#busy.add(booking.id);
        const work = this.#once(booking).finally(() => {
          this.#busy.delete(booking.id);
          under.delete(work);
        });
        under.add(work);
      }
      await pause(LOOK_MS, this.#end).catch(() => undefined);
    }
    await Promise.all(under);
  }

  async #once(booking: Booking): Promise<void> {
    let leastMs = 0;
    try {
      await this.#carryOn[booking.status](booking);
    } catch (error) {
      if (this.#end.aborted) return;
      if (!(error instanceof NoAnswer)) console.error(`${booking.id}: ${String(error)}`);
      if (error instanceof Forbidden) leastMs = FORBIDDEN_PAUSE_MS;
      this.#bookings.failed(booking.id, String(error), !(error instanceof Forbidden) || error.isInDoubt);
    }
    const { attempts = 0 } = this.#bookings.find(booking.id) ?? {};
    const pauseMs = Math.max(leastMs, Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LAST_PAUSE_MS));
    if (attempts > 0) await pause(pauseMs, this.#end).catch(() => undefined);
  }

  readonly #carryOn: Readonly<Record<Status, (booking: Booking) => Promise<void>>> = {
    RESERVING: (booking) => this.#reserve(booking),
    RESERVED: () => Promise.resolve(),
    OPENING: (booking) => this.#open(booking),
    OPEN: () => Promise.resolve(),
    CLOSING: (booking) => this.#bring(booking, 'closed'),
    CLOSED: (booking) => this.#bill(booking),
    BILLED: (booking) => this.#giveBack(booking),
    CANCELLED: (booking) => this.#giveBack(booking),
  };

  /** The record of the vehicle says whose it is, so a lost answer is no riddle. */
  async #reserve({ id, vehicle_id }: Booking): Promise<void> {
    const known = this.#knownForbidden(vehicle_id, 'open');
    if (known !== undefined) return this.#cancel(id, known);
    const path = `/vehicles/${encodeURIComponent(vehicle_id)}`;
    const answer = await this.#api.ask('GET', path);
    if (answer.status !== 200) return this.#cancel(id, problemOf(answer));
    const { rental_status, custom_fields, capabilities, latest_vehicle_state } = answer.body as VehicleRecord;
    this.#bookings.learn(vehicle_id, latest_vehicle_state);
    if (custom_fields['booking'] === id) return void this.#bookings.move(id, 'RESERVING', 'RESERVED');
    if (rental_status.value !== 'NOT_IN_RENTAL')
      return this.#cancel(id, 'The vehicle is rented to somebody else.');
    if (commandFor('open', capabilities.commands) === undefined)
      return this.#cancel(id, 'The vehicle cannot be opened by a command.');
    const body = { rental_status: { value: 'IN_RENTAL' }, custom_fields: { booking: id } };
    // If somebody else rents it at the same time, one of the two gets a 412, and looks again.
    const taken = await this.#api.call('PATCH', path, { body, ifMatch: answer.headers.get('etag') });
    if (taken.status !== 200 && taken.status !== 412) this.#bookings.failed(id, problemOf(taken), false);
    else if (taken.status === 200) this.#bookings.move(id, 'RESERVING', 'RESERVED');
  }

  /** Nothing was taken, so there is nothing to give back. */
  #cancel(id: string, why: string): void {
    if (this.#bookings.move(id, 'RESERVING', 'CANCELLED', why)) this.#bookings.returned(id);
  }

  async #open(booking: Booking): Promise<void> {
    const { id, vehicle_id, start_km, since_ms } = booking;
    if (start_km === null) {
      const { body } = await this.#api.ask('GET', `/vehicles/${vehicle_id}`);
      this.#bookings.learn(vehicle_id, (body as VehicleRecord).latest_vehicle_state);
      this.#bookings.startsAt(id);
    }
    if (Date.now() - since_ms > this.#options.openingMs) {
      this.#bookings.move(id, 'OPENING', 'CLOSING', 'The vehicle did not open in time.');
      return;
    }
    await this.#bring(booking, 'open');
  }

  /** Sends the command; where it is in doubt, only after a look at the vehicle. */
  async #bring({ id, vehicle_id, in_doubt, problem }: Booking, target: Target): Promise<void> {
    const path = `/vehicles/${encodeURIComponent(vehicle_id)}`;
    if (in_doubt === 1) {
      const look = meaningOf(await this.#api.call('POST', `${path}/commands/request-vehicle-state`));
      if (look.kind === 'forbidden') throw new Forbidden(look.why, true);
      if (look.kind !== 'answered')
        return this.#bookings.failed(id, look.kind === 'refused' ? look.why : (problem ?? 'in doubt'), true);
      this.#bookings.learn(vehicle_id, look.state, { id, target });
      if (this.#bookings.find(id)?.status !== (target === 'open' ? 'OPENING' : 'CLOSING')) return undefined;
    }
    const { body } = await this.#api.ask('GET', path);
    const command = commandFor(target, (body as VehicleRecord).capabilities.commands);
    const known = this.#knownForbidden(vehicle_id, target);
    if (known !== undefined) return this.#forbid(id, target, known);
    const flowId = randomUUID();
    this.#bookings.commandBegins(id, flowId, target);
    const answer = await this.#api.call('POST', `${path}/commands/${command}`, { flowId });
    const meaning = meaningOf(answer);
    if (meaning.kind === 'answered') {
      this.#bookings.learn(vehicle_id, meaning.state, { id, target });
      return undefined;
    }
    if (meaning.kind === 'forbidden') {
      const untilMs = Date.now() + FORBIDDEN_PAUSE_MS;
      this.#forbidden.set(`${vehicle_id} ${target}`, { why: meaning.why, untilMs });
      return this.#forbid(id, target, meaning.why);
    }
    // A vehicle that moves is still in use: whoever drives it ends the booking again once it stands.
    if (meaning.kind === 'refused' && target === 'closed') {
      this.#bookings.move(id, 'CLOSING', 'OPEN', meaning.why);
      return undefined;
    }
    return this.#bookings.failed(id, problemOf(answer), meaning.kind === 'doubt');
  }

  #knownForbidden(vehicleId: string, target: Target): string | undefined {
    const what = `${vehicleId} ${target}`;
    const { why, untilMs = 0 } = this.#forbidden.get(what) ?? {};
    if (Date.now() < untilMs) return why;
    this.#forbidden.delete(what);
    return undefined;
  }

  /** It stayed as it was: whoever wanted to open the vehicle learns why, and it is free again. */
  #forbid(id: string, target: Target, why: string): void {
    if (target === 'closed') throw new Forbidden(why, false);
    this.#bookings.move(id, 'OPENING', 'CANCELLED', why);
  }

  async #bill(booking: Booking): Promise<void> {
    const { id, vehicle_id, since_ms } = booking;
    await pause(Math.max(0, since_ms + this.#options.billAfterMs - Date.now()), this.#end);
    const { body } = await this.#api.ask('GET', `/vehicles/${encodeURIComponent(vehicle_id)}`);
    this.#bookings.learn(vehicle_id, (body as VehicleRecord).latest_vehicle_state);
    const closed = this.#bookings.find(id);
    if (closed !== undefined) this.#bookings.bill(closed, this.#options.centsPerKm);
  }

  async #giveBack({ id, vehicle_id }: Booking): Promise<void> {
    const path = `/vehicles/${encodeURIComponent(vehicle_id)}`;
    const { status, headers, body } = await this.#api.ask('GET', path);
    if (status === 200 && (body as VehicleRecord).custom_fields['booking'] === id) {
      const free = { rental_status: { value: 'NOT_IN_RENTAL' }, custom_fields: { booking: null } };
      const given = await this.#api.call('PATCH', path, { body: free, ifMatch: headers.get('etag') });
      if (given.status === 412) return;
      if (given.status !== 200) return this.#bookings.failed(id, problemOf(given), false);
    }
    this.#bookings.returned(id);
  }
}

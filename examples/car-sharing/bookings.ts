import { DatabaseSync } from 'node:sqlite';
import { mileageOf, seenAt, type Target, type VehicleState } from './vehicle.ts';

/**
 * RESERVING ─▶ RESERVED ─▶ OPENING ─▶ OPEN ─▶ CLOSING ─▶ CLOSED ─▶ BILLED
 *     └────────────┴──────────┴─────────────────▶ CANCELLED (the vehicle was never open)
 */
export type Status =
  | 'RESERVING'
  | 'RESERVED'
  | 'OPENING'
  | 'OPEN'
  | 'CLOSING'
  | 'CLOSED'
  | 'BILLED'
  | 'CANCELLED';

export interface Booking {
  readonly id: string;
  readonly vehicle_id: string;
  readonly driver: string;
  readonly status: Status;
  /** Why the last attempt did not work. */
  readonly problem: string | null;
  /** A command may have been carried out, and nobody knows. */
  readonly in_doubt: 0 | 1;
  readonly attempts: number;
  /** Since when it has its status, by our clock. */
  readonly since_ms: number;
  /** The odometer before the vehicle was opened. */
  readonly start_km: number | null;
  /** By the clock of the vehicle. */
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  /** The vehicle is free for the next one. */
  readonly is_returned: 0 | 1;
}

export interface Invoice {
  readonly booking_id: string;
  readonly km: number;
  readonly cents: number;
  readonly is_paid: 0 | 1;
}

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma busy_timeout = 5000;
  create table if not exists bookings (
    id text primary key, vehicle_id text not null, driver text not null, status text not null,
    problem text, in_doubt integer not null default 0, attempts integer not null default 0,
    since_ms integer not null, start_km real, opened_at text, closed_at text,
    is_returned integer not null default 0) strict;
  create unique index if not exists one_booking_of_a_vehicle on bookings (vehicle_id) where is_returned = 0;
  create table if not exists commands (flow_id text primary key, booking_id text not null, target text not null) strict;
  create table if not exists messages (message_id text primary key, seen_ms integer not null) strict;
  create table if not exists readings (
    vehicle_id text not null, at text not null, km real not null, primary key (vehicle_id, at)) strict;
  create table if not exists invoices (
    booking_id text primary key, km real not null, cents integer not null, is_paid integer not null default 0) strict;
  create table if not exists subscription (one integer primary key check (one = 1), body text not null) strict;
`;

/** The service keeps a message for 7 days: after that none is delivered again. */
const MESSAGE_MEMORY_MS = 8 * 86_400_000;

/**
 * Everything that must outlive this process, in one SQLite file. Each change is one transaction: what was answered to a
 * driver or acknowledged to the broker is on disk before.
 */
export class Bookings {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(SCHEMA);
    this.#db.prepare('delete from messages where seen_ms < ?').run(Date.now() - MESSAGE_MEMORY_MS);
  }

  close(): void {
    this.#db.close();
  }

  all(): readonly Booking[] {
    return this.#db.prepare('select * from bookings order by rowid').all() as unknown as Booking[];
  }

  find(id: string): Booking | undefined {
    return this.#db.prepare('select * from bookings where id = ?').get(id) as Booking | undefined;
  }

  /** Those about which something is left to do, whoever has begun it: this process or one that died. */
  unfinished(): readonly Booking[] {
    const rows = this.#db.prepare(
      `select * from bookings where is_returned = 0 and status not in ('RESERVED', 'OPEN')`,
    );
    return rows.all() as unknown as Booking[];
  }

  /** False: the vehicle has a booking already. The id is the driver's, so the same request twice is one booking. */
  begin(id: string, vehicleId: string, driver: string): boolean {
    const insert = this.#db.prepare(
      `insert into bookings (id, vehicle_id, driver, status, since_ms) values (?, ?, ?, 'RESERVING', ?)
       on conflict do nothing`,
    );
    return insert.run(id, vehicleId, driver, Date.now()).changes === 1;
  }

  /** From one status to the next; false: it is not in `from`, so that somebody else was faster. */
  move(id: string, from: Status, to: Status, problem: string | null = null): boolean {
    const update = this.#db.prepare(
      `update bookings set status = ?, problem = ?, since_ms = ?, attempts = 0, in_doubt = 0
       where id = ? and status = ?`,
    );
    return update.run(to, problem, Date.now(), id, from).changes === 1;
  }

  failed(id: string, problem: string, isInDoubt: boolean): void {
    const update = this.#db.prepare(
      'update bookings set problem = ?, attempts = attempts + 1, in_doubt = ? where id = ?',
    );
    update.run(problem, isInDoubt ? 1 : 0, id);
  }

  /** A command is about to be sent. It is in doubt from now on: this process may die before it has the answer. */
  commandBegins(id: string, flowId: string, target: Target): void {
    this.#together(() => {
      this.#db.prepare('insert into commands values (?, ?, ?)').run(flowId, id, target);
      this.#db.prepare('update bookings set in_doubt = 1 where id = ?').run(id);
    });
  }

  /** What the odometer showed before the first command. Once it is there it stays. */
  startsAt(id: string): void {
    const newest = `select km from readings r where r.vehicle_id = bookings.vehicle_id order by at desc limit 1`;
    this.#db.prepare(`update bookings set start_km = coalesce(start_km, (${newest})) where id = ?`).run(id);
  }

  /** What a vehicle tells, from wherever it came: the odometer, and whether the booking has what it wants. */
  learn(vehicleId: string, state: VehicleState, booking?: { id: string; target: Target }): void {
    this.#together(() => this.#learn(vehicleId, state, booking));
  }

  /**
   * A message. Its id and what follows from it are one transaction, so that a message that is delivered again, because
   * this process died or the broker did, changes nothing.
   */
  message(messageId: string, vehicleId: string, state: VehicleState, flowId: string | undefined): void {
    this.#together(() => {
      const insert = this.#db.prepare('insert into messages values (?, ?) on conflict do nothing');
      if (insert.run(messageId, Date.now()).changes === 0) return;
      const command = this.#db
        .prepare('select booking_id as id, target from commands where flow_id = ?')
        .get(flowId ?? '') as { id: string; target: Target } | undefined;
      this.#learn(vehicleId, state, command);
    });
  }

  #learn(vehicleId: string, state: VehicleState, booking: { id: string; target: Target } | undefined): void {
    const mileage = mileageOf(state);
    // The highest of a second: the order in which readings come does not matter, nor how often.
    if (mileage !== undefined)
      this.#db
        .prepare(
          `insert into readings values (?, ?, ?)
           on conflict (vehicle_id, at) do update set km = max(km, excluded.km)`,
        )
        .run(vehicleId, mileage.at, mileage.km);
    const at = booking === undefined ? undefined : seenAt(booking.target, state);
    if (booking === undefined || at === undefined) return;
    if (booking.target === 'open') {
      this.#db
        .prepare('update bookings set opened_at = coalesce(opened_at, ?) where id = ?')
        .run(at, booking.id);
      this.move(booking.id, 'OPENING', 'OPEN');
    } else if (this.move(booking.id, 'CLOSING', 'CLOSED')) {
      this.#db.prepare('update bookings set closed_at = ? where id = ?').run(at, booking.id);
    }
  }

  /** The invoice of a closed booking, once; one whose vehicle was never open is cancelled. */
  bill({ id, vehicle_id, opened_at, closed_at, start_km }: Booking, centsPerKm: number): void {
    this.#together(() => {
      const last = this.#db
        .prepare('select max(km) as km from readings where vehicle_id = ? and at <= ?')
        .get(vehicle_id, closed_at) as { km: number | null };
      const km = last.km === null || start_km === null ? 0 : Math.round((last.km - start_km) * 10) / 10;
      if (opened_at === null && km === 0) return void this.move(id, 'CLOSED', 'CANCELLED');
      if (!this.move(id, 'CLOSED', 'BILLED')) return undefined;
      const insert = this.#db.prepare('insert into invoices (booking_id, km, cents) values (?, ?, ?)');
      return void insert.run(id, km, Math.round(km * centsPerKm));
    });
  }

  returned(id: string): void {
    this.#db.prepare('update bookings set is_returned = 1 where id = ?').run(id);
  }

  invoices(): readonly Invoice[] {
    return this.#db.prepare('select * from invoices order by booking_id').all() as unknown as Invoice[];
  }

  paid(bookingId: string): void {
    this.#db.prepare('update invoices set is_paid = 1 where booking_id = ?').run(bookingId);
  }

  /** How the broker is reached; the service tells the password once. */
  get subscription(): string | undefined {
    const row = this.#db.prepare('select body from subscription').get() as { body: string } | undefined;
    return row?.body;
  }

  set subscription(body: string | undefined) {
    if (body === undefined) this.#db.prepare('delete from subscription').run();
    else this.#db.prepare('insert or replace into subscription values (1, ?)').run(body);
  }

  #together(act: () => void): void {
    this.#db.exec('begin immediate');
    try {
      act();
      this.#db.exec('commit');
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }
}

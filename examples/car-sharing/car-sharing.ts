import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Bookings } from './bookings.ts';
import { frontDesk } from './front-desk.ts';
import { type MessageOptions, readMessages } from './messages.ts';
import { collectPayments } from './payments.ts';
import { Rental, type RentalOptions } from './rental.ts';
import { type ServiceAccount, ServiceApi } from './service-api.ts';

export interface CarSharingOptions {
  readonly service: ServiceAccount;
  readonly messages: MessageOptions;
  readonly rental: RentalOptions;
  /** The SQLite file that everything is kept in. */
  readonly database: string;
  /** Of the drivers' API; 0: any free one. */
  readonly port: number;
  /** Where invoices are charged; undefined: nowhere. */
  readonly payments: string | undefined;
}

export interface CarSharing {
  /** Of the drivers' API: `http://127.0.0.1:4800`. */
  readonly url: string;
  readonly bookings: Bookings;
  stop(): Promise<void>;
}

/** Starts the back end, and goes on where the one before it stopped or died. Resolves once drivers are answered. */
export async function startCarSharing(options: CarSharingOptions): Promise<CarSharing> {
  const ending = new AbortController();
  const { signal } = ending;
  const bookings = new Bookings(options.database);
  const api = new ServiceApi(options.service, signal);
  const desk = frontDesk(bookings);
  desk.listen(options.port, '127.0.0.1');
  await once(desk, 'listening');
  const work = [
    new Rental(bookings, api, options.rental, signal).run(),
    readMessages(bookings, api, options.messages, signal),
    ...(options.payments === undefined ? [] : [collectPayments(bookings, options.payments, signal)]),
  ];
  return {
    url: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    bookings,
    async stop() {
      ending.abort(new Error('The back end ends.'));
      desk.close();
      desk.closeAllConnections();
      await Promise.all(work);
      bookings.close();
    },
  };
}

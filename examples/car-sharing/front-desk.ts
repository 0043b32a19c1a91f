import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Booking, Bookings } from './bookings.ts';

const BODY_BYTES = 4_096;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * What the drivers' phones call. Each answer comes from the database at once; what it sets going takes as long as the
 * vehicle takes, and `GET /bookings/{id}` shows how far it is. Every request may be repeated.
 *
 *     PUT  /bookings/{id}         {"vehicle_id": "8B13V", "driver": "ada"}; the phone makes up the id
 *     POST /bookings/{id}/unlock
 *     POST /bookings/{id}/end
 *     GET  /bookings, /bookings/{id}, /invoices
 */
export function frontDesk(bookings: Bookings): Server {
  return createServer((request, response) => {
    reply(bookings, request)
      .catch((error: unknown): Reply => {
        console.error(`front desk: ${String(error)}`);
        return {
          status: 500,
          body: { detail: 'Something failed here. The same request may be made again.' },
        };
      })
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
      })
      .catch(() => undefined);
  });
}

async function reply(bookings: Bookings, request: IncomingMessage): Promise<Reply> {
  const [, place, id, action] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  const { method } = request;
  if (place === 'invoices' && id === undefined && method === 'GET')
    return { status: 200, body: { items: bookings.invoices() } };
  if (place !== 'bookings') return { status: 404, body: { detail: 'There are /bookings and /invoices.' } };
  if (id === undefined) return { status: 200, body: { items: bookings.all() } };
  if (method === 'PUT' && action === undefined) return book(bookings, id, await bodyOf(request));
  const booking = bookings.find(id);
  if (booking === undefined) return { status: 404, body: { detail: 'There is no such booking.' } };
  if (method === 'GET' && action === undefined) return { status: 200, body: booking };
  if (method === 'POST' && action === 'unlock') return unlock(bookings, booking);
  if (method === 'POST' && action === 'end') return end(bookings, booking);
  return { status: 405, body: { detail: 'GET or PUT a booking; POST its unlock or its end.' } };
}

function book(bookings: Bookings, id: string, body: unknown): Reply {
  const { vehicle_id, driver } = (body ?? {}) as { readonly vehicle_id?: unknown; readonly driver?: unknown };
  if (typeof vehicle_id !== 'string' || typeof driver !== 'string')
    return { status: 400, body: { detail: 'Give vehicle_id and driver, each a text.' } };
  const isNew = bookings.begin(id, vehicle_id, driver);
  const booking = bookings.find(id);
  if (booking === undefined) return { status: 409, body: { detail: 'The vehicle has a booking.' } };
  const isSame = booking.vehicle_id === vehicle_id && booking.driver === driver;
  if (!isSame) return { status: 409, body: { detail: 'There is another booking with this id.' } };
  return { status: isNew ? 201 : 200, body: booking };
}

function unlock(bookings: Bookings, { id }: Booking): Reply {
  bookings.move(id, 'RESERVED', 'OPENING');
  return after(bookings, id, ['OPENING', 'OPEN']);
}

function end(bookings: Bookings, { id }: Booking): Reply {
  // One that is being opened may be open already, so the vehicle is closed in any case.
  if (!bookings.move(id, 'RESERVED', 'CANCELLED') && !bookings.move(id, 'OPEN', 'CLOSING'))
    bookings.move(id, 'OPENING', 'CLOSING');
  return after(bookings, id, ['CLOSING', 'CLOSED', 'BILLED', 'CANCELLED']);
}

/** 202 where the booking is on its way to what was asked for, 409 where it cannot get there. */
function after(bookings: Bookings, id: string, right: readonly string[]): Reply {
  const booking = bookings.find(id);
  return right.includes(booking?.status ?? '')
    ? { status: 202, body: booking }
    : { status: 409, body: { detail: `The booking is ${booking?.status}.`, booking } };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

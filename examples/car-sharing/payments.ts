import type { Bookings } from './bookings.ts';
import { pause } from './service-api.ts';

const LOOK_MS = 500;
const ANSWER_MS = 10_000;

/**
 * Charges every invoice at the payment service, until that has confirmed it. An answer may be lost after the charge, so
 * the same charge has the same key each time, and the payment service takes it once (`Idempotency-Key`).
 */
export async function collectPayments(bookings: Bookings, url: string, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    for (const { booking_id, cents, is_paid } of bookings.invoices())
      if (is_paid === 0 && (await charge(url, booking_id, cents, end))) bookings.paid(booking_id);
    await pause(LOOK_MS, end).catch(() => undefined);
  }
}

/** Whether the payment service has confirmed it. */
async function charge(url: string, bookingId: string, cents: number, end: AbortSignal): Promise<boolean> {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': bookingId },
      body: JSON.stringify({ booking_id: bookingId, cents }),
      signal: AbortSignal.any([end, AbortSignal.timeout(ANSWER_MS)]),
    });
    return ok;
  } catch {
    return false;
  }
}

import type { Seal } from '../../world/seal.ts';
import { makerLimits } from './limits.ts';

const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Whether a notification comes from whoever has the secret, and is of now: the header is
 * `t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hex>`.
 */
export function isSigned(
  seal: Pick<Seal, 'verifyMac'>,
  secret: string,
  notification: { readonly header: string | undefined; readonly body: string },
  nowMs: number,
): boolean {
  const [, second, mac] = FORM.exec(notification.header ?? '') ?? [];
  if (second === undefined || mac === undefined) return false;
  const ageMs = Math.abs(nowMs - Number(second) * 1_000);
  return ageMs <= makerLimits.signatureAgeMs && seal.verifyMac(secret, `${second}.${notification.body}`, mac);
}

/**
 * The secret of a maker's notifications. It follows from the key that we have there, so that every backend knows it and
 * none has to keep it; the key does not follow from it.
 */
export function notificationSecret(seal: Pick<Seal, 'mac'>, maker: string, apiKey: string): string {
  return seal.mac(apiKey, `notifications of ${maker}`);
}

/** Where a maker tells of its vehicles. */
export function notificationPath(maker: string): string {
  return `/third-party/${maker}/notifications`;
}

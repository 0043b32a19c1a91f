import type { Crypto } from '../../world/crypto/crypto.ts';
import { makerLimits } from '../base/limits.ts';

const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Whether a notification was signed with the secret, and recently: the header is
 * `t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hex>`.
 */
export function isSigned(
  crypto: Pick<Crypto, 'verifyMac'>,
  secret: string,
  notification: { readonly header: string | undefined; readonly body: string },
  nowMs: number,
): boolean {
  const [, second, mac] = FORM.exec(notification.header ?? '') ?? [];
  if (second === undefined || mac === undefined) return false;
  const ageMs = Math.abs(nowMs - Number(second) * 1_000);
  return (
    ageMs <= makerLimits.signatureAgeMs && crypto.verifyMac(secret, `${second}.${notification.body}`, mac)
  );
}

/**
 * The secret of a maker's notifications. It is derived from our API key there, so that every backend has it
 * and none must store it; the key cannot be derived from it.
 */
export function notificationSecret(crypto: Pick<Crypto, 'mac'>, maker: string, apiKey: string): string {
  return crypto.mac(apiKey, `notifications of ${maker}`);
}

/** The path of a maker's notifications. */
export function notificationPath(maker: string): string {
  return `/third-party/${maker}/notifications`;
}

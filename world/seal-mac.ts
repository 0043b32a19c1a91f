import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Seal } from './seal.ts';

/** The part of a seal that is the same in every world: it takes no chance and no thread. */
export const sealMac: Pick<Seal, 'mac' | 'verifyMac'> = {
  mac: (key, text) => macOf(key, text).toString('hex'),
  verifyMac: (key, text, mac) => {
    const given = Buffer.from(mac, 'hex');
    const right = macOf(key, text);
    // Of a text that is no hex only the part before the fault is read: the length tells.
    return mac.length === right.length * 2 && given.length === right.length && timingSafeEqual(given, right);
  },
};

function macOf(key: string, text: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(text, 'utf8').digest();
}

import { counted } from '../language/counted.ts';
import { OF_REQUESTS } from './books.ts';
import type { Check } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';
import { readRequests } from './request-book.ts';

/**
 * Compares the box's own log of what its outputs moved with the requests that the wire saw: no request moved them
 * twice, none behind its expiry, and none that was never sent. Commands that move no output have no such log; theirs is
 * `answers-agree`.
 */
export const commandsAtMostOnce: Check = async ({ evidence, players }) => {
  const findings = new Findings();
  const isWireWhole = evidence.unbooked().frames === 0;
  let acts = 0;
  let sent = 0;
  for (const player of players) {
    if (player.boxId === undefined) continue;
    const { requests } = await readRequests(evidence.frames(player, OF_REQUESTS));
    sent += requests.size;
    const first = new Map<string, number>();
    for (const { atMs, requestId, command } of await evidence.acted(player)) {
      acts += 1;
      const about = { player, atMs };
      const what = `${command}, request ${requestId}, in ${nameOf(player)}`;
      const before = first.get(requestId);
      if (before === undefined) first.set(requestId, atMs);
      else
        findings.say(
          'carried out twice',
          `${what}: ${(atMs - before) / 1_000} s after the first time`,
          about,
        );
      const request = requests.get(requestId);
      if (request !== undefined && atMs > request.expiresMs + limits.boxClockMs)
        findings.say(
          'carried out too late',
          `${what}: ${(atMs - request.expiresMs) / 1_000} s behind its expiry`,
          about,
        );
      if (request === undefined && isWireWhole)
        findings.say('carried out unasked', `${what}: no such request crossed the wire`, about);
    }
  }
  return findings.checked(`${counted(sent, 'request')}, ${counted(acts, 'act')}`);
};

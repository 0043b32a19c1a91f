import { REQUEST_KINDS } from '../../checkers.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { judgeReplies, slackMs } from './late-and-repeated.ts';
import { readRequests } from './request-recording.ts';

/**
 * Compares the box's own log of its output moves with the requests on the wire: no request moved them twice, none after
 * its expiry, and none that was never sent. Commands that move no output have no such log; those, and configurations,
 * are judged by their replies (late-and-repeated.ts).
 */
export const commandsAtMostOnce: Checker = async ({ evidence, vehicles }) => {
  const findings = new Findings();
  const isWireWhole = evidence.unrecorded().frames === 0;
  let acts = 0;
  let sent = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const { requests } = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    sent += requests.size;
    await judgeReplies(
      vehicle,
      evidence.frames(vehicle, REQUEST_KINDS),
      evidence.clockErrors(vehicle),
      findings,
    );
    const first = new Map<string, number>();
    for (const { atMs, requestId, command } of await evidence.outputActions(vehicle)) {
      acts += 1;
      const about = { vehicle, atMs };
      const what = `${command}, request ${requestId}, in ${nameOf(vehicle)}`;
      const before = first.get(requestId);
      if (before === undefined) first.set(requestId, atMs);
      else
        findings.add(
          'carried out twice',
          `${what}: ${(atMs - before) / 1_000} s after the first time`,
          about,
        );
      const request = requests.get(requestId);
      if (
        request !== undefined &&
        atMs > request.expiresMs + slackMs(evidence.clockErrors(vehicle), request.expiresMs, atMs)
      )
        findings.add(
          'carried out too late',
          `${what}: ${(atMs - request.expiresMs) / 1_000} s behind its expiry`,
          about,
        );
      if (request === undefined && isWireWhole)
        findings.add('carried out unasked', `${what}: no such request crossed the wire`, about);
    }
  }
  return findings.result([
    [sent, 'request'],
    [acts, 'act'],
  ]);
};

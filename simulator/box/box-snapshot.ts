import { bluetoothPhase } from '../firmware/bluetooth/bluetooth.ts';
import { nextAlarm } from '../firmware/core/next-alarm.ts';
import type { BoxState } from '../firmware/core/state.ts';
import { damageDetection } from '../firmware/detect/calibration.ts';
import { entryCount } from '../firmware/journal/entry-index.ts';
import { lowestHeld } from '../firmware/journal/journal.ts';
import { clockMs, counterMs } from '../firmware/power/rtc.ts';
import { usedNetwork } from '../firmware/session/modem.ts';
import { imageOf } from '../firmware/update/image.ts';
import { programOf } from '../firmware/update/update.ts';

/**
 * The box's own view at true time `at`: the state of its firmware without the bytes of its journal. Plain
 * JSON.
 */
export function boxSnapshotOf(state: BoxState, at: number): Record<string, unknown> {
  const { facts, flash, ram } = state;
  const { journal, counters } = flash;
  return {
    firmware: ram.firmware.join('.'),
    power: ram.power,
    resetReason: ram.resetReason,
    powerFrom: ram.powerSource ?? null,
    banks: banksOf(state),
    update: updateOf(state),
    boot: counters.boot,
    clockMs: clockMs(ram.clock, counterMs(facts, at)),
    upForS: Math.max(0, Math.floor((at - ram.bootedAt) / 1000)),
    cpuTimeS: Math.floor(ram.awakeMs / 1000),
    temperatureC: ram.health.temperatureC ?? null,
    workshopMode: counters.workshop,
    bluetooth: bluetoothPhase(state),
    bluetoothTokens: flash.bluetooth.tokens.map(({ id, used, isWithdrawn }) => ({ id, used, isWithdrawn })),
    damageDetection: damageDetection(flash),
    sim: ram.sim,
    modem: ram.modem.phase,
    network: usedNetwork(ram.networks, counters.network)?.name ?? null,
    csq: ram.csq,
    session: ram.session.phase,
    connection: counters.connection,
    seen: ram.sampler.seen ?? null,
    configuration: { revision: flash.configuration.revision, ...flash.configuration.values },
    journal: {
      epoch: journal.epoch,
      next: journal.next,
      lowestHeld: lowestHeld(journal),
      held: entryCount(journal.entryIndex),
      ...journal.entryIndex.counts,
      awaitingReceipt: ram.outbox.awaiting,
    },
    answeredRequests: flash.answered.length,
    commandInProgress: flash.intent?.requestId ?? null,
    fault: ram.fault?.text ?? null,
    hangsUntilMs: ram.hang?.until ?? null,
    setup: ram.setup === undefined ? null : { found: ram.setup.found, since: ram.setup.beganAt },
    ...ram.counts,
    nextAlarmMs: nextAlarm(state) ?? null,
  };
}

/**
 * The content of both banks, and the bank that the box boots from; a program on trial is in the other one.
 */
function banksOf({ facts, flash }: BoxState): Record<string, unknown> {
  const { version, bank, other } = programOf({ facts, flash });
  const { update } = flash;
  const next = update?.phase === 'trial' ? update.offer.version : other;
  const banks = [version.join('.'), next?.join('.') ?? null];
  const [a, b] = bank === 0 ? banks : banks.toReversed();
  return { starts: bank === 0 ? 'a' : 'b', a, b };
}

/** The last update over the air: its progress, or how it ended. */
function updateOf({ flash: { update } }: BoxState): Record<string, unknown> | null {
  if (update === undefined) return null;
  const { offer, phase, outcome, received, installs, trials } = update;
  const { chunks, sizeBytes } = imageOf(offer);
  const version = offer.version.join('.');
  const receivedPercent = Math.floor((received * 100) / chunks);
  return { version, sizeBytes, phase, receivedPercent, installs, trials, outcome: outcome ?? null };
}

import type { ResetReason } from '../../protocol/message.ts';
import { bluetoothKey, noTokens, readBluetooth } from './ble-pages.ts';
import { mix } from './chance.ts';
import { answerInterrupted } from './commands.ts';
import { factoryConfiguration } from './configuration.ts';
import { undetected } from './detect.ts';
import { unmeasured } from './health.ts';
import { emptyJournal, type Journal } from './journal.ts';
import { modemOff } from './modem.ts';
import { emptyOutbox } from './outbox.ts';
import {
  calibratedKey,
  clockKey,
  countersKey,
  intentKey,
  readAnswered,
  readCalibrated,
  readClock,
  readCounters,
  readIntent,
  readRecord,
  readSettings,
  settingsKey,
} from './pages.ts';
import { firmwareKey, readFirmware, readUpdate, updateKey } from './program-pages.ts';
import { unsampled } from './sampler.ts';
import { sessionDown } from './session.ts';
import { emptyShelf, last, put } from './shelf.ts';
import type { BoxFacts, BoxState, FlashPart, RamPart } from './state.ts';
import { keepCounters, type Turn } from './turn.ts';
import { bootedProgram } from './update.ts';

const noCounters = {
  boot: 0,
  connection: 0,
  workshop: false,
  network: 0,
  answeredFloorMs: 0,
};

/** A box before its first boot: built, without power. */
export function newBox(facts: BoxFacts): BoxState {
  return { facts, flash: wipedFlash(facts, 0), ram: emptyRam(facts.firmware, 'GENERAL', 0, 0) };
}

function wipedFlash(facts: BoxFacts, epoch: number): FlashPart {
  return {
    counters: noCounters,
    keptNext: 0,
    journal: emptyJournal(epoch, facts.journalRecords),
    clock: undefined,
    configuration: factoryConfiguration(facts.factorySettings),
    calibrated: 0,
    answered: [],
    intent: undefined,
    bluetooth: noTokens,
    firmware: undefined,
    update: undefined,
  };
}

function emptyRam(
  firmware: BoxFacts['firmware'],
  resetReason: ResetReason,
  at: number,
  chance: number,
): RamPart {
  return {
    power: 'off',
    source: undefined,
    revivedBy: 'GENERAL',
    lowSince: undefined,
    powerLookAt: undefined,
    transfer: undefined,
    resetReason,
    firmware,
    chance,
    clock: undefined,
    bootedAt: at,
    awakeMs: 0,
    reckonedAt: at,
    modem: modemOff,
    sim: 'active',
    bleBackAt: undefined,
    caller: undefined,
    session: sessionDown,
    outbox: emptyOutbox,
    doubted: undefined,
    sampler: unsampled,
    health: unmeasured,
    networks: [],
    csq: 99,
    errand: undefined,
    leaving: undefined,
    undoing: undefined,
    hang: undefined,
    fault: undefined,
    calibration: undefined,
    detection: undetected,
    left: undefined,
    setup: undefined,
    counts: { strayFrames: 0, refusedRecords: 0 },
  };
}

/**
 * Begins anew with what the flash holds. Without a counters page the flash counts as wiped: a new journal epoch
 * begins, whose number comes from chance, and whatever else is there is erased.
 */
export function boot(
  turn: Turn,
  pages: ReadonlyMap<string, Uint8Array>,
  reason: ResetReason,
  entropy: number,
): void {
  // The card and what is broken are as they were; so is the program, which lies in a memory of its own.
  const { sim, fault } = turn.ram;
  const firmware = readFirmware(pages.get(firmwareKey));
  const kept = readCounters(pages.get(countersKey));
  if (kept === undefined) {
    const epoch = mix(entropy) || 1;
    for (const key of pages.keys()) if (key !== firmwareKey) turn.writes.push({ erase: key });
    Object.assign(turn.flash, wipedFlash(turn.facts, epoch), { firmware });
  } else {
    Object.assign(turn.flash, restored(turn.facts, pages, kept));
  }
  const empty = emptyRam(bootedProgram(turn), reason, turn.at, mix(entropy ^ 0x5bd1e995));
  Object.assign(turn.ram, empty, { power: 'booting', sim, fault, clock: turn.flash.clock });
  keepCounters(turn, { boot: (turn.flash.counters.boot + 1) & 0xffff });
  answerInterrupted(turn);
}

function restored(
  facts: BoxFacts,
  pages: ReadonlyMap<string, Uint8Array>,
  kept: NonNullable<ReturnType<typeof readCounters>>,
): FlashPart {
  return {
    counters: kept.counters,
    keptNext: kept.next,
    journal: restoredJournal(pages, kept.epoch, kept.next, facts.journalRecords),
    clock: readClock(pages.get(clockKey)),
    configuration: readSettings(pages.get(settingsKey)) ?? factoryConfiguration(facts.factorySettings),
    calibrated: readCalibrated(pages.get(calibratedKey)),
    answered: [...pages].flatMap(([key, bytes]) => readAnswered(key, bytes) ?? []),
    intent: readIntent(pages.get(intentKey)),
    bluetooth: readBluetooth(pages.get(bluetoothKey)),
    firmware: readFirmware(pages.get(firmwareKey)),
    update: readUpdate(pages.get(updateKey)),
  };
}

/** Everything that is in flash; sequences go on above both the records and the kept counter. */
function restoredJournal(
  pages: ReadonlyMap<string, Uint8Array>,
  epoch: number,
  keptNext: number,
  capacity: number,
): Journal {
  let shelf = emptyShelf;
  const entries = [...pages].flatMap(([key, bytes]) => readRecord(key, bytes) ?? []);
  entries.sort((one, other) => one.sequence - other.sequence);
  for (const entry of entries) shelf = put(shelf, entry);
  const next = Math.max(keptNext, (last(shelf)?.sequence ?? 0) + 1);
  return { epoch, next, shelf, capacity, open: [], receipted: [] };
}

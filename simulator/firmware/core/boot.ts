import type { ResetReason } from '../../../protocol/message.ts';
import { bluetoothKey, noTokens, readBluetooth } from '../bluetooth/bluetooth-pages.ts';
import { answerInterrupted } from '../commands/commands.ts';
import { noDetection } from '../detect/detection-state.ts';
import { emptyEntryIndex, lastEntry, putEntry } from '../journal/entry-index.ts';
import { emptyJournal, emptyOutbox, type Journal } from '../journal/journal-state.ts';
import { timingFrom } from '../journal/receipt-timing.ts';
import { initialHealth, initialSampler } from '../sampling/sampling-state.ts';
import { modemOff, sessionDown } from '../session/session-state.ts';
import { firmwareKey, readFirmware, readUpdate, updateKey } from '../update/program-pages.ts';
import { programAtBoot } from '../update/update.ts';
import type { BoxFacts } from './box-hardware.ts';
import { mixBits } from './chance.ts';
import { factoryConfiguration } from './configuration.ts';
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
import type { BoxState, FlashPart, RamPart } from './state.ts';
import type { StepContext } from './step-context.ts';
import { saveCounters } from './step-writes.ts';

const noCounters = {
  boot: 0,
  connection: 0,
  workshop: false,
  network: 0,
  answeredFloorMs: 0,
};

/** A box before its first boot, without power. */
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
    powerSource: undefined,
    pendingResetReason: 'GENERAL',
    lowSince: undefined,
    powerLookAt: undefined,
    transfer: undefined,
    resetReason,
    firmware,
    chance,
    clock: undefined,
    bootedAt: at,
    awakeMs: 0,
    cpuTimeUpdatedAt: at,
    modem: modemOff,
    sim: 'active',
    bluetoothBackAt: undefined,
    phoneCall: undefined,
    session: sessionDown,
    outbox: emptyOutbox,
    timing: timingFrom(0),
    sampler: initialSampler,
    health: initialHealth,
    networks: [],
    csq: 99,
    pendingTask: undefined,
    goingOffline: undefined,
    rollback: undefined,
    hang: undefined,
    fault: undefined,
    calibration: undefined,
    detection: noDetection,
    unattended: undefined,
    setup: undefined,
    counts: { strayFrames: 0, refusedRecords: 0 },
  };
}

/**
 * Boots with the content of the flash. Without a counters page the flash counts as wiped: a new journal epoch
 * with a random number begins, and all other pages in flash are erased.
 */
export function boot(
  context: StepContext,
  pages: ReadonlyMap<string, Uint8Array>,
  reason: ResetReason,
  entropy: number,
): void {
  // The SIM, a fault and the running program survive a reset; the program is in a separate memory.
  const { sim, fault } = context.ram;
  const firmware = readFirmware(pages.get(firmwareKey));
  const kept = readCounters(pages.get(countersKey));
  if (kept === undefined) {
    const epoch = mixBits(entropy) || 1;
    for (const key of pages.keys()) if (key !== firmwareKey) context.writes.push({ erase: key });
    Object.assign(context.flash, wipedFlash(context.facts, epoch), { firmware });
  } else {
    Object.assign(context.flash, restored(context.facts, pages, kept));
  }
  const empty = emptyRam(programAtBoot(context), reason, context.at, mixBits(entropy ^ 0x5bd1e995));
  Object.assign(context.ram, empty, {
    power: 'booting',
    sim,
    fault,
    clock: context.flash.clock,
    timing: timingFrom(context.flash.journal.next),
  });
  saveCounters(context, { boot: (context.flash.counters.boot + 1) & 0xffff });
  answerInterrupted(context);
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

/** The journal from flash; sequences continue above both the records and the stored counter. */
function restoredJournal(
  pages: ReadonlyMap<string, Uint8Array>,
  epoch: number,
  keptNext: number,
  capacity: number,
): Journal {
  let entryIndex = emptyEntryIndex;
  const entries = [...pages].flatMap(([key, bytes]) => readRecord(key, bytes) ?? []);
  entries.sort((one, other) => one.sequence - other.sequence);
  for (const entry of entries) entryIndex = putEntry(entryIndex, entry);
  const next = Math.max(keptNext, (lastEntry(entryIndex)?.sequence ?? 0) + 1);
  return { epoch, next, entryIndex, capacity, openTombstones: [], receipted: [] };
}

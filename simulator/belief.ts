import { nextAlarm } from './firmware/alarm.ts';
import { lowestHeld } from './firmware/journal.ts';
import { networkOf } from './firmware/modem.ts';
import { clockMs, counterMs } from './firmware/rtc.ts';
import { size } from './firmware/shelf.ts';
import type { BoxState } from './firmware/state.ts';

/** What a box believes at true time `at`: its firmware's state without the bytes of its journal. Plain JSON. */
export function beliefOf(state: BoxState, at: number): Record<string, unknown> {
  const { facts, flash, ram } = state;
  const { journal, counters } = flash;
  return {
    firmware: facts.firmware.join('.'),
    power: ram.power,
    resetReason: ram.resetReason,
    boot: counters.boot,
    clockMs: clockMs(ram.clock, counterMs(facts, at)),
    upForS: Math.max(0, Math.floor((at - ram.bootedAt) / 1000)),
    cpuTimeS: Math.floor(ram.awakeMs / 1000),
    temperatureC: ram.health.temperatureC ?? null,
    workshopMode: counters.workshop,
    bluetooth: ram.bleBackAt === undefined ? (counters.bluetooth ? 'on' : 'off') : 'resetting',
    sim: ram.sim,
    modem: ram.modem.phase,
    network: networkOf(ram.networks, counters.network)?.name ?? null,
    csq: ram.csq,
    session: ram.session.phase,
    connection: counters.connection,
    seen: ram.sampler.seen ?? null,
    configuration: { revision: flash.configuration.revision, ...flash.configuration.values },
    journal: {
      epoch: journal.epoch,
      next: journal.next,
      lowestHeld: lowestHeld(journal),
      held: size(journal.shelf),
      ...journal.shelf.counts,
      awaitingReceipt: ram.outbox.awaiting,
    },
    answeredRequests: flash.answered.length,
    commandInProgress: flash.intent?.requestId ?? null,
    ...ram.counts,
    nextAlarmMs: nextAlarm(state) ?? null,
  };
}

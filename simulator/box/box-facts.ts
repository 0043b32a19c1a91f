import { knownModel } from '../../protocol/models/known-models.ts';
import type { World } from '../../world/world.ts';
import type { BoxPlan } from '../box-plan.ts';
import type { BoxFacts } from '../firmware/core/box-hardware.ts';
import { limits } from '../limits.ts';

/** 2000-01-01T00:00:00Z: about where a new real-time clock starts to count. */
const YEAR_2000_MS = 946_684_800_000;
/** 2026-01-01T00:00:00Z: when the counters of this fleet started. */
const FIRST_COUNT_MS = 1_767_225_600_000;
/** The usual tolerance of a clock crystal, and how far apart the clocks of a fleet start. */
const DRIFT_MOST_PPM = 20;
const OFFSET_MOST_MS = 1_000_000_000;

/** One object for all boxes, so that they share their configuration. */
const NO_SETTINGS: BoxFacts['factorySettings'] = {};

/**
 * The hardware of a plan's box. The same plan and seed give the same crystal, so that a clock error which the
 * box has learnt is the same after a restart.
 */
export function factsOf(plan: BoxPlan, random: World['random']): BoxFacts {
  const crystal = random.stream(`box/${plan.boxId}/rtc`);
  return {
    boxId: plan.boxId,
    generation: plan.generation,
    firmware: plan.firmware,
    hardwareRevision: plan.hardwareRevision,
    installation: knownModel(plan.model)?.installation ?? 'HARDWIRED',
    vehicleCommands: knownModel(plan.model)?.vehicleCommands ?? [],
    journalRecords: plan.journalRecords ?? limits.journalRecords,
    factorySettings: plan.factorySettings ?? NO_SETTINGS,
    rtcDriftPpm: crystal.whole(-DRIFT_MOST_PPM, DRIFT_MOST_PPM),
    rtcOffsetMs: YEAR_2000_MS - crystal.whole(0, OFFSET_MOST_MS) - FIRST_COUNT_MS,
  };
}

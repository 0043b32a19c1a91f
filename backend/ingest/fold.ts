import type { OpenCommand } from '../store/command-store.ts';
import type { KnownVehicle } from '../store/ingest-store.ts';
import type { BoxVehicle } from '../store/vehicle-store.ts';
import { BoxFold, type FoldContext } from './box-fold.ts';
import type { Letter } from './letter.ts';
import type { Plan, Translate } from './plan.ts';
import { Tally } from './tally.ts';

/** What the fold is given beside the letters. */
export interface Knowledge {
  /** By box id; boxes that are not onboarded are missing. */
  readonly known: ReadonlyMap<string, KnownVehicle>;
  /** By request id: the commands that the letters' replies answer. */
  readonly commands: ReadonlyMap<string, OpenCommand>;
  readonly translate: Translate;
}

/**
 * Decides what a batch of letters leads to. Pure and total: equal letters and knowledge give an equal plan, and
 * whatever bytes a box sends, its good frames and those of the others are not lost by them.
 */
export function fold(letters: readonly Letter[], knowledge: Knowledge): Plan {
  const tally = new Tally();
  const context: FoldContext = {
    commands: knowledge.commands,
    translate: knowledge.translate,
    tally,
    records: [],
    replies: [],
    calibrations: [],
    wiped: [],
  };
  const boxes = new Map<string, BoxFold>();
  for (const letter of letters) {
    tally.count('payloads');
    if (letter.kind === 'foreign') {
      tally.refuseLetter(letter, '', 'foreign-topic', 'not a topic of a box');
      continue;
    }
    const known = knowledge.known.get(letter.boxId);
    if (known === undefined) {
      tally.refuseLetter(letter, letter.boxId, 'unknown-box', 'not onboarded');
      continue;
    }
    let box = boxes.get(letter.boxId);
    if (box === undefined) {
      box = new BoxFold(known, context);
      boxes.set(letter.boxId, box);
    }
    box.take(letter);
  }
  return planOf(boxes, context);
}

function planOf(boxes: ReadonlyMap<string, BoxFold>, context: FoldContext): Plan {
  const changes: Plan['boxes'][number][] = [];
  const vehicles = new Map<string, BoxVehicle>();
  const down: Plan['down'][number][] = [];
  for (const [boxId, box] of boxes) {
    const vehicle = box.vehicle();
    const change = box.changeTo(vehicle);
    if (change !== undefined) {
      changes.push(change);
      vehicles.set(boxId, vehicle);
    }
    for (const frame of box.down()) down.push(frame);
  }
  return {
    boxes: changes,
    vehicles,
    records: context.records,
    replies: context.replies,
    calibrations: context.calibrations,
    wiped: context.wiped,
    quarantine: context.tally.quarantine,
    down,
    counts: context.tally.counts,
    troubles: context.tally.troubles,
  };
}

import type { Random, Stream } from '../../world/random/random.ts';
import type { Time } from '../../world/time/time.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { WEATHER_PRESETS, type WeatherEvent, type WeatherPresetName } from './presets.ts';

const HOUR_MS = 3_600_000;
/** A signal at which little comes through (3GPP TS 27.007: CSQ 0 is -113 dBm or less). */
const WEAK_CSQ: readonly [number, number] = [1, 6];

/** The wait before the next event: from half to one and a half times the mean interval. */
function waitMs({ perHour }: WeatherEvent, chance: Stream): number {
  return Math.round((HOUR_MS / perHour) * (0.5 + chance.fraction()));
}

/**
 * Applies the network events of a preset to a fleet, by the seed: each vehicle has each event at its own times. A
 * preset replaces the one before, whose gaps end then.
 */
export class FleetWeather {
  readonly #time: Time;
  readonly #random: Random;
  readonly #fleet: Pick<Fleet, 'boxes'>;
  /** The events to cancel when the preset changes, and the effects to undo. */
  readonly #alarms = new Set<() => void>();
  readonly #undo = new Set<() => void>();
  #preset: WeatherPresetName = 'none';

  constructor(time: Time, random: Random, fleet: Pick<Fleet, 'boxes'>) {
    this.#time = time;
    this.#random = random;
    this.#fleet = fleet;
  }

  get preset(): WeatherPresetName {
    return this.#preset;
  }

  change(preset: WeatherPresetName): void {
    this.stop();
    this.#preset = preset;
    const events = WEATHER_PRESETS.find(({ name }) => name === preset)?.events ?? [];
    for (const [boxId, box] of this.#fleet.boxes)
      for (const event of events)
        this.#begin(box, event, this.#random.stream(`weather/${preset}/${event.what}/${boxId}`));
  }

  /** Cancels all events, and ends those in force. */
  stop(): void {
    for (const cancel of this.#alarms) cancel();
    this.#alarms.clear();
    for (const undo of this.#undo) undo();
    this.#undo.clear();
    this.#preset = 'none';
  }

  #begin(box: FleetBox, event: WeatherEvent, chance: Stream): void {
    this.#after(waitMs(event, chance), () => {
      const [least, most] = event.lastsS;
      const lastsMs = Math.round((least + (most - least) * chance.fraction()) * 1_000);
      const undo = lay(box, event.what, chance);
      if (undo === undefined) return this.#begin(box, event, chance);
      this.#undo.add(undo);
      this.#after(lastsMs, () => {
        this.#undo.delete(undo);
        undo();
        this.#begin(box, event, chance);
      });
      return undefined;
    });
  }

  #after(durationMs: number, act: () => void): void {
    const cancel = this.#time.alarm(this.#time.nowMs() + durationMs, () => {
      this.#alarms.delete(cancel);
      act();
    });
    this.#alarms.add(cancel);
  }
}

/** Applies the event to a box; returns the function that undoes it, or nothing for an instantaneous one. */
function lay(box: FleetBox, what: WeatherEvent['what'], chance: Stream): (() => void) | undefined {
  switch (what) {
    case 'cut':
      box.cutConnection();
      return undefined;
    case 'no-coverage':
      box.setCoverage(false);
      return () => box.setCoverage(true);
    case 'weak-signal':
      box.setSignalQuality(chance.whole(...WEAK_CSQ));
      return () => box.setSignalQuality(undefined);
    default:
      return what satisfies never;
  }
}

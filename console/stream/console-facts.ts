import type { MapBase } from './map.ts';

/** The settings of the console, for the page. */
export interface ConsoleFacts {
  readonly seed: number;
  /** The address of the service; null: this fleet has none. */
  readonly service: string | null;
  /** Whether messages can be read. */
  readonly hasMessages: boolean;
  readonly nowMs: number;
  readonly map: MapBase;
}

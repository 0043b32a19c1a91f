import type { ControlApi } from '../deployment/http/control-api.ts';
import { hintFor } from '../scenarios/language/document/nearest.ts';
import { BOX_ACTIONS } from '../simulator/control/box-actions.ts';
import { type AppliedFault, applyFault, type FaultTime } from './applied-faults.ts';
import { rejectingAtCaller } from './caller.ts';
import type { Acts } from './types/acts.ts';
import type { BoxBreak } from './types/breaks.ts';
import type { Belief, Truth } from './types/snapshots.ts';
import type { Weather } from './types/weather.ts';

/** The name of an action of the control API. */
export type ActName = keyof Acts;

/** The settings of an action; they may be left out where it needs none. */
export type ActSettings<Name extends ActName> =
  Record<never, never> extends Acts[Name] ? [settings?: Acts[Name]] : [settings: Acts[Name]];

/**
 * The actions on a box and its vehicle. Every call acts immediately and resolves with the new state of the box; it
 * rejects where the state of the vehicle forbids it, with the reason.
 */
export interface Box {
  look(): Promise<BoxPicture>;
  drive(): Promise<BoxPicture>;
  park(): Promise<BoxPicture>;
  doors(open: boolean): Promise<BoxPicture>;
  ignition(on: boolean): Promise<BoxPicture>;
  /** Radio coverage. Without it the connection is lost without a DISCONNECT. */
  coverage(available: boolean): Promise<BoxPicture>;
  /** 0 to 31, as AT+CSQ reports it; null: as the place determines it. */
  signal(csq: number | null): Promise<BoxPicture>;
  brownOut(): Promise<BoxPicture>;
  cutLink(): Promise<BoxPicture>;
  reset(reason: Acts['reset']['reason']): Promise<BoxPicture>;
  sim(state: Acts['sim']['state']): Promise<BoxPicture>;
  /** A fault of the installation: a setup fails, for the given number of seconds or until `none`. */
  setup(obstacle: Acts['setup']['obstacle'], durationS?: number): Promise<BoxPicture>;
  /**
   * Weather on its link, by the words of the scenario language: `{ latency: { base: '2s' } }`. Resolves once it is
   * applied.
   */
  weather(weather: Weather, time?: FaultTime): Promise<AppliedFault>;
  /** Breaks a part of the box: `{ 'flash-slow': { by: '1s' } }`. Resolves once it is broken. */
  break(broken: BoxBreak, time?: FaultTime): Promise<AppliedFault>;
  /** Any action of the control API, by its name there: `act('refuel', { to_percent: 50 })`. */
  act<Name extends ActName>(action: Name, ...settings: ActSettings<Name>): Promise<BoxPicture>;
}

/** A box and its vehicle: how they are built, what is true, and what the box believes. */
export interface BoxPicture {
  readonly boxId: string;
  readonly vehicleId: string | null;
  readonly model: string;
  readonly vin: string;
  readonly licensePlate: string;
  readonly generation: 1 | 2;
  /** The running firmware: `2.36`. */
  readonly firmware: string;
  readonly hardwareRevision: number;
  /** The card in the box: its provider, and its 19 digits. */
  readonly sim: { readonly provider: string; readonly iccid: string };
  /** The route that it starts on, where on it (0 to 1), and whether it drives at first. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly radio?: 'road' | 'ideal';
  readonly truth: Truth;
  readonly belief: Belief;
}

/** The control API of one box as functions. Nothing is sent before one of them is called. */
export function boxHandle(id: string, control: ControlApi): Box {
  const path = `/boxes/${encodeURIComponent(id)}`;
  const send = async (action: ActName, settings: object = {}) => {
    // Code without types may name anything.
    if (!Object.hasOwn(BOX_ACTIONS, action))
      throw new Error(
        `There is no action ${JSON.stringify(action)}. ${hintFor(action, Object.keys(BOX_ACTIONS))}`,
      );
    return (await control('POST', `${path}/${action}`, settings)) as BoxPicture;
  };
  return {
    look: rejectingAtCaller(async () => (await control('GET', path)) as BoxPicture),
    drive: rejectingAtCaller(() => send('drive')),
    park: rejectingAtCaller(() => send('park')),
    doors: rejectingAtCaller((open: boolean) => send('doors', { open })),
    ignition: rejectingAtCaller((on: boolean) => send('ignition', { on })),
    coverage: rejectingAtCaller((available: boolean) => send('coverage', { available })),
    signal: rejectingAtCaller((csq: number | null) => send('signal', { csq })),
    brownOut: rejectingAtCaller(() => send('brown-out')),
    cutLink: rejectingAtCaller(() => send('cut-link')),
    reset: rejectingAtCaller((reason: string) => send('reset', { reason })),
    sim: rejectingAtCaller((state: string) => send('sim', { state })),
    setup: rejectingAtCaller((obstacle: string, durationS?: number) =>
      send('setup', { obstacle, ...(durationS === undefined ? {} : { duration_s: durationS }) }),
    ),
    weather: rejectingAtCaller((weather: Weather, time?: FaultTime) =>
      applyFault(control, { on: [id], weather }, time),
    ),
    break: rejectingAtCaller((broken: BoxBreak, time?: FaultTime) =>
      applyFault(control, { on: [id], break: { box: broken } }, time),
    ),
    act: rejectingAtCaller(send),
  };
}

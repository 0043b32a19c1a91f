import type { EventName, GoingDown, ReportCause, ResetReason, Tombstone } from './message.ts';

/** Bytes on the wire and their names, in both generations. Never reused. */
export const REPORT_CAUSES = {
  time: 1,
  distance: 2,
  heading: 3,
  standby: 4,
  boot: 5,
  request: 6,
  rest: 7,
} as const satisfies Record<ReportCause, number>;

export const EVENT_CODES = {
  'ignition-on': 0x01,
  'ignition-off': 0x02,
  'door-opened': 0x03,
  'door-closed': 0x04,
  locked: 0x05,
  unlocked: 0x06,
  'driving-enabled': 0x07,
  'driving-disabled': 0x08,
  'workshop-mode-on': 0x09,
  'workshop-mode-off': 0x0a,
  'power-restored': 0x0b,
  'top-case-opened': 0x0c,
  'top-case-closed': 0x0d,
  'top-case-locked': 0x0e,
  'top-case-unlocked': 0x0f,
  'stand-extended': 0x10,
  'stand-retracted': 0x11,
  'compartment-closed': 0x12,
  'compartment-opened': 0x13,
  'damage-calibrated': 0x14,
  'plug-connected': 0x15,
  'plug-disconnected': 0x16,
  'charging-started': 0x17,
  'charging-ended': 0x18,
  crash: 0x20,
  'heavy-braking': 0x21,
  'harsh-cornering': 0x22,
  towing: 0x23,
  shock: 0x24,
  damage: 0x25,
  smoke: 0x26,
  'firmware-updated': 0x30,
  'firmware-update-failed': 0x31,
} as const satisfies Record<EventName, number>;

export const TOMBSTONE_REASONS = {
  overwritten: 1,
  unreadable: 2,
} as const satisfies Record<Tombstone['reason'], number>;

export const RESET_REASONS = {
  GENERAL: 0,
  BACKUP: 1,
  WATCHDOG: 2,
  SOFTWARE: 3,
  USER: 4,
  UNKNOWN: 5,
  BROWN_OUT: 6,
  POWER_DOWN_MODE: 7,
} as const satisfies Record<ResetReason, number>;

export const GOING_DOWN_REASONS = {
  reset: 1,
  update: 2,
  sleep: 3,
} as const satisfies Record<GoingDown['reason'], number>;

import { blank, type ModemReading, type PowerReading } from '../signals.ts';
import { bool, packed, unsigned } from './fields.ts';

/** The modem and the supply, which are the same in both generations. */
export const modem = packed<ModemReading>(
  {
    csq: unsigned(1, { maximum: 31, special: 99 }),
    network: unsigned(3, { maximum: 999_999 }),
  },
  blank.modem,
);

export const power = packed<PowerReading>(
  {
    supplyMillivolts: unsigned(2, { unit: 'mV' }),
    backupMillivolts: unsigned(2, { unit: 'mV' }),
    backupPercent: unsigned(1, { maximum: 100, unit: '%' }),
    backupCharging: bool(),
  },
  blank.power,
);

/**
 * The raw values of the box's inputs. Their meaning for this vehicle is not known here. A source that was not
 * read or gave no value is absent.
 */
export interface Signals {
  /** OBD-II mode 01 answers: the data bytes A to D of SAE J1979, 1 to 4 of them. Rising, unique PIDs. */
  readonly obd?: readonly { readonly pid: number; readonly data: Uint8Array }[];
  /** Mode 03 trouble codes, two bytes each as SAE J2012 packs them. */
  readonly troubleCodes?: readonly number[];
  /** The newest CAN frame of each identifier in the vehicle's table. */
  readonly can?: readonly CanFrame[];
  /** Levels of the digital inputs, bit n = port n, 16 ports. */
  readonly digital?: number;
  /** Analogue inputs in millivolts, 16 bits each. */
  readonly analog?: readonly { readonly port: number; readonly millivolts: number }[];
  readonly gnss?: GnssFix;
  readonly modem?: ModemReading;
  readonly power?: PowerReading;
}

export interface CanFrame {
  readonly bus: 0 | 1;
  /** 11 or 29 bits. */
  readonly id: number;
  /** 1 to 8 bytes. */
  readonly data: Uint8Array;
}

export interface GnssFix {
  /** NMEA 0183 GGA quality: 0 none, 1 autonomous, 2 differential, 6 dead reckoning. */
  readonly quality: 0 | 1 | 2 | 6;
  /** Degrees; their resolution depends on the generation. Meaningless at quality 0. */
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly speedKph: number;
  readonly headingDegrees: number;
  readonly satellites: number;
  readonly hdop: number;
}

export interface ModemReading {
  /** AT+CSQ of 3GPP TS 27.007: 0 to 31, or 99 for not known. */
  readonly csq: number;
  /** MCC and MNC as one number (26201); 0: not registered. */
  readonly network: number;
}

export interface PowerReading {
  readonly supplyMillivolts: number;
  readonly backupMillivolts: number;
  readonly backupPercent: number;
  readonly backupCharging: boolean;
}

/*
 * Blank ones, which reading fills in place. A record may hold a dozen of them, and putting names onto an empty object
 * one after the other gives it a new shape, and often new room, with each.
 */
export const blank = {
  obdValue: (): NonNullable<Signals['obd']>[number] => ({ pid: 0, data: NO_BYTES }),
  canFrame: (): CanFrame => ({ bus: 0, id: 0, data: NO_BYTES }),
  gnss: (): GnssFix => ({
    quality: 0,
    latitude: 0,
    longitude: 0,
    altitudeM: 0,
    speedKph: 0,
    headingDegrees: 0,
    satellites: 0,
    hdop: 0,
  }),
  modem: (): ModemReading => ({ csq: 0, network: 0 }),
  power: (): PowerReading => ({
    supplyMillivolts: 0,
    backupMillivolts: 0,
    backupPercent: 0,
    backupCharging: false,
  }),
} as const;

const NO_BYTES = new Uint8Array(0);

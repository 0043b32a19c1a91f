// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

/** What is true of a vehicle. `unavailable`: there is no value at present. */
export interface Truth {
  readonly supplyMillivolts: number;
  readonly backupMillivolts: number;
  readonly backupPercent: number;
  readonly backupCharging: boolean;
  readonly atMs: number;
  readonly model: string;
  readonly route: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly headingDegrees: number;
  readonly longitudinalMg: number;
  readonly lateralMg: number;
  readonly speedKph: number | 'unavailable';
  readonly engineRpm: number | 'unavailable';
  readonly coolantTemperatureC: number | 'unavailable';
  readonly energyPercent: number | 'unavailable';
  readonly mileageKm: number | 'unavailable';
  readonly rangeKm: number | 'unavailable';
  readonly onboardVolts: number | 'unavailable';
  readonly ignitionOn: boolean;
  readonly anyDoorOpen?: boolean;
  readonly locked?: boolean;
  readonly drivingEnabled: boolean;
  readonly fuelLitres?: number | 'unavailable';
  readonly checkEngine?: boolean;
  readonly troubleCodes?: readonly number[];
  readonly levels: {
    readonly oil?: number;
    readonly coolant: number;
    readonly brake_fluid: number;
    readonly brake_lining: number;
    readonly washer_fluid?: number;
    readonly adblue?: number;
    readonly starter_battery: number;
    readonly tire_front_left?: number;
    readonly tire_front_right?: number;
    readonly tire_rear_left?: number;
    readonly tire_rear_right?: number;
    readonly tire_front?: number;
    readonly tire_rear?: number;
  };
  readonly troubleCodeTexts: readonly string[];
  readonly sensors: Readonly<Partial<Record<QuantityName, 'failed' | 'unavailable'>>>;
  readonly distanceM: number;
  readonly energyLeft: number;
  readonly driverWish: 'drive' | 'rest';
  readonly pace: number;
  readonly maneuver: 'heavy-braking' | 'harsh-cornering' | 'emergency-stop' | null;
  readonly engine: 'off' | 'ignition' | 'running' | 'filling' | 'charging';
  readonly hasCoverage: boolean;
  readonly hasSky: boolean;
  readonly csq: number;
  readonly signalLevelDbm: number;
  readonly gnssFixQuality: number;
  readonly gnssSatellites: number;
  readonly gnssHdop: number;
  readonly networks: readonly string[];
  readonly lightsFlash: boolean;
  readonly hornSounds: boolean;
  readonly mechanics: {
    readonly lock?: 'works' | 'failing' | 'jammed';
    readonly immobilizer: 'works' | 'failing' | 'jammed';
    readonly top_case?: 'works' | 'failing' | 'jammed';
    readonly battery_compartment?: 'works' | 'failing' | 'jammed';
  };
  readonly installationFault: 'no-vehicle-bus' | 'no-gnss' | 'low-supply' | null;
  readonly ambientTemperatureC: number;
  readonly receiver: {
    readonly quality: number;
    readonly satellites: number;
    readonly hdop: number;
    readonly latitude: number;
    readonly longitude: number;
    readonly altitudeM: number;
    readonly speedKph: number;
    readonly headingDegrees: number;
  };
  readonly isTowed: boolean;
  readonly tiltDegrees: number;
  readonly smokeUgPerM3: number;
  readonly gear?: 'PARK' | 'REVERSE' | 'NEUTRAL' | 'DRIVE' | 'SPORT' | 'unavailable';
  readonly headlightsOn?: boolean;
  readonly energyLow?: boolean;
  readonly chargingAdapterConnected?: boolean;
  readonly charging?: boolean;
  readonly chargingMinutesLeft?: number | 'unavailable';
  readonly windowsOpen?: boolean;
  readonly keyPresent?: boolean;
  readonly absWarning?: boolean;
  readonly brakeLiningWorn?: boolean;
  readonly tirePressureWarning?: boolean;
  readonly topCaseOpen?: boolean;
  readonly topCaseLocked?: boolean;
  readonly standExtended?: boolean;
  readonly compartmentLocked?: boolean;
  readonly battery1Percent?: number | 'unavailable';
  readonly battery1Cycles?: number | 'unavailable';
  readonly battery1TemperatureC?: number | 'unavailable';
  readonly battery1Volts?: number | 'unavailable';
  readonly battery1Serial?: number | 'unavailable';
  readonly battery2Percent?: number | 'unavailable';
  readonly battery2Cycles?: number | 'unavailable';
  readonly battery2TemperatureC?: number | 'unavailable';
  readonly battery2Volts?: number | 'unavailable';
  readonly battery2Serial?: number | 'unavailable';
  readonly adblueLitres?: number | 'unavailable';
  readonly adbluePercent?: number | 'unavailable';
  readonly card1?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED' | 'unavailable';
  readonly card2?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED' | 'unavailable';
  readonly adblueLow?: boolean;
  readonly brakeWarning?: boolean;
  readonly coolantLow?: boolean;
  readonly coolantHot?: boolean;
  readonly oilDueDay?: number | 'unavailable';
  readonly oilDueKm?: number | 'unavailable';
  readonly oilPressureLow?: boolean;
  readonly epcWarning?: boolean;
  readonly serviceDueDay?: number | 'unavailable';
  readonly serviceDueKm?: number | 'unavailable';
  readonly starterBatteryWarning?: boolean;
  readonly washerFluidLow?: boolean;
  readonly parkingBrakeEngaged?: boolean;
  readonly espEnabled?: boolean;
  readonly hybridChargePercent?: number | 'unavailable';
  readonly sunroofOpen?: boolean;
  readonly beltFrontLeft?: boolean;
  readonly beltFrontRight?: boolean;
  readonly beltRow2Left?: boolean;
  readonly beltRow2Middle?: boolean;
  readonly beltRow2Right?: boolean;
  readonly brakeFluidDueDay?: number | 'unavailable';
  readonly brakeFluidLow?: boolean;
  readonly espWarning?: boolean;
  readonly powerSteeringFailed?: boolean;
  readonly absEnabled?: boolean;
  readonly convertibleTopOpen?: boolean;
  readonly card3?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED' | 'unavailable';
  readonly isKerbFree?: boolean;
}

/** What a box believes: the state of its firmware. */
export interface Belief {
  readonly firmware: string;
  readonly power: 'off' | 'booting' | 'up' | 'dead' | 'installing' | 'asleep';
  readonly resetReason:
    | 'GENERAL'
    | 'BACKUP'
    | 'WATCHDOG'
    | 'SOFTWARE'
    | 'USER'
    | 'UNKNOWN'
    | 'BROWN_OUT'
    | 'POWER_DOWN_MODE';
  readonly powerFrom: 'supply' | 'backup' | null;
  readonly banks: { readonly starts: string; readonly a: string; readonly b: null | string };
  readonly update: null | {
    readonly version: string;
    readonly sizeBytes: number;
    readonly phase: 'downloading' | 'downloaded' | 'installing' | 'trial' | 'over';
    readonly receivedPercent: number;
    readonly installs: number;
    readonly trials: number;
    readonly outcome:
      | 'installed'
      | 'too-large'
      | 'corrupt'
      | 'cut-off'
      | 'too-late'
      | 'interrupted'
      | 'rolled-back'
      | null;
  };
  readonly boot: number;
  readonly clockMs: number;
  readonly upForS: number;
  readonly cpuTimeS: number;
  readonly temperatureC: null | number;
  readonly workshopMode: boolean;
  readonly bluetooth: 'on' | 'off' | 'resetting';
  readonly bluetoothTokens: readonly {
    readonly id: string;
    readonly used: number;
    readonly isWithdrawn: boolean;
  }[];
  readonly damageDetection: 'off' | 'calibrating' | 'on';
  readonly sim: 'active' | 'suspended' | 'detached';
  readonly modem: 'off' | 'searching' | 'registered' | 'data-up';
  readonly network: null | string;
  readonly csq: number;
  readonly session: 'down' | 'connecting' | 'subscribing' | 'greeting' | 'ready';
  readonly connection: number;
  readonly seen: null | {
    readonly ignitionOn: boolean;
    readonly anyDoorOpen: boolean;
    readonly locked: boolean;
    readonly drivingEnabled: boolean;
    readonly topCaseOpen: boolean;
    readonly topCaseLocked: boolean;
    readonly standExtended: boolean;
    readonly compartmentLocked: boolean;
    readonly pluggedIn: boolean;
    readonly charging: boolean;
  };
  readonly configuration: {
    readonly revision: number;
    readonly 'tracking.enabled': number;
    readonly 'tracking.timeIntervalS': number;
    readonly 'tracking.distanceIntervalM': number;
    readonly 'tracking.headingChangeDegrees': number;
    readonly 'driving.enabled': number;
    readonly 'driving.crashAccelerationMg': number;
    readonly 'driving.crashDurationMs': number;
    readonly 'driving.crashGatheringS': number;
    readonly 'driving.brakingAccelerationMg': number;
    readonly 'driving.corneringAccelerationMg': number;
    readonly 'parking.enabled': number;
    readonly 'damage.activation': number;
    readonly 'damage.sensitivity': number;
    readonly 'smoke.enabled': number;
    readonly 'smoke.concentrationUgPerM3': number;
    readonly 'smoke.durationS': number;
    readonly 'immobilizer.enabled': number;
    readonly 'immobilizer.delayS': number;
    readonly 'box.standbyReportIntervalS': number;
    readonly 'box.bleEnabled': number;
    readonly 'box.obdAlarmEnabled': number;
  };
  readonly journal: {
    readonly epoch: number;
    readonly next: number;
    readonly lowestHeld: number;
    readonly held: number;
    readonly report: number;
    readonly event: number;
    readonly reply: number;
    readonly tombstone: number;
    readonly awaitingReceipt: number;
  };
  readonly answeredRequests: number;
  readonly commandInProgress: null | string;
  readonly fault: null | string;
  readonly hangsUntilMs: null | number;
  readonly setup: null | { readonly found: readonly string[]; readonly since: number };
  readonly strayFrames: number;
  readonly refusedRecords: number;
  readonly nextAlarmMs: null | number;
}

/** The physical meaning of a signal of a vehicle. */
export type QuantityName =
  | 'speedKph'
  | 'engineRpm'
  | 'coolantTemperatureC'
  | 'mileageKm'
  | 'onboardVolts'
  | 'ignitionOn'
  | 'drivingEnabled'
  | 'gear'
  | 'parkingBrakeEngaged'
  | 'absEnabled'
  | 'espEnabled'
  | 'headlightsOn'
  | 'energyPercent'
  | 'energyLow'
  | 'rangeKm'
  | 'fuelLitres'
  | 'adblueLitres'
  | 'adbluePercent'
  | 'hybridChargePercent'
  | 'chargingAdapterConnected'
  | 'charging'
  | 'chargingMinutesLeft'
  | 'battery1Percent'
  | 'battery1Cycles'
  | 'battery1TemperatureC'
  | 'battery1Volts'
  | 'battery1Serial'
  | 'battery2Percent'
  | 'battery2Cycles'
  | 'battery2TemperatureC'
  | 'battery2Volts'
  | 'battery2Serial'
  | 'anyDoorOpen'
  | 'locked'
  | 'windowsOpen'
  | 'sunroofOpen'
  | 'convertibleTopOpen'
  | 'keyPresent'
  | 'beltFrontLeft'
  | 'beltFrontRight'
  | 'beltRow2Left'
  | 'beltRow2Middle'
  | 'beltRow2Right'
  | 'topCaseOpen'
  | 'topCaseLocked'
  | 'standExtended'
  | 'compartmentLocked'
  | 'card1'
  | 'card2'
  | 'card3'
  | 'absWarning'
  | 'adblueLow'
  | 'brakeFluidDueDay'
  | 'brakeFluidLow'
  | 'brakeLiningWorn'
  | 'brakeWarning'
  | 'checkEngine'
  | 'coolantLow'
  | 'coolantHot'
  | 'troubleCodes'
  | 'oilDueDay'
  | 'oilDueKm'
  | 'oilPressureLow'
  | 'epcWarning'
  | 'espWarning'
  | 'powerSteeringFailed'
  | 'serviceDueDay'
  | 'serviceDueKm'
  | 'starterBatteryWarning'
  | 'tirePressureWarning'
  | 'washerFluidLow';

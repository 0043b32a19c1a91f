// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

/** A value, and when the vehicle had it: `2026-01-05T06:00:01Z`. */
export interface Timed<Value> {
  readonly timestamp: string;
  readonly value: Value;
}

/** What the service knows of a vehicle. A property that it has no value of is absent. */
export interface VehicleState {
  /** Whether the antilock braking system is switched on. */
  readonly abs_status?: Timed<'ENABLED' | 'DISABLED'>;
  /** How much AdBlue is in its tank. In l. */
  readonly adblue_level_in_liters?: Timed<number>;
  /** How full the tank of AdBlue is. In %. */
  readonly adblue_level_in_percent?: Timed<number>;
  /** The height above mean sea level. In m. */
  readonly altitude_in_meters?: Timed<number>;
  /** The fuel and parking cards in their holder, by slot. */
  readonly box_cardholder_cards?: Timed<{
    /**
     * Slot 1: whether a card is in it. One of PRESENT, ABSENT, NOT_CONFIGURED; later releases may add
     * others.
     */
    readonly card_1?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED';
    /**
     * Slot 2: whether a card is in it. One of PRESENT, ABSENT, NOT_CONFIGURED; later releases may add
     * others.
     */
    readonly card_2?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED';
    /**
     * Slot 3: whether a card is in it. One of PRESENT, ABSENT, NOT_CONFIGURED; later releases may add
     * others.
     */
    readonly card_3?: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED';
  }>;
  /** The quality of the mobile network, 5 is the best. */
  readonly cellular_signal_quality?: Timed<number>;
  /** The position of the center stand. */
  readonly center_stand_position?: Timed<'EXTENDED' | 'RETRACTED'>;
  /** Whether the central lock is locked. */
  readonly central_lock?: Timed<'LOCKED' | 'UNLOCKED'>;
  /** Whether a charging cable is plugged in. */
  readonly charging_adapter_status?: Timed<'CONNECTED' | 'DISCONNECTED'>;
  /** Whether the traction battery is being charged. */
  readonly charging_status?: Timed<'CHARGING' | 'NOT_CHARGING'>;
  /** When the traction battery is expected to be full. */
  readonly charging_until?: Timed<string>;
  /** Whether the convertible top is open. */
  readonly convertible_top_status?: Timed<'OPEN' | 'CLOSED'>;
  /** OPEN: one door at least is open. CLOSED: all are closed. */
  readonly doors_status?: Timed<'OPEN' | 'CLOSED'>;
  /** The batteries that drive the vehicle, by the port in which they are. */
  readonly drive_batteries?: Timed<{
    /** The battery in this port; absent while the port is empty. */
    readonly port_1?: {
      /** The serial number of the battery. */
      readonly serial_number: string;
      /** The state of charge of the battery. In %. */
      readonly level_in_percent: number;
      /** How often the battery has been charged. */
      readonly charge_cycles: number;
      /** The mean temperature of its cells. In °C. */
      readonly average_temperature_in_degrees_celsius: number;
      /** The voltage of the battery. In V. */
      readonly voltage_in_volts: number;
    };
    /** The battery in this port; absent while the port is empty. */
    readonly port_2?: {
      /** The serial number of the battery. */
      readonly serial_number: string;
      /** The state of charge of the battery. In %. */
      readonly level_in_percent: number;
      /** How often the battery has been charged. */
      readonly charge_cycles: number;
      /** The mean temperature of its cells. In °C. */
      readonly average_temperature_in_degrees_celsius: number;
      /** The voltage of the battery. In V. */
      readonly voltage_in_volts: number;
    };
  }>;
  /** Whether the engine can be started: the immobilizer is off. */
  readonly driving_enabled?: Timed<boolean>;
  /** Whether the electronic stability program is switched on. */
  readonly esp_status?: Timed<'ENABLED' | 'DISABLED'>;
  /** How much fuel is in the tank. In l. */
  readonly fuel_level_in_liters?: Timed<number>;
  /** How full the tank is; of a vehicle without one, the state of charge of its traction battery. In %. */
  readonly fuel_level_in_percent?: Timed<number>;
  /** The position of the selector of an automatic transmission. */
  readonly gearshift_position?: Timed<'DRIVE' | 'NEUTRAL' | 'PARK' | 'REVERSE' | 'UNSUPPORTED_VALUE'>;
  /** The horizontal dilution of precision of the position, 1 is ideal. */
  readonly gnss_hdop?: Timed<number>;
  /** How the position was found. */
  readonly gnss_position_fix_quality?: Timed<
    'NO_FIX' | 'AUTONOMOUS_GNSS_FIX' | 'DIFFERENTIAL_GNSS_FIX' | 'DEAD_RECKONING_FIX'
  >;
  /** How many satellites the position was found with. */
  readonly gnss_satellites_in_use?: Timed<number>;
  /** The speed that the receiver measured. In km/h. */
  readonly gnss_speed_over_ground_in_kph?: Timed<number>;
  /** The direction in which the vehicle moves: 0 is north, 90 is east. In °. */
  readonly heading_in_degrees?: Timed<number>;
  /** Whether the headlights are on. */
  readonly headlights?: Timed<'ON' | 'OFF'>;
  /** The ignition, of vehicles whose driver has to switch it off; whether disable-driving should be sent. */
  readonly ignition?: Timed<'ON' | 'OFF'>;
  /** The reading of the odometer. In km. */
  readonly mileage_in_kilometers?: Timed<number>;
  /** The voltage of the vehicle's electrical system. In V. */
  readonly onboard_voltage_in_volts?: Timed<number>;
  /** Whether the parking brake is engaged. */
  readonly parking_brake_engaged?: Timed<boolean>;
  /** Where the vehicle is (WGS 84). */
  readonly position?: Timed<{
    /** Latitude, north is positive. */
    readonly lat: number;
    /** Longitude, east is positive. */
    readonly lon: number;
  }>;
  /** The remaining range, as the vehicle estimates it. In km. */
  readonly remaining_range_in_kilometers?: Timed<number>;
  /** The seat belts, by seat; which there are depends on the model. */
  readonly seatbelts_status?: Timed<{
    /** The belt in front on the left. One of FASTENED, NOT_FASTENED; later releases may add others. */
    readonly front_left?: 'FASTENED' | 'NOT_FASTENED';
    /** The belt in front on the right. One of FASTENED, NOT_FASTENED; later releases may add others. */
    readonly front_right?: 'FASTENED' | 'NOT_FASTENED';
    /**
     * The belt in the second row on the left. One of FASTENED, NOT_FASTENED; later releases may add
     * others.
     */
    readonly row2_left?: 'FASTENED' | 'NOT_FASTENED';
    /**
     * The belt in the middle of the second row. One of FASTENED, NOT_FASTENED; later releases may add
     * others.
     */
    readonly row2_middle?: 'FASTENED' | 'NOT_FASTENED';
    /**
     * The belt in the second row on the right. One of FASTENED, NOT_FASTENED; later releases may add
     * others.
     */
    readonly row2_right?: 'FASTENED' | 'NOT_FASTENED';
  }>;
  /** The speed, as the vehicle reports it. In km/h. */
  readonly speed_in_kph?: Timed<number>;
  /**
   * The state of charge of a traction battery, or how full the tank is: of the energy source that is
   * used first. In %.
   */
  readonly state_of_charge_or_fuel_level_in_percent?: Timed<number>;
  /** The indicator for little fuel or charge left. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly state_of_charge_or_fuel_level_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** Whether the sunroof is open. */
  readonly sunroof_status?: Timed<'OPEN' | 'CLOSED'>;
  /** The backup battery of the telematics unit. */
  readonly telematics_unit_backup_battery?: Timed<{
    /** The state of charge of the backup battery. In %. */
    readonly level_in_percent: number;
    /** The voltage of the backup battery. In V. */
    readonly voltage_in_volts: number;
    /**
     * Whether the backup battery is being charged. One of CHARGING, FULL, NOT_CHARGING; later releases may
     * add others.
     */
    readonly charging_status: 'CHARGING' | 'FULL' | 'NOT_CHARGING';
  }>;
  /** The voltage with which the telematics unit is supplied. In V. */
  readonly telematics_unit_supply_voltage_in_volts?: Timed<number>;
  /** Whether the lid of the top case is open. */
  readonly top_case_lid?: Timed<'OPEN' | 'CLOSED'>;
  /** Whether the top case is locked. */
  readonly top_case_lock?: Timed<'LOCKED' | 'UNLOCKED'>;
  /** Whether the key is in its place in the vehicle. */
  readonly vehicle_key?: Timed<'PRESENT' | 'ABSENT'>;
  /** OPEN: one window at least is open. CLOSED: all are closed. */
  readonly windows_status?: Timed<'OPEN' | 'CLOSED'>;
  /** The indicator for a fault of the antilock braking system. */
  readonly abs_warning_indicator?: Timed<'ON' | 'OFF'>;
  /** The indicator for little AdBlue left. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly adblue_level_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The day on which the change of the brake fluid is due. */
  readonly brake_fluid_due_date?: Timed<string>;
  /** The indicator for too little brake fluid. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly brake_fluid_level_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for worn brake linings. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly brake_lining_wear_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for a fault of the brakes. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly brake_warning_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /**
   * The indicator for a fault of the engine or its exhaust. SENSOR_FAILURE: the sensor behind it has
   * failed.
   */
  readonly check_engine_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for too little coolant. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly coolant_level_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for coolant that is too hot. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly coolant_temperature_high_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The trouble codes that are active (SAE J2012), each once; empty: none. */
  readonly diagnostic_trouble_codes?: Timed<readonly string[]>;
  /** The day on which the change of the engine oil is due. */
  readonly engine_oil_due_date?: Timed<string>;
  /** The distance until the change of the engine oil is due; below 0 it is overdue. In km. */
  readonly engine_oil_due_in_kilometers?: Timed<number>;
  /**
   * The indicator for too little pressure of the engine oil. SENSOR_FAILURE: the sensor behind it has
   * failed.
   */
  readonly engine_oil_pressure_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for a fault of the electronic power control. */
  readonly epc_warning_indicator?: Timed<'ON' | 'OFF'>;
  /** The indicator for a fault of the electronic stability program. */
  readonly esp_warning_indicator?: Timed<'ON' | 'OFF'>;
  /** The indicator for a failure of the power steering. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly power_steering_failure_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The day on which the next service is due. */
  readonly service_due_date?: Timed<string>;
  /** The distance until the next service is due; below 0 it is overdue. In km. */
  readonly service_due_in_kilometers?: Timed<number>;
  /**
   * The indicator for a fault of the starter battery or its charging. SENSOR_FAILURE: the sensor behind
   * it has failed.
   */
  readonly starter_battery_warning_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for too little pressure in a tire. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly tire_pressure_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
  /** The indicator for little washer fluid left. SENSOR_FAILURE: the sensor behind it has failed. */
  readonly washer_fluid_level_low_indicator?: Timed<'ON' | 'OFF' | 'SENSOR_FAILURE'>;
}

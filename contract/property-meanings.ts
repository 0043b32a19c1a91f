import type { PropertyName } from './properties.ts';

/** The meaning of a property, or of a part of one, for readers. */
export interface PropertyMeaning {
  /** One or two sentences, without the values: those are in properties.ts. */
  readonly description: string;
  /** A plausible number. All other values have their examples in backend/events/vehicle-state.ts. */
  readonly example?: number;
  /** Of a property with parts: each by its name. */
  readonly parts?: Readonly<Record<string, PropertyMeaning>>;
}

const LAMP = 'SENSOR_FAILURE: the sensor behind it has failed.';
const lamp = (what: string): PropertyMeaning => ({ description: `The indicator for ${what}. ${LAMP}` });
const due = (what: string): PropertyMeaning => ({ description: `The day on which ${what} is due.` });
const dueKm = (what: string, example: number): PropertyMeaning => ({
  description: `The distance until ${what} is due; below 0 it is overdue.`,
  example,
});

const BATTERY: PropertyMeaning = {
  description: 'The battery in this port; absent while the port is empty.',
  parts: {
    serial_number: { description: 'The serial number of the battery.' },
    level_in_percent: { description: 'The state of charge of the battery.', example: 81.5 },
    charge_cycles: { description: 'How often the battery has been charged.', example: 132 },
    average_temperature_in_degrees_celsius: {
      description: 'The mean temperature of its cells.',
      example: 21,
    },
    voltage_in_volts: { description: 'The voltage of the battery.', example: 51.38 },
  },
};
const card = (slot: number): PropertyMeaning => ({ description: `Slot ${slot}: whether a card is in it.` });
const belt = (seat: string): PropertyMeaning => ({ description: `The belt ${seat}.` });

/** The meaning of each property of the vehicle state, by its name in properties.ts. */
export const MEANINGS: Readonly<Record<PropertyName, PropertyMeaning>> = {
  abs_status: { description: 'Whether the antilock braking system is switched on.' },
  adblue_level_in_liters: { description: 'How much AdBlue is in its tank.', example: 11.4 },
  adblue_level_in_percent: { description: 'How full the tank of AdBlue is.', example: 63.5 },
  altitude_in_meters: { description: 'The height above mean sea level.', example: 36 },
  box_cardholder_cards: {
    description: 'The fuel and parking cards in their holder, by slot.',
    parts: { card_1: card(1), card_2: card(2), card_3: card(3) },
  },
  cellular_signal_quality: { description: 'The quality of the mobile network, 5 is the best.', example: 4 },
  center_stand_position: { description: 'The position of the center stand.' },
  central_lock: { description: 'Whether the central lock is locked.' },
  charging_adapter_status: { description: 'Whether a charging cable is plugged in.' },
  charging_status: { description: 'Whether the traction battery is being charged.' },
  charging_until: { description: 'When the traction battery is expected to be full.' },
  convertible_top_status: { description: 'Whether the convertible top is open.' },
  doors_status: { description: 'OPEN: one door at least is open. CLOSED: all are closed.' },
  drive_batteries: {
    description: 'The batteries that drive the vehicle, by the port in which they are.',
    parts: { port_1: BATTERY, port_2: BATTERY },
  },
  driving_enabled: { description: 'Whether the engine can be started: the immobilizer is off.' },
  esp_status: { description: 'Whether the electronic stability program is switched on.' },
  fuel_level_in_liters: { description: 'How much fuel is in the tank.', example: 31.5 },
  fuel_level_in_percent: {
    description:
      'How full the tank is; of a vehicle without one, the state of charge of its traction battery.',
    example: 63,
  },
  gearshift_position: { description: 'The position of the selector of an automatic transmission.' },
  gnss_hdop: {
    description: 'The horizontal dilution of precision of the position, 1 is ideal.',
    example: 0.9,
  },
  gnss_position_fix_quality: { description: 'How the position was found.' },
  gnss_satellites_in_use: { description: 'How many satellites the position was found with.', example: 11 },
  gnss_speed_over_ground_in_kph: { description: 'The speed that the receiver measured.', example: 48.24 },
  heading_in_degrees: {
    description: 'The direction in which the vehicle moves: 0 is north, 90 is east.',
    example: 87.5,
  },
  headlights: { description: 'Whether the headlights are on.' },
  ignition: {
    description:
      'The ignition, of vehicles whose driver has to switch it off; whether disable-driving should be sent.',
  },
  mileage_in_kilometers: { description: 'The reading of the odometer.', example: 48_210.4 },
  onboard_voltage_in_volts: { description: "The voltage of the vehicle's electrical system.", example: 14.1 },
  parking_brake_engaged: { description: 'Whether the parking brake is engaged.' },
  position: {
    description: 'Where the vehicle is (WGS 84).',
    parts: {
      lat: { description: 'Latitude, north is positive.', example: 52.520008 },
      lon: { description: 'Longitude, east is positive.', example: 13.404954 },
    },
  },
  remaining_range_in_kilometers: {
    description: 'The remaining range, as the vehicle estimates it.',
    example: 214,
  },
  seatbelts_status: {
    description: 'The seat belts, by seat; which there are depends on the model.',
    parts: {
      front_left: belt('in front on the left'),
      front_right: belt('in front on the right'),
      row2_left: belt('in the second row on the left'),
      row2_middle: belt('in the middle of the second row'),
      row2_right: belt('in the second row on the right'),
    },
  },
  speed_in_kph: { description: 'The speed, as the vehicle reports it.', example: 49.5 },
  state_of_charge_or_fuel_level_in_percent: {
    description:
      'The state of charge of a traction battery, or how full the tank is: of the energy source that is used first.',
    example: 63.4,
  },
  state_of_charge_or_fuel_level_low_indicator: lamp('little fuel or charge left'),
  sunroof_status: { description: 'Whether the sunroof is open.' },
  telematics_unit_backup_battery: {
    description: 'The backup battery of the telematics unit.',
    parts: {
      level_in_percent: { description: 'The state of charge of the backup battery.', example: 97 },
      voltage_in_volts: { description: 'The voltage of the backup battery.', example: 4.012 },
      charging_status: { description: 'Whether the backup battery is being charged.' },
    },
  },
  telematics_unit_supply_voltage_in_volts: {
    description: 'The voltage with which the telematics unit is supplied.',
    example: 13.94,
  },
  top_case_lid: { description: 'Whether the lid of the top case is open.' },
  top_case_lock: { description: 'Whether the top case is locked.' },
  vehicle_key: { description: 'Whether the key is in its place in the vehicle.' },
  windows_status: { description: 'OPEN: one window at least is open. CLOSED: all are closed.' },

  abs_warning_indicator: { description: 'The indicator for a fault of the antilock braking system.' },
  adblue_level_low_indicator: lamp('little AdBlue left'),
  brake_fluid_due_date: due('the change of the brake fluid'),
  brake_fluid_level_low_indicator: lamp('too little brake fluid'),
  brake_lining_wear_indicator: lamp('worn brake linings'),
  brake_warning_indicator: lamp('a fault of the brakes'),
  check_engine_indicator: lamp('a fault of the engine or its exhaust'),
  coolant_level_low_indicator: lamp('too little coolant'),
  coolant_temperature_high_indicator: lamp('coolant that is too hot'),
  diagnostic_trouble_codes: {
    description: 'The trouble codes that are active (SAE J2012), each once; empty: none.',
  },
  engine_oil_due_date: due('the change of the engine oil'),
  engine_oil_due_in_kilometers: dueKm('the change of the engine oil', 8_400),
  engine_oil_pressure_low_indicator: lamp('too little pressure of the engine oil'),
  epc_warning_indicator: { description: 'The indicator for a fault of the electronic power control.' },
  esp_warning_indicator: { description: 'The indicator for a fault of the electronic stability program.' },
  power_steering_failure_indicator: lamp('a failure of the power steering'),
  service_due_date: due('the next service'),
  service_due_in_kilometers: dueKm('the next service', 12_400),
  starter_battery_warning_indicator: lamp('a fault of the starter battery or its charging'),
  tire_pressure_indicator: lamp('too little pressure in a tire'),
  washer_fluid_level_low_indicator: lamp('little washer fluid left'),
};

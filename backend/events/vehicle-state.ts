import { z } from 'zod';

/** `YYYY-MM-DDThh:mm:ssZ`, as every date-time leaves the service. */
export const wholeSecond = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({ format: 'date-time' });

const property = <T extends z.ZodType>(value: T) =>
  z.looseObject({ timestamp: wholeSecond, value }).optional();
/** Enumerations may grow: a reader takes words that it does not know. */
const word = property(z.string().regex(/^[A-Z][A-Z0-9_]*$/));
const number = property(z.number());
const amount = property(z.number().min(0));
const wholeNumber = property(z.int32());
const percent = property(z.number().min(0).max(100));
const truth = property(z.boolean());
const date = property(z.iso.date());
const anyWord = z.string().regex(/^[A-Z][A-Z0-9_]*$/);

/**
 * The properties that the contract gives a shape in messages (service.md 2.4), and those whose shape the contract
 * leaves open as this service tells them. All others are allowed beside them and must be {timestamp, value} too.
 */
export const vehicleState = z
  .looseObject({
    abs_status: word,
    adblue_level_in_liters: amount,
    adblue_level_in_percent: percent,
    altitude_in_meters: wholeNumber,
    box_cardholder_cards: property(z.record(z.string().regex(/^card_\d+$/), anyWord)),
    cellular_signal_quality: property(z.int32().min(0).max(5)),
    center_stand_position: word,
    central_lock: word,
    charging_adapter_status: word,
    charging_status: word,
    charging_until: property(wholeSecond),
    convertible_top_status: word,
    doors_status: word,
    drive_batteries: property(
      z.record(
        z.string().regex(/^port_\d+$/),
        z.looseObject({
          serial_number: z.string().min(1),
          level_in_percent: z.number().min(0).max(100),
          charge_cycles: z.int().min(0),
          average_temperature_in_degrees_celsius: z.number(),
          voltage_in_volts: z.number().min(0),
        }),
      ),
    ),
    driving_enabled: truth,
    esp_status: word,
    fuel_level_in_liters: amount,
    fuel_level_in_percent: property(z.int32().min(0).max(100)),
    gearshift_position: word,
    gnss_hdop: amount,
    gnss_position_fix_quality: word,
    gnss_satellites_in_use: property(z.int().min(0)),
    gnss_speed_over_ground_in_kph: amount,
    heading_in_degrees: property(z.number().min(0).lt(360)),
    headlights: word,
    ignition: word,
    mileage_in_kilometers: amount,
    onboard_voltage_in_volts: amount,
    parking_brake_engaged: truth,
    position: property(
      z.looseObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }),
    ),
    remaining_range_in_kilometers: number,
    seatbelts_status: property(
      z.looseObject({
        front_left: anyWord.optional(),
        front_right: anyWord.optional(),
        row2_left: anyWord.optional(),
        row2_middle: anyWord.optional(),
        row2_right: anyWord.optional(),
      }),
    ),
    speed_in_kph: amount,
    state_of_charge_or_fuel_level_in_percent: percent,
    state_of_charge_or_fuel_level_low_indicator: word,
    sunroof_status: word,
    telematics_unit_backup_battery: property(
      z.looseObject({
        level_in_percent: z.number().min(0).max(100),
        voltage_in_volts: z.number().min(0),
        charging_status: anyWord,
      }),
    ),
    telematics_unit_supply_voltage_in_volts: amount,
    top_case_lid: word,
    top_case_lock: word,
    vehicle_key: word,
    windows_status: word,

    abs_warning_indicator: word,
    adblue_level_low_indicator: word,
    brake_fluid_due_date: date,
    brake_fluid_level_low_indicator: word,
    brake_lining_wear_indicator: word,
    brake_warning_indicator: word,
    check_engine_indicator: word,
    coolant_level_low_indicator: word,
    coolant_temperature_high_indicator: word,
    diagnostic_trouble_codes: property(z.array(z.string().regex(/^[PCBU][0-3][0-9A-F]{3}$/))),
    engine_oil_due_date: date,
    engine_oil_due_in_kilometers: number,
    engine_oil_pressure_low_indicator: word,
    epc_warning_indicator: word,
    esp_warning_indicator: word,
    power_steering_failure_indicator: word,
    service_due_date: date,
    service_due_in_kilometers: number,
    starter_battery_warning_indicator: word,
    tire_pressure_indicator: word,
    washer_fluid_level_low_indicator: word,
  })
  .catchall(z.looseObject({ timestamp: wholeSecond, value: z.unknown() }));

import { describe, expect, test } from 'vitest';
import { capabilityName } from '../../../../backend/vehicles/capabilities.ts';
import { modelKnowledge } from '../../../../backend/vehicles/model-knowledge.ts';
import { MAINTENANCE, PROPERTIES } from '../../../../backend/vehicles/properties.ts';
import { MAKER_MODELS } from '../../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import { capabilitiesPage } from '../../../support/backend/capabilities-page.ts';

/** The two sets as the contract lists them; beside them stands fuel_level_in_percent, of its message table. */
const BASIC = `
  ABS_STATUS ADBLUE_LEVEL_IN_LITERS ADBLUE_LEVEL_IN_PERCENT ALTITUDE_IN_METERS CELLULAR_SIGNAL_QUALITY
  CENTER_STAND_POSITION CENTRAL_LOCK CHARGING_ADAPTER_STATUS CHARGING_STATUS CHARGING_UNTIL BOX_CARDHOLDER_CARDS
  CONVERTIBLE_TOP_STATUS DOORS_STATUS DRIVE_BATTERIES DRIVING_ENABLED ESP_STATUS FUEL_LEVEL_IN_LITERS
  GEARSHIFT_POSITION GNSS_HDOP GNSS_POSITION_FIX_QUALITY GNSS_SATELLITES_IN_USE GNSS_SPEED_OVER_GROUND_IN_KPH
  HEADING_IN_DEGREES HEADLIGHTS IGNITION MILEAGE_IN_KILOMETERS ONBOARD_VOLTAGE_IN_VOLTS PARKING_BRAKE_ENGAGED POSITION
  REMAINING_RANGE_IN_KILOMETERS SEATBELTS_STATUS SPEED_IN_KPH STATE_OF_CHARGE_OR_FUEL_LEVEL_IN_PERCENT
  STATE_OF_CHARGE_OR_FUEL_LEVEL_LOW_INDICATOR SUNROOF_STATUS TELEMATICS_UNIT_BACKUP_BATTERY
  TELEMATICS_UNIT_SUPPLY_VOLTAGE_IN_VOLTS TOP_CASE_LID TOP_CASE_LOCK VEHICLE_KEY WINDOWS_STATUS`;
const BOOKED = `
  ABS_WARNING_INDICATOR ADBLUE_LEVEL_LOW_INDICATOR BRAKE_FLUID_DUE_DATE BRAKE_FLUID_LEVEL_LOW_INDICATOR
  BRAKE_LINING_WEAR_INDICATOR BRAKE_WARNING_INDICATOR CHECK_ENGINE_INDICATOR COOLANT_LEVEL_LOW_INDICATOR
  COOLANT_TEMPERATURE_HIGH_INDICATOR DIAGNOSTIC_TROUBLE_CODES ENGINE_OIL_DUE_DATE ENGINE_OIL_DUE_IN_KILOMETERS
  ENGINE_OIL_PRESSURE_LOW_INDICATOR EPC_WARNING_INDICATOR ESP_WARNING_INDICATOR POWER_STEERING_FAILURE_INDICATOR
  SERVICE_DUE_DATE SERVICE_DUE_IN_KILOMETERS STARTER_BATTERY_WARNING_INDICATOR TIRE_PRESSURE_INDICATOR
  WASHER_FLUID_LEVEL_LOW_INDICATOR`;
const listed = (text: string) => new Set(text.trim().split(/\s+/));

describe('the capabilities', () => {
  test('are those that the contract lists, 41 basic and 21 of maintenance, and fuel_level_in_percent', () => {
    const names = Object.keys(PROPERTIES);
    const basic = names.filter((name) => !MAINTENANCE.has(name) && name !== 'fuel_level_in_percent');
    expect(new Set(basic.map(capabilityName))).toEqual(listed(BASIC));
    expect(new Set([...MAINTENANCE].map(capabilityName))).toEqual(listed(BOOKED));
    expect([listed(BASIC).size, listed(BOOKED).size]).toEqual([41, 21]);
    expect(names).toContain('fuel_level_in_percent');
  });

  test('each occur in two models with a box at least, but for drive batteries', () => {
    // Batteries that are swapped: one model with a box has ports for them; the makers' vehicles tell of theirs too.
    const alone = new Map([['drive_batteries', 1]]);
    for (const name of Object.keys(PROPERTIES)) {
      const has = (model: string) => modelKnowledge.capabilitiesOf(model).includes(capabilityName(name));
      const withBox = [...MODELS.keys()].filter(has).length;
      expect(withBox, name).toBeGreaterThanOrEqual(alone.get(name) ?? 2);
      const all = withBox + [...MAKER_MODELS.keys()].filter(has).length;
      expect(all, name).toBeGreaterThanOrEqual(2);
    }
  });

  test('stand in the page as the tables have them', async () => {
    await expect(capabilitiesPage()).toMatchFileSnapshot('../../../../docs/capabilities.md');
  });
});

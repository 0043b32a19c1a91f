/** The fleet that vehicles are shared with. */
export const PARTNER_FLEET_ID = 'FLEET2';
/** A box in stock. */
export const UNIT = '00000000000000f1';

/** Bodies that cannot be made from the schema alone, by its name; all others are made from their schema. */
export const RIGHT_BODIES: Readonly<Record<string, unknown>> = {
  NewVehicle: {
    telematics_unit: { id: UNIT },
    vehicle_model: 'petrol-compact',
    master_data: { vin: 'WVWZZZ1JZXW000009', license_plate: 'B-AB 9', year_of_production: 2024 },
    custom_fields: { depot: 'north' },
    tags: ['pool'],
    maintenance_booked: true,
  },
  VehicleChange: {
    master_data: { vin: null, fuel_type: 'PETROL', custom_name: 'Nine' },
    custom_fields: { depot: null },
    tags: ['pool', 'new'],
    maintenance_booked: false,
    operation_status: { value: 'GARAGE' },
    rental_status: { value: 'IN_RENTAL' },
  },
  Sharing: { partner_fleet_id: PARTNER_FLEET_ID },
  NewMessageSubscription: {
    queue_discriminator: 'depot.1',
    topics: ['VehicleState_v1', 'DamageDetected_v1'],
  },
  BulkRequest: {
    items: [{ id: 'VEH01' }, { id: 'VEH02' }],
    feature_configuration: {
      tracking: { time_interval_in_seconds: 5 },
      parking_events: null,
      box_settings: {},
    },
  },
};

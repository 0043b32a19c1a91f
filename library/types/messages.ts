// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

import type { VehicleState } from './vehicle-state.ts';

/** What every message says of itself. */
export interface MessageMetadata {
  /** The same in each repetition of the message (ULID). */
  readonly message_id: string;
  /** The type of the message. */
  readonly message_type: string;
  /** When the service made the message (UTC). */
  readonly occurred_at: string;
  /** The version of this schema (semantic versioning). */
  readonly version: string;
  /** The X-Service-Flow-ID of the request that caused it, or a new id. */
  readonly flow_id?: string;
}

/** The messages of the service, by name: what their bodies hold. */
export interface Messages {
  /**
   * A telematics unit or a maker sent data of the vehicle. An empty vehicle_state means contact without
   * data.
   */
  readonly VehicleStateReceived: {
    readonly metadata: MessageMetadata;
    readonly data: {
      /** The id of the vehicle. */
      readonly vehicle_id: string;
      /** When the service received it (UTC). */
      readonly received_at: string;
      /** The id of the fleet that owns the vehicle. */
      readonly fleet_id: string;
      /** What caused the report; absent: the vehicle reported unprompted. */
      readonly triggered_by?: {
        /** The channel that caused the report. One of API_COMMAND, BLUETOOTH; later releases may add others. */
        readonly channel: 'API_COMMAND' | 'BLUETOOTH';
        /** The flow id of the command, or the id of the Bluetooth token that was used. */
        readonly correlation_id: string;
      };
      /**
       * The state that a vehicle reports: for each property its value and its time. A property is present if
       * the vehicle has the capability of that name and a value could be read; an empty state means contact
       * without data. Later releases may add properties.
       */
      readonly vehicle_state: VehicleState;
    };
  };
  /** A request changed the data that the owner keeps about the vehicle. */
  readonly VehicleDataChanged: {
    readonly metadata: MessageMetadata;
    readonly data: {
      /** The id of the vehicle. */
      readonly vehicle_id: string;
      /** The id of the fleet that owns the vehicle. */
      readonly fleet_id: string;
      /** When the change was made (UTC). */
      readonly occurred_at: string;
      /** When the service received it (UTC). */
      readonly received_at: string;
      /** The names of the properties below that have changed. */
      readonly changed: readonly (
        | 'master_data'
        | 'custom_fields'
        | 'tags'
        | 'operation_status'
        | 'rental_status'
        | 'maintenance_booked'
      )[];
      /** The master data of the vehicle. */
      readonly master_data: {
        /** The vehicle identification number (ISO 3779); no two vehicles of a fleet have the same. */
        readonly vin: string | null;
        /** The license plate. */
        readonly license_plate: string | null;
        /** Who made the vehicle. */
        readonly brand: string | null;
        /** The name under which its maker sells it. */
        readonly model: string | null;
        /** The name that its owner gave the vehicle. */
        readonly custom_name: string | null;
        /** What drives the vehicle. HYBRID: a tank and a traction battery. */
        readonly fuel_type: 'PETROL' | 'DIESEL' | 'ELECTRIC' | 'HYBRID' | null;
        /** The year in which the vehicle was made. */
        readonly year_of_production: number | null;
        /** The kind of its transmission. */
        readonly transmission: 'MANUAL' | 'AUTOMATIC' | null;
        /** The kind of vehicle. */
        readonly vehicle_type: 'CAR' | 'VAN' | 'MOPED' | null;
      };
      /** Custom texts of the owner, by name. */
      readonly custom_fields: Readonly<Record<string, string>>;
      /** Words that the owner chose for finding the vehicle. */
      readonly tags: readonly string[];
      /** Whether the vehicle is in operation, as its owner says. */
      readonly operation_status: {
        /**
         * OPERATING: it is in operation. GARAGE: it is in a workshop. One of OPERATING, GARAGE; later releases
         * may add others.
         */
        readonly value: 'OPERATING' | 'GARAGE';
        /** Since when this has been so (UTC). null: it is not known. */
        readonly modified_at: string | null;
      };
      /** Whether the vehicle is rented, as its owner says. */
      readonly rental_status: {
        /**
         * IN_RENTAL: somebody has rented it. NOT_IN_RENTAL: nobody has. One of IN_RENTAL, NOT_IN_RENTAL; later
         * releases may add others.
         */
        readonly value: 'IN_RENTAL' | 'NOT_IN_RENTAL';
        /** Since when this has been so (UTC). null: it is not known. */
        readonly modified_at: string | null;
      };
      /**
       * Whether the maintenance capabilities are booked: warning lamps, trouble codes and service dues are
       * reported only then.
       */
      readonly maintenance_booked: boolean;
    };
  };
  /** An impact on the body reached the configured sensitivity. */
  readonly DamageDetected: {
    readonly metadata: MessageMetadata;
    readonly data: {
      /** The id of the vehicle. */
      readonly vehicle_id: string;
      /** The id of the fleet that owns the vehicle. */
      readonly fleet_id: string;
      /** When it happened, by the clock of the telematics unit (UTC). */
      readonly occurred_at: string;
      /** When the service received it (UTC). */
      readonly received_at: string;
      /** Where the vehicle was when it was detected; absent: the position was not known. */
      readonly position?: {
        /** Latitude, north is positive. */
        readonly lat: number;
        /** Longitude, east is positive. */
        readonly lon: number;
      };
      /** The strength of the sound in the body. In mg. */
      readonly strength_in_mg: number;
      /** The sensitivity that was in force. One of LOW, MEDIUM, HIGH; later releases may add others. */
      readonly sensitivity: 'LOW' | 'MEDIUM' | 'HIGH';
      /**
       * The side of the vehicle that was struck, as its driver sees it. One of FRONT, REAR, LEFT, RIGHT;
       * later releases may add others.
       */
      readonly side: 'FRONT' | 'REAR' | 'LEFT' | 'RIGHT';
    };
  };
  /** Particles in the cabin reached the configured concentration for the configured duration. */
  readonly SmokeDetected: {
    readonly metadata: MessageMetadata;
    readonly data: {
      /** The id of the vehicle. */
      readonly vehicle_id: string;
      /** The id of the fleet that owns the vehicle. */
      readonly fleet_id: string;
      /** When it happened, by the clock of the telematics unit (UTC). */
      readonly occurred_at: string;
      /** When the service received it (UTC). */
      readonly received_at: string;
      /** Where the vehicle was when it was detected; absent: the position was not known. */
      readonly position?: {
        /** Latitude, north is positive. */
        readonly lat: number;
        /** Longitude, east is positive. */
        readonly lon: number;
      };
      /** The highest concentration. In µg/m³. */
      readonly particle_concentration_in_micrograms_per_cubic_meter: number;
      /** How long it had been above the threshold. In s. */
      readonly duration_in_seconds: number;
    };
  };
  /** A crash, heavy braking or harsh cornering. */
  readonly DrivingEventDetected: {
    readonly metadata: MessageMetadata;
    readonly data:
      | {
          /** The id of the vehicle. */
          readonly vehicle_id: string;
          /** The id of the fleet that owns the vehicle. */
          readonly fleet_id: string;
          /** When it happened, by the clock of the telematics unit (UTC). */
          readonly occurred_at: string;
          /** When the service received it (UTC). */
          readonly received_at: string;
          /** Where the vehicle was when it was detected; absent: the position was not known. */
          readonly position?: {
            /** Latitude, north is positive. */
            readonly lat: number;
            /** Longitude, east is positive. */
            readonly lon: number;
          };
          /** It was a crash. */
          readonly kind: 'CRASH';
          /** The strongest acceleration. In mg. */
          readonly acceleration_in_mg: number;
          /** How long the impact lasted. In ms. */
          readonly duration_in_milliseconds: number;
          /**
           * The side of the vehicle that was struck, as its driver sees it. One of FRONT, REAR, LEFT, RIGHT;
           * later releases may add others.
           */
          readonly direction: 'FRONT' | 'REAR' | 'LEFT' | 'RIGHT';
          /** How long accelerations were recorded, from the beginning of the crash. In ms. */
          readonly data_gathering_duration_in_milliseconds: number;
          /** That time in equal parts: the strongest accelerations in each. */
          readonly samples: readonly {
            /** Along the vehicle, forward is positive. In mg. */
            readonly longitudinal_acceleration_in_mg: number;
            /** Across the vehicle, to the right is positive. In mg. */
            readonly lateral_acceleration_in_mg: number;
          }[];
        }
      | {
          /** The id of the vehicle. */
          readonly vehicle_id: string;
          /** The id of the fleet that owns the vehicle. */
          readonly fleet_id: string;
          /** When it happened, by the clock of the telematics unit (UTC). */
          readonly occurred_at: string;
          /** When the service received it (UTC). */
          readonly received_at: string;
          /** Where the vehicle was when it was detected; absent: the position was not known. */
          readonly position?: {
            /** Latitude, north is positive. */
            readonly lat: number;
            /** Longitude, east is positive. */
            readonly lon: number;
          };
          /** It was heavy braking. */
          readonly kind: 'HEAVY_BRAKING';
          /** The strongest acceleration along the vehicle. In mg. */
          readonly longitudinal_acceleration_in_mg: number;
          /** How long it lasted. In ms. */
          readonly duration_in_milliseconds: number;
          /** The speed before it. In km/h. */
          readonly speed_before_in_kph: number;
          /** The speed after it. In km/h. */
          readonly speed_after_in_kph: number;
        }
      | {
          /** The id of the vehicle. */
          readonly vehicle_id: string;
          /** The id of the fleet that owns the vehicle. */
          readonly fleet_id: string;
          /** When it happened, by the clock of the telematics unit (UTC). */
          readonly occurred_at: string;
          /** When the service received it (UTC). */
          readonly received_at: string;
          /** Where the vehicle was when it was detected; absent: the position was not known. */
          readonly position?: {
            /** Latitude, north is positive. */
            readonly lat: number;
            /** Longitude, east is positive. */
            readonly lon: number;
          };
          /** It was harsh cornering. */
          readonly kind: 'HARSH_CORNERING';
          /** The strongest acceleration across the vehicle. In mg. */
          readonly lateral_acceleration_in_mg: number;
          /** How long it lasted. In ms. */
          readonly duration_in_milliseconds: number;
          /** The speed in the bend. In km/h. */
          readonly speed_in_kph: number;
          /** The direction of the bend. One of LEFT, RIGHT; later releases may add others. */
          readonly bend: 'LEFT' | 'RIGHT';
        };
  };
  /** The parked vehicle is towed, or was struck. */
  readonly ParkingEventDetected: {
    readonly metadata: MessageMetadata;
    readonly data:
      | {
          /** The id of the vehicle. */
          readonly vehicle_id: string;
          /** The id of the fleet that owns the vehicle. */
          readonly fleet_id: string;
          /** When it happened, by the clock of the telematics unit (UTC). */
          readonly occurred_at: string;
          /** When the service received it (UTC). */
          readonly received_at: string;
          /** Where the vehicle was when it was detected; absent: the position was not known. */
          readonly position?: {
            /** Latitude, north is positive. */
            readonly lat: number;
            /** Longitude, east is positive. */
            readonly lon: number;
          };
          /** It is towed. */
          readonly kind: 'TOWING';
          /** How far from where it was left. In m. */
          readonly distance_in_meters: number;
          /** The angle by which it was tilted. In °. */
          readonly tilt_in_degrees: number;
        }
      | {
          /** The id of the vehicle. */
          readonly vehicle_id: string;
          /** The id of the fleet that owns the vehicle. */
          readonly fleet_id: string;
          /** When it happened, by the clock of the telematics unit (UTC). */
          readonly occurred_at: string;
          /** When the service received it (UTC). */
          readonly received_at: string;
          /** Where the vehicle was when it was detected; absent: the position was not known. */
          readonly position?: {
            /** Latitude, north is positive. */
            readonly lat: number;
            /** Longitude, east is positive. */
            readonly lon: number;
          };
          /** It was struck. */
          readonly kind: 'SHOCK';
          /** The strongest acceleration. In mg. */
          readonly acceleration_in_mg: number;
          /** How long the impact lasted. In ms. */
          readonly duration_in_milliseconds: number;
          /**
           * The side of the vehicle that was struck, as its driver sees it. One of FRONT, REAR, LEFT, RIGHT;
           * later releases may add others.
           */
          readonly direction: 'FRONT' | 'REAR' | 'LEFT' | 'RIGHT';
        };
  };
}

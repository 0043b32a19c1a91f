/** The error bound of a sensor. Quantisation on the wire and in the message adds to it. */
export interface SensorError {
  /** The largest error, up or down; for a position: in any direction on the ground. */
  readonly most: number;
  readonly unit: string;
  /** The source of the figure. */
  readonly source: string;
}

/**
 * The errors of a box's sensors and antennas, by the property that they feed: the tolerance of the checker
 * twin-is-true in addition to quantisation. The simulated sensors limit their noise to these bounds
 * (simulator/gnss/receiver.ts, simulator/vehicle/surroundings/antennas.ts), so that they can be checked
 * against them; all other values are exact. The true values are in the truth of the vehicle
 * (simulator/vehicle/vehicle-view.ts).
 */
export const SENSOR_ERRORS = {
  position: {
    most: 25,
    unit: 'm',
    source:
      'HDOP of the sky there × range error of 0.9 m with corrections and 1.8 m without (GPS SPS performance standard, 2020, 3.4), and echoes between houses of 3 m; cut off',
  },
  altitude_in_meters: {
    most: 45,
    unit: 'm',
    source: 'as the position, 1.7 times as much upwards; cut off',
  },
  heading_in_degrees: {
    most: 15,
    unit: 'degrees',
    source: 'the Doppler speed across, by the speed; held below 1.5 m/s; cut off',
  },
  gnss_speed_over_ground_in_kph: {
    most: 3,
    unit: 'km/h',
    source: 'Doppler, 0.05 m/s × HDOP (data sheets of single-frequency receivers); cut off',
  },
  gnss_hdop: { most: 0, unit: '', source: 'worked out by the receiver itself' },
  gnss_satellites_in_use: { most: 0, unit: '', source: 'counted by the receiver itself' },
  cellular_signal_quality: {
    most: 1,
    unit: 'steps of 0 to 5',
    source: 'the level is measured to ±4 dB, which is two of the 32 steps of +CSQ (3GPP TS 27.007, 8.5)',
  },
} as const satisfies Readonly<Record<string, SensorError>>;

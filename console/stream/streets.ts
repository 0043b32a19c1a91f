/** Streets as lines: longitude and latitude in degrees, in the order in which GeoJSON has them. */
export type Streets = readonly {
  readonly name: string;
  readonly places: readonly (readonly [longitude: number, latitude: number])[];
}[];

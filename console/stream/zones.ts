/** A point, in degrees. */
export interface ZonePoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where there is no coverage: a circle, or a polygon of at least three corners. */
export type ZoneShape =
  | { readonly around: ZonePoint; readonly radiusM: number }
  | { readonly polygon: readonly ZonePoint[] };

/** A dead zone: whoever drives into it loses the network, and has it again behind it. */
export interface DeadZone {
  readonly id: string;
  readonly shape: ZoneShape;
  /** The boxes that are in it now. */
  readonly boxes: readonly string[];
}

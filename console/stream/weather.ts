/** What the networks do to the whole fleet, and what else they can. */
export interface FleetWeatherState {
  readonly preset: string;
  readonly presets: readonly { readonly name: string; readonly does: string }[];
}

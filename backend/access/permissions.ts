/**
 * What a client may be permitted, and the scopes that follow from it. A full permission implies its read-only one.
 * OPENID follows from none: it comes with a person's sign-in.
 */
export const PERMISSIONS = [
  { name: 'vehicle-commands', scopes: ['VEHICLE_COMMANDS'] },
  { name: 'connectivity-commands', scopes: ['VEHICLE_COMMANDS'] },
  { name: 'vehicles', scopes: ['VEHICLES', 'VEHICLES_RO'], implies: 'vehicles.ro' },
  { name: 'vehicles.ro', scopes: ['VEHICLES_RO'] },
  {
    name: 'vehicle-configuration',
    scopes: ['VEHICLE_CONFIGURATION', 'VEHICLE_CONFIGURATION_RO'],
    implies: 'vehicle-configuration.ro',
  },
  { name: 'vehicle-configuration.ro', scopes: ['VEHICLE_CONFIGURATION_RO'] },
  { name: 'message-subscriptions', scopes: ['MESSAGE_SUBSCRIPTIONS'] },
] as const satisfies readonly PermissionRow[];

interface PermissionRow {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly implies?: string;
}

export type Permission = (typeof PERMISSIONS)[number]['name'];
export type Scope = (typeof PERMISSIONS)[number]['scopes'][number];

/** Every scope, in the order of the table, each once. */
export const SCOPES: readonly Scope[] = [...new Set(PERMISSIONS.flatMap((row) => [...row.scopes]))];

export function isPermission(name: string): name is Permission {
  return PERMISSIONS.some((row) => row.name === name);
}

/** The scopes that a client with these permissions can have. Names that are no permission give none. */
export function scopesOf(permissions: readonly string[]): readonly Scope[] {
  const granted = new Set<Scope>();
  for (const row of PERMISSIONS)
    if (permissions.includes(row.name)) for (const scope of row.scopes) granted.add(scope);
  return SCOPES.filter((scope) => granted.has(scope));
}

/** Whether a permission is held, by its own name or because a full one implies it. */
export function holdsPermission(held: readonly string[], wanted: Permission): boolean {
  return PERMISSIONS.some(
    (row) => held.includes(row.name) && (row.name === wanted || ('implies' in row && row.implies === wanted)),
  );
}

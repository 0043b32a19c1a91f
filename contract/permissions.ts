/**
 * The permissions of clients, and the scopes that follow from them. A full permission implies its read-only
 * one. OPENID follows from none: it comes with a person's sign-in.
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

/**
 * The scopes that allow what `wanted` allows: itself first, then each whose permission implies the one from
 * which it follows (VEHICLES allows what VEHICLES_RO allows).
 */
export function scopesCovering(wanted: Scope): readonly Scope[] {
  const fuller = PERMISSIONS.filter(
    (row) => 'implies' in row && (row.scopes as readonly Scope[]).includes(wanted),
  ).map((row) => row.scopes[0]);
  return [...new Set([wanted, ...fuller])];
}

/** A permission with the scope that a token needs for it. */
export function permitted(permission: Permission): {
  readonly permission: Permission;
  readonly scope: Scope;
} {
  const row = PERMISSIONS.find(({ name }) => name === permission) as (typeof PERMISSIONS)[number];
  return { permission, scope: row.scopes[0] };
}

/** Requests an id token. It gives access to nothing. */
export const OPENID = 'OPENID';
export type OpenIdName = typeof OPENID | 'openid';

/** OPENID, and as OpenID Connect Core 1.0 section 3.1.2.1 writes it. A client gets the name that it requested. */
export const OPENID_NAMES: readonly string[] = [OPENID, 'openid'] satisfies readonly OpenIdName[];

/** Scopes of OpenID Connect (Core 1.0 sections 5.4 and 11) for claims and tokens that this service does not have. */
const UNSUPPORTED_OPENID_SCOPES: readonly string[] = [
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

export function isOpenId(scope: string): boolean {
  return OPENID_NAMES.includes(scope);
}

/**
 * The scopes of a request, each once, in its order. Scopes of OpenID Connect other than OPENID are left out: section
 * 3.1.2.1 requires that, and client libraries request them by default. The list is closed on purpose: any other
 * unknown scope, such as a misspelled permission, is refused and not silently left out.
 */
export function requestedScopes(text: string | null | undefined): readonly string[] {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))];
  return names.some(isOpenId) ? names.filter((name) => !UNSUPPORTED_OPENID_SCOPES.includes(name)) : names;
}

/** The permissions that both hold, implied read-only ones included: those of a client that acts for a person. */
export function sharedPermissions(one: readonly string[], other: readonly string[]): readonly Permission[] {
  return PERMISSIONS.map((row) => row.name).filter(
    (name) => holdsPermission(one, name) && holdsPermission(other, name),
  );
}

export function isPermission(name: string): name is Permission {
  return PERMISSIONS.some((row) => row.name === name);
}

/** The scopes that a client with these permissions can have. Unknown names give none. */
export function scopesOf(permissions: readonly string[]): readonly Scope[] {
  const granted = new Set<Scope>();
  for (const row of PERMISSIONS)
    if (permissions.includes(row.name)) for (const scope of row.scopes) granted.add(scope);
  return SCOPES.filter((scope) => granted.has(scope));
}

/** Whether a permission is held, directly or implied by a full one. */
export function holdsPermission(held: readonly string[], wanted: Permission): boolean {
  return PERMISSIONS.some(
    (row) => held.includes(row.name) && (row.name === wanted || ('implies' in row && row.implies === wanted)),
  );
}

/**
 * The id of an operation, from its method and path: a command is called by its name (`bleReset`), everything else by
 * method and resource (`getVehiclesById`, `putTracking`).
 */
export function operationId(method: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const fixed = parts.filter((part) => !part.startsWith('{'));
  const resource = fixed.at(-1) ?? 'root';
  if (fixed.at(-2)?.endsWith('commands') === true) return camel(resource);
  const isSingle = parts.at(-1)?.startsWith('{') === true;
  return camel(`${method}-${resource}${isSingle ? '-by-id' : ''}`);
}

function camel(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

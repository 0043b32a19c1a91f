import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The text of what the process itself tells: memory, event loop lag, garbage collection, processor time, handles, under
 * the names that prom-client's default collectors give them, which dashboards know. Only for a service in the real world:
 * they look at the machine. There is one process however many services are in it, and its collectors cannot be ended
 * again, so all services share one registry.
 */
export function processMetrics(): Promise<string> {
  shared ??= collecting();
  return shared.metrics();
}

let shared: Registry | undefined;

function collecting(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

import type { Vehicle } from '../store/vehicle-store.ts';

/**
 * What a vehicle that is not set up says of it: its status and, after a setup that failed, why and what to do. Sentences
 * for a problem's detail.
 */
export function setupDetailOf({
  setupStatus,
  setupDetail,
}: Pick<Vehicle, 'setupStatus' | 'setupDetail'>): string {
  const status = `The vehicle's setup status is ${setupStatus}`;
  if (setupStatus !== 'FAILED') return `${status}.`;
  const reason = setupDetail === '' ? '' : `: ${setupDetail.replace(/\.$/, '')}`;
  return `${status}${reason}. Mend it, offboard the vehicle, and onboard it again.`;
}

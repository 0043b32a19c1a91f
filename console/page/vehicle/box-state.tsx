import type { VehiclePicture } from '../../stream/vehicle-picture.ts';

/** Who it is, and what its box is about. */
export function BoxState({ picture }: { readonly picture: VehiclePicture }) {
  const { box, licensePlate, vin, route, driving } = picture;
  const { journal } = box;
  const rows: readonly (readonly [string, string])[] = [
    ['plate, VIN', `${licensePlate}, ${vin}`],
    ['driver', `${driving} on ${route}`],
    ['box', `${picture.boxId}, firmware ${box.firmware}, power ${box.power}`],
    [
      'link',
      `${box.session}; modem ${box.modem}${box.network === '' ? '' : ` at ${box.network}`}; SIM ${box.sim}`,
    ],
    [
      'journal',
      `${journal.held} records: ${journal.report} reports, ${journal.event} events, ${journal.reply} replies; ${journal.awaitingReceipt} await a receipt`,
    ],
    ['clock', box.clockErrorMs === undefined ? 'not known' : `${box.clockErrorMs} ms off`],
    ...(box.commandInProgress === undefined ? [] : [['command', box.commandInProgress] as const]),
    ...(box.workshopMode ? [['workshop', 'keeps off the diagnostic port'] as const] : []),
    ...(box.fault === undefined ? [] : [['fault', box.fault] as const]),
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-name={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import { useState } from 'preact/hooks';
import type { PropertyRow, VehiclePicture } from '../../stream/vehicle-picture.ts';
import { ageText } from '../age-text.ts';

/** The vehicle state as truth, box and service know it; differences are marked, with their causes. */
export function ComparisonTable({ picture }: { readonly picture: VehiclePicture }) {
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const { properties, serviceSilence, record, atMs } = picture;
  const different = properties.filter(({ cause }) => cause !== undefined);
  const shown = onlyDifferent ? different : properties;
  return (
    <section class="comparison" aria-label="Truth, box and service">
      <h3>Truth, box, service</h3>
      {serviceSilence !== undefined && <p class="silence">{serviceSilence}</p>}
      <label>
        <input
          type="checkbox"
          checked={onlyDifferent}
          onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
        />{' '}
        Only differences ({different.length})
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Truth</th>
            <th scope="col">Box</th>
            <th scope="col">Service</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <ComparedRow key={row.name} row={row} atMs={atMs} />
          ))}
        </tbody>
      </table>
      {record.length > 0 && (
        <details>
          <summary>Other fields of the API answer</summary>
          <dl class="pairs">
            {record.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

function ComparedRow({ row, atMs }: { readonly row: PropertyRow; readonly atMs: number }) {
  const { name, truth, box, service, toldAt, cause, absence } = row;
  return (
    <tr class={cause === undefined ? '' : 'differs'} data-property={name}>
      <th scope="row">{name}</th>
      <td data-of="truth">{truth ?? '–'}</td>
      <td data-of="box">{box ?? ''}</td>
      <td data-of="service">
        {service ?? '–'}
        {cause !== undefined && <em class="cause"> {cause}</em>}
        {absence !== undefined && <span class="quiet"> {absence}</span>}
      </td>
      <td>{toldAt === undefined ? '' : ageText(atMs - Date.parse(toldAt))}</td>
    </tr>
  );
}

import { useState } from 'preact/hooks';
import type { PropertyRow, VehiclePicture } from '../../stream/vehicle-picture.ts';

/** The vehicle state as truth, box and service know it; what differs is marked, with its cause. */
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
        only what differs ({different.length})
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">property</th>
            <th scope="col">truth</th>
            <th scope="col">box</th>
            <th scope="col">service</th>
            <th scope="col">age</th>
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
          <summary>The rest of the answer of the API</summary>
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
  const { name, truth, box, service, toldAt, cause } = row;
  return (
    <tr class={cause === undefined ? '' : 'differs'} data-property={name}>
      <th scope="row">{name}</th>
      <td data-of="truth">{truth ?? '–'}</td>
      <td data-of="box">{box ?? ''}</td>
      <td data-of="service">
        {service ?? '–'}
        {cause !== undefined && <em class="cause"> {cause}</em>}
      </td>
      <td>{toldAt === undefined ? '' : ageText(atMs - Date.parse(toldAt))}</td>
    </tr>
  );
}

/** `8 s`, `12 min`, `3 h`, `5 d`. */
function ageText(ageMs: number): string {
  const s = Math.max(0, Math.round(ageMs / 1_000));
  if (s < 120) return `${s} s`;
  if (s < 7_200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3_600)} h` : `${Math.round(s / 86_400)} d`;
}

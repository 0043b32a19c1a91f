import { address, setParams } from '../state/address.ts';
import { coverage, coverageTrouble } from '../state/coverage.ts';
import { Trouble } from '../trouble.tsx';
import { COLOURED_BY_NAMES, type ColouredBy, colouredBy, VEHICLE_COLOURS } from './vehicle-colours.ts';

/** The meaning of the colours, the choice of colouring, and whether the network is shown. */
export function MapLegend({ trouble }: { readonly trouble: string }) {
  const { params } = address.value;
  const by = colouredBy(params['colour']);
  const shown = coverage.value;
  const dark = shown?.csq.filter((csq) => csq < 0).length ?? 0;
  return (
    <div class="legend">
      <Trouble text={trouble} />
      <Trouble text={coverageTrouble.value} />
      <ul aria-label="Legend">
        {VEHICLE_COLOURS[by].map(({ name, colour, sign, meaning }) => (
          <li key={name} title={meaning}>
            <span style={{ color: colour }}>{sign}</span> {name}
          </li>
        ))}
      </ul>
      <p>
        <label>
          Colour by{' '}
          <select
            value={by}
            onChange={(event) =>
              setParams({
                colour: event.currentTarget.value === 'connection' ? '' : event.currentTarget.value,
              })
            }
          >
            {(Object.keys(VEHICLE_COLOURS) as ColouredBy[]).map((name) => (
              <option key={name} value={name}>
                {COLOURED_BY_NAMES[name]}
              </option>
            ))}
          </select>
        </label>{' '}
        <label>
          <input
            type="checkbox"
            checked={params['coverage'] === 'on'}
            onChange={(event) => setParams({ coverage: event.currentTarget.checked ? 'on' : '' })}
          />{' '}
          Coverage
        </label>{' '}
        {shown !== undefined && (
          <span>{Math.round((100 * dark) / shown.csq.length)} % of the visible area has no network</span>
        )}
      </p>
    </div>
  );
}

import { useState } from 'preact/hooks';
import type { FaultInForce, FaultWord } from '../../../simulator/control/fault-api.ts';
import { effectText, endedText } from '../../../simulator/control/fault-text.ts';
import { errorText } from '../../../world/error-text.ts';
import { Controls } from '../controls.tsx';
import { AllMatching, matchingBoxes } from '../fleet/all-matching.tsx';
import { applyFault, faults, faultsTrouble, removeFault, useFaults } from '../state/faults.ts';
import { addMark } from '../state/marks.ts';
import { Trouble } from '../trouble.tsx';

/** How many ended faults the panel shows. */
const SHOWN_ENDED = 5;

/** Faults (weather and breaks) in the words of the scenario language: of one box or, without `boxId`, of the parts that all boxes share. */
export function FaultPanel({ boxId }: { readonly boxId?: string }) {
  const [trouble, setTrouble] = useState('');
  useFaults();
  const { words = [], inForce = [], ended = [] } = faults.value ?? {};
  const own = words.filter(({ isOfBoxes }) => isOfBoxes === (boxId !== undefined));
  const isHere = ({ boxes }: { readonly boxes: readonly string[] }) =>
    boxId === undefined ? boxes.length === 0 : boxes.includes(boxId);
  const fail = (error: unknown) => setTrouble(errorText(error));
  const apply = (wish: Readonly<Record<string, unknown>>, toAll: boolean) => {
    setTrouble('');
    if (boxId !== undefined) addMark(boxId, JSON.stringify(wish['weather'] ?? wish['break']));
    const on = boxId === undefined ? undefined : toAll ? matchingBoxes() : [boxId];
    applyFault(on, wish).catch(fail);
  };
  const remove = (id: string) => {
    setTrouble('');
    removeFault(id).catch(fail);
  };
  return (
    <section class="faults" aria-label="Faults">
      <h3>{boxId === undefined ? 'Faults of shared parts' : 'Faults'}</h3>
      {faultsTrouble.value !== '' && <p class="silence">{faultsTrouble.value}</p>}
      <Controls of="simulator">
        {own.length > 0 && <FaultForm words={own} hasBoxes={boxId !== undefined} apply={apply} />}
        <Trouble text={trouble} />
        <ul aria-label="Active">
          {inForce.filter(isHere).map((one) => (
            <li key={one.id}>
              <code>{JSON.stringify(one.fault)}</code> {extentText(one)}: {effectText(one)}{' '}
              <button type="button" onClick={() => remove(one.id)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      </Controls>
      <ul aria-label="Ended">
        {ended
          .filter(isHere)
          .slice(0, SHOWN_ENDED)
          .map((one) => (
            <li key={`${one.id ?? ''} ${one.endedMs} ${JSON.stringify(one.fault)}`}>
              <code>{JSON.stringify(one.fault)}</code> {endedText(one)}, at{' '}
              {new Date(one.endedMs).toISOString().slice(11, 19)}
            </li>
          ))}
      </ul>
    </section>
  );
}

function extentText({ boxes, untilMs }: FaultInForce): string {
  const whichBoxes = boxes.length > 1 ? `on ${boxes.length} boxes ` : '';
  return `${whichBoxes}${untilMs === undefined ? 'until removed' : `until ${new Date(untilMs).toISOString().slice(11, 19)}`}`;
}

function FaultForm(form: {
  readonly words: readonly FaultWord[];
  readonly hasBoxes: boolean;
  apply(wish: Readonly<Record<string, unknown>>, toAll: boolean): void;
}) {
  const { words } = form;
  const [key, setKey] = useState(keyOf(words[0]));
  const [text, setText] = useState(JSON.stringify(words[0]?.example));
  const [long, setLong] = useState('30s');
  const [toAll, setToAll] = useState(false);
  const [trouble, setTrouble] = useState('');
  const chosen = words.find((word) => keyOf(word) === key);
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      const wish = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const lasts = chosen?.lasts === true && long.trim() !== '';
      form.apply({ ...wish, ...(lasts ? { for: long.trim() } : {}) }, toAll);
      setTrouble('');
    } catch (error) {
      setTrouble(`This is not JSON: ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <form class="acts" onSubmit={submit}>
      <label>
        <span>Fault</span>
        <select
          value={key}
          onChange={(event) => {
            setKey(event.currentTarget.value);
            const next = words.find((word) => keyOf(word) === event.currentTarget.value);
            setText(JSON.stringify(next?.example));
          }}
        >
          {[...new Set(words.map(({ of }) => of))].map((of) => (
            <optgroup key={of} label={of}>
              {words
                .filter((word) => word.of === of)
                .map((word) => (
                  <option key={keyOf(word)} value={keyOf(word)} disabled={word.unavailable !== undefined}>
                    {of === 'weather' ? word.name : `${of} ${word.name}`}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        <span>Settings as in a scenario (JSON)</span>
        <input value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} />
      </label>
      <label>
        <span>Duration</span>
        <input
          value={long}
          disabled={chosen?.lasts !== true}
          placeholder="Until removed"
          onInput={(event) => setLong(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Apply</button>
      <p class="does">
        {chosen?.does} {form.hasBoxes && <AllMatching isOn={toAll} change={setToAll} />}
      </p>
      <Trouble text={trouble} />
    </form>
  );
}

function keyOf(word: Pick<FaultWord, 'of' | 'name'> | undefined): string {
  return word === undefined ? '' : `${word.of} ${word.name}`;
}

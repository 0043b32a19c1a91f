import { useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { ScenarioEntry } from '../../stream/scenarios.ts';
import { ask } from '../state/ask.ts';
import { draft, earlierDraft, keepDraft, replaceDraft } from '../state/draft.ts';
import { useAsked } from '../state/use-asked.ts';
import { Trouble } from '../trouble.tsx';
import { ScenarioEditor } from './scenario-editor.tsx';

const EMPTY = `name: my-scenario
about: What this is about.
seed: 1
fleet:
  - { count: 2, model: petrol-compact, driving: true }
steps:
  - { at: 1m, weather: { coverage: none }, for: 90s }
always: [nothing-lost, nothing-doubled, order-per-box]
`;

/** Scenarios: open, write, run in the virtual world, and replay. */
export function ScenariosPage() {
  const {
    answer: entries = [],
    trouble: listTrouble,
    again: list,
  } = useAsked<readonly ScenarioEntry[]>('/console/scenarios');
  const [given, setGiven] = useState({ text: draft() ?? EMPTY });
  const [text, setText] = useState(given.text);
  const [trouble, setTrouble] = useState('');
  const tell = (error: unknown) => setTrouble(errorText(error));
  const change = (next: string) => {
    keepDraft(next);
    setText(next);
    setTrouble('');
  };
  const show = (found: { readonly text: string }) => {
    setTrouble('');
    replaceDraft(found.text);
    // The editor reports the change once it shows it.
    setGiven({ text: found.text });
  };
  const open = (name: string) => {
    ask<{ readonly text: string }>(`/console/scenarios/${name}`).then(show, tell);
  };
  const openSession = () => {
    ask<{ readonly text: string }>('/console/session').then(show, tell);
  };
  const earlier = earlierDraft();
  return (
    <main class="scenarios">
      <section class="list" aria-label="Scenarios">
        <h2>Scenarios</h2>
        <p>
          <button type="button" onClick={openSession}>
            Export my actions
          </button>{' '}
          <a href="./replay.html">Open trace…</a>
        </p>
        {earlier !== undefined && earlier !== text && (
          <p>
            <button type="button" onClick={() => show({ text: earlier })}>
              Restore draft
            </button>
          </p>
        )}
        <ul class="names">
          {entries.map(({ name, about, isBuiltIn }) => (
            <li key={`${name}-${isBuiltIn}`}>
              <button type="button" onClick={() => open(name)} title={about}>
                {name}
              </button>{' '}
              {!isBuiltIn && <small>Yours</small>}
            </li>
          ))}
        </ul>
      </section>
      <section class="bench" aria-label="Editor">
        <Trouble text={trouble || listTrouble} />
        <ScenarioEditor text={text} given={given} entries={entries} change={change} saved={list} />
      </section>
    </main>
  );
}

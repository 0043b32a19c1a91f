import { useEffect, useState } from 'preact/hooks';
import type { ApiCommand } from '../../stream/actions.ts';
import { Trouble } from '../trouble.tsx';

/** The API calls of a vehicle other than commands: to read, to configure, to share, to delete. */
export function CallForm(form: {
  readonly calls: readonly ApiCommand[];
  readonly isBusy: boolean;
  /** `body` is undefined for a call that takes none. */
  send(call: ApiCommand, body: unknown): void;
}) {
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [trouble, setTrouble] = useState('');
  const chosen = form.calls.find((call) => titleOf(call) === title) ?? form.calls[0];
  const takesBody = chosen !== undefined && 'example' in chosen;
  const submit = (event: Event) => {
    event.preventDefault();
    if (chosen === undefined) return;
    try {
      form.send(chosen, takesBody ? (JSON.parse(text) as unknown) : undefined);
      setTrouble('');
    } catch (error) {
      setTrouble(`The body is not JSON: ${error instanceof Error ? error.message : ''}`);
    }
  };
  useEffect(() => {
    setText(takesBody ? JSON.stringify(chosen.example) : '');
  }, [chosen]);
  return (
    <form class="acts" aria-label="Read and configure" onSubmit={submit}>
      <label>
        <span>API call</span>
        <select
          value={chosen === undefined ? '' : titleOf(chosen)}
          onChange={(event) => setTitle(event.currentTarget.value)}
        >
          {form.calls.map((call) => (
            <option key={titleOf(call)} value={titleOf(call)}>
              {titleOf(call)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Body (JSON)</span>
        <input
          value={text}
          disabled={!takesBody}
          placeholder={takesBody ? '' : 'None'}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={form.isBusy || chosen === undefined}>
        Send
      </button>
      <p class="does">{chosen?.summary}</p>
      <Trouble text={trouble} />
    </form>
  );
}

/** `PUT …/feature-configuration/tracking`: by method and path, which together are of one operation. */
function titleOf({ method, path }: ApiCommand): string {
  return `${method} ${path.replace('/vehicles/{id}', '…').replace('/telematics-unit', '')}`;
}

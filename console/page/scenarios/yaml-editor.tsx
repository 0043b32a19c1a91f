import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ScenarioMistake } from '../../stream/scenarios.ts';
import { completionAt } from './completion.ts';
import type { SchemaWords } from './schema-words.ts';

/** In the page's own colours, which suit light and dark mode. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.number, tags.bool, tags.content, tags.attributeValue], color: 'var(--ink)' },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: 'var(--quiet)' },
]);

/** A text from outside of the editor. */
export interface GivenText {
  readonly text: string;
}

/** The requested position of the cursor, and a number that changes each time. */
export interface CursorWish {
  readonly line: number;
  readonly column: number;
  readonly count: number;
}

/**
 * The editor, with the words of the schema and with mistakes underlined. It is in a shadow root: there its styles are
 * sheets of the document object, which the page's policy allows, and not elements of their own.
 */
export function YamlEditor(editor: {
  /**
   * The text to show, as a new object each time. Later typing does not come back here: it could be older than the text.
   */
  readonly given: GivenText;
  readonly mistakes: readonly ScenarioMistake[];
  readonly schema: SchemaWords | undefined;
  readonly cursor: CursorWish | undefined;
  change(text: string): void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(editor);
  latest.current = editor;

  useLayoutEffect(() => {
    if (frame.current === null) return undefined;
    const root = frame.current.shadowRoot ?? frame.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: latest.current.given.text,
        extensions: [
          basicSetup,
          yaml(),
          syntaxHighlighting(COLOURS),
          keymap.of(completionKeymap),
          autocompletion({
            override: [
              ({ state, pos, explicit }) => {
                const { schema } = latest.current;
                if (schema === undefined) return null;
                const { from, words } = completionAt(state.sliceDoc(0, pos), schema);
                if (words.length === 0 || (from === pos && !explicit)) return null;
                return {
                  from,
                  options: words.map(({ name, description }) => ({
                    label: name,
                    ...(description === '' ? {} : { info: description }),
                  })),
                };
              },
            ],
          }),
          EditorView.contentAttributes.of({ 'aria-label': 'The scenario' }),
          EditorView.theme({
            '&': { height: '100%', color: 'inherit', backgroundColor: 'transparent' },
            '.cm-gutters': { color: 'inherit', backgroundColor: 'transparent', opacity: 0.75 },
            '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'rgba(128, 128, 128, 0.12)' },
            '.cm-content': { caretColor: 'currentColor' },
            '.cm-cursor': { borderLeftColor: 'currentColor' },
            '.cm-tooltip, .cm-panels': {
              color: 'var(--ink)',
              backgroundColor: 'var(--ground)',
              border: '1px solid var(--line)',
            },
            '.cm-tooltip-autocomplete ul li[aria-selected]': {
              color: 'var(--ground)',
              backgroundColor: 'var(--accent)',
            },
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.change(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  // Before the page is painted: what is typed after the selection of a text is typed into that text.
  useLayoutEffect(() => {
    const made = view.current;
    if (made === undefined || made.state.doc.toString() === editor.given.text) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: editor.given.text } });
  }, [editor.given]);
  useEffect(() => {
    const made = view.current;
    if (made === undefined) return;
    const diagnostics = editor.mistakes.map(({ line, column, text: message }) => {
      const from = placeOf(made.state, line, column);
      const to = Math.min(made.state.doc.lineAt(from).to, from + 1);
      return { from, to: Math.max(from, to), severity: 'error' as const, message };
    });
    made.dispatch(setDiagnostics(made.state, diagnostics));
  }, [editor.mistakes]);
  useEffect(() => {
    const made = view.current;
    if (made === undefined || editor.cursor === undefined) return;
    const at = placeOf(made.state, editor.cursor.line, editor.cursor.column);
    made.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    made.focus();
  }, [editor.cursor]);
  return <div ref={frame} class="yaml" />;
}

/** The offset of a line and a column, both from 1; a position beyond the text is its end. */
function placeOf(state: EditorState, line: number, column: number): number {
  const { from, to } = state.doc.line(Math.min(state.doc.lines, Math.max(1, line)));
  return Math.min(to, from + Math.max(0, column - 1));
}

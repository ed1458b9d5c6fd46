import { Button, FormGroup, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useRef, useState, type ClipboardEvent, type FocusEvent } from 'react';
import { readEntries, suggestedEntries } from '../../editing/access-entry.ts';
import { AccessChips } from './access-chips.tsx';

export interface AccessEditorProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly entries: readonly string[];
  /** What is odd about the entries, though it is allowed. */
  readonly warning?: string | undefined;
  /** Entries that are offered below the field. */
  readonly known?: readonly string[];
  readonly onChange: (entries: readonly string[]) => void;
  /** Called with whether the field holds something that cannot be an entry. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** What is being typed, and how many of the entries are read from it. */
interface Typing {
  readonly text: string;
  readonly counts: number;
}

const NOTHING: Typing = { text: '', counts: 0 };

/** What is being typed, and the entries that are shown as chips. */
function useTyping({ entries, onChange, onInvalidEntry }: AccessEditorProps) {
  const [typing, setTyping] = useState(NOTHING);
  const chips = entries.slice(0, entries.length - typing.counts);
  const { problem } = readEntries(typing.text, chips);
  const type = (text: string, added = false) => {
    const read = readEntries(text, chips);
    onChange([...chips, ...read.entries]);
    onInvalidEntry(read.problem !== undefined);
    setTyping(added && read.problem === undefined ? NOTHING : { text, counts: read.entries.length });
  };
  const choose = (entry: string) => {
    onChange([...chips, entry]);
    onInvalidEntry(false);
    setTyping(NOTHING);
  };
  return { typing, chips, problem, type, choose, add: () => type(typing.text, true) };
}

/**
 * A list of groups or users, as chips. What is being typed counts as soon as it may be an entry, or several with
 * commas between them: whoever types a name and saves means it, added or not.
 */
export function AccessEditor(props: AccessEditorProps) {
  const { id, label, placeholder, entries, warning, known = [], onChange } = props;
  const { typing, chips, problem, type, choose, add } = useTyping(props);
  const input = useRef<HTMLInputElement>(null);
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,\n]/.test(pasted)) return;
    event.preventDefault();
    type(typing.text + pasted, true);
  };
  return (
    <FormGroup label={label} fieldId={id}>
      <div className="chip-entry">
        <TextInput
          id={id}
          ref={input}
          value={typing.text}
          placeholder={placeholder}
          autoComplete="off"
          validated={problem === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-problem`}
          onChange={(_event, value) => type(value)}
          onPaste={paste}
          onBlur={(event: FocusEvent) => {
            if (typing.text.includes(',') && !movesToControl(event)) add();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="secondary" onClick={add} aria-label={`Add to ${label.toLowerCase()}`}>
          Add
        </Button>
      </div>
      <EntryMessage id={`${id}-problem`} problem={problem} warning={warning} />
      <Suggestions
        label={label}
        entries={suggestedEntries(typing.text, chips, known)}
        onChoose={(entry) => {
          choose(entry);
          input.current?.focus();
        }}
      />
      <AccessChips
        label={label}
        entries={chips}
        onRemove={(index) => onChange(entries.filter((_one, other) => other !== index))}
        onEmpty={() => input.current?.focus()}
      />
    </FormGroup>
  );
}

interface SuggestionsProps {
  readonly label: string;
  readonly entries: readonly string[];
  readonly onChoose: (entry: string) => void;
}

function Suggestions({ label, entries, onChoose }: SuggestionsProps) {
  if (entries.length === 0) return null;
  return (
    <div className="labels suggestions">
      <span className="hint">Yours:</span>
      {entries.map((entry) => (
        <Button
          key={entry}
          variant="link"
          size="sm"
          aria-label={`Add ${entry} to ${label.toLowerCase()}`}
          onClick={() => onChoose(entry)}
        >
          {entry}
        </Button>
      ))}
    </div>
  );
}

interface EntryMessageProps {
  readonly id: string;
  readonly problem: string | undefined;
  readonly warning: string | undefined;
}

function EntryMessage({ id, problem, warning }: EntryMessageProps) {
  const text = problem ?? warning;
  return (
    <div id={id} aria-live="polite">
      {text !== undefined && (
        <HelperText>
          <HelperTextItem variant={problem === undefined ? 'warning' : 'error'}>{text}</HelperTextItem>
        </HelperText>
      )}
    </div>
  );
}

/** Chips that appear while someone clicks something below would move it from under the pointer. */
function movesToControl({ currentTarget, relatedTarget }: FocusEvent): boolean {
  if (!(relatedTarget instanceof Element)) return false;
  const inHere = currentTarget.closest('.chip-entry')?.contains(relatedTarget) === true;
  return !inHere && relatedTarget.closest(':is(a, button)') !== null;
}

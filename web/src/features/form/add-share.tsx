import { Button, FormGroup, TextInput } from '@patternfly/react-core';
import { useState, type ClipboardEvent, type RefObject } from 'react';
import {
  ACCESS_LEVELS,
  LISTS_OF,
  type AccessLevel,
  type AccessRules,
} from '../../../../src/contract/access-rules.ts';
import { optionsOf, Select } from '../../ui/select.tsx';
import { FieldMessage } from '../../ui/text-field.tsx';
import { useMe } from '../../api/queries.ts';
import { groupWarning, isEmail, readEntries, userWarning } from '../../editing/access-entry.ts';
import {
  idOf,
  LEVEL_LABELS,
  suggestedPrincipals,
  withShares,
  type Principal,
} from '../../editing/sharing.ts';

export interface AddShareOptions {
  readonly rules: AccessRules;
  /** Whom the completion offers. */
  readonly known: readonly Principal[];
  readonly onChange: (rules: AccessRules) => void;
  /** Called with whether the field holds something that cannot be an entry. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

type Kind = Principal['kind'];

/** What is being typed, and the rules without it. */
interface Typing {
  readonly text: string;
  /** Undefined: what it looks like. */
  readonly kind: Kind | undefined;
  readonly level: AccessLevel;
  readonly settled: AccessRules | undefined;
}

/** More may follow at the same level. */
const nothing = (level: AccessLevel): Typing => ({ text: '', kind: undefined, level, settled: undefined });

/**
 * What is being typed counts as soon as it may be an entry, or several with commas between them: whoever types a name and
 * saves means it, added or not.
 */
export function useAddShare({ rules, known, onChange, onInvalidEntry }: AddShareOptions) {
  const [typing, setTyping] = useState(nothing('read'));
  const settled = typing.settled ?? rules;
  const type = (change: Partial<Typing>, from = settled) => {
    const next = { ...typing, ...change, settled: from };
    const { shares, problem } = readShares(next, from, known);
    onChange(withShares(from, shares));
    onInvalidEntry(problem !== undefined);
    setTyping(next.text === '' ? { ...next, settled: undefined } : next);
  };
  return {
    typing,
    settled,
    ...readShares(typing, settled, known),
    type,
    add: (change: Partial<Typing> = {}) => {
      const next = { ...typing, ...change };
      const { problem } = readShares(next, settled, known);
      type(change);
      if (problem === undefined) setTyping(nothing(next.level));
    },
  };
}

function readShares({ text, kind, level }: Typing, settled: AccessRules, known: readonly Principal[]) {
  const kindOf = (entry: string) => kind ?? likelyKind(entry, known);
  const listed = settled[LISTS_OF[level][kindOf(text)]] ?? [];
  const { entries, problem } = readEntries(text, listed);
  return { shares: entries.map((entry) => ({ kind: kindOf(entry), entry, level })), problem };
}

/** An email address is a person's, unless a group is known by that name. */
function likelyKind(entry: string, known: readonly Principal[]): Kind {
  const isGroup = known.some((one) => one.kind === 'groups' && one.entry === entry.trim());
  return isEmail(entry.trim()) && !isGroup ? 'users' : 'groups';
}

interface AddShareProps extends Pick<AddShareOptions, 'known'> {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly adding: ReturnType<typeof useAddShare>;
}

/** Adds groups and people at a level. */
export function AddShare({ field, known, adding }: AddShareProps) {
  const { typing, settled, shares, problem, type, add } = adding;
  const { text, level } = typing;
  const kind = typing.kind ?? likelyKind(text, known);
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,\n]/.test(pasted)) return;
    event.preventDefault();
    add({ text: text + pasted });
  };
  return (
    <FormGroup label="Add a group or person" fieldId="share-entry">
      <div className="share-entry">
        <TextInput
          id="share-entry"
          ref={field}
          value={text}
          placeholder="exact name of a group, or email address"
          autoComplete="off"
          validated={problem === undefined ? 'default' : 'error'}
          aria-describedby="share-entry-problem"
          onChange={(_event, typed) => type({ text: typed })}
          onPaste={paste}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Select
          label="What it is"
          value={kind}
          options={KIND_OPTIONS}
          onChange={(chosen) => type({ kind: chosen })}
        />
        <Select
          label="What they can do"
          value={level}
          options={LEVEL_OPTIONS}
          onChange={(chosen) => type({ level: chosen })}
        />
        <Button variant="secondary" onClick={() => add()}>
          Add
        </Button>
      </div>
      <FieldMessage id="share-entry-problem" problem={problem} warning={useShareWarning(shares)} />
      <Suggestions
        principals={suggestedPrincipals(text, settled, known)}
        onChoose={({ kind: chosen, entry }) => {
          add({ text: entry, kind: chosen });
          field.current?.focus();
        }}
      />
    </FormGroup>
  );
}

interface SuggestionsProps {
  readonly principals: readonly Principal[];
  readonly onChoose: (principal: Principal) => void;
}

function Suggestions({ principals, onChoose }: SuggestionsProps) {
  if (principals.length === 0) return null;
  return (
    <div className="labels suggestions">
      <span className="hint">Known:</span>
      {principals.map((principal) => (
        <Button
          key={idOf(principal)}
          variant="link"
          size="sm"
          aria-label={`Add ${principal.entry}`}
          onClick={() => onChoose(principal)}
        >
          {principal.entry}
        </Button>
      ))}
    </div>
  );
}

/** What is odd about entries, though it is allowed. */
export function useShareWarning(shares: readonly Principal[]): string | undefined {
  const { data: me } = useMe();
  const entriesOf = (kind: Kind) => shares.filter((one) => one.kind === kind).map(({ entry }) => entry);
  return groupWarning(entriesOf('groups'), me?.groups ?? []) ?? userWarning(entriesOf('users'));
}

const KIND_OPTIONS = optionsOf({ groups: 'group', users: 'person' });
export const LEVEL_OPTIONS = ACCESS_LEVELS.map((one) => [one, LEVEL_LABELS[one]] as const);

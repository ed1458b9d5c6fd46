import { Button, FormGroup, TextInput } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useRef, useState, type ClipboardEvent, type RefObject } from 'react';
import {
  ACCESS_LEVELS,
  LISTS_OF,
  type AccessLevel,
  type AccessRules,
} from '../../../../src/contract/access-rules.ts';
import { useMe } from '../../api/queries.ts';
import { groupWarning, isEmail, readEntries, userWarning } from '../../editing/access-entry.ts';
import {
  idOf,
  LEVEL_LABELS,
  sharesOf,
  suggestedPrincipals,
  withLevel,
  withShares,
  type Principal,
  type Share,
} from '../../editing/sharing.ts';
import { optionsOf, Select } from '../../ui/select.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { FieldMessage } from '../../ui/text-field.tsx';
import { useFocusNext } from '../../ui/use-focus-next.ts';

export interface ShareEditorProps extends AddShareOptions {
  readonly label: string;
  /** Whom the rules leave to the namespace, in words. */
  readonly rest?: string | undefined;
}

/** Who can do what: a row for each group and person, whichever lists of the API name them. */
export function ShareEditor({ label, rest, known, ...props }: ShareEditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const adding = useAddShare({ known, ...props });
  const { settled, type } = adding;
  const shares = sharesOf(settled);
  const place = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext();
  const change = (share: Share, level: Share['level'] | 'none') => type({}, withLevel(settled, share, level));
  /** The keyboard goes on at the next row, or where a new one is added when that was the last. */
  const remove = (share: Share, index: number) => {
    focusNext(() => {
      const buttons = place.current?.querySelectorAll<HTMLElement>('button[aria-label^="Remove "]') ?? [];
      return buttons[Math.min(index, buttons.length - 1)] ?? field.current;
    });
    change(share, 'none');
  };
  return (
    <div ref={place}>
      {(shares.length > 0 || rest !== undefined) && (
        <SmallTable
          label={label}
          columns={['Group or person', 'Access']}
          actions="Actions"
          widths={['auto', '11rem']}
        >
          {rest !== undefined && (
            <Tr>
              <Th scope="row">{rest}</Th>
              <Td dataLabel="Access">by the namespace</Td>
              <Td />
            </Tr>
          )}
          {shares.map((share, index) => (
            <ShareRow
              key={idOf(share)}
              share={share}
              onLevel={(level) => change(share, level)}
              onRemove={() => remove(share, index)}
            />
          ))}
        </SmallTable>
      )}
      <AddShare field={field} known={known} adding={adding} />
    </div>
  );
}

interface ShareRowProps {
  readonly share: Share;
  readonly onLevel: (level: Share['level']) => void;
  readonly onRemove: () => void;
}

function ShareRow({ share, onLevel, onRemove }: ShareRowProps) {
  const { kind, entry, level } = share;
  const warning = useShareWarning([share]);
  return (
    <Tr>
      <Th scope="row">
        <span className="whole-name">{entry}</span>
        <span className="second-line">{kind === 'groups' ? 'group' : 'person'}</span>
        {warning !== undefined && <FieldMessage warning={warning} />}
      </Th>
      <Td dataLabel="Access">
        <Select label={`Access of ${entry}`} value={level} options={LEVEL_OPTIONS} onChange={onLevel} />
      </Td>
      <Td modifier="fitContent">
        <Button variant="link" size="sm" aria-label={`Remove ${entry}`} onClick={onRemove}>
          Remove
        </Button>
      </Td>
    </Tr>
  );
}

interface AddShareOptions {
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
function useAddShare({ rules, known, onChange, onInvalidEntry }: AddShareOptions) {
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
function AddShare({ field, known, adding }: AddShareProps) {
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
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
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
function useShareWarning(shares: readonly Principal[]): string | undefined {
  const { data: me } = useMe();
  const entriesOf = (kind: Kind) => shares.filter((one) => one.kind === kind).map(({ entry }) => entry);
  return groupWarning(entriesOf('groups'), me?.groups ?? []) ?? userWarning(entriesOf('users'));
}

const KIND_OPTIONS = optionsOf({ groups: 'group', users: 'person' });
const LEVEL_OPTIONS = ACCESS_LEVELS.map((one) => [one, LEVEL_LABELS[one]] as const);

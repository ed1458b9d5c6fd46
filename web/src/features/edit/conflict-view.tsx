import { Alert, Button } from '@patternfly/react-core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '../../api/queries.ts';
import { changeOf, draftOf, filledRows, type Row } from '../../editing/draft.ts';
import { FIELD_LABELS, orNone } from '../../editing/fields.ts';
import { findConflict, resolve, suggestions, type Choices, type Side } from '../../editing/merge.ts';
import { authorOf, typedRows } from '../../editing/save-state.ts';
import type { StoredSecret } from '../../editing/stored-secret.ts';
import { Facts } from '../../ui/facts.tsx';
import { Masked } from '../../ui/masked.tsx';
import { When } from '../../ui/when.tsx';
import { counted } from '../../values/format.ts';
import { Choice, KeyChoice } from './conflict-choice.tsx';
import type { Edit } from './use-edit.ts';

export interface ConflictViewProps {
  readonly edit: Edit;
  readonly theirs: StoredSecret;
  /** Called before the form is shown again. */
  readonly onLeave: () => void;
}

/** Base, theirs and mine, side by side; nothing goes on before every real conflict has been decided. */
export function ConflictView({ edit, theirs, onLeave }: ConflictViewProps) {
  const { base, draft, dispatch } = edit;
  const locked = theirs.immutable;
  // Values that can no longer be saved are not part of the choice; they are shown beside it.
  const mine = useMemo(
    () => ({ ...draft, rows: locked ? draftOf(theirs).rows : filledRows(draft.rows) }),
    [locked, draft, theirs],
  );
  const conflict = useMemo(
    () => findConflict(locked ? { ...base, values: theirs.values } : base, theirs, mine),
    [locked, base, theirs, mine],
  );
  const suggested = useMemo(() => suggestions(conflict), [conflict]);
  const [chosen, setChosen] = useState<Choices>(new Map());
  const choose = (name: string, side: Side) => setChosen((old) => new Map(old).set(name, side));
  const choices: Choices = new Map([...suggested].map(([name, side]) => [name, chosen.get(name) ?? side]));
  const open = [...choices.values()].filter((side) => side === undefined).length;
  const merged = resolve(conflict, choices, theirs, mine);
  const nothingLeft = open === 0 && changeOf(theirs, merged) === undefined;
  const section = useRef<HTMLElement>(null);
  // What had the focus is no longer shown.
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="conflict-title">
      <ConflictCause base={base} theirs={theirs} isOpenToChoice={suggested.size > 0} />
      <UnsavableValues rows={locked ? typedRows(filledRows(draft.rows), [base, theirs]) : []} />
      {conflict.keys.map((found) => (
        <KeyChoice key={found.key} found={found} chosen={choices.get(`key:${found.key}`)} onChoose={choose} />
      ))}
      {conflict.fields.map(({ field, ...sides }) => (
        <Choice
          key={field}
          name={`field:${field}`}
          title={FIELD_LABELS[field]}
          chosen={choices.get(`field:${field}`)}
          onChoose={choose}
          sides={{ base: orNone(sides.base), theirs: orNone(sides.theirs), mine: orNone(sides.mine) }}
        />
      ))}
      <div className="actions form-end" onClickCapture={onLeave}>
        <Button isDisabled={open > 0} onClick={() => edit.resolve(merged)}>
          {nothingLeft ? 'Keep the newer version' : 'Review and save'}
        </Button>
        <Button variant="link" onClick={() => dispatch({ kind: 'back' })}>
          Back to editing
        </Button>
        <span role="status">
          {open > 0 ? `${counted(open, 'conflict')} left to resolve` : ''}
          {nothingLeft ? 'With these choices, there is nothing to save.' : ''}
        </span>
      </div>
    </section>
  );
}

const CAUSES = {
  outside: 'This Secret was changed outside the service',
  me: 'You saved a newer version elsewhere',
  other: 'Someone saved a newer version',
} as const;

interface ConflictCauseProps {
  readonly base: StoredSecret;
  readonly theirs: StoredSecret;
  readonly isOpenToChoice: boolean;
}

/** Who was faster: someone else, oneself, or someone who did not go through this service. */
function ConflictCause({ base, theirs, isOpenToChoice }: ConflictCauseProps) {
  const { data: me } = useMe();
  const author = authorOf(base, theirs, me);
  return (
    <Alert isInline isLiveRegion variant="warning" component="h2" id="conflict-title" title={CAUSES[author]}>
      <p>
        {author !== 'outside' && (
          <>
            {author === 'me' ? 'You' : <bdi>{theirs.lastModifiedBy ?? 'Someone'}</bdi>} saved version{' '}
            {theirs.version}{' '}
            {theirs.lastModifiedAt !== undefined && <When time={theirs.lastModifiedAt} relative />}.{' '}
          </>
        )}
        Your changes are kept.{' '}
        {isOpenToChoice && 'Where only one side changed something, it is already selected.'}
      </p>
      {!base.immutable && theirs.immutable && (
        <p>The values can no longer be edited; only description and access are merged.</p>
      )}
    </Alert>
  );
}

interface UnsavableValuesProps {
  readonly rows: readonly Row[];
  readonly onDiscard?: () => void;
}

/** What someone typed for a Secret whose values were locked before the save: to be copied elsewhere. */
export function UnsavableValues({ rows, onDiscard }: UnsavableValuesProps) {
  if (rows.length === 0) return null;
  return (
    <Alert
      isInline
      variant="warning"
      component="h2"
      className="stranded"
      title="Your values, which can no longer be saved"
      actionLinks={
        onDiscard !== undefined && (
          <Button variant="secondary" onClick={onDiscard}>
            Discard these values
          </Button>
        )
      }
    >
      <p>Copy what you still need: they are only on this page, and are lost when you leave it.</p>
      <Facts
        label="Your values, which can no longer be saved"
        facts={rows.map(({ key, value }) => ({
          term: key,
          description: <Masked value={value} of={`${key} (mine)`} />,
        }))}
      />
    </Alert>
  );
}

import { Alert, Button, Radio } from '@patternfly/react-core';
import { useMemo, useState, type ReactNode } from 'react';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { Masked } from '../../components/masked.tsx';
import { When } from '../../components/when.tsx';
import type { Draft } from '../../editing/draft.ts';
import { resolve, suggestions, type Choices, type Conflict, type Side } from '../../editing/merge.ts';

export interface ConflictViewProps {
  readonly conflict: Conflict;
  readonly theirs: SecretDetail;
  readonly mine: Draft;
  /** Said when the values can no longer be edited, since the other change made them binary or immutable. */
  readonly valuesLocked: boolean;
  readonly onResolved: (merged: Draft) => void;
  readonly onBack: () => void;
}

const FIELDS = [
  ['description', 'Description'],
  ['allowedGroups', 'Allowed groups'],
  ['allowedUsers', 'Allowed users'],
] as const;

/** Base, theirs and mine, side by side; nothing goes on before every real conflict has been decided. */
export function ConflictView({
  conflict,
  theirs,
  mine,
  valuesLocked,
  onResolved,
  onBack,
}: ConflictViewProps) {
  const suggested = useMemo(() => suggestions(conflict), [conflict]);
  const [chosen, setChosen] = useState<Choices>(new Map());
  const sideOf = (name: string) => chosen.get(name) ?? suggested.get(name);
  const open = [...suggested.keys()].filter((name) => sideOf(name) === undefined).length;
  const choose = (name: string, side: Side) => setChosen((old) => new Map(old).set(name, side));
  const choices: Choices = new Map(
    [...suggested.keys()].flatMap((name) => {
      const side = sideOf(name);
      return side === undefined ? [] : [[name, side] as const];
    }),
  );
  return (
    <section aria-labelledby="conflict-title">
      <Alert
        isInline
        isLiveRegion
        variant="warning"
        component="h2"
        id="conflict-title"
        title="Somebody else changed this Secret"
      >
        <p>
          {theirs.lastModifiedBy ?? 'Someone'} saved version {theirs.version}{' '}
          {theirs.lastModifiedAt !== undefined && <When time={theirs.lastModifiedAt} relative />}. Nothing of
          yours is lost: choose for each difference, then save again.
        </p>
        {valuesLocked && <p>The values cannot be edited any more; only description and access are merged.</p>}
      </Alert>
      {conflict.keys.map(({ key, base, theirs: other, mine: own }) => (
        <Choice
          key={key}
          name={`key:${key}`}
          title={key}
          side={sideOf(`key:${key}`)}
          onChoose={choose}
          base={<Masked value={base} of={`${key} (before)`} />}
          theirs={<Masked value={other} of={`${key} (theirs)`} />}
          mine={<Masked value={own} of={`${key} (mine)`} />}
        />
      ))}
      {FIELDS.map(([field, title]) => {
        const found = conflict[field];
        if (found === undefined) return null;
        const name = `field:${field}`;
        return (
          <Choice
            key={name}
            name={name}
            title={title}
            side={sideOf(name)}
            onChoose={choose}
            base={textOf(found.base)}
            theirs={textOf(found.theirs)}
            mine={textOf(found.mine)}
          />
        );
      })}
      <div className="actions form-end">
        <Button isDisabled={open > 0} onClick={() => onResolved(resolve(conflict, choices, theirs, mine))}>
          Review and save
        </Button>
        <Button variant="link" onClick={onBack}>
          Back to editing
        </Button>
        <span role="status">{open > 0 ? `${open} still to be decided` : ''}</span>
      </div>
    </section>
  );
}

function textOf(value: string | readonly string[]): string {
  const text = typeof value === 'string' ? value : value.join(', ');
  return text === '' ? 'none' : text;
}

interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly side: Side | undefined;
  readonly onChoose: (name: string, side: Side) => void;
  readonly base: ReactNode;
  readonly theirs: ReactNode;
  readonly mine: ReactNode;
}

function Choice({ name, title, side, onChoose, base, theirs, mine }: ChoiceProps) {
  const radio = (value: Side, label: string) => (
    <Radio
      id={`${name}-${value}`}
      name={name}
      label={label}
      isChecked={side === value}
      onChange={() => onChoose(name, value)}
    />
  );
  return (
    <fieldset className={side === undefined ? 'choice open' : 'choice'}>
      <legend>
        {title}
        {side === undefined ? ' (both changed it)' : ''}
      </legend>
      <div>
        <span className="choice-head">Before</span>
        {base}
      </div>
      <div>
        {radio('theirs', 'Take theirs')}
        {theirs}
      </div>
      <div>
        {radio('mine', 'Take mine')}
        {mine}
      </div>
    </fieldset>
  );
}

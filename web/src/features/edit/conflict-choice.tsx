import { Radio } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { Side } from '../../editing/merge.ts';

export interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly side: Side | undefined;
  readonly onChoose: (name: string, side: Side) => void;
  readonly base: ReactNode;
  readonly theirs: ReactNode;
  readonly mine: ReactNode;
}

/** One difference, with both sides to choose from. */
export function Choice({ name, title, side, onChoose, base, theirs, mine }: ChoiceProps) {
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

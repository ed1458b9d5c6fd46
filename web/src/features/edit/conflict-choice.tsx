import { Button, Radio } from '@patternfly/react-core';
import { Suspense, useCallback, type ReactNode } from 'react';
import type { KeyDifference, Side } from '../../editing/merge.ts';
import { Lines } from '../../ui/line-diff.tsx';
import { Masked, MaskedView, Reading, textOf, ValueFacts } from '../../ui/masked.tsx';
import { useFetched } from '../../ui/use-reveal.ts';
import { hasLines } from '../../values/has-lines.ts';
import { isFile, isStored, type Value } from '../../values/value.ts';

export interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly side: Side | undefined;
  readonly onChoose: (name: string, side: Side) => void;
  readonly head?: ReactNode;
  readonly base: ReactNode;
  readonly theirs: ReactNode;
  readonly mine: ReactNode;
}

/** One difference, with both sides to choose from. */
export function Choice({ name, title, side, onChoose, head, base, theirs, mine }: ChoiceProps) {
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
      {head !== undefined && <div className="choice-wide">{head}</div>}
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

interface KeyChoiceProps extends Pick<ChoiceProps, 'side' | 'onChoose'> {
  readonly found: KeyDifference;
}

/** The three values of a key, which are read and shown together. */
export function KeyChoice({ found, side, onChoose }: KeyChoiceProps) {
  const { key } = found;
  const read = useCallback(
    async (signal: AbortSignal) => {
      const [base, theirs, mine] = await Promise.all(
        [found.base, found.theirs, found.mine].map(async (value) =>
          value === undefined || isFile(value) ? undefined : textOf(value, signal),
        ),
      );
      return { base, theirs, mine };
    },
    [found],
  );
  const { value: texts, isReading, error, toggle } = useFetched(read);
  const of = (who: string) => `${key} (${who})`;
  return (
    <Choice
      name={`key:${key}`}
      title={key}
      side={side}
      onChoose={onChoose}
      head={
        <>
          <Button variant="link" isInline aria-expanded={texts !== undefined} onClick={toggle}>
            {texts === undefined ? 'Reveal' : 'Hide'} the values of {key}
          </Button>{' '}
          <Reading isReading={isReading} error={error} />
        </>
      }
      base={<KeyValue value={found.base} of={of('before')} text={texts?.base} />}
      theirs={<KeyValue value={found.theirs} of={of('theirs')} text={texts?.theirs} before={texts?.base} />}
      mine={<KeyValue value={found.mine} of={of('mine')} text={texts?.mine} before={texts?.base} />}
    />
  );
}

interface KeyValueProps {
  readonly value: Value | undefined;
  readonly of: string;
  readonly text: string | undefined;
  /** What it was changed from. */
  readonly before?: string | undefined;
}

/** Of a change of several lines, those that differ. */
function KeyValue({ value, of, text, before }: KeyValueProps) {
  if (value === undefined || isFile(value)) return <Masked value={value} of={of} />;
  const binary = isStored(value) && value.isBinary;
  if (text !== undefined && before !== undefined && text !== before && !binary && hasLines(before, text)) {
    return (
      <Suspense>
        <Lines of={of} before={before} after={text} />
      </Suspense>
    );
  }
  return (
    <MaskedView {...{ value, of, text, binary }}>
      {text !== undefined && <ValueFacts value={text} binary={binary} />}
    </MaskedView>
  );
}

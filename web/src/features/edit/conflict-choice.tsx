import { Button, Radio } from '@patternfly/react-core';
import { useCallback, type ReactNode } from 'react';
import { isNotFound } from '../../api/http-client.ts';
import { NewerVersionError } from '../../api/unread-value.ts';
import type { KeyDifference, Side } from '../../editing/merge.ts';
import { Lines } from '../../ui/line-diff.tsx';
import { Masked, MaskedView, Reading, textOf, ValueFacts } from '../../ui/masked.tsx';
import { useFetched } from '../../ui/use-reveal.ts';
import { hasLines } from '../../values/lines.ts';
import { isFile, isStored, type Value } from '../../values/value.ts';

export interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly chosen: Side | undefined;
  readonly onChoose: (name: string, side: Side) => void;
  readonly head?: ReactNode;
  readonly sides: Readonly<Record<Side | 'base', ReactNode>>;
}

const LABELS = { theirs: 'Take theirs', mine: 'Take mine' };

/** One difference, with both sides to choose from. */
export function Choice({ name, title, chosen, onChoose, head, sides }: ChoiceProps) {
  return (
    <fieldset className={chosen === undefined ? 'choice open' : 'choice'}>
      <legend>
        {title}
        {chosen === undefined ? ' (both changed it)' : ''}
      </legend>
      {head !== undefined && <div className="choice-wide">{head}</div>}
      <div>
        <span className="choice-head">Before</span>
        {sides.base}
      </div>
      {(['theirs', 'mine'] as const).map((side) => (
        <div key={side}>
          <Radio
            id={`${name}-${side}`}
            name={name}
            label={LABELS[side]}
            isChecked={chosen === side}
            onChange={() => onChoose(name, side)}
          />
          {sides[side]}
        </div>
      ))}
    </fieldset>
  );
}

const textIn = async (value: Value | undefined, signal: AbortSignal) =>
  value === undefined || isFile(value) ? undefined : textOf(value, signal);

/** Of the version that one began with, which is gone after a change outside the service. */
const oldTextIn = (value: Value | undefined, signal: AbortSignal) =>
  textIn(value, signal).catch((error: unknown) => {
    if (error instanceof NewerVersionError || isNotFound(error)) return undefined;
    throw error;
  });

/** The three values of a key, which are read and shown together. */
export function KeyChoice({
  found,
  ...choice
}: Pick<ChoiceProps, 'chosen' | 'onChoose'> & { readonly found: KeyDifference }) {
  const { key, base, theirs, mine } = found;
  const read = useCallback(
    (signal: AbortSignal) =>
      Promise.all([oldTextIn(base, signal), textIn(theirs, signal), oldTextIn(mine, signal)]),
    [base, theirs, mine],
  );
  const { value: texts, isReading, error, toggle } = useFetched(read);
  const [before, ...after] = texts ?? [];
  const isRead = texts !== undefined;
  return (
    <Choice
      {...choice}
      name={`key:${key}`}
      title={key}
      head={
        <>
          <Button variant="link" isInline aria-expanded={isRead} onClick={toggle}>
            {isRead ? 'Hide' : 'Reveal'} the values of {key}
          </Button>{' '}
          <Reading isReading={isReading} error={error} />
        </>
      }
      sides={{
        base: <KeyValue value={base} of={`${key} (before)`} text={before} isRead={isRead} />,
        theirs: (
          <KeyValue value={theirs} of={`${key} (theirs)`} text={after[0]} before={before} isRead={isRead} />
        ),
        mine: <KeyValue value={mine} of={`${key} (mine)`} text={after[1]} before={before} isRead={isRead} />,
      }}
    />
  );
}

interface KeyValueProps {
  readonly value: Value | undefined;
  readonly of: string;
  readonly text: string | undefined;
  readonly before?: string | undefined;
  /** Whether it has a text, unless that is gone. */
  readonly isRead: boolean;
}

/** Of a change of several lines, those that differ. */
function KeyValue({ value, of, text, before = text, isRead }: KeyValueProps) {
  if (value === undefined || isFile(value)) return <Masked value={value} of={of} />;
  if (isRead && text === undefined) return <span className="absent">no longer available</span>;
  const binary = isStored(value) && value.isBinary;
  if (text !== undefined && before !== undefined && text !== before && !binary && hasLines(before, text)) {
    return <Lines of={of} before={before} after={text} />;
  }
  return (
    <MaskedView {...{ value, of, text, binary }}>
      {text !== undefined && <ValueFacts value={text} binary={binary} />}
    </MaskedView>
  );
}

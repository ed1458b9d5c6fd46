import { useMemo } from 'react';
import { bytesOfBase64, utf8Bytes } from '../values/bytes.ts';
import { formatNumber } from '../values/format.ts';
import { unseenNotes } from '../values/unseen.ts';

export interface ValueFactsProps {
  readonly value: string;
  /** The value is base64 of something that is no text. */
  readonly binary: boolean;
}

/** What distinguishes two values that look alike: the exact size, and what cannot be seen. */
export function ValueFacts({ value, binary }: ValueFactsProps) {
  const facts = useMemo(() => {
    const bytes = binary ? bytesOfBase64(value).length : utf8Bytes(value);
    const size = `${formatNumber(bytes)} B`;
    return [...(binary ? ['binary'] : []), size, ...(binary ? [] : unseenNotes(value))];
  }, [value, binary]);
  return <span className="value-facts">{facts.join(', ')}</span>;
}

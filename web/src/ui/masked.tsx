import { CopyButton } from './copy-button.tsx';
import { RevealToggle } from './reveal-toggle.tsx';
import { ShownValue } from './shown-value.tsx';
import { useReveal } from './use-reveal.ts';
import { useMemo } from 'react';
import { bytesOfBase64, utf8Bytes } from '../values/bytes.ts';
import { formatNumber } from '../values/format.ts';
import { unseenNotes } from '../values/unseen.ts';

/** The same for every value, so that not even its length shows. */
export const MASK = '••••••••';

/** What is read out in place of the dots. */
export function Mask() {
  return (
    <span className="mask">
      <span aria-hidden="true">{MASK}</span>
      <span className="pf-v6-screen-reader">hidden</span>
    </span>
  );
}

export interface RevealButtonProps {
  readonly shown: boolean;
  /** What is revealed, for the button's name: the key, never the value. */
  readonly of: string;
  readonly onClick: () => void;
}

/** The toggle of a value that is shown beside its key. */
export function RevealButton({ shown, of, onClick }: RevealButtonProps) {
  const label = shown ? `Hide ${of}` : `Reveal ${of}`;
  return <RevealToggle shown={shown} label={label} onShow={onClick} />;
}

export interface MaskedProps {
  /** Undefined: the key is not there. */
  readonly value: string | undefined;
  readonly of: string;
  /** The value is base64 of something that is no text. */
  readonly binary?: boolean;
  /** Without a word of its size, as of a part of a value. */
  readonly bare?: boolean;
}

/** One value that hides until it is wanted, and is copied without being shown. */
export function Masked({ value, of, binary = false, bare = false }: MaskedProps) {
  const { shown, toggle } = useReveal();
  if (value === undefined) return <span className="absent">none</span>;
  const name = binary ? `${of} as base64` : of;
  return (
    <div className="masked">
      {shown ? <ShownValue value={value} of={name} /> : <Mask />}
      <span className="value-actions">
        <RevealButton shown={shown} of={name} onClick={toggle} />
        <CopyButton value={value} of={name} />
      </span>
      {!bare && <ValueFacts value={value} binary={binary} />}
    </div>
  );
}

interface ValueFactsProps {
  readonly value: string;
  /** The value is base64 of something that is no text. */
  readonly binary: boolean;
}

/** What distinguishes two values that look alike: the exact size, and what cannot be seen. */
function ValueFacts({ value, binary }: ValueFactsProps) {
  const facts = useMemo(() => {
    const bytes = binary ? bytesOfBase64(value).length : utf8Bytes(value);
    const size = `${formatNumber(bytes)} B`;
    return [...(binary ? ['binary'] : []), size, ...(binary ? [] : unseenNotes(value))];
  }, [value, binary]);
  return <span className="value-facts">{facts.join(', ')}</span>;
}

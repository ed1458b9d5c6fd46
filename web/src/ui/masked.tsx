import { CopyButton } from './copy-button.tsx';
import { RevealToggle } from './reveal-toggle.tsx';
import { ShownValue } from './shown-value.tsx';
import { useFetched, useReveal } from './use-reveal.ts';
import { useCallback, useMemo } from 'react';
import { whyUnread } from '../api/unread-value.ts';
import { base64Of, bytesOfBase64, formatBytes, utf8Bytes } from '../values/bytes.ts';
import { isFile, isStored, type StoredValue, type Value } from '../values/value.ts';
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
  readonly value: Value | undefined;
  readonly of: string;
  /** The text is base64 of something that is no text. */
  readonly binary?: boolean;
  /** Without a word of its size, as of a part of a value. */
  readonly bare?: boolean;
}

/** One value that hides until it is wanted, and is copied without being shown. */
export function Masked({ value, of, binary = false, bare = false }: MaskedProps) {
  if (value === undefined) return <span className="absent">none</span>;
  if (isStored(value)) return <MaskedStored value={value} of={of} />;
  if (isFile(value)) {
    return <span className="value-facts">{`${value.fileName}, ${formatBytes(value.bytes.length)}`}</span>;
  }
  return <MaskedText {...{ value, of, binary, bare }} />;
}

interface MaskedTextProps {
  readonly value: string;
  readonly of: string;
  readonly binary: boolean;
  readonly bare: boolean;
}

function MaskedText({ value, of, binary, bare }: MaskedTextProps) {
  const { shown, toggle } = useReveal();
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

/** A value that is read when it is wanted, and gone once it is hidden. */
function MaskedStored({ value, of }: { readonly value: StoredValue; readonly of: string }) {
  const { isBinary, read } = value;
  const name = isBinary ? `${of} as base64` : of;
  const readText = useCallback(
    async (signal?: AbortSignal) => {
      const bytes = await read(signal);
      return isBinary ? base64Of(bytes) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    },
    [isBinary, read],
  );
  const { value: text, isReading, error, toggle } = useFetched(readText);
  return (
    <div className="masked">
      {text === undefined ? <Mask /> : <ShownValue value={text} of={name} />}
      <span className="value-actions">
        <RevealButton shown={text !== undefined} of={name} onClick={toggle} />
        <CopyButton value={readText} of={name} />
      </span>
      {text !== undefined && <ValueFacts value={text} binary={isBinary} />}
      {(isReading || error !== undefined) && (
        <span role="status" className="value-facts">
          {isReading ? 'Reading…' : whyUnread(error)}
        </span>
      )}
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

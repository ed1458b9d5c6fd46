import { CopyButton } from './copy-button.tsx';
import { RevealToggle } from './reveal-toggle.tsx';
import { ShownValue } from './shown-value.tsx';
import { useFetched } from './use-reveal.ts';
import { useCallback, useMemo, type ReactNode } from 'react';
import { whyUnread } from '../api/unread-value.ts';
import { bytesOfBase64 } from '../../../src/contract/text.ts';
import { base64Of, formatBytes, utf8Bytes } from '../values/bytes.ts';
import { isFile, type StoredValue, type Value } from '../values/value.ts';
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
export function Masked({ value, ...props }: MaskedProps) {
  if (value === undefined) return <span className="absent">none</span>;
  if (isFile(value)) {
    return (
      <span className="value-facts">
        <bdi>{value.fileName}</bdi>, {formatBytes(value.bytes.length)}
      </span>
    );
  }
  return <MaskedValue {...props} value={value} />;
}

/** As text, or as base64 of something that is no text. */
export async function textOf(value: string | StoredValue, signal?: AbortSignal): Promise<string> {
  if (typeof value === 'string') return value;
  const bytes = await value.read(signal);
  return value.isBinary ? base64Of(bytes) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

type MaskedValueProps = MaskedProps & { readonly value: string | StoredValue };

/** A value that is not here is read when it is wanted, and gone once it is hidden. */
function MaskedValue({ value, of, binary = false, bare = false }: MaskedValueProps) {
  const here = typeof value === 'string' ? value : undefined;
  const isBinary = typeof value === 'string' ? binary : value.isBinary;
  const read = useCallback((signal: AbortSignal) => textOf(value, signal), [value]);
  const { value: fetched, isReading, error, toggle } = useFetched(read);
  const text = fetched === undefined ? undefined : (here ?? fetched);
  const described = here ?? text;
  return (
    <MaskedView {...{ value, of, text, binary: isBinary, onToggle: toggle }}>
      {described !== undefined && !bare && <ValueFacts value={described} binary={isBinary} />}
      {here === undefined && <Reading isReading={isReading} error={error} />}
    </MaskedView>
  );
}

/** That a value is being read, or why it is not shown. */
export function Reading({ isReading, error }: { readonly isReading: boolean; readonly error: unknown }) {
  if (!isReading && error === undefined) return null;
  return (
    <span role="status" className="value-facts">
      {isReading ? 'Reading…' : whyUnread(error)}
    </span>
  );
}

interface MaskedViewProps {
  readonly value: string | StoredValue;
  readonly of: string;
  readonly binary: boolean;
  /** Undefined: it is hidden. */
  readonly text: string | undefined;
  /** Left out: it is shown together with others. */
  readonly onToggle?: () => void;
  readonly children?: ReactNode;
}

export function MaskedView({ value, of, binary, text, onToggle, children }: MaskedViewProps) {
  const name = binary ? `${of} as base64` : of;
  return (
    <div className="masked">
      {text === undefined ? <Mask /> : <ShownValue value={text} of={name} />}
      <span className="value-actions">
        {onToggle !== undefined && <RevealToggle shown={text !== undefined} of={name} onShow={onToggle} />}
        <CopyButton value={typeof value === 'string' ? value : () => textOf(value)} of={name} />
      </span>
      {children}
    </div>
  );
}

interface ValueFactsProps {
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

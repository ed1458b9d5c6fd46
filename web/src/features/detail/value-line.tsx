import { Button } from '@patternfly/react-core';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Mask } from '../../ui/masked.tsx';
import { RevealToggle } from '../../ui/reveal-toggle.tsx';
import { useSessionWatch } from '../../api/session-watch.ts';
import { whyUnread } from '../../api/unread-value.ts';
import { useFetched } from '../../ui/use-reveal.ts';
import { When } from '../../ui/when.tsx';
import { binaryKind, valueKind, type ValueKind } from '../../values/value-kind.ts';
import { formatBytes } from '../../values/bytes.ts';
import { lineCount } from '../../values/lines.ts';
import { formatNumber } from '../../values/format.ts';
import { unseenNotes } from '../../values/unseen.ts';
import { expectsDetails, hasDetails, isCertificateKey, ValueDetails } from './value-details.tsx';
import { LineMenu, type LineMenuProps } from './line-menu.tsx';
import { valueOf, type NamedValue } from './named-value.ts';
import { ShownValue } from '../../ui/shown-value.tsx';
import { formatJson } from '../../values/json-layout.ts';

/** The key of the certificate whose expiry the service reads. */
const CERTIFICATE_KEY = 'tls.crt';

/** All of them stay the same while others are drawn, since there may be thousands of lines. */
export interface ValueLineProps extends LineMenuProps {
  /** Whether it is shown because all are. */
  readonly isShown: boolean;
}

/** A key, and what can be done with its value, which is read for that alone. A shown value is below. */
export const ValueLine = memo(function ValueLine(props: ValueLineProps) {
  const { secret, name, isShown, isPlain, onPlain } = props;
  const { binaryKeys, certificateNotAfter, readValue } = secret;
  // The value of a binary key is copied and shown as base64.
  const label = binaryKeys.includes(name) ? `${name} as base64` : name;
  const expires = name === CERTIFICATE_KEY ? certificateNotAfter : undefined;
  const read = useCallback(
    async (signal?: AbortSignal) => valueOf(await readValue(name, signal)),
    [name, readValue],
  );
  const shown = useFetched(read, isPlain);
  const details = useFetched(read);
  const { show, hide } = shown;
  const { isEnded } = useSessionWatch();
  const isWanted = (isShown || isPlain) && !isEnded;
  useEffect(() => {
    if (!isWanted) return;
    show();
    return hide;
  }, [isWanted, show, hide]);
  const value = shown.value ?? details.value;
  const error = shown.error ?? details.error;
  return (
    <li className="value-line">
      <div className="value-head">
        <h2>{name}</h2>
        <span className="value-summary">
          {shown.value === undefined && <Mask />}
          <Summary {...{ name, label, value, expires }} details={details} />
          {(shown.isReading || details.isReading) && <span className="value-kind">Reading…</span>}
        </span>
        <span className="value-size">{value !== undefined && formatBytes(value.bytes.length)}</span>
        <span className="value-actions">
          <RevealToggle shown={shown.value !== undefined} of={label} onShow={shown.toggle} />
          <CopyButton value={async () => (await read()).text} of={label} />
          <LineMenu {...{ secret, name, isPlain, onPlain }} />
        </span>
      </div>
      {error !== undefined && (
        <p role="status" className="hint">
          {whyUnread(error)}
        </p>
      )}
      {details.value !== undefined && <ValueDetails name={name} value={details.value.text} />}
      {shown.value !== undefined && (
        <>
          <Shown name={name} label={label} value={shown.value} />
          {/* Shrinks until the value hides. */}
          {!isPlain && <div className="hide-countdown" aria-hidden="true" />}
        </>
      )}
    </li>
  );
});

interface SummaryProps {
  readonly name: string;
  /** What is read out of the value. */
  readonly label: string;
  /** When the certificate expires, where it is known without reading it. */
  readonly expires: string | undefined;
  /** Undefined while nothing of it is shown. */
  readonly value: NamedValue | undefined;
  readonly details: { readonly value: NamedValue | undefined; readonly toggle: () => void };
}

/** What a value is, and what cannot be seen of it. */
function Summary({ name, label, value, expires, details }: SummaryProps) {
  const kind = useMemo(() => kindOf(name, label, value), [name, label, value]);
  const notes = useMemo(() => (value === undefined ? [] : notesOf(value)), [value]);
  const expiry = expires === undefined ? kind?.expires : Date.parse(expires);
  return (
    <>
      {kind !== undefined && (value === undefined ? expectsDetails(name) : hasDetails(name, value.text)) ? (
        <Button
          variant="link"
          isInline
          aria-expanded={details.value !== undefined}
          aria-label={`${kind.text}, details of ${name}`}
          onClick={details.toggle}
        >
          {kind.text}
        </Button>
      ) : (
        <span className="value-kind">
          {[...(kind === undefined ? [] : [kind.text]), ...notes].join(', ')}
        </span>
      )}
      {expiry !== undefined && <Expiry at={expiry} />}
    </>
  );
}

/** As far as its key says so, until it is read. */
function kindOf(name: string, label: string, value: NamedValue | undefined): ValueKind | undefined {
  if (value?.isBinary === true) return { text: `binary: ${binaryKind(value.bytes)}` };
  // An empty value says so itself.
  if (value !== undefined) return value.text === '' ? undefined : valueKind(name, value.text);
  if (label !== name) return { text: 'binary' };
  return expectsDetails(name) ? { text: isCertificateKey(name) ? 'Certificate' : 'Registries' } : undefined;
}

function notesOf({ text, isBinary }: NamedValue): readonly string[] {
  if (isBinary) return [];
  const lines = lineCount(text);
  return [...(lines > 1 ? [`${formatNumber(lines)} lines`] : []), ...unseenNotes(text)];
}

function Expiry({ at }: { readonly at: number }) {
  const isPast = at < Date.now();
  return (
    <span className={isPast ? 'value-kind expired' : 'value-kind'}>
      {isPast ? 'expired' : 'expires'} <When time={new Date(at).toISOString()} relative isDue />
    </span>
  );
}

interface ShownProps extends Pick<SummaryProps, 'name' | 'label'> {
  readonly value: NamedValue;
}

/** A value in the open, below its line. */
function Shown({ name, label, value: { text, isBinary } }: ShownProps) {
  const [pretty, setPretty] = useState(false);
  const formatted = useMemo(() => formatJson(text), [text]);
  if (isBinary)
    return <textarea className="value base64" readOnly rows={6} aria-label={label} value={text} />;
  return (
    <>
      <ShownValue key={String(pretty)} value={pretty ? (formatted ?? text) : text} of={name} />
      {formatted !== undefined && formatted !== text && (
        <p className="value-layout">
          <Button variant="link" isInline onClick={() => setPretty((now) => !now)}>
            {pretty ? 'Show as it is stored' : 'Show as formatted JSON'}
          </Button>
        </p>
      )}
    </>
  );
}

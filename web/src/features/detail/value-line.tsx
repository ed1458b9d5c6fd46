import { Button } from '@patternfly/react-core';
import { memo, useMemo, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Mask, RevealButton } from '../../ui/masked.tsx';
import { useReveal } from '../../ui/use-reveal.ts';
import { When } from '../../ui/when.tsx';
import { binaryKind } from '../../values/binary-kind.ts';
import { formatBytes } from '../../values/bytes.ts';
import { linesOf } from '../../values/excerpt.ts';
import { formatNumber } from '../../values/format.ts';
import { unseenNotes } from '../../values/unseen.ts';
import { valueKind } from '../../values/value-kind.ts';
import { hasDetails, ValueDetails } from './value-details.tsx';
import { LineMenu } from './line-menu.tsx';
import { valueOf, type NamedValue, type ShownSecret } from './named-value.ts';
import { ShownValue } from '../../ui/shown-value.tsx';
import { formatJson } from '../../values/json-layout.ts';

/** All of them stay the same while others are drawn, since there may be thousands of lines. */
export interface ValueLineProps {
  readonly secret: ShownSecret;
  readonly name: string;
  /** Whether it is shown because all are. */
  readonly isShown: boolean;
  /** Hides this one while the others stay. */
  readonly onHide: (name: string) => void;
}

/** A key: what its value is, without showing it, and what can be done with it. A shown value is below. */
export const ValueLine = memo(function ValueLine({ secret, name, isShown, onHide }: ValueLineProps) {
  const own = useReveal();
  const value = useMemo(() => valueOf(secret, name), [secret, name]);
  const [isOpen, setOpen] = useState(false);
  const shown = own.shown || isShown;
  const toggle = () => {
    if (!shown || own.shown) own.toggle();
    if (shown) onHide(name);
  };
  return (
    <li className="value-line">
      <div className="value-head">
        <h2>{name}</h2>
        <ValueSummary {...{ name, value, shown, isOpen }} onToggle={() => setOpen(!isOpen)} />
        <span className="value-size">{formatBytes(value.bytes.length)}</span>
        <span className="value-actions">
          <RevealButton shown={shown} of={value.label} onClick={toggle} />
          <CopyButton value={value.text} of={value.label} />
          <LineMenu secret={secret} name={name} bytes={value.bytes} />
        </span>
      </div>
      {isOpen && <ValueDetails name={name} value={value.text} />}
      {shown && <RevealedValue name={name} value={value} />}
    </li>
  );
});

interface ValueSummaryProps {
  readonly name: string;
  readonly value: NamedValue;
  readonly shown: boolean;
  /** Whether its details are below the line. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function ValueSummary({ name, value, shown, isOpen, onToggle }: ValueSummaryProps) {
  const kind = useMemo(() => kindOf(name, value), [name, value]);
  const notes = useMemo(() => notesOf(value), [value]);
  const text = [kind?.text, ...notes].filter((part) => part !== undefined).join(', ');
  return (
    <span className="value-summary">
      {!shown && <Mask />}
      {hasDetails(name, value.text) && kind !== undefined ? (
        <Button
          variant="link"
          isInline
          aria-expanded={isOpen}
          aria-label={`${kind.text}, details of ${name}`}
          onClick={onToggle}
        >
          {kind.text}
        </Button>
      ) : (
        <span className="value-kind">{text}</span>
      )}
      {kind?.expires !== undefined && <Expiry at={kind.expires} />}
    </span>
  );
}

function kindOf(name: string, { text, isBinary, bytes }: NamedValue) {
  return isBinary ? { text: `binary: ${binaryKind(bytes)}`, expires: undefined } : valueKind(name, text);
}

function notesOf({ text, isBinary }: NamedValue): readonly string[] {
  if (isBinary) return [];
  const lines = linesOf(text);
  return [...(lines > 1 ? [`${formatNumber(lines)} lines`] : []), ...unseenNotes(text)];
}

function Expiry({ at }: { readonly at: number }) {
  const isPast = at < Date.now();
  return (
    <span className={isPast ? 'value-kind expired' : 'value-kind'}>
      {isPast ? 'expired' : 'expires'} <When time={new Date(at).toISOString()} relative />
    </span>
  );
}

/** A value in the open, below its line. */
function RevealedValue({ name, value }: { readonly name: string; readonly value: NamedValue }) {
  if (!value.isBinary) return <Text name={name} value={value.text} />;
  return <textarea className="value base64" readOnly rows={6} aria-label={value.label} value={value.text} />;
}

function Text({ name, value }: { readonly name: string; readonly value: string }) {
  const [pretty, setPretty] = useState(false);
  const formatted = useMemo(() => formatJson(value), [value]);
  const shown = pretty ? (formatted ?? value) : value;
  return (
    <>
      <ShownValue key={String(pretty)} value={shown} of={name} />
      {formatted !== undefined && formatted !== value && (
        <p className="value-layout">
          <Button variant="link" isInline onClick={() => setPretty((now) => !now)}>
            {pretty ? 'Show as it is stored' : 'Show as formatted JSON'}
          </Button>
        </p>
      )}
    </>
  );
}

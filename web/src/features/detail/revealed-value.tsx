import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { ShownValue } from '../../ui/shown-value.tsx';
import { formatJson } from '../../values/json-layout.ts';
import type { NamedValue } from './named-value.ts';

/** A value in the open, below its line. */
export function RevealedValue({ name, value }: { readonly name: string; readonly value: NamedValue }) {
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

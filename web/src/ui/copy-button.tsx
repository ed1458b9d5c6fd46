import { Button } from '@patternfly/react-core';
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon';
import { useEffect, useState } from 'react';

const SAID_MS = 3_000;

/** Copies a value without showing it. */
export function CopyButton({ value, of }: { readonly value: string; readonly of: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = window.setTimeout(() => setResult(undefined), SAID_MS);
    return () => window.clearTimeout(timer);
  }, [result]);
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setResult('copied'),
      () => setResult('failed'),
    );
  };
  return (
    <>
      <Button
        variant="plain"
        aria-label={`Copy ${of}`}
        title={`Copy ${of}`}
        icon={result === 'copied' ? <CheckIcon /> : <CopyIcon />}
        onClick={copy}
      />
      <span role="status" className={result === 'failed' ? 'copy-failed' : 'pf-v6-screen-reader'}>
        {result === 'copied' ? `${of} is copied` : ''}
        {result === 'failed' ? 'The browser does not allow copying here.' : ''}
      </span>
    </>
  );
}

import { Button } from '@patternfly/react-core';
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon';
import { useContext, useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { CurrentValuesContext } from './current-values.ts';

const SHOWN_MS = 3_000;

type Result = 'copied' | 'unchecked' | 'failed';

/** What is shown of a copy, or only read out. */
const SHOWN: Readonly<Record<Result, string>> = {
  copied: '',
  unchecked: "Copied, but couldn't check for a newer version.",
  failed: "Your browser doesn't allow copying here.",
};

/** Copies a value without showing it. */
export function CopyButton({ value, of }: { readonly value: string; readonly of: string }) {
  const whenCurrent = useContext(CurrentValuesContext);
  const [result, setResult] = useState<Result>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = window.setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [result]);
  const copy = () =>
    whenCurrent((isChecked) => {
      copyText(value).then(
        () => setResult(isChecked ? 'copied' : 'unchecked'),
        () => setResult('failed'),
      );
    });
  const shown = result === undefined ? '' : SHOWN[result];
  return (
    <>
      <Button
        variant="plain"
        aria-label={`Copy ${of}`}
        title={`Copy ${of}`}
        icon={result === 'copied' || result === 'unchecked' ? <CheckIcon /> : <CopyIcon />}
        onClick={copy}
      />
      <span role="status" className={shown === '' ? 'pf-v6-screen-reader' : 'copy-note'}>
        {result === 'copied' ? `${of} is copied` : shown}
      </span>
    </>
  );
}

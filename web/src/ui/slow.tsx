import { useEffect, useState } from 'react';

const SLOW_MS = 3_000;

/** After a while, what is waited for. */
export function SlowStatus({ what }: { readonly what: string }) {
  const isSlow = useSlow(true);
  return <p role="status">{isSlow ? `Still loading ${what}: the cluster is slow to answer.` : ''}</p>;
}

/** The same of a write. It is there before it has a text, so that screen readers notice the text. */
export function SlowWrite({ isBusy }: { readonly isBusy: boolean }) {
  const isSlow = useSlow(isBusy);
  return (
    <p role="status" className="slow">
      {isBusy && isSlow
        ? 'The cluster is slow to answer. Your request was sent: wait here until the outcome is known.'
        : ''}
    </p>
  );
}

/** Whether it has been waited for a while, since the waiting began. */
function useSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = window.setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      window.clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting]);
  return isSlow;
}

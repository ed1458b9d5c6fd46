import { Button } from '@patternfly/react-core';
import { lazy, Suspense } from 'react';
import type { LineDiffProps } from './line-diff-lines.tsx';
import { useReveal } from './use-reveal.ts';

export const Lines = lazy(async () => ({ default: (await import('./line-diff-lines.tsx')).LineDiffLines }));

/** The lines of two texts that differ, once someone wants to see them; they hide like every value. */
export function LineDiff({ of, before, after }: LineDiffProps) {
  const { shown, toggle } = useReveal();
  return (
    <>
      <Button variant="link" isInline aria-expanded={shown} onClick={toggle}>
        {shown ? `Hide the lines of ${of}` : `Show the lines of ${of} that differ`}
      </Button>
      {shown && (
        <Suspense>
          <Lines of={of} before={before} after={after} />
        </Suspense>
      )}
    </>
  );
}

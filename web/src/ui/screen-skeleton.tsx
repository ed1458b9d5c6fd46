import { Skeleton } from '@patternfly/react-core';
import { useLocation } from 'react-router';
import { headOf } from '../paths.ts';
import { Screen } from './screen.tsx';
import { SlowStatus } from './slow.tsx';

/** Where the text of a skeleton would end, line by line. */
const WIDTHS = ['60%', '85%', '75%', '40%'];

/** A screen before its data: what it is called and how one gets back is in the address. */
export function ScreenSkeleton({ what }: { readonly what: string }) {
  const { title } = headOf(useLocation().pathname);
  return (
    <Screen title={title}>
      <div className="skeleton" aria-hidden>
        {WIDTHS.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
      <SlowStatus what={what} />
    </Screen>
  );
}

import { Alert, Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useMe } from '../api/queries.ts';
import { OtherUser } from './other-user.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { useSessionCheck } from './use-session-check.ts';

const ADVICE = 'Everything on this page stays as it is. Sign in again to continue here.';
/** For ears: the notice itself stands at the end of the page. */
const ENDED = 'Your session has ended. What you typed is kept. You can sign in again at the end of the page.';

/** Shows that the session has ended, and leaves the page as it is: what was typed is still there. */
export function SessionExpired() {
  const { isEnded, result, check } = useSessionCheck();
  const { data: owner } = useMe();
  const heard = result === 'noSession' ? 'No new session was found.' : ENDED;
  return (
    <>
      {/* Always there: what is put in together with its words is often not read out. */}
      <p role="status" className="pf-v6-screen-reader">
        {isEnded && typeof result === 'string' ? heard : ''}
      </p>
      {isEnded && typeof result === 'string' && (
        <Notice still={result === 'noSession'} onCheck={() => void check()} />
      )}
      {isEnded && typeof result !== 'string' && owner !== undefined && (
        <OtherUser user={result.otherUser} owner={owner} />
      )}
    </>
  );
}

interface NoticeProps {
  readonly still: boolean;
  readonly onCheck: () => void;
}

/** Can be collapsed: on a small screen it covers much of what one wants to copy before signing in. */
function Notice({ still, onCheck }: NoticeProps) {
  const [folded, setFolded] = useState(false);
  return (
    <aside className="session-expired" aria-label="Session">
      <Alert
        variant="warning"
        isInline
        component="h2"
        title="Your session has ended"
        actionClose={
          <Button variant="link" isInline aria-expanded={!folded} onClick={() => setFolded(!folded)}>
            {folded ? 'Expand' : 'Collapse'}
          </Button>
        }
        actionLinks={
          !folded && (
            <>
              <SignInLink>Sign in in a new tab</SignInLink>
              <Button variant="secondary" onClick={onCheck}>
                I have signed in
              </Button>
            </>
          )
        }
      >
        {!folded && (
          <p>
            {still && 'There is no new session yet. '}
            {ADVICE}
          </p>
        )}
      </Alert>
    </aside>
  );
}

import { ActionGroup, Alert, Button } from '@patternfly/react-core';
import { Empty } from '../../ui/empty.tsx';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { useMe } from '../../api/queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Screen } from '../../ui/screen.tsx';

/** Where a command sends the browser to sign in. */
export function TerminalPage() {
  const request = requestOf(useSearchParams()[0]);
  return (
    <Screen>
      {request === undefined ? (
        <Empty
          title="This address is incomplete"
          body="Run the command again, and open the whole address that it prints."
        />
      ) : (
        <Confirm request={request} />
      )}
    </Screen>
  );
}

/** Nothing happens without a click: an address alone, from wherever it comes, signs no one in. */
function Confirm({ request }: { readonly request: TerminalRequest }) {
  const { challenge, port } = request;
  const api = useApi();
  const navigate = useNavigate();
  const email = useMe().data?.email;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [code, setCode] = useState<string>();
  const signIn = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const sealed = await api.terminalCode(challenge);
      if (port === undefined) setCode(sealed);
      else window.location.replace(returnAddress(request, { code: sealed }));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const cancel = () => {
    if (port === undefined) void navigate('/');
    else window.location.replace(returnAddress(request, { error: 'access_denied' }));
  };
  if (code !== undefined) return <PasteCode code={code} />;
  return (
    <>
      <p>
        A command{port !== undefined && ` on this computer, at port ${port},`} wants to act as <b>{email}</b>{' '}
        here, until your session ends.
      </p>
      <Alert
        isInline
        isPlain
        variant="warning"
        component="h2"
        title="Continue only if you just started it yourself."
      />
      {problem !== undefined && <ProblemAlert title="The terminal isn't signed in" error={problem} />}
      <ActionGroup>
        <Button isLoading={isBusy} isDisabled={isBusy} onClick={() => void signIn()}>
          Sign in
        </Button>
        <Button variant="link" onClick={cancel}>
          Cancel
        </Button>
      </ActionGroup>
    </>
  );
}

function PasteCode({ code }: { readonly code: string }) {
  return (
    <>
      <p role="status">
        Paste this code into your terminal within a minute: <CopyButton value={code} of="Code" />
      </p>
      {/* With large text it may be longer than its box, which then scrolls. */}
      <pre className="value" role="group" tabIndex={0} aria-label="Code">
        {code}
      </pre>
      <p className="hint">Send it to no one. Whoever started the command signs in as you.</p>
    </>
  );
}

/** What a command wants of the page `/cli`. */
interface TerminalRequest {
  readonly challenge: string;
  readonly state: string;
  /** Where it listens on this computer; undefined where the code is to be pasted. */
  readonly port: string | undefined;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE = /^[A-Za-z0-9_-]{16,128}$/;
/** Those that a program without privileges can listen on. */
const PORT = /^[1-9][0-9]{3,4}$/;

/** Undefined when a part is missing or malformed. */
function requestOf(query: URLSearchParams): TerminalRequest | undefined {
  const { challenge = '', state = '', port } = Object.fromEntries(query);
  if (!CHALLENGE.test(challenge) || !STATE.test(state)) return undefined;
  const isPort = port === undefined || (PORT.test(port) && Number(port) >= 1_024 && Number(port) <= 65_535);
  return isPort ? { challenge, state, port } : undefined;
}

/** The loopback address, by number: a name could lead elsewhere (RFC 8252, section 8.3). */
function returnAddress(
  { port, state }: TerminalRequest,
  result: { readonly code: string } | { readonly error: 'access_denied' },
): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...result, state }).toString()}`;
}

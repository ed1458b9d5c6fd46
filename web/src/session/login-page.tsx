import { Alert, Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { loginErrorOf } from '../../../src/contract/login-errors.ts';
import { BEGIN_LOGIN_PATH } from '../../../src/contract/page-routes.ts';
import { ThemeToggle } from '../ui/theme-toggle.tsx';

interface Trouble {
  readonly sentence: string;
  readonly ask: string;
  readonly code?: string | undefined;
}

/** One way in; and in plain words what went wrong the last time. */
export function LoginPage() {
  const [query] = useSearchParams();
  const [refused, setRefused] = useState<Trouble>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Secrets';
  }, []);
  const trouble = refused ?? loginErrorOf(query);
  const signIn = async () => {
    setBusy(true);
    const problem = await askForLogin();
    setBusy(false);
    setRefused(problem);
    if (problem === undefined) window.location.assign(BEGIN_LOGIN_PATH);
  };
  return (
    <main className="login">
      <Card isLarge>
        <CardTitle component="h1">Secrets</CardTitle>
        <CardBody>
          <p className="login-lead">Find, change and restore the Secrets of your namespaces.</p>
          {trouble !== undefined && <TroubleAlert trouble={trouble} />}
          <Button isBlock size="lg" isLoading={busy} isDisabled={busy} onClick={() => void signIn()}>
            Sign in
          </Button>
        </CardBody>
      </Card>
      <ThemeToggle />
    </main>
  );
}

function TroubleAlert({ trouble: { sentence, ask, code } }: { readonly trouble: Trouble }) {
  return (
    <div role="alert">
      <Alert isInline variant="danger" component="h2" title={sentence}>
        <p>{ask}</p>
        {code !== undefined && (
          <p>
            Code: <code>{code}</code>
          </p>
        )}
      </Alert>
    </div>
  );
}

/** Asks first whether a login can begin, since the answer to a navigation would replace this page. */
async function askForLogin(): Promise<Trouble | undefined> {
  // Without an answer it is the last of the cases below; why it failed is not for a page to know.
  const answer = await fetch(BEGIN_LOGIN_PATH, { redirect: 'manual', cache: 'no-store' }).catch(
    () => undefined,
  );
  if (answer?.type === 'opaqueredirect') return undefined;
  switch (answer?.status) {
    case 501:
      return {
        sentence: 'Sign-in is not set up on this service.',
        ask: 'Ask an administrator to set OIDC_ISSUER and OIDC_CLIENT_ID.',
      };
    case 502:
      return {
        sentence: 'The identity provider cannot be used at the moment.',
        ask: 'Try again; if it goes on, ask an administrator to look into the log of this service.',
      };
    case 429:
      return { sentence: 'Too many sign-ins from your address.', ask: 'Wait a minute, and try again.' };
    default:
      return { sentence: 'The service cannot be reached.', ask: 'Check your network, and try again.' };
  }
}

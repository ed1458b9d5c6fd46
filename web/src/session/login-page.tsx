import { Alert, Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { loginErrorOf } from '../../../src/contract/login-errors.ts';
import { BEGIN_LOGIN_PATH } from '../../../src/contract/page-routes.ts';
import { useConfig } from '../api/queries.ts';
import MoonIcon from '@patternfly/react-icons/dist/esm/icons/moon-icon';
import SunIcon from '@patternfly/react-icons/dist/esm/icons/sun-icon';
import { otherTheme, switchTheme, themeLabel } from '../ui/theme.ts';

interface Trouble {
  readonly sentence: string;
  readonly advice: string;
  readonly code?: string | undefined;
}

/** One way in; and in plain words what went wrong the last time. */
export function LoginPage() {
  const [query] = useSearchParams();
  const [refused, setRefused] = useState<Trouble>();
  const [busy, setBusy] = useState(false);
  const displayName = useConfig().data?.displayName;
  useEffect(() => {
    document.title = 'Sign in · Secrets';
  }, []);
  const trouble = refused ?? loginErrorOf(query);
  const signIn = async () => {
    setBusy(true);
    const problem = await checkLogin();
    setBusy(false);
    setRefused(problem);
    if (problem === undefined) window.location.assign(BEGIN_LOGIN_PATH);
  };
  return (
    <main className="login">
      <Card isLarge className="login-card">
        <CardTitle component="h1">Secrets</CardTitle>
        <CardBody>
          {displayName !== undefined && <p className="login-name">{displayName}</p>}
          <p className="login-lead">Find, change and restore the Secrets of your namespaces.</p>
          {trouble !== undefined && (
            <div role="alert" className="login-trouble">
              <Alert isInline variant="danger" component="h2" title={trouble.sentence}>
                <p>{trouble.advice}</p>
                {trouble.code !== undefined && (
                  <p>
                    Code: <code>{trouble.code}</code>
                  </p>
                )}
              </Alert>
            </div>
          )}
          <Button isBlock size="lg" isLoading={busy} isDisabled={busy} onClick={() => void signIn()}>
            Sign in
          </Button>
        </CardBody>
      </Card>
      <ThemeToggle />
    </main>
  );
}

/** Checks first whether a login can begin, since the response to a navigation would replace this page. */
async function checkLogin(): Promise<Trouble | undefined> {
  // Without an answer it is the last of the cases below; why it failed is not for a page to know.
  const answer = await fetch(BEGIN_LOGIN_PATH, { redirect: 'manual', cache: 'no-store' }).catch(
    () => undefined,
  );
  if (answer?.type === 'opaqueredirect') return undefined;
  switch (answer?.status) {
    case 501:
      return {
        sentence: "Sign-in isn't set up on this service.",
        advice: 'An administrator has to set OIDC_ISSUER and OIDC_CLIENT_ID.',
      };
    case 502:
      return {
        sentence: "The identity provider isn't available right now.",
        advice: 'Try again. If it keeps happening, contact an administrator.',
      };
    case 429:
      return { sentence: 'Too many sign-ins from your address.', advice: 'Wait a minute, then try again.' };
    default:
      return { sentence: 'The service cannot be reached.', advice: 'Check your network, then try again.' };
  }
}

/** Light or dark; remembered in this browser. */
function ThemeToggle() {
  const [label, setLabel] = useState(themeLabel);
  return (
    <Button
      variant="plain"
      aria-label={label}
      icon={otherTheme() === 'light' ? <SunIcon /> : <MoonIcon />}
      onClick={() => {
        switchTheme();
        setLabel(themeLabel);
      }}
    />
  );
}

import { Alert, Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { loginErrorOf } from '../../../src/contract/login-errors.ts';
import { BEGIN_LOGIN_PATH } from '../../../src/contract/page-routes.ts';
import { ThemeToggle } from '../ui/theme-toggle.tsx';
import { COMMON_WORDS } from '../words/common.ts';
import { LOGIN_PAGE_WORDS } from '../words/session.ts';

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
  useEffect(() => {
    document.title = LOGIN_PAGE_WORDS.documentTitle;
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
        <CardTitle component="h1">{LOGIN_PAGE_WORDS.product}</CardTitle>
        <CardBody>
          <p className="login-lead">{LOGIN_PAGE_WORDS.lead}</p>
          {trouble !== undefined && <TroubleAlert trouble={trouble} />}
          <Button isBlock size="lg" isLoading={busy} isDisabled={busy} onClick={() => void signIn()}>
            {LOGIN_PAGE_WORDS.signIn}
          </Button>
        </CardBody>
      </Card>
      <ThemeToggle />
    </main>
  );
}

function TroubleAlert({ trouble: { sentence, advice, code } }: { readonly trouble: Trouble }) {
  return (
    <div role="alert" className="login-trouble">
      <Alert isInline variant="danger" component="h2" title={sentence}>
        <p>{advice}</p>
        {code !== undefined && (
          <p>
            {LOGIN_PAGE_WORDS.code} <code>{code}</code>
          </p>
        )}
      </Alert>
    </div>
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
        sentence: LOGIN_PAGE_WORDS.notSetUp,
        advice: LOGIN_PAGE_WORDS.notSetUpAdvice,
      };
    case 502:
      return {
        sentence: LOGIN_PAGE_WORDS.noProvider,
        advice: COMMON_WORDS.keepsHappening,
      };
    case 429:
      return { sentence: LOGIN_PAGE_WORDS.tooMany, advice: COMMON_WORDS.waitAMinute };
    default:
      return { sentence: LOGIN_PAGE_WORDS.unreachable, advice: COMMON_WORDS.checkNetwork };
  }
}

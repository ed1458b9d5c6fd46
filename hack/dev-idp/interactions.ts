import type Provider from 'oidc-provider';
import { interactionPolicy } from 'oidc-provider';
import type { Readable } from 'node:stream';
import { findAccountByEmail } from './accounts.ts';
import { loginPage } from './login-page.ts';

const MAX_FORM_BYTES = 16_384;
const ROUTE = /^\/interaction\/([A-Za-z0-9_-]{1,128})(\/abort)?$/;

/**
 * Prompts for the account on every login, also when the browser has a session here: whoever signs out of
 * the service wants to come back as someone else.
 */
export function alwaysPromptForAccount(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy
    .get('login')
    ?.checks.add(
      new Check('always_prompt', 'every login prompts for the account', (ctx) =>
        ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    );
  return policy;
}

/** Serves the login page and its form post in front of the provider's own routes. */
export function serveInteractions(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const match = ROUTE.exec(ctx.path);
    if (match === null) {
      await next();
      return;
    }
    const { req, res } = ctx;
    const action = `/interaction/${match[1] ?? ''}`;
    const show = (problem?: string): void => {
      ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'html';
      ctx.body = loginPage({ action, ...(problem === undefined ? {} : { problem }) });
    };
    const finish = (result: Parameters<Provider['interactionFinished']>[2]): Promise<void> => {
      ctx.respond = false; // interactionFinished writes the answer itself
      return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
    };

    await provider.interactionDetails(req, res);
    if (match[2] !== undefined) {
      await finish({ error: 'access_denied', error_description: 'The login was cancelled' });
    } else if (ctx.method === 'POST') {
      const form = await readForm(req);
      const account = findAccountByEmail(form.get('login') ?? '');
      if (account?.password === (form.get('password') ?? '')) {
        await finish({ login: { accountId: account.sub, remember: false } });
      } else {
        show('Unknown account or wrong password');
      }
    } else {
      show();
    }
  });
}

async function readForm(request: Readable): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > MAX_FORM_BYTES) throw new RangeError('the form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

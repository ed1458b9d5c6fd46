import type { SessionUser } from '../../access/actor.ts';
import { emailKey } from '../../contract/email.ts';
import { loginErrorOf } from '../../contract/login-errors.ts';
import { BEGIN_LOGIN_PATH } from '../../contract/page-routes.ts';

/** The few pages that the service has without a build: plain HTML, no script, nothing from other origins. */

export const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { max-width: 32rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; }
.error { border-left: 0.25rem solid #c9190b; padding-left: 1rem; }
.action { display: inline-block; padding: 0.5rem 1rem; border-radius: 0.25rem; background: #06c; color: #fff; text-decoration: none; }
.action:focus-visible { outline: 0.2rem solid currentcolor; outline-offset: 0.2rem; }
code { overflow-wrap: anywhere; }
`.trimStart();

/** `/login`: one way to sign in, and why the last attempt failed. */
export function loginPage(query: URLSearchParams): string {
  return page('Sign in', `${problem(query)}<p><a class="action" href="${BEGIN_LOGIN_PATH}">Sign in</a></p>`);
}

function problem(query: URLSearchParams): string {
  const error = loginErrorOf(query);
  if (error === undefined) return '';
  const { sentence, advice, code } = error;
  const suffix = code === undefined ? '' : ` <code>${escape(code)}</code>`;
  return `<div class="error" role="alert"><p>${escape(sentence)}${suffix}</p><p>${escape(advice)}</p></div>`;
}

/** `/`: who is signed in, and a link to the API. */
export function homePage(user: SessionUser): string {
  return page(
    'Secrets Management Service',
    `<p>Signed in as <strong>${escape(emailKey(user.email))}</strong>.</p>
<ul>
<li><a href="/api/namespaces">Your namespaces</a></li>
<li><a href="/api/openapi.json">The API</a></li>
<li><a href="/api/auth/logout">Sign out</a></li>
</ul>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

import { DEMO_ACCOUNTS } from './accounts.ts';

/**
 * The login page: one form, and the demo accounts with their passwords beside it. No script and no
 * external resource, so it works offline and under the strictest policy.
 */
export function loginPage(input: { readonly action: string; readonly problem?: string }): string {
  const rows = DEMO_ACCOUNTS.map(
    ({ email, password, groups }) =>
      `<tr><td>${escapeHtml(email)}</td><td><code>${escapeHtml(password)}</code></td>` +
      `<td>${escapeHtml(groups.join(', ') || 'no groups')}</td></tr>`,
  ).join('\n');
  const problem =
    input.problem === undefined ? '' : `<p role="alert"><strong>${escapeHtml(input.problem)}</strong></p>`;
  return page(
    'Development sign-in',
    `<h1>Development sign-in</h1>
<p>This identity provider is for development only.</p>
${problem}
<form method="post" action="${escapeHtml(input.action)}">
<input type="hidden" name="prompt" value="login">
<p><label>Email <input name="login" type="email" autocomplete="username" required autofocus></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button type="submit">Sign in</button></p>
</form>
<p><a href="${escapeHtml(input.action)}/abort">Cancel</a></p>
<h2>Accounts</h2>
<table><thead><tr><th>Email</th><th>Password</th><th>Groups</th></tr></thead>
<tbody>
${rows}
</tbody></table>`,
  );
}

/** Offers to sign out here, too; `form` is the provider's own, and holds no text of a client. */
export function logoutPage(form: string): string {
  return page(
    'Development sign-out',
    `<h1>Sign out of the development identity provider?</h1>
${form}
<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
  );
}

/** A page that says that something went wrong, by the provider's own error code. */
export function errorPage(code: string, description: string): string {
  return page(
    'Sign-in failed',
    `<h1>Sign-in failed</h1><p><code>${escapeHtml(code)}</code> ${escapeHtml(description)}</p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width">
<style>body{font-family:system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
td,th{text-align:left;padding:.2rem 1rem .2rem 0}label input{display:block;width:100%}</style></head>
<body><main>
${body}
</main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

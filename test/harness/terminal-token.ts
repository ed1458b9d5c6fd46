import { createHash } from 'node:crypto';

export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** What a command gets for the session of a browser. */
export async function terminalToken(url: string, cookie: string): Promise<string> {
  const sealed = await fetch(`${url}/api/auth/code?code_challenge=${CHALLENGE}`, {
    method: 'POST',
    headers: { cookie },
  });
  const { code } = (await sealed.json()) as { readonly code: string };
  const redeemed = await redeemCode(url, code);
  return ((await redeemed.json()) as { readonly access_token: string }).access_token;
}

export function redeemCode(url: string, code: string, verifier = VERIFIER): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier });
  return fetch(`${url}/api/auth/token`, { method: 'POST', body });
}

import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError, type Settings } from '../../../src/config/settings.ts';
import { VARIABLES } from '../../../src/config/variables.ts';
import { EnvFileError, parseEnvFile } from '../../harness/env-file.ts';
import { linksOf } from './markdown-links.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROVIDERS = [
  'auth0',
  'authentik',
  'dex',
  'entra-id',
  'github-through-dex',
  'gitlab',
  'glewlwyd',
  'google',
  'keycloak',
  'lemonldap-ng',
  'okta',
];
const REGISTERED = ['Grant', 'Redirect URI', 'Post-logout URI', 'PKCE', 'Client authentication'];
const SECRETS = ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'OIDC_CLIENT_SECRET'];
/** What every installation sets, whatever its provider. */
const PRODUCTION = { NODE_ENV: 'production', NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' };

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const pageOf = (provider: string): string => read(`docs/providers/${provider}.md`);
const blocksOf = (page: string): readonly string[] =>
  [...page.matchAll(/^```env\n([^`]*)^```$/gm)].map(([, block = '']) => block);

/** What is wrong with a block that is to be copied into settings.env; nothing when it can be. */
function problemsOf(block: string): readonly string[] {
  try {
    const variables = parseEnvFile(block);
    const unknown = [...variables.keys()].filter((name) => !(name in VARIABLES));
    const secret = [...variables.keys()].filter((name) => SECRETS.includes(name));
    settingsOf(block);
    return [...unknown.map((name) => `${name} is no setting`), ...secret.map((name) => `${name} is secret`)];
  } catch (error) {
    if (error instanceof EnvFileError) return [error.message];
    if (error instanceof SettingsError)
      return error.problems.map(({ variable, rule }) => `${variable} ${rule}`);
    throw error;
  }
}

function settingsOf(block: string): Settings {
  return readSettings({ ...PRODUCTION, ...Object.fromEntries(parseEnvFile(block)) });
}

it('there is a page for every provider, and sign-in.md leads to each', () => {
  const pages = globSync('docs/providers/*.md', { cwd: ROOT }).map((file) => basename(file, '.md'));
  expect(pages.toSorted()).toEqual(PROVIDERS);
  const linked = linksOf(read('docs/sign-in.md')).map(({ target }) => target);
  expect(linked).toEqual(expect.arrayContaining(PROVIDERS.map((name) => `providers/${name}.md`)));
});

describe.each(PROVIDERS)('docs/providers/%s.md', (provider) => {
  const page = pageOf(provider);
  const [block = '', ...others] = blocksOf(page);

  it('says what to register, what to set, how groups and emails arrive, and what was tried', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Register', 'Settings', 'Groups', 'Email', 'Tried']);
    const registered = [...page.matchAll(/^- ([A-Z][\w -]+?): \S/gm)].map(([, name]) => name);
    expect(registered).toEqual(expect.arrayContaining(REGISTERED));
    expect(page.split('\n## Tried\n')[1]).toMatch(/^\n(Read, not run|Run( by hand)?: \S+ \d)/);
  });

  it('has one block for settings.env, which the service takes as it stands', () => {
    expect(others).toEqual([]);
    expect(problemsOf(block)).toEqual([]);
    expect(page).not.toMatch(/^ *[A-Z_]+=["']/m);
  });

  it('names the redirect URI that the block has the service use', () => {
    const { oidc } = settingsOf(block).auth;
    expect(page.split('\n## Settings\n')[0]).toContain(`\`${oidc?.redirectUri ?? 'none'}\``);
  });

  it('names the URI to come back to after a logout, or says that the provider has no such thing', () => {
    const { publicUrl } = settingsOf(block).http;
    const row = /^- Post-logout URI: (.+)$/m.exec(page)?.[1] ?? '';
    expect(row.startsWith('none: ') || row.startsWith(`\`${publicUrl}/login\``)).toBe(true);
  });

  it("says where the client's secret goes", () => {
    expect(block).toContain('# OIDC_CLIENT_SECRET goes into the Secret.\n');
  });
});

describe('a block that is to be copied', () => {
  const good = blocksOf(pageOf('google'))[0] ?? '';

  it.each([
    ['quotes', good.replace(/^(OIDC_SCOPES=)(.*)$/m, '$1"$2"'), 'OIDC_SCOPES must not be in quotes'],
    ['single quotes', good.replace(/^(OIDC_CLIENT_ID=)(.*)$/m, "$1'$2'"), 'OIDC_CLIENT_ID must not be'],
    ['a secret', `${good}OIDC_CLIENT_SECRET=c4n4ry\n`, 'OIDC_CLIENT_SECRET is secret'],
    ['a setting that there is not', `${good}OIDC_ISSUER_URL=https://a\n`, 'OIDC_ISSUER_URL is no setting'],
    ['a line that is cut', `${good}OIDC_CLIENT\n`, 'is neither a variable nor a comment'],
    ['a setting twice', `${good}OIDC_ISSUER=https://a\n`, 'sets a variable again'],
    ['a comment behind a value', good.replace(/^(OIDC_ISSUER=.*)$/m, '$1 # theirs'), 'OIDC_ISSUER must be'],
    ['an ellipsis in an address', 'OIDC_ISSUER=https://…\n', 'OIDC_ISSUER must be'],
  ])('is found out with %s', (_what, block, problem) => {
    expect(problemsOf(block).join('\n')).toContain(problem);
    expect(problemsOf(block).join('\n')).not.toContain('c4n4ry');
  });
});

describe('the reader of env files', () => {
  it('reads what kustomize reads', () => {
    // As `kubectl kustomize` of kubectl 1.32 reads it.
    const text = '# a\n\n  A=  "b" # c \nB=x=y=\r\nC=\nD=\'d\'\n';
    expect(Object.fromEntries(parseEnvFile(text))).toEqual({
      A: '  "b" # c ',
      B: 'x=y=',
      C: '',
      D: "'d'",
    });
  });

  it('reads the settings of the overlays', () => {
    for (const overlay of ['production', 'e2e'])
      expect(problemsOf(read(`kustomize/overlays/${overlay}/settings.env`))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { isQuoted, QUOTES_RULE } from '../../../src/config/forms.ts';
import { credentialProblem } from '../../../src/config/oddities.ts';
import { readSettings, SettingsError } from '../../../src/config/settings.ts';
import { VARIABLES, type VariableName } from '../../../src/config/variables.ts';

const OPAQUE: readonly string[] = ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'OIDC_CLIENT_SECRET'];
const names = Object.keys(VARIABLES) as VariableName[];

function problemsOf(environment: Readonly<Record<string, string>>) {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('a setting in quotes', () => {
  it.each(names.filter((name) => !OPAQUE.includes(name)))(
    'stops the start: %s is named with the rule, and never the value',
    (name) => {
      for (const value of ['"c4n4ry"', "'c4n4ry'", '`c4n4ry`', '\u201cc4n4ry\u201d', ' "c4n4ry" ', '""']) {
        const problems = problemsOf({ [name]: value });
        expect(problems).toEqual([{ variable: name, rule: QUOTES_RULE }]);
        expect(JSON.stringify(problems)).not.toContain('c4n4ry');
      }
    },
  );

  it.each(OPAQUE)('is taken as it is where someone else drew it at random: %s', (name) => {
    expect(problemsOf({ [name]: '"c4n4ry"' })).toEqual([]);
  });

  it('does not quietly turn the protections of production off', () => {
    expect(problemsOf({ NODE_ENV: '"production"' })).toHaveLength(1);
  });

  it.each(['SERVICE_ADMIN_USERS', 'SERVICE_ADMIN_GROUPS', 'SERVICE_NAMESPACES'])(
    'is not taken as an entry of %s either, where it would match no one',
    (name) => {
      for (const value of ['a,"c4n4ry"', "'a', b", '"a","b"', '\'["a"]\'']) {
        const problems = problemsOf({ [name]: value });
        expect(problems.map(({ variable }) => variable)).toEqual([name]);
        expect(problems[0]?.rule).toContain('quotes');
        expect(problems[0]?.rule).not.toContain('c4n4ry');
      }
    },
  );

  it('is an entry where a JSON array says so, and an email may have a quoted part', () => {
    const { access } = readSettings({
      SERVICE_ADMIN_GROUPS: '["\\"team\\""]',
      SERVICE_ADMIN_USERS: '"ada lovelace"@example.com,b@example.com',
    });
    expect(access.adminGroups).toEqual(['"team"']);
    expect(access.adminUsers).toEqual(['"ada lovelace"@example.com', 'b@example.com']);
  });
});

describe('quotes', () => {
  it.each(['"a"', "'a'", '\u00aba\u00bb', '\u2018a\u2019', '"a\'', '""', ' "a"\n'])(
    'are around %j',
    (text) => {
      expect(isQuoted(text)).toBe(true);
    },
  );

  it.each(['', '"', 'a', 'a"b', '"a', 'a"', '["a"]', '"a" b'])('are not around %j', (text) => {
    expect(isQuoted(text)).toBe(false);
  });
});

describe('a client id or secret', () => {
  it.each([
    ['"s3cret"', 'in quotes'],
    ['s3cret\n', 'white space'],
    [' s3cret', 'white space'],
  ])('%j is warned about, and not repeated', (text, problem) => {
    expect(credentialProblem(text)).toContain(problem);
    expect(credentialProblem(text)).not.toContain('s3cret');
  });

  it.each([undefined, 's3cret', 's3"cret'])('%j is not', (text) => {
    expect(credentialProblem(text)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import {
  inheritedEnvironment,
  selectKeys,
  variablesOf,
  type VariableOptions,
} from '../../src/run/variables.ts';

const OPTIONS: VariableOptions = { only: [], prefix: '', allow: new Set(), allowClash: false };
const secret = (name: string, values: Record<string, string | Uint8Array>) => ({
  name,
  values: new Map(Object.entries(values).map(([key, value]) => [key, Buffer.from(value)])),
});
const variables = (values: Record<string, string | Uint8Array>, options: Partial<VariableOptions> = {}) => {
  const chosen = { ...OPTIONS, ...options };
  const result = variablesOf(selectKeys([secret('app', values)], chosen.only), chosen);
  return result.kind === 'variables' ? Object.fromEntries(result.variables) : result.problems;
};

describe('the variables of run', () => {
  it('are the keys of the Secrets, with the prefix', () => {
    expect(variables({ USER_NAME: 'ann', _x1: 'ü\n' }, { prefix: 'DB_' })).toEqual({
      DB_USER_NAME: 'ann',
      DB__x1: 'ü\n',
    });
  });

  it('are those of --only, and each of them has to exist', () => {
    expect(variables({ A: '1', 'tls.crt': '2' }, { only: ['A'] })).toEqual({ A: '1' });
    expect(variables({ A: '1' }, { only: ['A', 'B'] })).toEqual(['no Secret has the key "B" of --only']);
  });

  it.each(['ld_sdk_key', 'pip_password', 'git_config'])('are passed for the key %s', (key) => {
    expect(variables({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });

  it.each(['tls.crt', 'a-b', '1A'])('are refused for the key %s, which is no name of a variable', (key) => {
    expect(variables({ [key]: 'canary' })).toEqual([
      expect.stringContaining(`"${key}" is not a variable name`),
    ]);
  });

  it.each([
    ...[
      'PATH',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'BASH_ENV',
      'ENV',
      'IFS',
      'PYTHONSTARTUP',
    ],
    ...['PYTHONPATH', 'PERL5OPT', 'RUBYOPT', 'GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'SECRETSCTL_SERVER'],
    ...['MAKEFLAGS', 'GOFLAGS', 'RUSTC_WRAPPER', 'VIMINIT', 'LUA_INIT', 'PERL5DB', 'MAVEN_OPTS'],
    ...['OPENSSL_CONF', 'DOTNET_STARTUP_HOOKS', 'KUBECONFIG', 'TAR_OPTIONS', 'ERL_AFLAGS', 'PIP_INDEX_URL'],
    ...['npm_config_node_options', 'NPM_CONFIG_NODE_OPTIONS', 'Npm_Config_node_options'],
  ])('leave %s alone unless it is allowed', (name) => {
    expect(variables({ [name]: 'canary' })).toEqual([expect.stringContaining(`--allow ${name}`)]);
    expect(variables({ [name]: 'x' }, { allow: new Set([name]) })).toEqual({ [name]: 'x' });
  });

  it('may be named as credentials of Git are', () => {
    expect(variables({ GIT_TOKEN: 'x' })).toEqual({ GIT_TOKEN: 'x' });
  });

  it('are checked after the prefix', () => {
    expect(variables({ D_PRELOAD: 'x' }, { prefix: 'L' })).toEqual([
      expect.stringContaining('--allow LD_PRELOAD'),
    ]);
    expect(variables({ PATH: 'x' }, { prefix: 'APP_' })).toEqual({ APP_PATH: 'x' });
  });

  it.each([
    ['a NUL byte', 'canary\0', 'contains a NUL byte'],
    ['bytes that are not UTF-8', Uint8Array.of(0x63, 0xff), 'is not UTF-8'],
    ['more than a variable can hold', 'canary'.repeat(30_000), 'larger than a variable'],
  ])('are refused with %s, and the key alone is named', (_, value, why) => {
    const problems = variables({ KEY: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^app: key "KEY": its value.*${why}`))]);
    expect(JSON.stringify(problems)).not.toContain('canary');
  });

  it('keep a byte order mark', () => {
    expect(variables({ KEY: '\uFEFFx' })).toEqual({ KEY: '\uFEFFx' });
  });

  it('do not clash unless the later one is to win', () => {
    const both = selectKeys([secret('one', { A: '1' }), secret('two', { A: '2' })], []);
    expect(variablesOf(both, OPTIONS)).toEqual({
      kind: 'refused',
      problems: ['A is in one and in two; --allow-clash takes the later one'],
    });
    expect(variablesOf(both, { ...OPTIONS, allowClash: true })).toEqual({
      kind: 'variables',
      variables: new Map([['A', '2']]),
    });
  });
});

describe('what the child inherits', () => {
  const environment = {
    PATH: '/bin',
    LC_ALL: 'C',
    OTHER: 'x',
    SECRETSCTL_TOKEN: 'canary',
    SECRETSCTL_TOKEN_FILE: '/t',
    SECRETSCTL_ID_TOKEN: 'canary',
  };

  it('is everything but the credentials of the command', () => {
    expect(Object.fromEntries(inheritedEnvironment(environment, true))).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      OTHER: 'x',
    });
  });

  it('is little with --no-inherit-env', () => {
    expect(Object.fromEntries(inheritedEnvironment(environment, false))).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
    });
  });
});

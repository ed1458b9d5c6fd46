import { readdirSync, readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

type Exports = Readonly<Record<string, unknown>>;

const FOLDER = new URL('../../../src/contract/', import.meta.url);
const MODULES = readdirSync(FOLDER);

/** What a browser has beyond the language itself and the modules use. */
const BROWSER_GLOBALS = { TextDecoder, TextEncoder, atob };

/** Evaluates one module, and what it imports of its folder, where none of the globals of Node exists. */
function load(name: string): Exports {
  const context = createContext({ ...BROWSER_GLOBALS });
  const loaded = new Map<string, Exports>();
  const evaluate = (file: string): Exports => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    if (!MODULES.includes(file)) throw new TypeError(`imports ${file}, which is not of src/contract`);
    const { outputText } = ts.transpileModule(readFileSync(new URL(file, FOLDER), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 },
    });
    const exports: Exports = {};
    loaded.set(file, exports);
    const body = runInContext(`(function (exports, require) {${outputText}\n})`, context) as (
      exports: Exports,
      require: (specifier: string) => Exports,
    ) => void;
    body(exports, (specifier) => evaluate(specifier.replace(/^\.\//, '')));
    return exports;
  };
  return evaluate(name);
}

const call = (name: string, ...parameters: readonly unknown[]) =>
  (load(name.split(' ')[0] ?? '')[name.split(' ')[1] ?? ''] as (...all: readonly unknown[]) => unknown)(
    ...parameters,
  );

const user = { email: 'Ada@example.com', groups: ['team'] };
const bytes = (text: string) => new TextEncoder().encode(text);
const NULL = Uint8Array.of(5, 0);

/** One call of every function that a module exports, with what it returns. */
const CALLS: readonly (readonly [name: string, parameters: readonly unknown[], returns: unknown])[] = [
  ['access-entry.ts entryViolation', ['a,b'], 'must not contain a comma'],
  ['access-rules.ts includesLevel', ['write', 'manage'], false],
  [
    'access-rules.ts rulesOf',
    [{ allowedGroups: [], allowedUsers: [], writerGroups: [], readerGroups: ['a'] }],
    { allowedGroups: [], allowedUsers: [], readerGroups: ['a'] },
  ],
  ['access-rules.ts hasAnyList', [{ allowedGroups: [], allowedUsers: [], readerUsers: ['a'] }], true],
  [
    'access-rules.ts levelIn',
    [user, { allowedGroups: [], allowedUsers: [], writerUsers: ['Ada@example.com'] }],
    'write',
  ],
  ['access-rules.ts levelOn', [user, { allowedGroups: [], allowedUsers: [] }, 'read'], 'read'],
  ['access-rules.ts hasRules', [{ allowedGroups: [], allowedUsers: [] }], false],
  [
    'access-rules.ts keyedRules',
    [{ allowedGroups: ['Team'], allowedUsers: ['Ada@example.com'] }],
    { allowedGroups: ['Team'], allowedUsers: ['ada@example.com'], areKeys: true },
  ],
  ['der.ts readDer', [NULL], { tag: 5, content: bytes(''), end: 2 }],
  ['der.ts childrenOf', [{ content: NULL }], [{ tag: 5, content: bytes(''), end: 2 }]],
  ['der.ts sequenceOf', [Uint8Array.of(0x30, 0)], []],
  ['der.ts oidOf', [{ content: Uint8Array.of(0x2b, 0x65) }], '1.3.101'],
  ['der.ts required', [NULL], NULL],
  ['der.ts sameBytes', [NULL, NULL], true],
  ['email.ts emailKey', ['Ada@Example.com'], 'ada@example.com'],
  ['email.ts isIdentity', [' ada@example.com'], false],
  ['expiry.ts expiresAtViolation', [''], undefined],
  ['expiry.ts isExpiryTime', [-1], false],
  ['expiry.ts parseExpiryTime', ['1970-01-01T00:00:01Z'], 1_000],
  ['expiry.ts parsePeriod', ['1h'], 3_600_000],
  ['expiry.ts rotateEveryViolation', ['30d'], undefined],
  ['access-rules.ts haveCommon', [['a'], ['b', 'a']], true],
  ['json-text.ts jsonOrUndefined', ['[1'], undefined],
  ['json-text.ts isObject', [[]], false],
  ['json-text.ts isListOfTexts', [['a', 1]], false],
  ['json-text.ts isJsonObjectOrNull', [bytes('{"a": 1e5}')], true],
  ['jws.ts claimsOfJws', ['eyJhbGciOiJub25lIn0.eyJleHAiOjF9.'], { exp: 1 }],
  ['jws.ts expiryOfClaims', [{ exp: 1 }], 1_000],
  ['keys.ts isValidKey', ['..key'], false],
  [
    'login-errors.ts loginErrorText',
    [null],
    expect.objectContaining({ sentence: expect.any(String) as string }),
  ],
  ['login-errors.ts loginErrorOf', [new URLSearchParams('')], undefined],
  ['login-errors.ts failedLoginPage', ['invalid_scope'], '/login?auth=error&idp_error=invalid_scope'],
  ['names.ts isNamespaceName', ['team-a'], true],
  ['names.ts isSecretName', ['Name'], false],
  ['names.ts isUid', ['-uid'], false],
  ['names.ts newNameViolation', ['name'], undefined],
  ['pem.ts pemBlocks', [''], expect.objectContaining({})],
  ['pem.ts isEncryptedKey', [{ label: 'ENCRYPTED PRIVATE KEY', text: '' }], true],
  [
    'pem.ts bytesOfBlock',
    [{ label: 'A', text: '-----BEGIN A-----\nBQA=\n-----END A-----' }],
    expect.objectContaining({ 0: 5, 1: 0, length: 2 }),
  ],
  ['private-key.ts readableEncoding', ['PRIVATE KEY', NULL], undefined],
  ['printable.ts printable', ['a\u202eb'], 'a\\u{202e}b'],
  ['search-text.ts searchText', ['ΔΗΜΟΣ'], 'δημοσ'],
  ['printable.ts beginning', ['a🙂', 2], 'a'],
  ['printable.ts spelledOut', ['\u0000'], '\\u{0}'],
  ['secret-types.ts storedType', [''], 'Opaque'],
  ['secret-types.ts builtInName', ['platform.io/tls'], 'tls'],
  ['secret-types.ts keysOfType', ['kubernetes.io/tls'], ['tls.crt', 'tls.key']],
  ['secret-types.ts isTypeKey', ['ssh-privatekey'], true],
  [
    'secret-types.ts typeRuleViolation',
    ['kubernetes.io/dockercfg', new Map([['.dockercfg', bytes('[]')]])],
    'needs the key .dockercfg with a JSON object or null',
  ],
  ['secret-types.ts isServiceAccountToken', ['kubernetes.io/service-account-token'], true],
  ['secret-types.ts isBootstrapToken', ['bootstrap.platform.io/token'], true],
  [
    'token-claims.ts wantedClaims',
    [{ sub: 'a', '/b': ['c'] }],
    [
      ['sub', ['a']],
      ['/b', ['c']],
    ],
  ],
  ['token-claims.ts isWantedClaims', [{ sub: [] }], false],
  ['token-claims.ts claimsMatch', [{ groups: ['a'] }, [['/groups/0', ['a', 'b']]]], true],
  ['token-claims.ts claimAt', [{ a: { 'b/c': 'd' } }, '/a/b~1c'], 'd'],
  ['token-claims.ts isListOf', [[], () => true], false],
  ['token-claims.ts isText', [''], false],
  ['times.ts formatTime', [0], '1970-01-01T00:00:00Z'],
  ['times.ts parseDuration', ['2s'], 2_000],
  ['times.ts parseTime', ['1969-12-31T23:59:59Z'], -1_000],
  ['text.ts forgetLastMatch', [], undefined],
  ['text.ts hasBinaryControl', ['\u0000'], true],
  ['text.ts brokenTextRule', ['\ud800'], 'unicode'],
  ['text.ts textViolation', ['\ud800'], 'must be valid Unicode'],
  ['text.ts descriptionViolation', ['é'.repeat(2_048)], undefined],
  ['text.ts noteViolation', ['🔑'.repeat(256)], undefined],
  ['text.ts lineViolation', ['a\tb'], 'must not contain control characters'],
  ['text.ts shortDescription', ['é'.repeat(2_049)], `${'é'.repeat(2_046)}…`],
  ['text.ts textOf', [new Uint8Array([0xff])], undefined],
  ['text.ts bytesOf', ['ä'], bytes('ä')],
  ['text.ts bytesOfBase64', ['BQA='], expect.objectContaining({ 0: 5, 1: 0, length: 2 })],
  [
    'tls-warnings.ts tlsWarnings',
    [{ chain: [], key: 'unknown', hasIssuerInCa: false }, 0],
    ['certificateUnreadable'],
  ],
];

describe('src/contract runs in a browser as it is', () => {
  it.each(MODULES)('%s is evaluated without a global of Node', (name) => {
    expect(() => load(name)).not.toThrow();
  });

  it.each(CALLS)('%s is called without a global of Node', (name, parameters, returns) => {
    expect(call(name, ...parameters)).toEqual(returns);
  });

  it('calls every function that is exported', () => {
    const functions = MODULES.flatMap((name) =>
      Object.entries(load(name)).flatMap(([key, value]) =>
        typeof value === 'function' ? [`${name} ${key}`] : [],
      ),
    );
    expect(CALLS.map(([name]) => name).sort()).toEqual(functions.sort());
  });
});

import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../../src/config/settings.ts';
import { VARIABLES, type VariableName } from '../../../src/config/variables.ts';
import { column, readDocument, listRows } from '../observability/markdown-tables.ts';
import { issuersWith } from './settings-fixture.ts';

const document = readDocument('configuration.md');
const headings = [...document.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
const rows = headings.flatMap((heading) =>
  listRows(document, heading, ['Variable', 'Default', 'Example', 'Meaning']),
);
const names = Object.keys(VARIABLES) as VariableName[];

describe('docs/configuration.md', () => {
  it('describes every variable once, and no other', () => {
    expect(column(rows, 'Variable').toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('states the default of %s', (name) => {
    const { shownDefault } = VARIABLES[name];
    const row = rows.find((candidate) => candidate.get('Variable') === name);
    expect(row?.get('Default')).toBe(shownDefault);
  });

  it.each(rows.map((row) => [row.get('Variable') ?? '', row] as const))(
    'says what %s means, with an example that is taken',
    (name, row) => {
      expect(row.get('Meaning')).toMatch(/\w{3,}/);
      const example = row.get('Example') ?? '';
      expect(example).not.toBe('');
      expect(example).not.toBe(row.get('Default'));
      // One of the two is required with the other.
      const pair = name.startsWith('SERVICE_TLS_')
        ? { SERVICE_TLS_CERT_FILE: '/tls.crt', SERVICE_TLS_KEY_FILE: '/tls.key' }
        : {};
      const environment = { NEXT_PUBLIC_APP_URL: 'https://example.com', ...pair, [name]: example };
      expect(() => readSettings(environment, () => issuersWith({}))).not.toThrow(SettingsError);
    },
  );

  it('mentions no variable that does not exist', () => {
    // How to find and reach the cluster is kubectl's own convention.
    const known = new Set<string>([...names, 'KUBECONFIG', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']);
    const mentioned = [...document.matchAll(/\b(?:[A-Z]+_[A-Z_]+|KUBECONFIG|PORT|HOST)\b/g)].map(
      ([name]) => name,
    );
    expect(mentioned.filter((name) => !known.has(name))).toEqual([]);
  });
});

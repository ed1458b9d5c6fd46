import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../../../src/config/variables.ts';
import { METRICS } from '../../../src/observability/metric-table.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const documents = [...globSync('*.md', { cwd: ROOT }), ...globSync('docs/**/*.md', { cwd: ROOT })].toSorted();
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Prefixes under which only the service has settings; KUBECONFIG, NODE_OPTIONS and the like are other programs'. */
const SETTING =
  /\b(?:(?:SERVICE|OIDC|SESSION|NEXT_PUBLIC|AUTH|OPS|TRUST)_[A-Z_]*[A-Z]|LOG_LEVEL|NODE_ENV)\b/g;
const METRIC = /(?<!:)\bservice_[a-z_]*[a-z]\b(?!:)/g;
/** The session's cookie. */
const NO_METRICS = ['service_session'];

describe.each(documents)('%s', (file) => {
  it('names only settings that there are', () => {
    const names = (textOf(file).match(SETTING) ?? []).filter((name) => !(name in VARIABLES));
    expect(names).toEqual([]);
  });

  it('names only metrics that there are', () => {
    const names = (textOf(file).match(METRIC) ?? []).filter(
      (name) => !NO_METRICS.includes(name) && !(name.replace(/_(bucket|sum|count)$/, '') in METRICS),
    );
    expect(names).toEqual([]);
  });
});

describe('the patterns', () => {
  it('find names', () => {
    const found = documents.flatMap((file) => [...(textOf(file).match(SETTING) ?? [])]);
    expect(new Set(found).size).toBeGreaterThan(20);
    expect(textOf('docs/observability.md').match(METRIC)?.length).toBeGreaterThan(15);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { releaseEdits } from '../../../hack/release/edits.ts';
import { isNewer, isVersion } from '../../../hack/release/version.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Not the project's own, which lists nothing right after a release. */
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.0.1 - 2025-01-01\n\n- A beginning.\n';
const checkout = (file: string): string =>
  file === 'CHANGELOG.md' ? CHANGELOG : readFileSync(path.join(ROOT, file), 'utf8');
const { version: current } = JSON.parse(checkout('package.json')) as { version: string };
const NEXT = { version: '900.1.2', date: '2026-01-31' };

const edited = (read: (file: string) => string = checkout) =>
  new Map(releaseEdits(NEXT, read).map(({ file, text }) => [file, text]));

describe('a release of this checkout', () => {
  it('gives the changelog a section with the date, under an empty one', () => {
    const text = edited().get('CHANGELOG.md') ?? '';
    expect(text).toContain('\n## Unreleased\n\n## 900.1.2 - 2026-01-31\n\n');
    expect(text.replace('## 900.1.2 - 2026-01-31\n\n', '')).toBe(checkout('CHANGELOG.md'));
  });

  it('sets the version everywhere that it is named, and changes nothing else', () => {
    const files = edited();
    for (const [file, text] of files) {
      const lines = new Set(text.split('\n'));
      const changed = checkout(file)
        .split('\n')
        .filter((line) => !lines.has(line));
      if (file !== 'CHANGELOG.md') expect(changed, file).not.toEqual([]);
      for (const line of changed) expect(line, file).toContain(current);
    }
    for (const file of ['package-lock.json', 'web/package-lock.json']) {
      const lock = JSON.parse(files.get(file) ?? '') as {
        version: string;
        packages: Record<string, unknown>;
      };
      expect([lock.version, lock.packages['']]).toMatchObject(['900.1.2', { version: '900.1.2' }]);
    }
    expect(files.get('kustomize/base/kustomization.yaml')).toContain('newTag: 900.1.2\n');
    expect(files.get('docs/install.md')).toContain('?ref=v900.1.2');
  });
});

it('a pre-release becomes its version without a further change, and the changelog says so', () => {
  const empty = '# Changelog\n\n## Unreleased\n\n## 900.1.2-rc.1 - 2026-01-30\n\n- Something.\n';
  const text = edited((file) =>
    file === 'CHANGELOG.md' ? empty : checkout(file).replaceAll(current, '900.1.2-rc.1'),
  ).get('CHANGELOG.md');
  const section = '## 900.1.2 - 2026-01-31\n\nNo changes since 900.1.2-rc.1.\n\n';
  expect(text).toBe(empty.replace('## 900.1.2-rc.1', `${section}## 900.1.2-rc.1`));
});

describe('a release is refused', () => {
  const without = (file: string, change: (text: string) => string) => (name: string) =>
    name === file ? change(checkout(name)) : checkout(name);

  it.each(['', '1.2', 'v1.2.3', '1.2.3-', '01.2.3', '1.2.3\n', '1.2.3-next', '1.2.3+build'])(
    'with the version %j',
    (version) => {
      expect(() => releaseEdits({ ...NEXT, version }, checkout)).toThrow(/VERSION must be like/);
    },
  );

  it('with an older version, and with one that was released', () => {
    expect(() => releaseEdits({ ...NEXT, version: '0.0.1' }, checkout)).toThrow(/must be newer than/);
    const released = without('CHANGELOG.md', (text) => `${text}\n## ${current} - 2026-01-01\n`);
    expect(() => releaseEdits({ ...NEXT, version: current }, released)).toThrow(/must be newer than/);
  });

  it('with a changelog that lists nothing, or has no section for it', () => {
    const empty = without('CHANGELOG.md', () => '# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- a\n');
    expect(() => edited(empty)).toThrow(/lists no change/);
    expect(() => edited(without('CHANGELOG.md', () => '# Changelog\n'))).toThrow(/needs one section/);
  });

  it('with files of different versions', () => {
    const other = (text: string) => text.replace(`"version": "${current}"`, '"version": "0.0.7"');
    expect(() => edited(without('web/package.json', other))).toThrow(/web\/package\.json/);
    expect(() => edited(without('web/package-lock.json', other))).toThrow(/web\/package-lock\.json/);
  });
});

it('versions are compared by number, and a pre-release comes before its version', () => {
  const ordered = [
    '0.9.10',
    '0.10.0-alpha.1',
    '0.10.0-beta.1',
    '0.10.0-rc.2',
    '0.10.0-rc.10',
    '0.10.0',
    '1.0.0',
  ];
  for (const [index, version] of ordered.entries()) {
    expect(isVersion(version)).toBe(true);
    for (const [other, against] of ordered.entries()) expect(isNewer(version, against)).toBe(index > other);
  }
});

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shippedNames } from '../../../hack/dependencies/licences.ts';
import { shippedBom, type Bom, type Tree } from '../../../hack/release/sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMITTED_AT = '2026-01-31T12:00:00.000Z';

function npmBom(folder: string): Bom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync('npm', ['--prefix', folder, ...args], options)) as Bom;
}

let trees: readonly [Tree, Tree];
beforeAll(() => {
  const treeOf = (folder: string): Tree => ({
    bom: npmBom(folder),
    shipped: shippedNames(path.join(ROOT, folder)),
  });
  trees = [treeOf('.'), treeOf('web')];
});

describe('the list of what the image ships', () => {
  it('has every package that is shipped, those that tools need too among them, and no tool', () => {
    const bom = shippedBom(...trees, COMMITTED_AT);
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
    const pages = listed.filter((name) => name.startsWith('secrets-management-pages@'));
    expect(pages).toHaveLength(1);
    const shipped = new Set([...trees[0].shipped, ...trees[1].shipped, ...pages]);
    expect(listed.toSorted()).toEqual([...shipped].toSorted());
    const names = bom.components.map(({ name }) => name);
    // jose is a dependency of the development identity provider as well: npm's own --omit=dev would leave it out.
    expect(names).toEqual(expect.arrayContaining(['express', 'jose', 'react']));
    expect(names).not.toContain('vitest');
  });

  it('is CycloneDX 1.5 whose components have a package URL and a digest, and whose references resolve', () => {
    const bom = shippedBom(...trees, COMMITTED_AT);
    expect([bom.bomFormat, bom.specVersion, bom.metadata.timestamp]).toEqual([
      'CycloneDX',
      '1.5',
      COMMITTED_AT,
    ]);
    expect(bom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const refs = new Set([bom.metadata.component, ...bom.components].map((one) => one['bom-ref']));
    expect(refs.size).toBe(bom.components.length + 1);
    for (const component of bom.components) {
      expect(component['purl']).toMatch(/^pkg:npm\//);
      if (component.name !== 'secrets-management-pages') expect(component['hashes']).toHaveLength(1);
    }
    for (const { ref, dependsOn = [] } of bom.dependencies) {
      for (const one of [ref, ...dependsOn]) expect(refs.has(one), one).toBe(true);
    }
    const [root] = bom.dependencies.filter(({ ref }) => ref === bom.metadata.component['bom-ref']);
    expect(root?.dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^express@/)]));
  });

  it('is the same text each time, whatever random number npm put into it', () => {
    const [service, pages] = trees;
    const again = { ...service, bom: { ...service.bom, serialNumber: 'urn:uuid:another' } };
    expect(shippedBom(again, pages, COMMITTED_AT)).toEqual(shippedBom(service, pages, COMMITTED_AT));
  });
});

import { createHash } from 'node:crypto';

/** What is used of CycloneDX 1.5, as npm writes it. */
export interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: BomComponent;
    readonly [field: string]: unknown;
  };
  readonly components: readonly BomComponent[];
  readonly dependencies: readonly BomDependency[];
  readonly [field: string]: unknown;
}

export interface BomComponent {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly [field: string]: unknown;
}

interface BomDependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** One folder with a lock file: npm's list of everything in it, and which of that is shipped, as `name@version`. */
export interface Tree {
  readonly bom: Bom;
  readonly shipped: ReadonlySet<string>;
}

/**
 * One list for everything that the image ships: of the service, and of the pages, which are built into it. npm's own
 * `--omit=dev` leaves out whatever a tool for development needs too, so npm lists everything and this keeps what is
 * shipped. Two lists of the same commit are the same text: the time is the commit's, and the serial number is made from
 * the content.
 */
export function shippedBom(service: Tree, pages: Tree, committedAt: string): Bom {
  const [own, ofPages] = [shippedOf(service), shippedOf(pages)];
  const root = service.bom.metadata.component;
  const rootOfPages = { ...pages.bom.metadata.component, name: 'secrets-management-pages' };
  const components = byRef([rootOfPages, ...own.components, ...ofPages.components], (one) => one['bom-ref']);
  const dependencies = merged([
    ...own.dependencies,
    ...ofPages.dependencies,
    { ref: root['bom-ref'], dependsOn: [rootOfPages['bom-ref']] },
  ]);
  const bom = {
    ...service.bom,
    metadata: {
      ...service.bom.metadata,
      timestamp: committedAt,
      component: { ...root, name: 'secrets-management-service' },
    },
    components,
    dependencies,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...bom, serialNumber: '' }))
    .digest('hex');
  return { ...bom, serialNumber: `urn:uuid:${uuidOf(digest)}` };
}

function shippedOf({ bom, shipped }: Tree): Pick<Bom, 'components' | 'dependencies'> {
  const components = bom.components
    .filter(({ name, version }) => shipped.has(`${name}@${version}`))
    // What tools need too is "optional" to npm in places.
    .map((component) => ({ ...component, scope: 'required' }));
  const refs = new Set([
    bom.metadata.component['bom-ref'],
    ...components.map((component) => component['bom-ref']),
  ]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { components, dependencies };
}

function merged(dependencies: readonly BomDependency[]): readonly BomDependency[] {
  const byRefs = new Map<string, Set<string>>();
  for (const { ref, dependsOn = [] } of dependencies) {
    byRefs.set(ref, new Set([...(byRefs.get(ref) ?? []), ...dependsOn]));
  }
  return byRef(
    [...byRefs].map(([ref, others]) => ({ ref, dependsOn: [...others].toSorted() })),
    ({ ref }) => ref,
  );
}

/** Once each, in the order of their names. */
function byRef<One>(all: readonly One[], refOf: (one: One) => string): readonly One[] {
  const known = new Map(all.map((one) => [refOf(one), one]));
  return [...known].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/** A UUID of version 8, whose bits are the maker's own (RFC 9562, section 5.8). */
function uuidOf(digest: string): string {
  const at = (from: number, length: number): string => digest.slice(from, from + length);
  return `${at(0, 8)}-${at(8, 4)}-8${at(13, 3)}-a${at(17, 3)}-${at(20, 12)}`;
}

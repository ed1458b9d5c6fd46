import type { Manifest } from '../manifests/rendered.ts';

// A run must not touch an installation that is there already: everything that it creates is named for it alone.

interface Named {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/**
 * The objects as rendered, but in namespaces of the run's own, and with names of the run's own where these are
 * outside of namespaces. References follow.
 */
export function namedForRun(manifests: readonly Manifest[], run: string): readonly Manifest[] {
  const classes = new Set(
    manifests.filter(({ kind }) => kind === 'GatewayClass').map(({ metadata }) => metadata.name),
  );
  return manifests.map((manifest) => withClassOfRun(forRun(manifest, run), classes, run));
}

/** A name of the run's own. */
export function runName(run: string, name: string): string {
  return `${run}-${name}`;
}

function forRun(manifest: Manifest, run: string): Manifest {
  const { metadata } = manifest;
  const own = (name: string): string => runName(run, name);
  const roleRef = manifest['roleRef'] as Named | undefined;
  const subjects = manifest['subjects'] as readonly Named[] | undefined;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      name: metadata.namespace === undefined ? own(metadata.name) : metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: own(metadata.namespace) }),
    },
    ...(roleRef?.kind === 'ClusterRole' ? { roleRef: { ...roleRef, name: own(roleRef.name ?? '') } } : {}),
    ...(subjects === undefined
      ? {}
      : {
          subjects: subjects.map((subject) =>
            subject.namespace === undefined ? subject : { ...subject, namespace: own(subject.namespace) },
          ),
        }),
  };
}

/** A Gateway keeps a class that is not among the objects: that is the cluster's. */
function withClassOfRun(manifest: Manifest, classes: ReadonlySet<string>, run: string): Manifest {
  if (manifest.kind !== 'Gateway') return manifest;
  const spec = manifest['spec'] as { readonly gatewayClassName: string };
  if (!classes.has(spec.gatewayClassName)) return manifest;
  return { ...manifest, spec: { ...spec, gatewayClassName: runName(run, spec.gatewayClassName) } };
}

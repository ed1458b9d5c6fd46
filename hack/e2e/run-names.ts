import type { Manifest } from '../manifests/rendered.ts';

// A run must not touch an installation that is there already: everything that it creates is named for it alone.

/** Names that belong to no namespace. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set(['ClusterRole', 'ClusterRoleBinding']);

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
  return manifests.map((manifest) => forRun(manifest, run));
}

/** A name of the run's own. */
export function runName(run: string, name: string): string {
  return `${run}-${name}`;
}

function forRun(manifest: Manifest, run: string): Manifest {
  const { kind, metadata } = manifest;
  const own = (name: string): string => runName(run, name);
  const isOutside = kind === 'Namespace' || CLUSTER_SCOPED.has(kind);
  const roleRef = manifest['roleRef'] as Named | undefined;
  const subjects = manifest['subjects'] as readonly Named[] | undefined;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      name: isOutside ? own(metadata.name) : metadata.name,
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

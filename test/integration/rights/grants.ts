import type { LoggedRequest } from '../../../hack/dev-cluster/faults/request-log.ts';
import type { RightsRule } from '../../../hack/demo/rights.ts';
import type { Manifest } from '../../../hack/manifests/rendered.ts';

/** One verb on one kind of object, in one namespace or (undefined) in all. */
export interface Grant {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  /** Only objects of these names; undefined for all. */
  readonly names?: readonly string[] | undefined;
}

/** What roles and bindings grant, one by one. Every binding is taken for one of the service's account. */
export function grantsOf(manifests: readonly Manifest[]): readonly Grant[] {
  return manifests
    .filter(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding')
    .flatMap((binding) => {
      const { namespace } = binding.metadata;
      return rulesOf(manifests, binding).flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            verbs.map((verb) => ({ verb, group, resource, namespace, names: resourceNames })),
          ),
        ),
      );
    });
}

function rulesOf(manifests: readonly Manifest[], binding: Manifest): readonly RightsRule[] {
  const { kind, name } = binding['roleRef'] as { readonly kind: string; readonly name: string };
  const namespace = kind === 'Role' ? binding.metadata.namespace : undefined;
  const role = manifests.find(
    (object) =>
      object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
  );
  if (role === undefined)
    throw new Error(`${binding.metadata.name} binds ${kind} ${name}, which is not there`);
  return role['rules'] as readonly RightsRule[];
}

/** A request as the cluster's log has it; of lists and watches, `name` is the one that their field selector names. */
export type LoggedCall = Pick<
  LoggedRequest,
  'verb' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path'
>;

/** Whether a grant allows a call. */
export function covers(grant: Grant, call: LoggedCall): boolean {
  return (
    grant.verb === call.verb &&
    grant.resource === (call.subresource === '' ? call.resource : `${call.resource}/${call.subresource}`) &&
    grant.group === groupOf(call.path) &&
    (grant.namespace === undefined || grant.namespace === call.namespace) &&
    (grant.names === undefined || grant.names.includes(call.name))
  );
}

function groupOf(path: string): string {
  return /^\/apis\/([^/]+)\//.exec(path)?.[1] ?? '';
}

/** In words: `patch deployments.apps in team-a`. */
export function inWords({ verb, group, resource, namespace }: Grant): string {
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${where}`;
}

import type { Manifest } from '../../../hack/manifests/rendered.ts';

type Labels = Readonly<Record<string, string>>;
/** A part of an object, whose fields are looked up by their paths. */
type Node = Readonly<Record<string, unknown>>;

/** The references and selectors among the objects of an installation that lead to none of them, in words. */
export function unresolvedReferences(objects: readonly Manifest[]): readonly string[] {
  return objects.flatMap((object) => {
    const check = CHECKS[object.kind];
    const title = `${object.kind} ${object.metadata.name}`;
    return (check?.(object, objects) ?? []).map((problem) => `${title}: ${problem}`);
  });
}

type Check = (object: Manifest, objects: readonly Manifest[]) => readonly string[];

const CHECKS: Readonly<Record<string, Check>> = {
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  Deployment: deployment,
  Service: (object, objects) => selectsPods(at(object, 'spec.selector'), object, objects),
  PodDisruptionBudget: (object, objects) =>
    selectsPods(at(object, 'spec.selector.matchLabels'), object, objects),
  NetworkPolicy: (object, objects) =>
    selectsPods(at(object, 'spec.podSelector.matchLabels'), object, objects),
  HorizontalPodAutoscaler: (object, objects) =>
    missing(objects, 'Deployment', object.metadata.namespace, at(object, 'spec.scaleTargetRef.name')),
  ServiceMonitor: serviceMonitor,
  Ingress: ingress,
  HTTPRoute: httpRoute,
  Gateway: gateway,
};

function binding(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const { kind, name } = at(object, 'roleRef') as { readonly kind: string; readonly name: string };
  const home = kind === 'Role' ? object.metadata.namespace : undefined;
  const subjects = at(object, 'subjects') as readonly {
    readonly namespace?: string;
    readonly name: string;
  }[];
  return [
    ...missing(objects, kind, home, name),
    ...subjects.flatMap((subject) =>
      missing(objects, 'ServiceAccount', subject.namespace ?? '', subject.name),
    ),
  ];
}

function deployment(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const { namespace } = object.metadata;
  const pod = at(object, 'spec.template.spec') as Node;
  const sources = (pod['containers'] as readonly Node[]).flatMap(
    (container) => (container['envFrom'] ?? []) as readonly Node[],
  );
  return [
    ...missing(objects, 'ServiceAccount', namespace, pod['serviceAccountName']),
    ...selectsPods(at(object, 'spec.selector.matchLabels'), object, objects),
    ...sources
      .map((source) => source['configMapRef'] as Node)
      .filter(({ optional }) => optional !== true)
      .flatMap(({ name }) => missing(objects, 'ConfigMap', namespace, name)),
  ];
}

function serviceMonitor(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const selector = at(object, 'spec.selector.matchLabels') as Labels;
  const endpoints = at(object, 'spec.endpoints') as readonly { readonly port: string }[];
  const services = objects.filter(
    ({ kind, metadata }) =>
      kind === 'Service' &&
      metadata.namespace === object.metadata.namespace &&
      matches(selector, metadata.labels ?? {}),
  );
  if (services.length === 0) return ['selects no Service'];
  return services.flatMap((service) => endpoints.flatMap(({ port }) => missingPort(service, port)));
}

function ingress(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const rules = at(object, 'spec.rules') as readonly { readonly http: { readonly paths: readonly Node[] } }[];
  return rules.flatMap(({ http }) =>
    http.paths.flatMap((path) => {
      const { name, port } = at(path, 'backend.service') as { readonly name: string; readonly port: Node };
      return backend(object, objects, name, port['name'] ?? port['number']);
    }),
  );
}

function httpRoute(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const { namespace } = object.metadata;
  const rules = at(object, 'spec.rules') as readonly { readonly backendRefs: readonly Node[] }[];
  const parents = at(object, 'spec.parentRefs') as readonly Node[];
  return [
    ...rules.flatMap(({ backendRefs }) =>
      backendRefs.flatMap(({ name, port }) => backend(object, objects, name, port)),
    ),
    // A Gateway of another namespace belongs to the cluster.
    ...parents
      .filter((parent) => parent['namespace'] === undefined)
      .flatMap(({ name }) => missing(objects, 'Gateway', namespace, name)),
  ];
}

function gateway(object: Manifest, objects: readonly Manifest[]): readonly string[] {
  const { kind, name } = at(object, 'spec.infrastructure.parametersRef') as {
    readonly kind: string;
    readonly name: string;
  };
  return [
    ...missing(objects, 'GatewayClass', undefined, at(object, 'spec.gatewayClassName')),
    ...missing(objects, kind, object.metadata.namespace, name),
  ];
}

function backend(
  from: Manifest,
  objects: readonly Manifest[],
  name: unknown,
  port: unknown,
): readonly string[] {
  const service = find(objects, 'Service', from.metadata.namespace, name);
  return service === undefined
    ? missing(objects, 'Service', from.metadata.namespace, name)
    : missingPort(service, port);
}

function missingPort(service: Manifest, wanted: unknown): readonly string[] {
  const ports = at(service, 'spec.ports') as readonly { readonly name: string; readonly port: number }[];
  return ports.some(({ name, port }) => name === wanted || port === wanted)
    ? []
    : [`Service ${service.metadata.name} has no port ${String(wanted)}`];
}

function selectsPods(selector: unknown, from: Manifest, objects: readonly Manifest[]): readonly string[] {
  const isSelected = objects.some(
    (object) =>
      object.kind === 'Deployment' &&
      object.metadata.namespace === from.metadata.namespace &&
      matches(selector as Labels, at(object, 'spec.template.metadata.labels') as Labels),
  );
  return isSelected ? [] : ['selects no pod'];
}

function missing(
  objects: readonly Manifest[],
  kind: string,
  namespace: string | undefined,
  name: unknown,
): readonly string[] {
  if (find(objects, kind, namespace, name) !== undefined) return [];
  return [`there is no ${kind} ${namespace === undefined ? '' : `${namespace}/`}${String(name)}`];
}

function find(objects: readonly Manifest[], kind: string, namespace: string | undefined, name: unknown) {
  return objects.find(
    ({ kind: own, metadata }) => own === kind && metadata.namespace === namespace && metadata.name === name,
  );
}

function matches(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function at(node: Node, path: string): unknown {
  return path.split('.').reduce<unknown>((place, step) => (place as Node | undefined)?.[step], node);
}

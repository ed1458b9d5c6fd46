import { type ApiObject } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import { at, listAt, objectAt, textAt } from '../json/json.ts';
import { invalidPlain, required } from '../validation/field-errors.ts';
import { dnsLabel, dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything } from './shape.ts';

// What else an installation of the service consists of. These are stored as they are given; no controller acts on them.

export const SERVICE = installed({
  group: '',
  version: 'v1',
  kind: 'Service',
  resource: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  goPackage: 'core',
  nameRule: dnsLabel,
  countsGenerations: false,
  prepare: (draft, previous) => ({
    ...draft,
    spec: { sessionAffinity: 'None', type: 'ClusterIP', ...objectAt(draft, 'spec') },
    status: previous?.['status'] ?? { loadBalancer: {} },
  }),
  validate: (draft) => (listAt(draft, 'spec', 'ports').length === 0 ? [required('spec.ports')] : []),
});

/** No controller makes one: they are there for the tokens that are bound to them. */
export const POD = installed({
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  goPackage: 'core',
});

export const POD_DISRUPTION_BUDGET = installed({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  goPackage: 'policy',
});

export const HORIZONTAL_POD_AUTOSCALER = installed({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  goPackage: 'autoscaling',
  countsGenerations: false,
  validate: (draft) => [
    ...(positive(draft, 'maxReplicas')
      ? []
      : [invalidPlain('spec.maxReplicas', 0, 'must be greater than 0')]),
    ...['kind', 'name']
      .filter((field) => textAt(draft, 'spec', 'scaleTargetRef', field) === '')
      .map((field) => required(`spec.scaleTargetRef.${field}`)),
  ],
});

export const INGRESS = installed({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  resource: 'ingresses',
  shortNames: ['ing'],
  goPackage: 'networking',
  validate: (draft): readonly FieldError[] =>
    listAt(draft, 'spec', 'rules').length === 0 && objectAt(draft, 'spec', 'defaultBackend') === undefined
      ? [required('spec', 'either `defaultBackend` or `rules` must be specified')]
      : [],
});

export const NETWORK_POLICY = installed({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  shortNames: ['netpol'],
  goPackage: 'networking',
});

// Of the Gateway API and of Envoy Gateway, which bring their definitions to other clusters.

export const GATEWAY_CLASS = installed({
  ...ofGatewayApi('GatewayClass', 'gatewayclasses'),
  namespaced: false,
  validate: (draft) =>
    textAt(draft, 'spec', 'controllerName') === '' ? [required('spec.controllerName')] : [],
});

export const GATEWAY = installed({
  ...ofGatewayApi('Gateway', 'gateways'),
  validate: (draft) => [
    ...(textAt(draft, 'spec', 'gatewayClassName') === '' ? [required('spec.gatewayClassName')] : []),
    ...(listAt(draft, 'spec', 'listeners').length === 0 ? [required('spec.listeners')] : []),
  ],
});

export const HTTP_ROUTE = installed(ofGatewayApi('HTTPRoute', 'httproutes'));

export const ENVOY_PROXY = installed({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'EnvoyProxy',
  resource: 'envoyproxies',
  goPackage: 'v1alpha1',
});

type Given = Omit<Kind, 'namespaced' | 'fields' | 'nameRule'> &
  Partial<Pick<Kind, 'namespaced' | 'nameRule'>>;

function installed(given: Given): Kind {
  return {
    namespaced: true,
    nameRule: dnsSubdomain,
    countsGenerations: true,
    fields: { spec: anything, status: anything },
    // The status is the controllers', which a development cluster has none of.
    prepare: (draft, previous) => ({ ...draft, status: previous?.['status'] ?? {} }),
    ...given,
  };
}

function ofGatewayApi(kind: string, resource: string): Given {
  return { group: 'gateway.networking.k8s.io', version: 'v1', kind, resource, goPackage: 'v1' };
}

function positive(draft: ApiObject, field: string): boolean {
  const value = at(draft, 'spec', field);
  return typeof value === 'number' && value > 0;
}

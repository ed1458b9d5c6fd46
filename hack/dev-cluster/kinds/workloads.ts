import { isDeepStrictEqual } from 'node:util';
import { type ApiObject } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import {
  at,
  listAt,
  objectAt,
  sortedEntries,
  textAt,
  withPath,
  type Json,
  type JsonObject,
} from '../json/json.ts';
import { podListRules } from '../patches/list-merge-rules.ts';
import { invalidValue, required } from '../validation/field-errors.ts';
import { dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything } from './shape.ts';

const TEMPLATE = ['spec', 'template'];
const CRON_TEMPLATE = ['spec', 'jobTemplate', 'spec', 'template'];

export const DEPLOYMENT = workload('Deployment', 'deployments', 'deploy', { replicas: 1 });
export const STATEFUL_SET = workload('StatefulSet', 'statefulsets', 'sts', { replicas: 1 });
export const DAEMON_SET = workload('DaemonSet', 'daemonsets', 'ds', {});

export const CRON_JOB: Kind = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  resource: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  goPackage: 'batch',
  nameRule: dnsSubdomain,
  countsGenerations: true,
  fields: { spec: anything, status: anything },
  listMergeRules: podListRules(`${CRON_TEMPLATE.join('.')}.spec`),
  prepare: (draft, previous) => {
    const defaults = { concurrencyPolicy: 'Allow', suspend: false };
    return withPodDefaults(withSpecDefaults(draft, previous, defaults), CRON_TEMPLATE);
  },
  validate: (draft) => [
    ...(textAt(draft, 'spec', 'schedule') === '' ? [required('spec.schedule')] : []),
    ...containerErrors(draft, CRON_TEMPLATE),
  ],
};

function workload(kind: string, resource: string, shortName: string, defaults: JsonObject): Kind {
  return {
    group: 'apps',
    version: 'v1',
    kind,
    resource,
    shortNames: [shortName],
    categories: ['all'],
    namespaced: true,
    goPackage: 'apps',
    nameRule: dnsSubdomain,
    countsGenerations: true,
    fields: { spec: anything, status: anything },
    listMergeRules: podListRules(`${TEMPLATE.join('.')}.spec`),
    prepare: (draft, previous) => withPodDefaults(withSpecDefaults(draft, previous, defaults), TEMPLATE),
    validate: (draft, previous) => [...selectorErrors(draft, previous), ...containerErrors(draft, TEMPLATE)],
  };
}

/** The status belongs to controllers, which a development cluster only plays: a write never changes it. */
function withSpecDefaults(
  draft: ApiObject,
  previous: ApiObject | undefined,
  defaults: JsonObject,
): ApiObject {
  const spec = { ...defaults, ...objectAt(draft, 'spec') };
  return { ...draft, spec, status: previous?.['status'] ?? {} };
}

function withPodDefaults(draft: ApiObject, template: readonly string[]): ApiObject {
  const pod = objectAt(draft, ...template, 'spec');
  if (pod === undefined) return draft;
  const containers = listAt(pod, 'containers').map((container) => ({
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...objectAt(container),
  }));
  const defaults = { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' };
  const spec: Json = {
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    ...defaults,
    ...pod,
    containers,
  };
  return { ...withPath(draft, [...template, 'spec'], spec), metadata: draft.metadata };
}

function selectorErrors(draft: ApiObject, previous: ApiObject | undefined): readonly FieldError[] {
  const selector = objectAt(draft, 'spec', 'selector');
  if (selector === undefined) return [required('spec.selector')];
  if (previous !== undefined && !isDeepStrictEqual(selector, at(previous, 'spec', 'selector'))) {
    return [invalidValue('spec.selector', '', 'field is immutable')];
  }
  const labels = objectAt(draft, ...TEMPLATE, 'metadata', 'labels') ?? {};
  const wanted = sortedEntries(objectAt(selector, 'matchLabels') ?? {});
  if (wanted.every(([key, value]) => at(labels, key) === value)) return [];
  return [
    invalidValue(
      'spec.template.metadata.labels',
      JSON.stringify(labels),
      '`selector` does not match template `labels`',
    ),
  ];
}

function containerErrors(draft: ApiObject, template: readonly string[]): readonly FieldError[] {
  const field = [...template, 'spec', 'containers'];
  const containers = listAt(draft, ...field);
  if (containers.length === 0) return [required(field.join('.'))];
  return containers.flatMap((container, index) =>
    ['name', 'image']
      .filter((part) => textAt(container, part) === '')
      .map((part) => required(`${field.join('.')}[${index}].${part}`)),
  );
}

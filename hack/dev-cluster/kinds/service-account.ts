import { dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything, flag, listOf } from './shape.ts';

export const SERVICE_ACCOUNT: Kind = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  goPackage: 'core',
  nameRule: dnsSubdomain,
  returnsDeleted: true,
  fields: {
    secrets: listOf(anything),
    imagePullSecrets: listOf(anything),
    automountServiceAccountToken: flag,
  },
  listMergeRules: { secrets: { key: 'name' }, imagePullSecrets: { key: 'name' } },
};

import { at } from '../json/json.ts';
import { invalidPlain } from '../validation/field-errors.ts';
import { dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { integer, structOf, text } from './shape.ts';
import { microTime } from './times.ts';

export const LEASE: Kind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
  goPackage: 'coordination',
  nameRule: dnsSubdomain,
  createOnUpdate: true,
  needsRevision: true,
  fields: {
    spec: structOf({
      holderIdentity: { ...text, zero: null },
      leaseDurationSeconds: integer,
      acquireTime: microTime,
      renewTime: microTime,
      leaseTransitions: integer,
      strategy: { ...text, zero: null },
      preferredHolder: { ...text, zero: null },
    }),
  },
  prepare: (draft) => ({ ...draft, spec: draft['spec'] ?? {} }),
  validate: (draft) => {
    const duration = at(draft, 'spec', 'leaseDurationSeconds');
    const transitions = at(draft, 'spec', 'leaseTransitions');
    return [
      ...(typeof duration === 'number' && duration <= 0
        ? [invalidPlain('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
        : []),
      ...(typeof transitions === 'number' && transitions < 0
        ? [invalidPlain('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
        : []),
    ];
  },
};

import { describe, expect, it } from 'vitest';
import { valuesSchema } from '../../../chart/values-schema.ts';
import { VALUES } from './chart-values.ts';

describe('the schema of the values', () => {
  it('has each of them, and no other', () => {
    const schema = JSON.parse(valuesSchema('a:\n  b: 1\nc: [{}]\nd: {}\ne: true\nf: [1]\n')) as object;
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: {
        a: { type: 'object', properties: { b: { type: 'integer' } }, additionalProperties: false },
        c: { type: 'array', items: { type: 'object' } },
        d: { type: 'object', additionalProperties: { type: 'string' } },
        e: { type: 'boolean' },
        f: { type: 'array', items: { type: 'integer' } },
      },
    });
  });

  it.each([
    [
      'what Kubernetes has of resources',
      { resources: { limits: { cpu: 2, 'ephemeral-storage': '1Gi' }, claims: [] } },
    ],
    ['what a chart hands to its parts', { global: { imageRegistry: 'registry.example.com' } }],
    ['a section of a Gateway', { gateway: { parentRefs: [{ name: 'gateway', sectionName: 'https' }] } }],
  ])('takes %s', (_what, values) => {
    expect(() => VALUES.parse(values)).not.toThrow();
  });

  it.each([
    ['a misspelled value', { tls: { enable: true } }, 'enable'],
    ['a setting beside the others', { OIDC_ISSUER: 'https://login.example.com' }, 'OIDC_ISSUER'],
    ['a text for a number', { replicas: '3' }, 'replicas'],
    ['a text for a list', { namespaces: 'team-a' }, 'namespaces'],
    ['an annotation that is no text', { podAnnotations: { 'example.com/scrape': true } }, 'scrape'],
    ['names for objects', { image: { pullSecrets: ['registry'] } }, 'pullSecrets'],
    [
      'a setting that Go would print as a list',
      { settings: { SERVICE_ADMIN_GROUPS: ['a', 'b'] } },
      'SERVICE_ADMIN_GROUPS',
    ],
    ['a setting that Go would print as 1e+06', { settings: { OIDC_CLIENT_ID: 1_000_000 } }, 'OIDC_CLIENT_ID'],
    ['a setting without a value', { settings: { OIDC_SCOPES: null } }, 'OIDC_SCOPES'],
    ['a port that is no number', { networkPolicy: { egressPorts: ['https'] } }, 'egressPorts'],
  ])('refuses %s, and names it', (_what, values, name) => {
    expect(() => VALUES.parse(values)).toThrow(name);
  });
});

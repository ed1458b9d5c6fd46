import { describe, expect, it } from 'vitest';
import { PUBLISHED } from '../../../../hack/manifests/renderings.ts';
import { VARIABLES } from '../../../../src/config/variables.ts';
import { podOf, RENDERED } from '../installation.ts';
import type { Chart } from './use-chart.ts';

/** What has one place in the values is refused in every other one. */
export function refusesOtherPlaces({ helm }: Pick<Chart, 'helm'>, namespaced: object): void {
  describe('the chart refuses', () => {
    it('a variable of its own in extraEnv, which would win over it', () => {
      const given = { OIDC_ISSUER: 'https://login.example.com' };
      const own = Object.keys(VARIABLES).filter((name) => name.startsWith('SERVICE_'));
      const followed = ['PORT', 'OPS_PORT', 'NEXT_PUBLIC_APP_URL'];
      for (const name of [...own, ...followed, ...Object.keys(given), 'NODE_ENV', 'LOG_LEVEL'])
        expect(() => helm({ settings: given, extraEnv: [{ name, value: 'a' }] })).toThrow(
          `${name} belongs in settings, not in extraEnv`,
        );
    });

    it('what the Deployment sets itself, keys and tokens above all, which a ConfigMap would show', () => {
      const [service] = podOf(RENDERED.get(PUBLISHED[0].file) ?? []).containers;
      const places = (service?.env ?? []).map(({ name, valueFrom }) =>
        valueFrom?.secretKeyRef === undefined ? [name, ''] : [name, 'the Secret of secretName'],
      );
      expect(places.length).toBeGreaterThanOrEqual(6);
      for (const [name = '', place] of places) {
        expect(() => helm({ settings: { [name]: 'a' } })).toThrow(`${name} belongs in ${place}`);
        expect(() => helm({ extraEnv: [{ name, value: 'a' }] })).toThrow(`${name} belongs in ${place}`);
      }
    });

    it('another scope than that of its rights', () => {
      const scope = { SERVICE_NAMESPACES: 'team-a, team-c' };
      expect(() => helm({ ...namespaced, settings: scope })).toThrow(
        'namespaces and settings.SERVICE_NAMESPACES',
      );
      expect(helm({ settings: scope })).toContain('SERVICE_NAMESPACES: team-a, team-c\n');
    });

    it.each(['restart', 'consumers'])('%s without its rights', (part) => {
      const name = `SERVICE_${part.toUpperCase()}_ENABLED`;
      expect(() => helm({ settings: { [name]: 'true' } })).toThrow(
        `settings.${name}: set ${part}.enabled instead, which gives the rights, too`,
      );
      expect(helm({ [part]: { enabled: true } })).toContain(`${name}: "true"\n`);
      expect(helm({ settings: { [name]: 'false' } })).toContain(`${name}: "false"\n`);
    });

    it.each(['CERT', 'KEY'])('a file of TLS, %s, that nothing mounts', (part) => {
      const settings = { [`SERVICE_TLS_${part}_FILE`]: '/etc/tls/file' };
      expect(() => helm({ settings })).toThrow('set tls.enabled instead');
      expect(helm({ settings, tls: { enabled: true } })).toContain(': /etc/tls/file\n');
    });

    it('no consumers with the rights of restart, which include theirs', () => {
      const settings = { SERVICE_CONSUMERS_ENABLED: true };
      expect(helm({ settings, restart: { enabled: true } })).toContain('SERVICE_CONSUMERS_ENABLED: "true"\n');
    });
  });
}

import { describe, expect, it } from 'vitest';
import { COMBINATIONS } from '../../../hack/manifests/renderings.ts';
import { ofKind, podOf, RENDERED, settingsOf } from './installation.ts';

describe.each([COMBINATIONS.tls, COMBINATIONS.tlsAlone])('with the component tls, $file', ({ file }) => {
  const objects = RENDERED.get(file) ?? [];
  const pod = podOf(objects);
  const service = pod.containers.find(({ name }) => name === 'service');

  it('mounts the Secret where the settings look for its keys, readable for the group of the service alone', () => {
    const { SERVICE_TLS_CERT_FILE: cert = '', SERVICE_TLS_KEY_FILE: key = '' } = settingsOf(objects);
    const [mount] = (service as unknown as { volumeMounts: { name: string; mountPath: string }[] })
      .volumeMounts;
    expect([cert, key]).toEqual([`${mount?.mountPath}/tls.crt`, `${mount?.mountPath}/tls.key`]);
    const secretName = 'secrets-management-service-server-tls';
    expect(pod.volumes).toEqual([{ name: mount?.name, secret: { secretName, defaultMode: 0o440 } }]);
    expect(pod.securityContext?.['fsGroup']).toBe(pod.securityContext?.['runAsGroup']);
    // The certificate of the ingress is another one.
    expect(JSON.stringify(ofKind(objects, 'Ingress'))).not.toContain(secretName);
  });

  it('has its Service at the port of HTTPS, and the probes at the operations port', () => {
    const [service443] = ofKind(objects, 'Service').filter(
      ({ metadata }) => !metadata.name.endsWith('-operations'),
    );
    expect(service443?.['spec']).toMatchObject({ ports: [{ name: 'https', port: 443, targetPort: 'http' }] });
    const probes = [service?.startupProbe, service?.livenessProbe, service?.readinessProbe];
    for (const probe of probes) expect(probe?.httpGet).not.toHaveProperty('scheme');
    for (const probe of probes) expect(probe?.httpGet.port).toBe('operations');
  });
});

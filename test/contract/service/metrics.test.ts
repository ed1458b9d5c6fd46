import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../unit/observability/markdown-tables.ts';
import { becomes } from '../../integration/replicas.ts';
import { startServiceFixture, type ComposedService, type Fixture } from '../sign-in/composed-service.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start();
});
afterAll(() => fixture.close());

const PROVIDER = { OIDC_ISSUER: 'https://localhost:1', OIDC_CLIENT_ID: 'test' };

async function exposed(of: ComposedService): Promise<readonly string[]> {
  return (await (await fetch(`${of.opsUrl}/metrics`)).text()).split('\n');
}

async function logIn(at: ComposedService): Promise<number> {
  return (await fetch(`${at.url}/api/auth/login`, { redirect: 'manual' })).status;
}

describe('the metrics of a running service', () => {
  it('count a failed request under its route and the code that the log names', async () => {
    await (await fetch(`${service.url}/api/namespaces/team-a/secrets`)).text();
    await (await fetch(`${service.url}/nowhere`, { method: 'POST' })).text();
    const lines = await exposed(service);
    const failures = 'service_http_failures_total';
    expect(lines).toContain(
      `${failures}{route="/api/namespaces/:namespace/secrets",code="unauthenticated"} 1`,
    );
    expect(lines).toContain(`${failures}{route="none",code="routeNotFound"} 1`);
    expect(lines).toContain('service_http_requests_in_flight 0');
  });

  it('say of each check of readiness how its last probe went', async () => {
    // With everything that a check can be about.
    const whole = await fixture.start({ POD_NAMESPACE: 'default' });
    await becomes(async () => (await fetch(`${whole.opsUrl}/readyz`)).status, 200);
    const lines = await exposed(whole);
    expect(lines).toContain('service_ready{check="running"} 1');
    expect(lines).toContain('service_ready{check="cluster"} 1');
    const checks = lines.flatMap((line) => /^service_ready\{check="(\w+)"\}/.exec(line)?.[1] ?? []);
    const [, described = ''] =
      /`\/readyz`.*? Checks: ([`\w, ]+)/.exec(readDocument('observability.md')) ?? [];
    expect(described.trim().split(', ')).toEqual(checks.map((check) => `\`${check}\``));
    // `settings` is the only check of a service that waits for settings.
    const [, chapter = ''] = readDocument('runbook.md').split('### SecretsServiceNoReplicaReady\n');
    const explained = [...(chapter.split(/^###/m)[0] ?? '').matchAll(/^- `(\w+)`:/gm)].map(
      ([, name]) => name,
    );
    expect(explained.toSorted()).toEqual([...checks, 'settings'].toSorted());
  });

  it('say before anyone has tried to sign in that the signing key is refused', async () => {
    const keyless = await fixture.start({ ...PROVIDER, SESSION_SECRET: 'too short' });
    expect(await exposed(keyless)).toContain('service_signing_key_valid 0');
    expect(await exposed(service)).toContain('service_signing_key_valid 1');
    const bypassed = await fixture.start({ AUTH_DISABLED: 'true', SESSION_SECRET: '' });
    expect(await exposed(bypassed)).toContain('service_signing_key_valid 1');
  });

  it.each([
    ['not_configured', 501, {}],
    ['invalid_signing_key', 502, { ...PROVIDER, SESSION_SECRET: '' }],
    ['provider_unreachable', 502, PROVIDER],
  ])('count a login that could not begin by its reason: %s', async (reason, status, environment) => {
    const one = await fixture.start(environment);
    expect(await logIn(one)).toBe(status);
    expect(await exposed(one)).toContain(`service_sign_ins_total{step="login",outcome="${reason}"} 1`);
  });
});

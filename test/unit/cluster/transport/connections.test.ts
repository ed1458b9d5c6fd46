import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnections } from '../../../../src/cluster/transport/connections.ts';

function open(proxyUrl?: string) {
  const connections = createConnections({ proxyUrl }, { maxConnections: 2, connectTimeoutMs: 1_000 });
  onTestFinished(() => connections.close());
  return connections;
}

describe('createConnections', () => {
  it('keeps the connections while the TLS material stays the same, byte for byte', () => {
    const connections = open();
    const first = connections.for({ ca: Buffer.from('ca'), cert: 'cert' });
    expect(connections.for({ ca: Buffer.from('ca'), cert: 'cert' })).toBe(first);
  });

  it.each([
    [{ ca: Buffer.from('other'), cert: 'cert', key: 'key' }],
    [{ ca: Buffer.from('ca'), cert: 'other', key: 'key' }],
    [{ ca: Buffer.from('ca'), cert: 'cert', key: 'other' }],
    [{ ca: Buffer.from('ca'), cert: 'cert', key: 'key', rejectUnauthorized: false }],
    [{ ca: Buffer.from('ca'), cert: 'cert', key: 'key', servername: 'inner' }],
    [{}],
  ])('makes new ones when it changes: %j', (changed) => {
    const connections = open();
    const first = connections.for({ ca: Buffer.from('ca'), cert: 'cert', key: 'key' });
    expect(connections.for(changed)).not.toBe(first);
  });
});

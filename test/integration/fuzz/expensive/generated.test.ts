import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { pem } from '../../../fakes/der.ts';
import { choicesFrom } from '../random.ts';
import { anyChain } from './certificates.ts';
import { anyKey, type Described } from './keys.ts';

const choices = choicesFrom(1);

/** What a library reads of what is generated; the kind is the beginning of its description. */
function readable(made: readonly Described[], read: (text: string) => unknown): ReadonlySet<string> {
  const kinds = made.filter(({ label, der }) => {
    try {
      return read(pem(label, der)) !== undefined;
    } catch {
      return false;
    }
  });
  return new Set(kinds.map(({ what }) => what.replace(/ (key|with) .*/, '')));
}

it('a library reads keys of each kind, so that a service without bounds would compute with them', () => {
  const keys = Array.from({ length: 1_000 }, () => anyKey(choices)).filter(({ what }) =>
    / (1024|2048|32|66) (bits|bytes)/.test(what),
  );
  const kinds = ['PKCS#1 RSA', 'PKCS#8 RSA', 'PKCS#8 DSA', 'traditional DSA', 'PKCS#8 DH', 'PKCS#8 X9.42 DH'];
  expect([...readable(keys, createPrivateKey)]).toEqual(
    expect.arrayContaining([...kinds, 'PKCS#8 EC', 'SEC 1 EC']),
  );
});

it('a library reads the certificates', () => {
  const chains = Array.from({ length: 30 }, () => anyChain(choices).slice(0, 1)).flat();
  expect(readable(chains, (text) => new X509Certificate(text)).size).toBeGreaterThan(0);
});

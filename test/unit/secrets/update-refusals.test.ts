import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/service-error.ts';
import type { UpdateRequest } from '../../../src/secrets/input.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { callLines } from '../history/live-secret.ts';
import { stateOf, textData } from './fixture.ts';
import { withLive } from './live-fixture.ts';

describe('an update is refused before any snapshot or write', () => {
  const cases: readonly (readonly [
    what: string,
    seed: Partial<SecretSeed>,
    request: Partial<UpdateRequest>,
    code: ErrorCode,
  ])[] = [
    ['with a blank revision', {}, { resourceVersion: ' ' }, 'invalidRequest'],
    ['with a stale revision', {}, { resourceVersion: '1' }, 'staleRevision'],
    ['with another spelling of the revision', {}, { resourceVersion: '01001' }, 'staleRevision'],
    ['with a bad key', {}, { data: textData({ '..': '' }) }, 'invalidRequest'],
    ['with a binary control', {}, { data: textData({ a: '\x00' }) }, 'invalidRequest'],
    ['with a lone surrogate', {}, { data: textData({ a: '\ud800' }) }, 'invalidRequest'],
    ['with a bad access rule', {}, { allowedUsers: ['a,b'] }, 'invalidRequest'],
    ['with values over 1 MiB', {}, { data: textData({ a: 'x'.repeat(1_048_577) }) }, 'tooLarge'],
    ['with a description over 4 KiB', {}, { description: 'é'.repeat(2_049) }, 'invalidRequest'],
    ['by someone who is no admin and requests recovery', {}, { recoverCounter: true }, 'forbidden'],
    ['of a service account token', { type: 'kubernetes.io/service-account-token' }, {}, 'invalidSecret'],
    [
      'of the description of a service account token',
      { type: 'kubernetes.io/service-account-token' },
      { description: 'x' },
      'invalidSecret',
    ],
    [
      'of a service account token, neutrally spelled',
      { type: 'platform.io/service-account-token' },
      { description: 'x' },
      'invalidSecret',
    ],
    [
      'of binary values by text',
      { data: { a: Uint8Array.of(0xff) } },
      { data: textData({ a: 'x' }) },
      'invalidSecret',
    ],
    ['of binary values by nothing', { data: { a: Uint8Array.of(0) } }, { data: new Map() }, 'invalidSecret'],
    [
      'of text beside binary values',
      { data: { a: 'x', b: Uint8Array.of(0) } },
      { data: textData({ a: 'x' }) },
      'invalidSecret',
    ],
    ['of an immutable value', { immutable: true }, { data: textData({ a: '1', b: '3' }) }, 'invalidSecret'],
    [
      'by a key more on an immutable one',
      { immutable: true },
      { data: textData({ a: '1', b: '2', c: '' }) },
      'invalidSecret',
    ],
    [
      'by a key less on an immutable one',
      { immutable: true },
      { data: textData({ a: '1' }) },
      'invalidSecret',
    ],
    ['by nothing on an immutable one', { immutable: true }, { data: new Map() }, 'invalidSecret'],
    [
      'that takes away what the type demands',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
      { data: textData({ 'tls.crt': '' }) },
      'invalidSecret',
    ],
    [
      // As the cluster itself judges a native one: the whole object, whatever part of it is written.
      'of the description of one that does not fit its type',
      { type: 'platform.io/tls', data: {} },
      { description: 'x' },
      'invalidSecret',
    ],
    [
      'that takes away what the type demands, neutrally spelled',
      { type: 'platform.io/ssh-auth', data: { 'ssh-privatekey': 'k' } },
      { data: textData({ 'ssh-privatekey': '' }) },
      'invalidSecret',
    ],
  ];

  it.each(cases)('%s', async (_what, seed, request, code) => {
    const { cluster, update } = withLive(seed);
    const before = stateOf(cluster);
    await expect(update(request)).rejects.toMatchObject({ code });
    expect(callLines(cluster).filter((line) => line !== 'policies.read')).toEqual(['read db']);
    expect(stateOf(cluster)).toEqual(before);
  });

  it('where the annotations of others leave no space', async () => {
    const { cluster, update } = withLive({ annotations: { 'example.com/big': 'x'.repeat(261_000) } });
    const before = stateOf(cluster);
    expect(await codeOf(update({ description: 'y'.repeat(1_200) }))).toBe('tooLarge');
    expect(stateOf(cluster)).toEqual(before);
  });
});

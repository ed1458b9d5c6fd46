import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// hack/kind/install-gateway with a curl that has a file, and a kubectl that only says how it was called.

const SCRIPT = fileURLToPath(new URL('../../../hack/kind/install-gateway', import.meta.url));
const RELEASE = 'kind: Namespace\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'install-gateway-'));
  put(
    'curl',
    'while [ "$1" != --output ]; do shift; done; printf "%s\\n" "$FILE" > "$2"; echo "$3" >> "$CALLS"',
  );
  put('kubectl', 'echo "kubectl $*" | sed "s|-f /.*/|-f |" >> "$CALLS"');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(name: string, script: string): void {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** The script as it is, but for the digest of the file that is downloaded. */
function install(digest: string, file: string) {
  const script = readFileSync(SCRIPT, 'utf8').replace(/^digest=.*$/m, `digest=${digest}`);
  const calls = path.join(folder, 'calls');
  writeFileSync(calls, '');
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, FILE: file.trimEnd(), CALLS: calls };
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', '--context', 'kind-a'], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr, calls: readFileSync(calls, 'utf8').trimEnd().split('\n') };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

it('applies the file of the pinned release, in the cluster that is named, and waits for the gateway', () => {
  const { status, calls } = install(digestOf(RELEASE), RELEASE);
  expect(status).toBe(0);
  expect(calls).toEqual([
    expect.stringMatching(
      /^https:\/\/github\.com\/envoyproxy\/gateway\/releases\/download\/v\d+\.\d+\.\d+\/install\.yaml$/,
    ),
    'kubectl --context kind-a apply --server-side -f install.yaml',
    expect.stringMatching(
      /^kubectl --context kind-a .*wait --for=condition=Available .*deployment\/envoy-gateway$/,
    ),
  ]);
});

it('applies nothing of a file with another digest', () => {
  const { status, stderr, calls } = install(digestOf(RELEASE), `${RELEASE}# changed\n`);
  expect([status, calls.length]).toEqual([1, 1]);
  expect(stderr).toMatch(/is not the one that was reviewed\. Nothing was applied/);
});

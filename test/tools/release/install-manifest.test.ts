import { expect, it } from 'vitest';
import { parseManifests, readRendered } from '../../../hack/manifests/rendered.ts';
import { PUBLISHED } from '../../../hack/manifests/renderings.ts';
import { withImage } from '../../../hack/release/install-manifest.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const REFERENCE = `registry.example.com:5000/platform/secrets-management-service@${DIGEST}`;

it.each(PUBLISHED)('$file of a release differs in the image alone, which it names by digest', ({ file }) => {
  const text = readRendered(file);
  const released = withImage(text, REFERENCE);
  const lines = released.split('\n');
  const changed = lines.filter((line, index) => line !== text.split('\n')[index]);
  expect(changed.map((line) => line.trim())).toEqual([`image: ${REFERENCE}`]);
  const deployment = parseManifests(released).find(({ kind }) => kind === 'Deployment');
  expect(JSON.stringify(deployment)).toContain(`"image":"${REFERENCE}"`);
});

it.each([
  '',
  'secrets-management-service:1.2.3',
  `a@${DIGEST}0`,
  `a b@${DIGEST}`,
  `a\n@${DIGEST}`,
  `A@${DIGEST}`,
])('takes no image %j, which names no digest', (reference) => {
  expect(() => withImage(readRendered('manifests/install.yaml'), reference)).toThrow(/IMAGE must be like/);
});

it('replaces nothing where there is not exactly one image', () => {
  expect(() => withImage('kind: Deployment\n', REFERENCE)).toThrow(/in 0 places/);
  const one = '  image: secrets-management-service:1.2.3\n';
  expect(() => withImage(one + one, REFERENCE)).toThrow(/in 2 places/);
});

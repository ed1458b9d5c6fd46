import { ReleaseError } from './release-error.ts';

const REFERENCE = /^[a-z0-9][a-z0-9.:/_-]{0,200}@sha256:[0-9a-f]{64}$/;
/** The image as the rendered files name it, which is a placeholder without a registry. */
const IMAGE = 'image: secrets-management-service:';

/**
 * A rendered manifest whose Deployment runs exactly one image.
 * @param reference with its registry and digest
 */
export function withImage(manifest: string, reference: string): string {
  if (!REFERENCE.test(reference)) {
    throw new ReleaseError(
      'IMAGE must be like registry.example.com/secrets-management-service@sha256:<64 digits>',
    );
  }
  const lines = manifest.split('\n');
  const places = lines.flatMap((line, index) => (line.includes(IMAGE) ? [index] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new ReleaseError(`the manifest names the image in ${places.length} places`);
  }
  const line = lines[place] ?? '';
  return lines.with(place, `${line.slice(0, line.indexOf(IMAGE))}image: ${reference}`).join('\n');
}

import { AnnotationCodec } from '../../src/kube/annotation-codec.ts';
import type { ManagedMetadata } from '../../src/kube/managed-metadata.ts';
import type { SecretMetadata } from '../../src/kube/secret.ts';
import { PREFIX } from '../harness/annotation.ts';

/** The annotations of the default prefix. */
export const codec = new AnnotationCodec(PREFIX);

/** An object with its annotations parsed, as a store gives it; parsed again where a test has changed them. */
export function parsed<Item extends Pick<SecretMetadata, 'labels' | 'annotations'>>(
  object: Item,
): Item & { readonly managed: ManagedMetadata } {
  return { ...object, managed: codec.parse(object) };
}

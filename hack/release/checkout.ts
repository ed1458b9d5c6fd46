import { ReleaseError } from './release-error.ts';

/** What a release requires of the checkout before anything is written. */
export interface Checkout {
  readonly tag: string;
  readonly isTagged: boolean;
  readonly isClean: boolean;
  /** Whether there is a kubectl for `make manifests`, which is the second half of `make release`. */
  readonly canRender: boolean;
}

/** @throws {ReleaseError} */
export function requireReleasable({ tag, isTagged, isClean, canRender }: Checkout): void {
  if (isTagged) throw new ReleaseError(`the tag ${tag} exists: choose a newer VERSION`);
  if (!isClean) throw new ReleaseError('the work tree is not clean');
  if (!canRender) throw new ReleaseError('kubectl 1.27 or newer is not installed; it renders manifests/');
}

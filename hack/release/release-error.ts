/** Why a release cannot be made, in words for whoever makes it. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

import { readFile } from 'node:fs/promises';

/** What a user signs in with, beyond what the kubeconfig itself holds. */
export interface UserCredential {
  readonly token?: string | undefined;
  /** A client certificate and its key, as PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Credentials that change while the service runs. */
export interface CredentialSource {
  /** @throws when there are none */
  current(): Promise<UserCredential>;
  /** The cluster has refused what {@link current} returned last. */
  refused(): void;
}

/**
 * A token in a file, which is read each time. While the file cannot be read, the last token counts, or the one beside it in the
 * kubeconfig, as with kubectl.
 */
export function createTokenFileSource(file: string, inline: string | undefined): CredentialSource {
  let last = inline;
  return {
    current: async () => {
      try {
        // A token file may end in a newline, which no header may hold.
        last = (await readFile(file, 'utf8')).trim();
      } catch (error) {
        if (last === undefined) throw error;
      }
      return { token: last };
    },
    refused: () => undefined,
  };
}

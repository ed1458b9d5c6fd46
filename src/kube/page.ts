/** Which page of a list. */
export interface PageRequest {
  /** Objects per page at most. */
  readonly limit: number;
  readonly continueToken?: string | undefined;
  /** Bytes at most. A longer response fails with `responseTooLarge`, and its rest is not read. */
  readonly maxBytes: number;
}

export interface SelectedPage extends PageRequest {
  readonly labelSelector: string;
}

export interface Page<Item> {
  /** Decoded one by one, as they are read. Then a malformed object throws a ServiceError. Iterate them once. */
  readonly items: Iterable<Item>;
  /** The list's revision; all pages of one consistent list share it. */
  readonly resourceVersion: string;
  /** Present when there are more pages. */
  readonly continueToken: string | undefined;
  /** Size of the answer. */
  readonly bytes: number;
}

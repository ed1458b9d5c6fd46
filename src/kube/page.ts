/** Which page of a list. */
export interface PageRequest {
  /** Objects per page at most. */
  readonly limit: number;
  readonly continueToken?: string;
  /** The answer may have this many bytes; a longer one fails with `responseTooLarge` and is not read on. */
  readonly maxBytes: number;
}

export interface SelectedPage extends PageRequest {
  readonly labelSelector: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The list's revision; all pages of one consistent list share it. */
  readonly resourceVersion: string;
  /** Present when there are more pages. */
  readonly continueToken: string | undefined;
  /** Size of the answer. */
  readonly bytes: number;
}

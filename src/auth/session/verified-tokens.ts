/** How much is remembered. Other tokens are verified again, which is only slower. */
export interface TokenBound {
  readonly tokens: number;
  /** Of the tokens together; their claims take about as much. */
  readonly characters: number;
}

/**
 * What verified tokens say, by the hex SHA-256 of each, which itself is not kept: a client sends the same token with each
 * request, and its signature does not change. Refused tokens are not remembered. The least recently used go first.
 */
export class VerifiedTokens<Result> {
  readonly #bound: TokenBound;
  /** The least recently used first. */
  readonly #known = new Map<string, { readonly result: Result; readonly characters: number }>();
  #characters = 0;

  constructor(bound: TokenBound) {
    this.#bound = bound;
  }

  get(digest: string): Result | undefined {
    return this.#known.get(digest)?.result;
  }

  /** @param characters of the token */
  remember(digest: string, result: Result, characters: number): void {
    this.forget(digest);
    this.#known.set(digest, { result, characters });
    this.#characters += characters;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#bound.tokens && this.#characters <= this.#bound.characters) return;
      this.forget(oldest);
    }
  }

  forget(digest: string): void {
    this.#characters -= this.#known.get(digest)?.characters ?? 0;
    this.#known.delete(digest);
  }
}

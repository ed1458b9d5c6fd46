/** The outcome of an attempt of a request to the cluster. */
export interface AttemptResult {
  /** The HTTP status, when there was one. */
  readonly status: number | undefined;
  /** `ok`, or the code of the attempt's error. */
  readonly outcome: string;
}

/** Codes of attempts without a usable response, whatever its status. */
const WITHOUT_ANSWER: readonly string[] = ['unavailable', 'uncertain', 'responseTooLarge', 'internal'];

/**
 * The outcome in one word, for metrics: the status if it says what happened, otherwise the code. A 200 whose body broke
 * off, is too long or is not JSON is no success, and a 404 of a proxy is not the cluster's.
 */
export function outcomeLabel({ status, outcome }: AttemptResult): string {
  if (status === undefined) return outcome;
  const isOutright = status === 401 || status === 429 || status >= 500;
  return isOutright || !WITHOUT_ANSWER.includes(outcome) ? String(status) : outcome;
}

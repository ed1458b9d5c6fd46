/** What became of an attempt at the cluster API. */
export interface AttemptResult {
  /** The HTTP status, when there was one. */
  readonly status: number | undefined;
  /** `ok`, or the code of the error that the attempt came to. */
  readonly outcome: string;
}

/** Codes that say that there is no answer to go by, whatever status it began with. */
const WITHOUT_ANSWER: readonly string[] = ['unavailable', 'uncertain', 'responseTooLarge', 'internal'];

/**
 * The attempt in one word, for metrics: the status where that says what happened, otherwise the code. A 200 whose body
 * broke off, is too long or is no JSON is no success, and a 404 that some proxy made up is not the cluster's word.
 */
export function outcomeLabel({ status, outcome }: AttemptResult): string {
  if (status === undefined) return outcome;
  const isOutright = status === 401 || status === 429 || status >= 500;
  return isOutright || !WITHOUT_ANSWER.includes(outcome) ? String(status) : outcome;
}

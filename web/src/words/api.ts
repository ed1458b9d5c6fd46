/** What is said of answers that never came. */
export const HTTP_CLIENT_WORDS = {
  timeout: 'The service did not answer in time',
  unreachable: 'The service cannot be reached',
  notUnderstood: "The service sent an answer that this page doesn't understand",
};

/** Whether `labels` fulfil a selector of the forms `k=v`, `k==v`, `k!=v`, `k`, `!k`, joined by commas. */
export function matchesLabels(selector: string, labels: ReadonlyMap<string, string>): boolean {
  return selector
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .every((part) => matchesRequirement(part, labels));
}

function matchesRequirement(text: string, labels: ReadonlyMap<string, string>): boolean {
  const match = /^(!?)([A-Za-z0-9._/-]+)(?:(!=|==?)([A-Za-z0-9._-]*))?$/.exec(text);
  if (match === null) throw new TypeError('this selector is beyond the fake');
  const [, not, key = '', operator, value] = match;
  if (operator === undefined) return labels.has(key) === (not === '');
  // As in Kubernetes, an object without the label fulfils `k!=v`.
  return (labels.get(key) === value) === (operator !== '!=');
}

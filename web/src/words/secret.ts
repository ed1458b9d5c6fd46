/** What the screens of one Secret say. */
export const SECRET_WORDS = {
  tabs: 'Parts of this Secret',
  values: 'Values',
  history: 'History',
  usedBy: 'Used by',
  access: 'Access',
  counted: (tab: string, count: string) => `${tab} ${count}`,
  edit: 'Edit',
  more: 'More actions',
  copyTo: 'Copy to…',
  duplicate: 'Duplicate',
  restart: 'Restart workloads',
  delete: 'Delete',
  reload: 'Reload this Secret',
  version: (version: number) => `version ${version}`,
  changed: 'changed',
  changedBy: (email: string) => `by ${email}`,
  created: 'created',
};

export const VALUE_WORDS = {
  list: 'Values',
  none: 'This Secret has no keys.',
  filter: 'Filter keys',
  noMatch: 'No key matches.',
  revealAll: 'Reveal all',
  hideAll: 'Hide all',
  more: (key: string) => `More for ${key}`,
  copyBase64: 'Copy as base64',
  copyReference: 'Copy secretKeyRef',
  copyCommand: 'Copy kubectl command',
  download: 'Download',
  binary: 'binary',
  lines: (count: string) => `${count} lines`,
  details: (kind: string, key: string) => `${kind}, details of ${key}`,
  expires: 'expires',
  expired: 'expired',
};

export const EXPORT_WORDS = {
  menu: 'Copy as',
  copy: 'Copy',
  download: 'Download',
  formats: {
    env: '.env',
    json: 'JSON',
    yaml: 'YAML manifest',
    kubectl: 'kubectl command',
    secretKeyRef: 'secretKeyRef snippet',
  },
  copied: (format: string) => `Copied as ${format}.`,
  downloaded: (fileName: string) => `Downloaded ${fileName}.`,
  leftOut: (keys: string) => ` Left out, since they are binary: ${keys}.`,
  unchecked: " Couldn't check for a newer version.",
  refused: "Your browser doesn't allow copying here.",
};

export const SECRET_LINE_WORDS = {
  facts: 'Facts',
  notManaged: 'not managed here',
};

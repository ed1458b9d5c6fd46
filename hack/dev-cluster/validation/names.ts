/** A rule for names: the texts of what is wrong with a value, none when it is right. */
export type NameRule = (value: string) => readonly string[];

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const CONFIG_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export const dnsSubdomain: NameRule = (value) => [
  ...notLongerThan(253, value),
  ...(SUBDOMAIN.test(value) ? [] : [SUBDOMAIN_TEXT]),
];

export const dnsLabel: NameRule = (value) => [
  ...notLongerThan(63, value),
  ...(LABEL.test(value) ? [] : [LABEL_TEXT]),
];

/** RBAC objects: whatever can be a segment of a path. */
export const pathSegment: NameRule = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%']
    .filter((character) => value.includes(character))
    .map((found) => `may not contain '${found}'`);
};

/** `prefix/name` or `name`: the form of label and annotation keys and of finalizers. */
export const qualifiedName: NameRule = (value) => {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const name = parts.at(-1) ?? '';
  return [...prefixProblems(prefix), ...namePartProblems(name)];
};

export const labelValue: NameRule = (value) => [
  ...notLongerThan(63, value),
  ...(LABEL_VALUE.test(value) ? [] : [LABEL_VALUE_TEXT]),
];

/** Keys of Secrets and ConfigMaps: they become file names. */
export const configKey: NameRule = (value) => [
  ...notLongerThan(253, value),
  ...(CONFIG_KEY.test(value) ? [] : [CONFIG_KEY_TEXT]),
  ...dotProblems(value),
];

function dotProblems(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

function prefixProblems(prefix: string | undefined): readonly string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  return dnsSubdomain(prefix).map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): readonly string[] {
  if (name === '') return ['name part must be non-empty', `name part ${QUALIFIED_TEXT}`];
  return [
    ...notLongerThan(63, name).map((problem) => `name part ${problem}`),
    ...(QUALIFIED.test(name) ? [] : [`name part ${QUALIFIED_TEXT}`]),
  ];
}

function notLongerThan(limit: number, value: string): readonly string[] {
  return Buffer.byteLength(value) > limit ? [`must be no more than ${limit} characters`] : [];
}

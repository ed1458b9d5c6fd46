import type { Language } from './language.ts';
import { literal, type Words } from './literal.ts';
import { isVariable, type SampleRequest } from './requests.ts';
import type { Value } from './scenario.ts';

const WORDS: Words = { true: 'True', false: 'False' };

/** Python 3, with nothing but its standard library. */
export const python: Language = {
  name: 'Python',
  fence: 'python',
  setup: `import json
import os
import urllib.error
import urllib.request
from urllib.parse import quote

SERVICE = os.environ.get("SERVICE", "http://localhost:3000")
NAMESPACE = os.environ.get("NAMESPACE", "shared")
COOKIE = os.environ["COOKIE"]


def request(method, path, expected, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Cookie": COOKIE} if data is None else {"Cookie": COOKIE, "Content-Type": "application/json"}
    try:
        sent = urllib.request.Request(SERVICE + path, data, headers, method=method)
        with urllib.request.urlopen(sent, timeout=60) as response:
            status, content = response.status, json.load(response)
    except urllib.error.HTTPError as error:
        status, content = error.code, json.load(error)
    if status != expected:
        raise RuntimeError(f"status {status}: {content['error']}")
    return content`,
  render: (request) => {
    const { keep, print } = request;
    return [
      `# ${request.comment}`,
      `response = request("${request.method}", ${pathOf(request)}, ${request.status}${bodyOf(request)})`,
      ...(keep === undefined
        ? []
        : [`${keep[0]} = response${keep[1].map((field) => `["${field}"]`).join('')}`]),
      ...(print === undefined ? [] : [`print(${expressionOf(print)})`]),
    ].join('\n');
  },
};

function pathOf({ segments, parameters }: SampleRequest): string {
  const query = parameters.map(([name, value]) => `${name}=${inUrl(value)}`).join('&');
  const path = segments.map((segment) => `/${inUrl(segment)}`).join('');
  return `f"${query === '' ? path : `${path}?${query}`}"`;
}

function inUrl(value: Value): string {
  return isVariable(value) ? `{quote(${value.variable}, safe='')}` : String(value);
}

function bodyOf({ fields }: SampleRequest): string {
  if (fields === undefined) return '';
  const members = fields.map(
    ([name, value]) => `    "${name}": ${isVariable(value) ? value.variable : literal(value, WORDS)},\n`,
  );
  return `, {\n${members.join('')}}`;
}

function expressionOf(fields: readonly string[]): string {
  const at = (path: string): string =>
    path
      .split('.')
      .map((field) => `["${field}"]`)
      .join('');
  const [list = '', ...rest] = fields.join('.').split('.[].');
  return rest.length === 0
    ? `response${at(list)}`
    : `[item${at(rest.join('.'))} for item in response${at(list)}]`;
}

import { isVariable, type SampleRequest } from './requests.ts';
import { literal } from './literal.ts';
import type { Language } from './language.ts';
import type { Value } from './scenario.ts';

/** bash, with curl and jq. Values and the session are no arguments of a command: other users of a machine can read those. */
export const shell: Language = {
  name: 'curl',
  fence: 'sh',
  setup: `SERVICE=\${SERVICE:-http://localhost:3000}
NAMESPACE=\${NAMESPACE:-shared}
COOKIE="\${COOKIE:-$(hack/sign-in --account developer-a@example.com)}"

# Sets status and body.
request() {
  local response
  response="$(curl -sS -w '\\n%{http_code}' -H @<(printf 'Cookie: %s' "$COOKIE") -X "$1" "$SERVICE$2" "\${@:3}")"
  status="\${response##*$'\\n'}"
  body="\${response%$'\\n'*}"
}

# The same with standard input as the body.
send() {
  request "$1" "$2" -H 'Content-Type: application/json' --data-binary @-
}

expect() {
  [ "$status" = "$1" ] || { echo "status $status: $body" >&2; exit 1; }
}`,
  render: (request) =>
    [
      `# ${request.comment}`,
      ...sendOf(request),
      `expect ${request.status}`,
      ...(request.keep === undefined
        ? []
        : [`${request.keep[0]}="$(jq -r .${request.keep[1].join('.')} <<< "$body")"`]),
      ...(request.print === undefined ? [] : [`jq -c '${filterOf(request.print)}' <<< "$body"`]),
    ].join('\n'),
};

function pathOf({ segments, parameters }: SampleRequest): string {
  const query = parameters.map(([name, value]) => `${name}=${inQuery(value)}`).join('&');
  const path = segments
    .map((segment) => `/${isVariable(segment) ? `$${segment.variable}` : segment}`)
    .join('');
  return query === '' ? path : `${path}?${query}`;
}

function inQuery(value: Value): string {
  return isVariable(value) ? `$(jq -rn --arg v "$${value.variable}" '$v | @uri')` : String(value);
}

function sendOf(request: SampleRequest): readonly string[] {
  const { method, fields } = request;
  if (fields === undefined) return [`request ${method} "${pathOf(request)}"`];
  const members = fields.map(
    ([name, value]) =>
      `  "${name}": ${isVariable(value) ? `"$${value.variable}"` : inDocument(literal(value))}`,
  );
  return [`send ${method} "${pathOf(request)}" << JSON`, '{', members.join(',\n'), '}', 'JSON'];
}

/** What the shell would expand in the document would not be what is sent. */
function inDocument(text: string): string {
  if (/[$`\\]/.test(text)) throw new Error(`The example cannot stand in a shell document: ${text}`);
  return text;
}

function filterOf(fields: readonly string[]): string {
  const [list, ...rest] = fields.join('.').split('.[].');
  return rest.length === 0 ? `.${list ?? ''}` : `[.${list ?? ''}[].${rest.join('.')}]`;
}

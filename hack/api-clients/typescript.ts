import type { Language } from './language.ts';
import { literal } from './literal.ts';
import { isVariable, type SampleRequest } from './requests.ts';
import type { Value } from './scenario.ts';

/** TypeScript for Node 22.18 or newer, which runs it as it is, without a package. */
export const typescript: Language = {
  name: 'TypeScript',
  fence: 'ts',
  setup: `const { SERVICE = 'http://localhost:3000', NAMESPACE = 'shared', COOKIE = '' } = process.env;

async function request(method: string, path: string, expected: number, body?: object) {
  const response = await fetch(new URL(path, SERVICE), {
    method,
    headers: { Cookie: COOKIE, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const json = await response.json();
  if (response.status !== expected) throw new Error(\`status \${response.status}: \${json.error}\`);
  return json;
}`,
  render: (request, isFirst) => {
    const { keep, print } = request;
    const send = `await request('${request.method}', ${pathOf(request)}, ${request.status}${bodyOf(request)})`;
    const used = keep !== undefined || print !== undefined;
    const lines = [
      `// ${request.comment}`,
      used ? `response = ${send};` : `${send};`,
      ...(keep === undefined ? [] : [`${isFirst ? 'let ' : ''}${keep[0]} = response.${keep[1].join('.')};`]),
      ...(print === undefined ? [] : [`console.log(${expressionOf(print)});`]),
    ];
    return lines.join('\n');
  },
};

function pathOf({ segments, parameters }: SampleRequest): string {
  const query = parameters.map(([name, value]) => `${name}=${inUrl(value)}`).join('&');
  const path = segments.map((segment) => `/${inUrl(segment)}`).join('');
  return `\`${query === '' ? path : `${path}?${query}`}\``;
}

function inUrl(value: Value): string {
  return isVariable(value) ? `\${encodeURIComponent(${value.variable})}` : String(value);
}

function bodyOf({ fields }: SampleRequest): string {
  if (fields === undefined) return '';
  const members = fields.map(
    ([name, value]) => `${name}: ${isVariable(value) ? value.variable : literal(value)}`,
  );
  return `, { ${members.join(', ')} }`;
}

function expressionOf(fields: readonly string[]): string {
  const [list = '', ...rest] = fields.join('.').split('.[].');
  return rest.length === 0 ? `response.${list}` : `response.${list}.map((item) => item.${rest.join('.')})`;
}

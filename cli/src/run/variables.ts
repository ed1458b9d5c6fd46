// The environment of the child of `run`: what it inherits, and the keys of Secrets as variables.

/** The keys of one Secret as they were read. */
export interface SecretValues {
  readonly name: string;
  readonly values: ReadonlyMap<string, Uint8Array>;
}

export interface VariableOptions {
  /** Only these keys; every one of them must exist. */
  readonly only: readonly string[];
  readonly prefix: string;
  /** Variables that are passed although they change what programs load or execute. */
  readonly allow: ReadonlySet<string>;
  /** Of two keys that become the same variable, the one of the later Secret is passed. */
  readonly allowClash: boolean;
}

export type Variables =
  | { readonly kind: 'variables'; readonly variables: ReadonlyMap<string, string> }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whoever writes one of these decides which code the child loads, or how a shell reads its commands. */
const DANGEROUS = words(`
  PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR CDPATH NODE_OPTIONS NODE_PATH
  PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB PERLLIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS
  JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH GCONV_PATH EDITOR VISUAL PAGER BROWSER LESSOPEN LESSCLOSE
  MANPAGER GLIBC_TUNABLES HOME SHELL GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS SSH_ASKPASS GIT_EDITOR
  GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR
  GIT_DIR GIT_WORK_TREE MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES GOFLAGS CGO_CFLAGS CGO_LDFLAGS RUSTFLAGS
  RUSTC_WRAPPER RUSTC RUSTDOC VIMINIT EXINIT MYVIMRC LUA_INIT LUA_PATH LUA_CPATH PERL5DB PERL_MM_OPT
  PERL_MB_OPT MAVEN_OPTS MAVEN_ARGS MAVEN_CONFIG GRADLE_OPTS ANT_OPTS SBT_OPTS JAVA_OPTS JRUBY_OPTS
  CATALINA_OPTS PHPRC PHP_INI_SCAN_DIR OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES DOTNET_STARTUP_HOOKS
  CORECLR_PROFILER_PATH PYTHONUSERBASE PYTHONWARNINGS PYTHONBREAKPOINT BUNDLE_GEMFILE BASH_LOADABLES_PATH
  KUBECONFIG AWS_CONFIG_FILE DOCKER_CONFIG HELM_PLUGINS XDG_CONFIG_HOME TAR_OPTIONS RSYNC_RSH MANOPT
  ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS
`);
const DANGEROUS_PREFIXES = ['LD_', 'DYLD_', 'BASH_FUNC_', 'GIT_CONFIG', 'SECRETSCTL_', 'PIP_'];

export const isDangerous = (name: string): boolean =>
  DANGEROUS.has(name) ||
  DANGEROUS_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
  // npm reads its own in any case.
  name.toLowerCase().startsWith('npm_config_');

/** MAX_ARG_STRLEN of Linux, for `NAME=value` and its NUL. */
const MAX_VARIABLE_BYTES = 128 * 1024 - 1;

type Text = { kind: 'text'; text: string } | { kind: 'unfit'; why: string };

/** The value as a variable can hold it. No reason contains any part of the value. */
const textOf = (variable: string, value: Uint8Array): Text => {
  if (value.includes(0)) return { kind: 'unfit', why: 'its value contains a NUL byte; use --mount' };
  if (variable.length + 1 + value.length > MAX_VARIABLE_BYTES) {
    return { kind: 'unfit', why: 'its value is larger than a variable can be (128 KiB); use --mount' };
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value) };
  } catch {
    return { kind: 'unfit', why: 'its value is not UTF-8; use --mount' };
  }
};

const nameProblem = (variable: string, options: VariableOptions): string | undefined => {
  if (!NAME.test(variable)) {
    return `"${variable}" is not a variable name; choose keys with --only, or use --mount`;
  }
  if (isDangerous(variable) && !options.allow.has(variable)) {
    return `${variable} changes what programs execute; pass it with --allow ${variable}`;
  }
  return undefined;
};

interface Selected {
  readonly secret: string;
  readonly key: string;
  readonly value: Uint8Array;
}

export interface Selection {
  /** In the order of the Secrets. */
  readonly selected: readonly Selected[];
  /** The keys of --only that no Secret has. */
  readonly problems: readonly string[];
}

/** The keys that --only leaves. */
export const selectKeys = (secrets: readonly SecretValues[], only: readonly string[]): Selection => {
  const wanted = new Set(only);
  const selected = secrets.flatMap(({ name, values }) =>
    [...values]
      .filter(([key]) => only.length === 0 || wanted.has(key))
      .map(([key, value]) => ({ secret: name, key, value })),
  );
  const found = new Set(selected.map(({ key }) => key));
  const missing = [...wanted].filter((key) => !found.has(key));
  return { selected, problems: missing.map((key) => `no Secret has the key "${key}" of --only`) };
};

/** All problems at once: who corrects them one by one reads the Secrets as often. */
export const variablesOf = (selection: Selection, options: VariableOptions): Variables => {
  const problems = [...selection.problems];
  const variables = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { secret, key, value } of selection.selected) {
    const variable = `${options.prefix}${key}`;
    const owner = owners.get(variable);
    const text = textOf(variable, value);
    const problem = nameProblem(variable, options) ?? (text.kind === 'unfit' ? text.why : undefined);
    if (problem !== undefined) problems.push(`${secret}: key "${key}": ${problem}`);
    else if (owner !== undefined && !options.allowClash) {
      problems.push(`${variable} is in ${owner} and in ${secret}; --allow-clash takes the later one`);
    } else if (text.kind === 'text') variables.set(variable, text.text);
    owners.set(variable, secret);
  }
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'variables', variables };
};

/** What --no-inherit-env leaves: what a program needs to find files, a terminal and a language. */
const ALWAYS_INHERITED = words(`
  PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR LANG LANGUAGE TZ TMPDIR PWD XDG_RUNTIME_DIR
`);

/** What the child inherits. Credentials of this command are its own; those of GitHub are of the job, and of its other steps. */
export const inheritedEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  inherit: boolean,
): Map<string, string> => {
  const inherited = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || /^SECRETSCTL_(?:ID_)?TOKEN/.test(name)) continue;
    if (inherit || ALWAYS_INHERITED.has(name) || name.startsWith('LC_')) inherited.set(name, value);
  }
  return inherited;
};

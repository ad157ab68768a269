import { type Draft, unusable } from './draft.ts'
import { isSecret } from './find-secrets.ts'
import { nameOfFile, nameOfImage, nameOfPackage, toName } from './names.ts'
import { type ShellCommand, splitShell } from './split-shell.ts'

interface Command {
  command: string
  args: string[]
}

/** What starts servers: a line that begins with none of these is prose, unless it is a path. */
const launchers = new RegExp(
  `^(${[
    ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx?', 'node', 'deno', 'tsx', 'uvx?', 'pipx?'],
    ...['python[\\d.]*', 'py', 'docker', 'podman', 'java', 'go', 'cargo', 'dotnet', 'dnx'],
    ...['ruby', 'php', 'cmd', 'env'],
  ].join('|')})(\\.exe|\\.cmd)?$`,
)

/** Lines that people paste along and that start nothing. */
const installs =
  /^(npm|pnpm|yarn|bun|pip3?|pipx|uv|cargo|go|docker) (install|i|ci|add|pull|build|login|get)$/
const preparations = new Set([
  ...['cd', 'git', 'brew', 'apt', 'apt-get', 'mkdir', 'echo', 'source'],
])

const assignment = /^([A-Za-z_]\w*)=(.*)$/s

const exportedMax = 100

/**
 * Lines as `K=V npx -y package arg`: what would be typed at a prompt. Variables that are exported
 * count for the lines behind. Undefined where the first is no command.
 */
export function fromCommands(commands: readonly ShellCommand[]): Draft[] | undefined {
  const exported: string[] = []
  const drafts: (Draft | undefined)[] = []
  for (const command of commands) {
    const [first = '', ...rest] = command.words
    if (first === 'export') exported.push(...rest.slice(0, exportedMax - exported.length))
    else if (!preparations.has(first) && !installs.test(`${first} ${rest[0]}`)) {
      drafts.push(fromCommand(command, exported))
    }
  }
  if (drafts[0] === undefined) return undefined
  return drafts.filter((draft) => draft !== undefined)
}

function fromCommand(
  { words, problems }: ShellCommand,
  exported: readonly string[],
): Draft | undefined {
  const rest = words[0] === 'env' ? words.slice(1) : words
  const start = rest.findIndex((word) => !assignment.test(word))
  const [command, ...args] = start === -1 ? [] : rest.slice(start)
  if (command === undefined || !isCommand(command, start > 0)) return undefined
  const name = nameOfCommand(command, args)
  if (problems.length > 0) return unusable(name, notRun(problems))
  const moved = withoutDockerSecrets({
    command,
    args,
    env: toEnv([...exported, ...rest.slice(0, start)]),
  })
  return { status: 'read', name, config: { name, transport: 'stdio', ...moved }, warnings: [] }
}

export function notRun(problems: readonly string[]): string {
  return `the line has ${problems.join(', ')}: only a single command can be added, as no shell runs it`
}

/** Undefined where only a shell could run it. */
export function splitCommand(line: string): Command | undefined {
  const [split, ...more] = splitShell(line)
  const [command, ...args] = split?.words ?? []
  if (command === undefined || more.length > 0 || split?.problems.length !== 0) return undefined
  return { command, args }
}

export function toEnv(assignments: readonly string[]): Record<string, string> {
  const pairs = assignments.map((word) => assignment.exec(word))
  return Object.fromEntries(pairs.flatMap((match) => (match ? [[match[1], match[2]]] : [])))
}

function isCommand(command: string, hasAssignments: boolean): boolean {
  const looksLikePath = /^(\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])\S/.test(command)
  return hasAssignments || looksLikePath || launchers.test(command)
}

/** A name for the server that a command starts. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program =
    command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(exe|cmd)$/i, '') ?? ''
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '') && args[1]) {
    return nameOfCommand(args[1], args.slice(2))
  }
  if (/^(docker|podman)$/.test(program)) return nameOfImage(findImage(args) ?? program)
  const word = firstWord(args)
  if (/^(node|deno|tsx|python[\d.]*|py|ruby|php|java)$/.test(program)) {
    const module = args[args.indexOf('-m') + 1]
    if (args.includes('-m') && module) return nameOfPackage(module)
    return word === undefined ? toName(program) : nameOfFile(word)
  }
  if (launchers.test(program)) return nameOfPackage(word ?? program)
  return nameOfFile(command)
}

const launcherVerbs = new Set(['exec', 'run', 'dlx', 'x', 'tool', '--'])

/** The first argument that is neither an option nor the launcher's own word. */
function firstWord(args: readonly string[]): string | undefined {
  const from = args.findIndex((arg) => /^(-p|--package|--from)$/.test(arg))
  if (from !== -1 && args[from + 1]) return args[from + 1]
  return args.find((arg) => !arg.startsWith('-') && !launcherVerbs.has(arg))
}

/** Options of `docker run` that stand without a value. */
const dockerFlags = /^(-[itdPq]+|--(rm|init|interactive|tty|detach|privileged|read-only|quiet))$/

function findImage(args: readonly string[]): string | undefined {
  const run = args.indexOf('run')
  for (let at = run + 1; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-')) return arg
    if (!dockerFlags.test(arg) && !arg.includes('=')) at += 1
  }
  return undefined
}

/**
 * `docker run -e KEY=secret` shows the secret in every list of processes. `-e KEY` takes it from
 * docker's own environment, where it is kept as a secret.
 */
export function withoutDockerSecrets({
  command,
  args,
  env,
}: {
  command: unknown
  args: unknown
  env: Record<string, unknown>
}): Record<string, unknown> {
  const isDocker = typeof command === 'string' && /(^|[\\/])(docker|podman)(\.exe)?$/.test(command)
  if (!isDocker || !Array.isArray(args)) return { command, args, ...(hasAny(env) && { env }) }
  const moved: Record<string, unknown> = { ...env }
  const kept = args.map((arg: unknown, at) => {
    const [, option = '', key, value] =
      /^(--env=|-e=?)?([A-Za-z_]\w*)=(.*)$/s.exec(typeof arg === 'string' ? arg : '') ?? []
    const isEnv = option !== '' || /^(-e|--env)$/.test(String(args[at - 1]))
    if (!isEnv || key === undefined || value === undefined || !isSecret(key, value)) return arg
    moved[key] = value
    return `${option}${key}`
  })
  return { command, args: kept, ...(hasAny(moved) && { env: moved }) }
}

export function hasAny(record: object): boolean {
  return Object.keys(record).length > 0
}

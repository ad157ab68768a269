import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { FieldName, Settings } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { type Flags, parseFlags } from './flags.ts'
import { formatHelp } from './help.ts'
import { parseKeyEntry } from './key-entry.ts'
import { modelVariables } from './model-variables.ts'
import { actions, type Command, type Field, fields, type Operands } from './names.ts'
import { formatProblems, nearest, type Problem } from './problem.ts'
import { type Config, findConflicts, type Origin, type Origins, resolveConfig } from './resolve.ts'
import { toShownLine } from './shown-line.ts'
import { type Lang, langOfLocale, langs, type Text } from './text.ts'
import { distrustDataDir } from './trust.ts'

export interface ConfigInput {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The directory used where it exists and can be written; tests pass their own. */
  sharedDir?: string
}

export type LoadedConfig =
  | {
      status: 'ok'
      config: Config
      warnings: string[]
      command: Command | undefined
      operands: Operands
    }
  | { status: 'help'; text: string }
  | { status: 'version' }
  | { status: 'invalid'; message: string }

interface Given {
  value: unknown
  from: Origin
  origin: Text
}

/**
 * Reads all settings: defaults, then the file, the environment, the flags. Never throws; lists all
 * that is wrong at once.
 */
export function loadConfig({ argv, env, sharedDir = '/data' }: ConfigInput): LoadedConfig {
  const flags = parseFlags(argv)
  const lang = chooseLang(flags, env)
  if (flags.help) return { status: 'help', text: formatHelp(lang) }
  if (flags.version) return { status: 'version' }

  const direct = [fromFlags(flags), fromEnvironment(env)]
  const named = flags.config ?? (env[actions.config.env] || undefined)
  const place = dataDirOf(direct) ?? defaultDataDir(sharedDir)
  const path = resolve(named ?? join(place, 'dataagent.config.json'))
  const file = readConfigFile(path, named !== undefined)
  if (named === undefined && file.values.has('data_dir')) file.problems.push(movesItself(path))
  const sources = [...direct, fromFile(file.values, path)]

  const { settings, origins, problems } = parseSettings(sources)
  const dataDir = resolve(settings.data_dir ?? place)
  const config = resolveConfig(settings, { dataDir, lang, origins, file: path })
  const all = [
    ...flags.problems,
    ...file.problems,
    ...problems,
    ...distrustDataDir(dataDir),
    ...findConflicts(config),
    ...(flags.command && config.session_store === 'memory' ? [keepsNothing[flags.command]] : []),
  ]
  if (all.length > 0) return { status: 'invalid', message: formatProblems(all, lang) }
  const warnings = [...file.warnings, ...unknownVariables(env), ...weakSecrets(config, flags)]
  return {
    status: 'ok',
    config,
    warnings: warnings.map((warning) => warning[lang]),
    command: flags.command,
    operands: flags.operands,
  }
}

type Source = (field: Field) => Given | undefined

function fromFlags(flags: Flags): Source {
  return ({ name, flag }) =>
    given(flags.values.get(name), 'flag', { en: `flag ${flag}`, zh: `参数 ${flag}` })
}

function fromEnvironment(env: ConfigInput['env']): Source {
  return (field) =>
    given(env[field.env] || undefined, 'env', {
      en: `environment variable ${field.env}`,
      zh: `环境变量 ${field.env}`,
    })
}

function fromFile(values: Map<FieldName, unknown>, path: string): Source {
  return ({ name }) => given(values.get(name), 'file', { en: `file ${path}`, zh: `文件 ${path}` })
}

function given(value: unknown, from: Origin, origin: Text): Given | undefined {
  return value === undefined ? undefined : { value, from, origin }
}

/**
 * The first source that has a field wins; a bad value is reported and its default used to find what
 * else is wrong.
 */
function parseSettings(sources: Source[]): Parsed {
  const problems: Problem[] = []
  const origins = {} as Record<FieldName, Origin>
  const entries = fields.map((field) => {
    const found = sources.map((source) => source(field)).find((one) => one !== undefined)
    origins[field.name] = found?.from ?? 'default'
    const parsed = field.schema.safeParse(found?.value)
    if (parsed.success) return [field.name, parsed.data]
    problems.push(badValue(field, found))
    return [field.name, field.schema.parse(undefined)]
  })
  const settings = Object.fromEntries(entries) as Settings
  return { settings, origins, problems }
}

interface Parsed {
  settings: Settings
  origins: Origins
  problems: Problem[]
}

function badValue(field: Field, found: Given | undefined): Problem {
  const [en, zh] = field.secret ? ['***', '***'] : shownValue(found?.value)
  return {
    name: field.name,
    message: {
      en: `expected ${field.expected.en}, got ${en}`,
      zh: `应为${field.expected.zh}，实际为 ${zh}`,
    },
    ...(found && { origin: found.origin }),
  }
}

/** What is given in a wrong place may be a secret of another: only plain values are told. */
function shownValue(value: unknown): [en: string, zh: string] {
  if (Array.isArray(value)) return ['a list', '列表']
  if (typeof value === 'object' && value !== null) return ['an object', '对象']
  const text = JSON.stringify(value)?.replaceAll(/\/\/[^/@\s]*@/g, '//***@')
  const line = toShownLine(text ?? String(value))
  return [line, line]
}

function movesItself(path: string): Problem {
  return {
    name: 'data_dir',
    message: {
      en: 'cannot be set in the file that is found through it; use DATAAGENT_DATA_DIR or --data-dir',
      zh: '不能写在依其定位的配置文件中；请使用 DATAAGENT_DATA_DIR 或 --data-dir',
    },
    origin: { en: `file ${path}`, zh: `文件 ${path}` },
  }
}

const keepsNothing: Record<Command, Problem> = {
  new_admin_key: {
    name: actions.new_admin_key.flag,
    message: {
      en: 'has nowhere to keep a key with session_store memory; a start of the server shows a new one',
      zh: '在 session_store 为 memory 时无处保存 Key；重新启动服务即会显示新的 Key',
    },
  },
  fill_key_hashes: {
    name: actions.fill_key_hashes.flag,
    message: {
      en: 'has nothing to fill with session_store memory, which keeps no keys',
      zh: '在 session_store 为 memory 时不保存 Key，无需补全',
    },
  },
  reseal: {
    name: actions.reseal.flag,
    message: {
      en: 'has nothing to seal with session_store memory, which keeps no secrets',
      zh: '在 session_store 为 memory 时不保存机密，无需重新加密',
    },
  },
  backup: {
    name: actions.backup.flag,
    message: {
      en: 'has nothing to copy with session_store memory, which keeps nothing',
      zh: '在 session_store 为 memory 时不保存任何内容，无可备份',
    },
  },
  restore: {
    name: actions.restore.flag,
    message: {
      en: 'has nowhere to put a backup with session_store memory, which keeps nothing',
      zh: '在 session_store 为 memory 时不保存任何内容，无处恢复',
    },
  },
}

function chooseLang(flags: Flags, env: ConfigInput['env']): Lang {
  const asked = String(flags.values.get('lang') ?? env.DATAAGENT_LANG ?? '').toLowerCase()
  const named = langs.find((lang) => lang === asked)
  return named ?? langOfLocale(env.LC_ALL || env.LC_MESSAGES || env.LANG)
}

function dataDirOf(sources: Source[]): string | undefined {
  const field = fields.find(({ name }) => name === 'data_dir')!
  const found = sources.map((source) => source(field)).find((one) => one !== undefined)
  return z.string().trim().min(1).safeParse(found?.value).data
}

function defaultDataDir(sharedDir: string): string {
  try {
    accessSync(sharedDir, constants.W_OK)
    if (statSync(sharedDir).isDirectory()) return sharedDir
  } catch {
    // Absent or not ours: the home directory is the usual place.
  }
  return join(homedir(), '.dataagent')
}

function unknownVariables(env: ConfigInput['env']): Text[] {
  const known = [...[...fields, ...modelVariables].map(({ env }) => env), actions.config.env]
  return Object.keys(env)
    .filter((name) => name.startsWith('DATAAGENT_') && !name.startsWith('DATAAGENT_TEST_'))
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known)
      return {
        en: `the environment variable ${name} is not known${near ? `; did you mean ${near}?` : ''}`,
        zh: `未知的环境变量 ${name}${near ? `，是否想用 ${near}？` : ''}`,
      }
    })
}

function weakSecrets(config: Config, flags: Flags): Text[] {
  const warnings: Text[] = fields
    .filter((field) => field.secret && flags.values.has(field.name))
    .map(({ flag, env }) => ({
      en: `${flag} shows a secret to all users of this machine; use ${env} instead`,
      zh: `${flag} 会把机密暴露给本机所有用户；请改用 ${env}`,
    }))
  if (config.api_keys.some((entry) => parseKeyEntry(entry.reveal()).key.length < 16)) {
    warnings.push({
      en: 'an API key in DATAAGENT_API_KEYS has fewer than 16 characters and can be guessed',
      zh: 'DATAAGENT_API_KEYS 中有少于 16 个字符的 Key，容易被猜出',
    })
  }
  return warnings
}

/**
 * Names of the environment variables that hold secrets, for the caller to remove once they are
 * read.
 */
export const secretVariables: readonly string[] = [...fields, ...modelVariables]
  .filter(({ secret }) => secret)
  .map(({ env }) => env)

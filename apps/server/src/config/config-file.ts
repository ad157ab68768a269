import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import type { FieldName } from './config.ts'
import { fields } from './names.ts'
import { type Problem, unknownName } from './problem.ts'
import type { Text } from './text.ts'
import { distrust } from './trust.ts'

export interface ConfigFile {
  values: Map<FieldName, unknown>
  problems: Problem[]
  warnings: Text[]
}

const known = fields.map(({ name }) => name)

/**
 * Reads settings from a JSON file. One that is absent is a problem only where it `mustExist`. Never
 * throws.
 */
export function readConfigFile(path: string, mustExist: boolean): ConfigFile {
  const file: ConfigFile = { values: new Map(), problems: [], warnings: [] }
  const content = readText(path, mustExist, file.problems)
  if (content === undefined) return file
  for (const [key, value] of Object.entries(parseObject(path, content.text, file.problems))) {
    if (known.includes(key as FieldName)) file.values.set(key as FieldName, value)
    else file.problems.push(inFile(path, unknownName({ en: 'setting', zh: '配置项' }, key, known)))
  }
  if (holdsSecret(file.values) && othersCanRead(content.stats))
    file.warnings.push(openFileWarning(path))
  return file
}

interface Content {
  text: string
  stats: Stats
}

function readText(path: string, mustExist: boolean, problems: Problem[]): Content | undefined {
  try {
    // A pipe that another user has put there would hold up the start.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = fstatSync(file)
      const message = distrust(path, stats)
      if (!message) return { text: readFileSync(file, 'utf8'), stats }
      problems.push({ name: path, message })
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !mustExist) return undefined
    problems.push({ name: path, message: cannotRead(message) })
  }
  return undefined
}

function parseObject(path: string, text: string, problems: Problem[]): object {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
    problems.push({ name: path, message: notAnObject })
  } catch {
    problems.push({ name: path, message: notJson })
  }
  return {}
}

function inFile(path: string, problem: Problem): Problem {
  return { ...problem, origin: { en: `file ${path}`, zh: `文件 ${path}` } }
}

function holdsSecret(values: Map<FieldName, unknown>): boolean {
  return fields.some((field) => field.secret && values.has(field.name))
}

function othersCanRead({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

// The parser's own message quotes the text, which may hold a secret.
const notJson: Text = { en: 'is not valid JSON', zh: '不是有效的 JSON' }
const notAnObject: Text = {
  en: 'must hold one JSON object of settings',
  zh: '必须是一个 JSON 对象',
}

function cannotRead(reason: string): Text {
  return { en: `cannot be read: ${reason}`, zh: `无法读取：${reason}` }
}

function openFileWarning(path: string): Text {
  return {
    en: `${path} holds secrets and other users of this machine can read it; run: chmod 600 ${path}`,
    zh: `${path} 含有机密，但本机其他用户可以读取；请执行：chmod 600 ${path}`,
  }
}

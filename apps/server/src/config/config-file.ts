import { readFileSync, statSync } from 'node:fs'
import type { FieldName } from './config.ts'
import { fields } from './names.ts'
import { type Problem, unknownName } from './problem.ts'
import type { Text } from './text.ts'

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
  const content = readJson(path, mustExist, file.problems)
  if (content === undefined) return file
  for (const [key, value] of Object.entries(content)) {
    if (known.includes(key as FieldName)) file.values.set(key as FieldName, value)
    else file.problems.push(inFile(path, unknownName({ en: 'setting', zh: '配置项' }, key, known)))
  }
  if (holdsSecret(file.values) && othersCanRead(path)) file.warnings.push(openFileWarning(path))
  return file
}

function readJson(path: string, mustExist: boolean, problems: Problem[]): object | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
    problems.push({ name: path, message: notAnObject })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !mustExist) return undefined
    problems.push({ name: path, message: code === undefined ? notJson : cannotRead(message) })
  }
  return undefined
}

function inFile(path: string, problem: Problem): Problem {
  return { ...problem, origin: { en: `file ${path}`, zh: `文件 ${path}` } }
}

function holdsSecret(values: Map<FieldName, unknown>): boolean {
  return fields.some((field) => field.secret && values.has(field.name))
}

function othersCanRead(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
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

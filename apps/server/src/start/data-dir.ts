import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createStartError, type Text } from '../config/index.ts'

/**
 * Makes the data directory, closed to other users, where it is absent. Throws `config_invalid`
 * where we cannot write.
 */
export function prepareDataDir(path: string): void {
  try {
    makeDirectory(path)
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const isFile = code === 'EEXIST' || code === 'ENOTDIR'
    throw createStartError(isFile ? notDirectory(path) : notWritable(path, code), error)
  }
}

/** Level by level: Node's own recursion never ends where the system makes none, as in /proc. */
function makeDirectory(path: string): void {
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function notDirectory(path: string): Text {
  return {
    en: `The data directory ${path} is a file, not a directory, or lies below one. ${another.en}`,
    zh: `数据目录 ${path} 是文件而不是目录，或位于某个文件之下。${another.zh}`,
  }
}

function notWritable(path: string, code: string): Text {
  return {
    en: `The data directory ${path} cannot be made or written (${code}). ${another.en}`,
    zh: `无法创建或写入数据目录 ${path}（${code}）。${another.zh}`,
  }
}

const another: Text = {
  en: 'Name another one by --data-dir or DATAAGENT_DATA_DIR.',
  zh: '请用 --data-dir 或 DATAAGENT_DATA_DIR 指定其他目录。',
}

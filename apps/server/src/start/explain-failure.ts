import { type AppError, type ErrorCode, isAppError } from '@dataagent/schema'
import type { Config, Text } from '../config/index.ts'
import { startCommand } from '../places.ts'

export interface Failure {
  /** 2 where the settings are to blame, else 1. */
  code: 1 | 2
  /** For the person who started it; absent where only the log can tell. */
  text?: string
}

/** What to tell of an error that ends the process. */
export function explainFailure(error: unknown, config: Config): Failure {
  const known = isAppError(error) && expected[error.code]
  if (known) return { code: known.code, text: textOf(error, known.lead)[config.lang] }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'bind') return { code: 1 }
  const text = listenFailures[code ?? '']?.(config) ?? otherListenFailure(config, code)
  return { code: 1, text: text[config.lang] }
}

/** Codes of errors that the operator can mend, with words to go before a message in English. */
const expected: Partial<Record<ErrorCode, { code: 1 | 2; lead: string }>> = {
  config_invalid: { code: 2, lead: '配置有误' },
  secret_unreadable: { code: 2, lead: '无法解密所存的机密' },
  store_unavailable: { code: 1, lead: '数据库不可用' },
  storage_full: { code: 1, lead: '磁盘空间不足' },
}

function textOf({ message, data }: AppError, lead: string): Text {
  return (data?.text as Text | undefined) ?? { en: message, zh: `${lead}：${message}` }
}

const listenFailures: Record<string, (config: Config) => Text> = {
  EADDRINUSE: ({ host, port }) => ({
    en: `Port ${port} on ${host} is in use. Stop the other program, or choose another port: ${startCommand} --port ${port + 1}`,
    zh: `${host} 的端口 ${port} 已被占用。请停止占用它的程序，或换一个端口：${startCommand} --port ${port + 1}`,
  }),
  EACCES: ({ port }) => ({
    en: `Port ${port} may not be used by this user. Choose one above 1023: ${startCommand} --port 8000`,
    zh: `当前用户无权使用端口 ${port}。请选择大于 1023 的端口：${startCommand} --port 8000`,
  }),
  EADDRNOTAVAIL: ({ host }) => ({
    en: `This machine does not have the address ${host}. Change --host or DATAAGENT_HOST.`,
    zh: `本机没有地址 ${host}。请修改 --host 或 DATAAGENT_HOST。`,
  }),
}

function otherListenFailure({ host, port }: Config, code: string | undefined): Text {
  return {
    en: `Cannot listen on ${host}, port ${port} (${code}). Change --host or --port.`,
    zh: `无法监听 ${host} 端口 ${port}（${code}）。请修改 --host 或 --port。`,
  }
}

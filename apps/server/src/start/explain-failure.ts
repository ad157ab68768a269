import { isAppError } from '@dataagent/schema'
import { type Config, type Text, textOf } from '../config/index.ts'

export interface Failure {
  /** 2 where the settings are to blame, else 1. */
  code: 1 | 2
  /** For the person who started it; absent where only the log can tell. */
  text?: string
}

/** What to tell of an error that ends the process. */
export function explainFailure(error: unknown, config: Config): Failure {
  if (isAppError(error, 'config_invalid') || isAppError(error, 'secret_unreadable'))
    return { code: 2, text: textOf(error, config.lang) }
  if (isAppError(error, 'store_unavailable')) return { code: 1, text: error.message }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'bind') return { code: 1 }
  const text = listenFailures[code ?? '']?.(config) ?? otherListenFailure(config, code)
  return { code: 1, text: text[config.lang] }
}

const listenFailures: Record<string, (config: Config) => Text> = {
  EADDRINUSE: ({ host, port }) => ({
    en: `Port ${port} on ${host} is in use. Stop the other program, or choose another port: npm start -- --port ${port + 1}`,
    zh: `${host} 的端口 ${port} 已被占用。请停止占用它的程序，或换一个端口：npm start -- --port ${port + 1}`,
  }),
  EACCES: ({ port }) => ({
    en: `Port ${port} may not be used by this user. Choose one above 1023: npm start -- --port 8000`,
    zh: `当前用户无权使用端口 ${port}。请选择大于 1023 的端口：npm start -- --port 8000`,
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
